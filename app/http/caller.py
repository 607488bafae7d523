"""Who calls: what an operation's context is made of. A request is a caller, and so is a socket of the live channel."""

from __future__ import annotations

from app.auth.tokens import Claims
from app.base.refusal import unauthorized


class Caller:
    """An address, the number under which the log knows the call, and once they are known the user's claims."""

    __slots__ = ("address", "claims", "id", "permission")

    def __init__(self, id: str, address: str) -> None:
        self.id = id
        self.address = address
        self.claims: Claims | None = None
        self.permission: str | None = None  # the one that the route asks for

    @property
    def signed_in(self) -> Claims:
        """The claims of a caller who has authenticated."""
        if self.claims is None:
            raise unauthorized()
        return self.claims
