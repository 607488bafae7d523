"""Authorisation: what a role may do, and which role a user has. The database checks both again in every statement."""

from __future__ import annotations

import asyncio
from time import monotonic

from app.auth.tokens import Claims
from app.database.database import Database

CACHE_SECONDS = 60
MOVED_USERS = 4096  # users whose token names a former role, remembered at once; the oldest is forgotten first


class Roles:
    """The permissions of each role, kept for a minute, and the users whose token names a former role."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._permissions: dict[str, tuple[float, frozenset[str]]] = {}
        self._reading: dict[str, asyncio.Task[frozenset[str]]] = {}
        self._moved: dict[str, str] = {}  # role by user

    def of(self, claims: Claims) -> str:
        """The user's role as this process last learned it."""
        return self._moved.get(claims.sub, claims.role)

    def moved(self, user: str, role: str) -> None:
        """The database has just said that the user has this role now."""
        self._moved.pop(user, None)
        if len(self._moved) >= MOVED_USERS:
            del self._moved[next(iter(self._moved))]
        self._moved[user] = role

    async def allows(self, role: str, permission: str | None) -> bool:
        """Whether the role holds the permission, or one of « A|B »."""
        return permission is None or not (await self.permissions(role)).isdisjoint(permission.split("|"))

    async def permissions(self, role: str) -> frozenset[str]:
        known = self._permissions.get(role)
        if known is not None and known[0] >= monotonic():
            return known[1]
        reading = self._reading.get(role)
        if reading is None:  # of all requests that find them too old one asks, for all
            reading = self._reading[role] = asyncio.create_task(self._read(role))
            reading.add_done_callback(lambda _: self._reading.pop(role, None))
        return await asyncio.shield(reading)

    async def _read(self, role: str) -> frozenset[str]:
        moment = monotonic()
        codes = frozenset(await self._database.value("select auth.role_permissions($1::text)", [role]) or ())
        self._permissions[role] = (moment + CACHE_SECONDS, codes)
        return codes
