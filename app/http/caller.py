"""The caller of an operation, from which its context is made: a request or a socket of the live channel."""

from typing import Protocol

from app.auth.roles import Roles
from app.auth.tokens import Claims
from app.base.refusal import unauthorized
from app.database.database import Database
from app.database.replica import Replica


class Place(Protocol):
    """The services of an organisation that an operation needs."""

    database: Database
    roles: Roles


class Caller:
    """The organisation, an address, the request id for the log, and, after authentication, the user's claims."""

    __slots__ = ("address", "claims", "id", "permission", "replica", "services")

    def __init__(self, services: Place, id: str, address: str) -> None:
        self.services = services
        self.id = id
        self.address = address
        self.claims: Claims | None = None
        self.permission: str | None = None  # required by the route
        self.replica: Replica | None = None  # it has answered the last statement of this caller that may be stale

    @property
    def user(self) -> str | None:
        """The id of an authenticated user."""
        return None if self.claims is None else self.claims.sub

    @property
    def signed_in(self) -> Claims:
        """The claims of an authenticated caller. Raises 401 without them."""
        if self.claims is None:
            raise unauthorized()
        return self.claims
