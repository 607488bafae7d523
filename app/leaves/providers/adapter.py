"""The arguments and answers of an adapter. Its HTTP, and how it reads what a provider wrote: app/jobs/outside.py."""

import secrets
from collections.abc import Callable, Mapping
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import msgspec

from app.base.settings import Settings
from app.jobs import outside


class Access(msgspec.Struct):
    """The keys of an account, as the database holds them encrypted."""

    cle: str
    secret: str = ""  # signs the notices
    identifiant: str = ""  # the site at CinetPay, the client of OAuth 2 at PI-SPI
    adresse: str = ""  # of the API, where it is not the usual one
    adresse_jeton: str = ""  # where PI-SPI gives a token for the key
    jeton: str = msgspec.field(default_factory=lambda: secrets.token_urlsafe(32))  # ends the address of notices

    def notices(self, settings: Settings) -> str:
        return f"{settings.public_url}/api/v1/tresorerie/avis/{self.jeton}"


class Claim(SimpleNamespace):
    """A demand to make or to look up: the fields of jobs.prise, the keys `access`, the `settings`, and the addresses of
    the `api`, of our notices (`avis`) and of our `site`. `reference` is ours, and the provider's idempotence key."""

    async def call(self, method: str, place: str, headers: Mapping[str, str], **sent: Any) -> outside.Reply:
        """Call the API, or another address. Raises Lost and Nothing."""
        url = place if "://" in place else f"{self.api}{place}"
        return await outside.call(self.settings, method, url, headers, **sent)


class _Cleaned(msgspec.Struct):
    """Fields that a provider has written. They are cleaned when it is made."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            clean: Callable[[Any], Any] = _READ.get(name, outside.text)
            setattr(self, name, clean(getattr(self, name)))


_READ: dict[str, Callable[[Any], Any]] = {
    "montant": outside.amount, "frais": outside.amount, "date": outside.moment,
    "url": lambda url: outside.text(url, 1000), "authentique": lambda known: known,
}  # fmt: skip


class Fact(_Cleaned):
    """An answer, with the fields of tresorerie.fait. SQL judges it."""

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

    @classmethod
    def read(cls, state: str, answer: Mapping[str, Any], names: Mapping[str, str], **more: Any) -> "Fact":
        """`names` are the fields, and what the provider calls them."""
        return cls(state, **{field: answer.get(name) for field, name in names.items()}, **more)


class Notice(_Cleaned):
    """The names in a notice. `authentique` is None where the provider does not sign, or no key was given."""

    authentique: bool | None = None
    evenement: str | None = None
    reference: str | None = None
    identifiant: str | None = None
