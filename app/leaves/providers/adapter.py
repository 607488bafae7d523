"""The arguments and answers of an adapter, and its HTTP: permitted addresses, no redirect, bounded time and bytes."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from importlib import import_module
from typing import Any, BinaryIO

import msgspec

from app.jobs.addresses import ForbiddenAddress, fetch

TIMEOUT = 10.0  # seconds for one exchange; a claim of the database holds for a minute
ANSWER = 256 * 1024  # bytes of an answer


class Access(msgspec.Struct):
    """The keys of an account, as the database holds them encrypted."""

    cle: str
    secret: str = ""  # signs the notices
    identifiant: str = ""  # the site at CinetPay, the client of OAuth 2 at PI-SPI
    adresse: str = ""  # of the API, where it is not the usual one
    adresse_jeton: str = ""  # where PI-SPI gives a token for the key
    jeton: str = ""  # the last part of the address of notices


class Claim(msgspec.Struct):
    """A demand to make or to look up: jobs.prise. `reference` is ours, and the provider's idempotence key."""

    action: str
    prise: str
    id_compte: str | int
    fournisseur: str
    secret: str
    unite: str = "FRANC"  # of the provider's amounts
    compte: str | None = None  # the account at the provider
    reference: str | None = None
    identifiant: str | None = None  # of the demand at the provider
    montant: Decimal | None = None
    devise: str = ""
    telephone: str | None = None
    libelle: str | None = None
    expire_le: str | None = None
    qr: str | None = None
    avis: str = ""  # the address of our notices
    site: str = ""  # our public address, where the payer comes back
    reseaux: tuple[Any, ...] = ()  # private networks that are permitted
    chiffre: bool = True  # whether http:// is refused


class Fact(msgspec.Struct):
    """An answer of the provider, with the fields of tresorerie.fait."""

    etat: str
    reference: str | None = None
    transaction: str | None = None
    montant: Decimal | None = None
    frais: Decimal | None = None
    devise: str | None = None
    date: str | None = None
    identifiant: str | None = None
    url: str | None = None
    qr: str | None = None
    motif: str | None = None


class Notice(msgspec.Struct):
    """The names in a notice. `genuine` is None where the provider does not sign, or no key was given."""

    event: str | None = None
    reference: str | None = None
    identifier: str | None = None
    genuine: bool | None = None


class Lost(Exception):
    """No usable answer: the provider may have acted. The message is French."""


class Nothing(Lost):
    """The provider did nothing: it did not accept the keys, or had no time."""


async def call(
    claim: Claim, method: str, url: str, headers: Mapping[str, str], json: Any = None, form: Any = None
) -> tuple[int, dict[str, Any]]:
    """The status and the JSON object of an answer. Raises Lost without one, Nothing where nothing was done."""
    try:
        if claim.chiffre and not url.lower().startswith("https://"):
            raise Nothing("L'adresse d'un fournisseur s'écrit https://.")
        status, content = await fetch(
            claim.reseaux, method, url, headers, json=json, form=form, seconds=TIMEOUT, size=ANSWER
        )
    except ForbiddenAddress as error:
        raise Nothing(str(error)) from None
    except (OSError, TimeoutError, ValueError) as error:
        raise Lost(f"Le fournisseur n'a pas répondu ({error or type(error).__name__}).") from None
    if status in (401, 403, 429):
        raise Nothing(f"Le fournisseur n'accepte pas l'appel ({status}) : vérifiez les clés du compte.")
    if status >= 500 or 300 <= status < 400:
        raise Lost(f"Le fournisseur a mal répondu ({status}).")
    return status, decoded(content)


def read_statement(words: Mapping[str, str], file: BinaryIO, name: str) -> Any:
    """A statement of a provider, whose columns have these names. The readers are heavy, and seldom used."""
    return import_module(f"{__package__}.statement").read(file, name, words)


def decoded(content: bytes) -> dict[str, Any]:
    """A JSON object; its numbers are Decimal. Raises Lost for anything else."""
    try:
        return msgspec.json.Decoder(dict[str, Any], float_hook=Decimal).decode(content or b"{}")
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Lost("Ce n'est pas du JSON lisible.") from None


def amount(value: Any) -> Decimal | None:
    """An amount of an answer. Raises Lost for what is no amount."""
    try:
        number = Decimal(str(value or 0))
        if not 0 <= number <= 10**12 or number != round(number, 2):
            raise InvalidOperation
    except InvalidOperation:
        raise Lost("Le fournisseur a répondu un montant illisible.") from None
    return number or None


def text(value: Any) -> str | None:
    """A text of an answer, of 200 characters at most."""
    return str(value).replace("\0", "").strip()[:200] or None if isinstance(value, str | int | Decimal) else None


def paid(fact: Fact) -> Fact:
    """A fact that says « paid ». Raises Lost when it does not say how much, of what and by which transaction."""
    if not fact.transaction or not fact.montant or not fact.devise:
        raise Lost("Le fournisseur dit payé sans dire combien, ni par quelle transaction.")
    return fact


def signed(key: str, content: bytes, signatures: Sequence[str]) -> bool | None:
    """Whether one of the signatures is the HMAC-SHA256 of the content, in hexadecimal. None without a key."""
    expected = hmac.new(key.encode(), content, hashlib.sha256).hexdigest()
    return any([hmac.compare_digest(expected, s.lower()) for s in signatures if s.isascii()]) if key else None
