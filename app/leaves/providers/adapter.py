"""What an adapter gets and gives, and the HTTP that it speaks: permitted addresses, no redirect, bounded time and bytes."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Protocol

import aiohttp
import msgspec

from app.base.settings import IpNetwork
from app.jobs.addresses import ForbiddenAddress, Resolver, refuse_literal

TIMEOUT = 10.0  # seconds for one exchange; a claim of the database holds for a minute
ANSWER = 256 * 1024  # bytes of an answer


class Access(msgspec.Struct, omit_defaults=True):
    """The keys of an account, as the database holds them encrypted. `compte` and `unite` are columns of it."""

    cle: str
    secret: str = ""  # signs the notices
    identifiant: str = ""  # the site at CinetPay, the client of OAuth 2 at PI-SPI
    adresse: str = ""  # of the API, where it is not the usual one
    adresse_jeton: str = ""  # where PI-SPI gives a token for the key
    jeton: str = ""  # the last part of the address of notices
    compte: str = ""
    unite: str = "FRANC"


@dataclass(frozen=True, slots=True)
class Order:
    """Money to ask for. `reference` is ours, and the provider's idempotence key."""

    reference: str
    amount: Decimal
    currency: str
    label: str
    phone: str | None
    expires: str | None
    notices: str  # the address of our notices
    site: str  # our public address, where the payer comes back
    qr: str | None


@dataclass(frozen=True, slots=True)
class Fact:
    """What the provider says. The names are those of tresorerie.fait."""

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


UNKNOWN = Fact("INCONNUE")


@dataclass(frozen=True, slots=True)
class Notice:
    """What a notice names. `genuine` is None where the provider does not sign, or no key was given."""

    event: str | None
    reference: str | None
    identifier: str | None
    genuine: bool | None


class Lost(Exception):
    """No usable answer: the provider may have acted. The message is French."""


class Nothing(Lost):
    """The provider did nothing: it did not accept the keys, or had no time."""


class Adapter(Protocol):
    """The module of a provider."""

    ANSWERED: int  # the status of the answer to a notice

    async def ask(self, web: "Web", access: Access, order: Order) -> Fact: ...
    async def look(self, web: "Web", access: Access, reference: str | None, identifier: str | None) -> Fact: ...
    def notice(self, access: Access, headers: Mapping[str, str], body: bytes) -> list[Notice]: ...


class Web:
    """Exchanges with a provider."""

    def __init__(self, networks: Sequence[IpNetwork], *, encrypted: bool) -> None:
        self._networks = networks
        self._encrypted = encrypted  # whether http:// is refused

    async def call(
        self, method: str, url: str, headers: Mapping[str, str], json: Any = None, form: Any = None
    ) -> tuple[int, dict[str, Any]]:
        """The status and the JSON object of an answer. Raises Lost without one, Nothing where nothing was done."""
        try:
            if self._encrypted and not url.lower().startswith("https://"):
                raise ForbiddenAddress("L'adresse d'un fournisseur s'écrit https://.")
            refuse_literal(url, self._networks)
            connector = aiohttp.TCPConnector(resolver=Resolver(self._networks), use_dns_cache=False)
            async with (
                aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(TIMEOUT)) as session,
                session.request(method, url, headers=headers, json=json, data=form, allow_redirects=False) as answer,
            ):
                status = answer.status
                body = await answer.content.read(ANSWER + 1) if (answer.content_length or 0) <= ANSWER else b""
                while body and len(body) <= ANSWER and (more := await answer.content.read(ANSWER + 1 - len(body))):
                    body += more
                too_long = len(body) > ANSWER or (answer.content_length or 0) > ANSWER
        except ForbiddenAddress as error:
            raise Nothing(str(error)) from None
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
            raise Lost(f"Le fournisseur n'a pas répondu ({type(error).__name__}).") from None
        if status in (401, 403, 429):
            raise Nothing(f"Le fournisseur n'accepte pas la demande ({status}) : vérifiez les clés du compte.")
        if status >= 500 or 300 <= status < 400 or too_long:
            raise Lost(f"Le fournisseur a mal répondu ({status}{', trop long' if too_long else ''}).")
        return status, decoded(body) if body or status >= 400 else {}


def decoded(body: bytes) -> dict[str, Any]:
    """The JSON object of an answer; numbers are Decimal. Raises Lost for anything else."""
    try:
        value = msgspec.json.Decoder(dict[str, Any], float_hook=Decimal).decode(body) if body else {}
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise Lost("Le fournisseur a répondu autre chose que du JSON.") from None
    return value


def amount(value: Any) -> Decimal | None:
    """An amount of an answer. Raises Lost for what is no positive number of two decimals at most."""
    if value is None:
        return None
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        raise Lost("Le fournisseur a répondu un montant illisible.") from None
    if not number.is_finite() or number < 0 or number > 10**12 or number != round(number, 2):
        raise Lost("Le fournisseur a répondu un montant illisible.")
    return number


def text(value: Any) -> str | None:
    """A text of an answer, of 200 characters at most."""
    return str(value).replace("\0", "").strip()[:200] or None if isinstance(value, str | int | Decimal) else None


def paid(fact: Fact) -> Fact:
    """A fact that says « paid ». Raises Lost when it does not say how much, of what and by which transaction."""
    if not fact.transaction or not fact.montant or not fact.devise:
        raise Lost("Le fournisseur dit payé sans dire combien, ni par quelle transaction.")
    return fact


def signed(key: str, content: bytes, signatures: Sequence[str]) -> bool:
    """Whether one of the signatures is the HMAC-SHA256 of the content, in hexadecimal."""
    expected = hmac.new(key.encode(), content, hashlib.sha256).hexdigest()
    return any([hmac.compare_digest(expected, given.lower()) for given in signatures if given.isascii()])
