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


def opened(settings: Settings, account: str, secret: str) -> Access:
    """The keys of an account in clear. Raises SecretError."""
    return msgspec.json.decode(Secrets.of_accounts(settings).decrypt(secret, provider_keys(account)), type=Access)


def notices_url(settings: Settings, access: Access) -> str:
    return f"{settings.public_url}/api/v1/tresorerie/avis/{access.jeton}"


async def demand(run: Run, settings: Settings, number: str) -> None:
    """Ask for the money of a demand, or ask the provider what became of it."""
    again = True
    while again:  # when the provider does not know a demand whose answer was lost
        claim = msgspec.convert(await run("jobs.demande_prendre", [number]), Claim, strict=False)
        fact = await _answer(settings, claim)
        again = fact is not None and await run("jobs.demande_finir", [number, claim.prise, fact])


async def notice(run: Run, settings: Settings, number: str) -> None:
    """Ask the provider about the demand or the transaction that a notice names."""
    claim = msgspec.convert(await run("jobs.avis_prendre", [number]), Claim, strict=False)
    if (fact := await _answer(settings, claim)) is not None:
        await run("jobs.avis_finir", [number, claim.prise, fact])


async def _answer(settings: Settings, claim: Claim) -> str | None:
    """The answer of the provider as JSON. None where there is nothing to ask."""
    if claim.action is None:
        return None
    try:
        provider, access = adapter(claim.fournisseur), opened(settings, claim.id_compte, claim.secret)
        claim.avis, claim.site = notices_url(settings, access), settings.public_url
        claim.reseaux, claim.chiffre = settings.webhook_networks, settings.production
        speak = provider.ask if claim.action == "DEMANDER" else provider.look
        fact: Fact = await speak(access, claim)
        if fact.etat == "ATTENTE" and (shown := claim.qr or fact.url):
            fact.qr = str(qr_code(shown))
    except (Nothing, SecretError) as error:
        fact = Fact("RIEN", motif=str(error))
    except Lost as error:
        fact = Fact("PERDUE", motif=str(error))
    return msgspec.json.encode(fact).decode()


def add(app: App, pool: AsyncConnectionPool, settings: Settings) -> None:
    """The tasks of the worker. The database says when one runs again: no retry here."""

    async def run(name: str, values: list[str | None]) -> Any:
        places = sql.SQL(", ").join([sql.Placeholder()] * len(values))
        query = sql.SQL("select to_json({}({}))::text").format(sql.Identifier(*name.split(".")), places)
        async with pool.connection() as connection:
            row = await (await connection.execute(query, values)).fetchone()
        return msgspec.json.decode(row[0] or "{}") if row else None

    @app.task(name="demande", queue=PROVIDERS)
    async def ask(id_demande: int) -> None:
        await demand(run, settings, str(id_demande))

    @app.task(name="avis", queue=PROVIDERS)
    async def wake(id_avis: int) -> None:
        await notice(run, settings, str(id_avis))
