"""Authorisation: the permissions of a role, and a user's role. The database checks both again in every statement."""

import asyncio
from time import monotonic

from app.auth.tokens import Claims
from app.database.database import Database

CACHE_SECONDS = 60
MOVED_USERS = 4096  # users to remember whose token names a former role; the oldest is forgotten first


class Roles:
    """Caches the permissions of each role for a minute, and the users whose token names a former role."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._permissions: dict[str, tuple[float, frozenset[str]]] = {}
        self._reading: dict[str, asyncio.Task[frozenset[str]]] = {}
        self._moved: dict[str, str] = {}  # role by user

    def of(self, claims: Claims) -> str:
        """The user's role: the last one read from the database, or else the role in the token."""
        return self._moved.get(claims.sub, claims.role)

    def remember(self, user: str, role: str) -> None:
        """Remember the user's present role, which the database has just returned."""
        self._moved.pop(user, None)
        if len(self._moved) >= MOVED_USERS:
            del self._moved[next(iter(self._moved))]
        self._moved[user] = role

    async def allows(self, role: str, permission: str | None, only: frozenset[str] | None = None) -> bool:
        """Whether the role holds the permission, or one of « A|B ». `only` narrows the role to an API key."""
        if permission is None:
            return True
        held = await self.permissions(role)
        return not (held if only is None else held & only).isdisjoint(permission.split("|"))

    async def permissions(self, role: str) -> frozenset[str]:
        cached = self._permissions.get(role)
        if cached is not None and cached[0] >= monotonic():
            return cached[1]
        reading = self._reading.get(role)
        if reading is None:  # one read serves all requests that need the same role
            reading = self._reading[role] = asyncio.create_task(self._read(role))
            reading.add_done_callback(lambda _: self._reading.pop(role, None))
        return await asyncio.shield(reading)

    async def _read(self, role: str) -> frozenset[str]:
        moment = monotonic()
        codes = frozenset(await self._database.value("select auth.role_permissions($1::text)", [role]) or ())
        self._permissions[role] = (moment + CACHE_SECONDS, codes)
        return codes
