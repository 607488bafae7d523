"""The adapter of each provider, and how the worker and a request speak through it: app/jobs/outside.py."""

from collections.abc import Coroutine
from typing import Any

import msgspec
from procrastinate import App
from psycopg_pool import AsyncConnectionPool

from app.auth.encrypted import Secrets, provider_keys
from app.base.settings import Settings
from app.documents.templates import qr_code
from app.jobs import outside
from app.jobs.tasks import PROVIDERS
from app.leaves.providers import cinetpay, pispi, wave
from app.leaves.providers.adapter import Access, Claim, Fact

ADAPTERS: dict[str, Any] = {"WAVE": wave, "CINETPAY": cinetpay, "PI_SPI": pispi}
DEMAND = ("jobs.demande_prendre", "jobs.demande_finir")  # again when the provider does not know a demand
NOTICE = ("jobs.avis_prendre", "jobs.avis_finir")


def opened(settings: Settings, account: str | int, secret: str) -> Access:
    """The keys of an account in clear. Raises SecretError."""
    return msgspec.json.decode(Secrets.of_accounts(settings).decrypt(secret, provider_keys(account)), type=Access)


def speak(run: outside.Run, settings: Settings, steps: tuple[str, str], number: str) -> Coroutine[Any, Any, None]:
    """Ask for the money of a demand, or ask what became of it or of what a notice names."""

    async def answer(row: dict[str, Any]) -> Fact:
        provider, access = ADAPTERS[row["fournisseur"]], opened(settings, row["id_compte"], row["secret"])
        places = {"api": (access.adresse or provider.API).rstrip("/"), "avis": access.notices(settings)}
        claim = Claim(**row, **places, settings=settings, access=access, site=settings.public_url)
        fact: Fact = await (provider.ask if claim.action == "DEMANDER" else provider.look)(claim)
        if fact.etat == "ATTENTE" and (shown := claim.qr or fact.url):
            fact.qr = str(qr_code(shown))
        return fact

    return outside.speak(run, steps, number, answer)


def add(app: App, pool: AsyncConnectionPool, settings: Settings) -> None:
    """The tasks of the worker. The database says when one runs again: no retry here."""
    run = outside.by_pool(pool)

    @app.task(name="demande", queue=PROVIDERS)
    async def ask(id_demande: int) -> None:
        await speak(run, settings, DEMAND, str(id_demande))

    @app.task(name="avis", queue=PROVIDERS)
    async def wake(id_avis: int) -> None:
        await speak(run, settings, NOTICE, str(id_avis))
