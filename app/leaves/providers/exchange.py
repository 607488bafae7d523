"""One exchange with a provider: claim in the database, speak outside any transaction, bring the answer back."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from decimal import Decimal
from importlib import import_module
from typing import Any, cast

import msgspec

from app.auth.encrypted import SecretError, Secrets, provider_keys
from app.base.settings import Settings
from app.documents.templates import qr_code
from app.leaves.providers.adapter import Access, Adapter, Fact, Lost, Nothing, Order, Web

Run = Callable[[str, list[str | None]], Awaitable[Any]]  # calls an operation of the slice jobs

MODULES = {"WAVE": "wave", "CINETPAY": "cinetpay", "PI_SPI": "pispi"}


def adapter(provider: str) -> Adapter:
    return cast(Adapter, import_module(f"{__package__}.{MODULES[provider]}"))


def web(settings: Settings) -> Web:
    return Web(settings.webhook_networks, encrypted=settings.production)


def opened(settings: Settings, account: str, secret: str) -> Access:
    """The keys of an account in clear. Raises SecretError."""
    return msgspec.json.decode(Secrets.of_accounts(settings).decrypt(secret, provider_keys(account)), type=Access)


def notices_url(settings: Settings, token: str) -> str:
    return f"{settings.public_url}/api/v1/tresorerie/avis/{token}"


async def demand(run: Run, settings: Settings, number: str) -> None:
    """Ask for the money of a demand, or ask the provider what became of it."""
    for _ in range(2):  # again when the provider does not know a demand whose answer was lost
        claim = await run("jobs.demande_prendre", [number])
        if claim["action"] is None:
            return
        if not await run("jobs.demande_finir", [number, claim["prise"], await _answer(settings, claim)]):
            return


async def notice(run: Run, settings: Settings, number: str) -> None:
    """Ask the provider about what a notice names."""
    claim = await run("jobs.avis_prendre", [number])
    if claim["action"] is not None:
        await run("jobs.avis_finir", [number, claim["prise"], await _answer(settings, claim)])


async def _answer(settings: Settings, claim: dict[str, Any]) -> str:
    try:
        fact = await _speak(settings, claim)
    except (Nothing, SecretError) as error:
        fact = Fact("RIEN", motif=str(error))
    except Lost as error:
        fact = Fact("PERDUE", motif=str(error))
    values = {name: str(value) if isinstance(value, Decimal) else value for name, value in msgspec.to_builtins(fact).items()}
    return msgspec.json.encode(values).decode()


async def _speak(settings: Settings, claim: dict[str, Any]) -> Fact:
    provider = adapter(claim["fournisseur"])
    access = opened(settings, claim["id_compte"], claim["secret"])
    access.compte, access.unite = claim["compte"] or "", claim["unite"]
    if claim["action"] != "DEMANDER":
        return await provider.look(web(settings), access, claim["reference"], claim["identifiant"])
    order = Order(
        claim["reference"], Decimal(claim["montant"]), claim["devise"], claim["libelle"], claim["telephone"],
        claim["expire_le"], notices_url(settings, access.jeton), settings.public_url, claim["qr"],
    )  # fmt: skip
    fact = await provider.ask(web(settings), access, order)
    shown = claim["qr"] or fact.url
    return replace(fact, qr=str(qr_code(shown))) if shown and fact.etat == "ATTENTE" else fact
