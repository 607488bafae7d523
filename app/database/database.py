"""The one call: a request is one statement, one round trip."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import Any

import asyncpg

from app.base.refusal import Refusal, unavailable
from app.database.errors import RoleChanged, from_database, worth_another_try
from app.database.pool import Connections, Usage
from app.database.replica import Replica
from app.database.writers import Writers

ATTEMPTS = 5  # of a transaction that lost against another one, or against an upgrade


class Database:
    """Runs statements, retries what lost against another transaction, and translates what fails."""

    def __init__(
        self,
        connections: Connections,
        sentences: Mapping[str, str],
        replica: Replica | None = None,
        writers: Writers | None = None,
    ) -> None:
        self._connections = connections
        self._replica = replica
        self._writers = writers
        self.sentences = sentences

    async def row(self, statement: str, arguments: Sequence[Any], stale: bool = False, *, reading: bool = False) -> Any:
        """The first row of a statement that is a whole transaction by itself, or null. What may be `stale` is asked of
        the replica, if there is one that is fresh enough; where that one fails, of the primary. `reading` takes any
        connection, the others only those that writers may have."""
        if stale and self._replica is not None and self._replica.usable():
            try:
                return await self._attempt(self._replica, statement, arguments)
            except RoleChanged:
                pass  # the primary knows the present role
            except asyncpg.PostgresError as error:  # what it was reading has just changed on the primary
                if not worth_another_try(error):
                    raise
            except Refusal as refusal:
                if refusal.status not in (401, 503):  # 401: an account that the replica does not know yet
                    raise
                if refusal.status == 503:
                    self._replica.distrust()
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._attempt(self._connections, statement, arguments, None if reading else self._writers)
            except asyncpg.PostgresError as error:
                if not worth_another_try(error):
                    raise
                if attempt == ATTEMPTS:
                    raise (from_database(error, self.sentences) or unavailable()) from None
                await asyncio.sleep(random.uniform(0.002, 0.01) * 2**attempt)  # noqa: S311 - jitter
        raise AssertionError("unreachable")

    async def _attempt(
        self, connections: Connections, statement: str, arguments: Sequence[Any], writers: Writers | None = None
    ) -> Any:
        try:
            if writers is None:
                return await connections.fetchrow(statement, *arguments)
            async with writers:
                return await connections.fetchrow(statement, *arguments)
        except Exception as error:
            translated = None if worth_another_try(error) else from_database(error, self.sentences)
            if translated is None:
                raise
            raise translated from (error if isinstance(translated, RoleChanged) else None)

    async def value(self, statement: str, arguments: Sequence[Any] = ()) -> Any:
        """The first column of the first row of a statement that only reads."""
        row = await self.row(statement, arguments, reading=True)
        return None if row is None else row[0]

    def usage(self) -> dict[str, Usage]:
        """The connections of this process, by pool."""
        found = {"primary": self._connections.usage()}
        return found if self._replica is None else {**found, "replica": self._replica.usage()}

    async def close(self) -> None:
        if self._replica is not None:
            await self._replica.close()
        await self._connections.close()
