"""One exchange with a provider: claim in the database, speak outside any transaction, bring the answer back."""

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

import msgspec
from procrastinate import App
from psycopg import sql
from psycopg_pool import AsyncConnectionPool

from app.auth.encrypted import SecretError, Secrets, provider_keys
from app.base.settings import Settings
from app.documents.templates import qr_code
from app.jobs.tasks import PROVIDERS
from app.leaves.providers.adapter import Access, Claim, Fact, Lost, Nothing

Run = Callable[[str, list[str | None]], Awaitable[Any]]  # an operation of the slice jobs, in a transaction of its own

MODULES = {"WAVE": "wave", "CINETPAY": "cinetpay", "PI_SPI": "pispi"}


def adapter(provider: str) -> Any:
    """The module of a provider."""
    return import_module(f"{__package__}.{MODULES[provider]}")


def opened(settings: Settings, account: str | int, secret: str) -> Access:
    """The keys of an account in clear. Raises SecretError."""
    return msgspec.json.decode(Secrets.of_accounts(settings).decrypt(secret, provider_keys(account)), type=Access)


def notices_url(settings: Settings, access: Access) -> str:
    return f"{settings.public_url}/api/v1/tresorerie/avis/{access.jeton}"


async def demand(run: Run, settings: Settings, number: str) -> None:
    """Ask for the money of a demand, or ask the provider what became of it."""
    # Again when the provider does not know a demand whose answer was lost.
    while await _exchanged(run, settings, ("jobs.demande_prendre", "jobs.demande_finir"), number):
        pass


async def notice(run: Run, settings: Settings, number: str) -> None:
    """Ask the provider about the demand or the transaction that a notice names."""
    await _exchanged(run, settings, ("jobs.avis_prendre", "jobs.avis_finir"), number)


async def _exchanged(run: Run, settings: Settings, steps: tuple[str, str], number: str) -> Any:
    """The answer of the database to the answer of the provider. None where there is nothing to ask."""
    row = await run(steps[0], [number])
    if not row or row["action"] is None:
        return None
    claim = msgspec.convert(row, Claim, strict=False)
    try:
        provider, access = adapter(claim.fournisseur), opened(settings, claim.id_compte, claim.secret)
        claim.avis, claim.site = notices_url(settings, access), settings.public_url
        claim.reseaux, claim.chiffre = settings.webhook_networks, settings.production
        fact: Fact = await (provider.ask if claim.action == "DEMANDER" else provider.look)(access, claim)
        if fact.etat == "ATTENTE" and (shown := claim.qr or fact.url):
            fact.qr = str(qr_code(shown))
    except (Nothing, SecretError) as error:
        fact = Fact("RIEN", motif=str(error))
    except Lost as error:
        fact = Fact("PERDUE", motif=str(error))
    return await run(steps[1], [number, claim.prise, msgspec.json.encode(fact).decode()])


def add(app: App, pool: AsyncConnectionPool, settings: Settings) -> None:
    """The tasks of the worker. The database says when one runs again: no retry here."""

    async def run(name: str, values: list[str | None]) -> Any:
        places = sql.SQL(", ").join([sql.Placeholder()] * len(values))
        query = sql.SQL("select to_json({}({}))::text").format(sql.Identifier(*name.split(".")), places)
        async with pool.connection() as connection:
            row = await (await connection.execute(query, values)).fetchone()
        return msgspec.json.decode(row[0]) if row and row[0] else None

    @app.task(name="demande", queue=PROVIDERS)
    async def ask(id_demande: int) -> None:
        await demand(run, settings, str(id_demande))

    @app.task(name="avis", queue=PROVIDERS)
    async def wake(id_avis: int) -> None:
        await notice(run, settings, str(id_avis))
