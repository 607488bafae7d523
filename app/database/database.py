"""Runs the statement of a request: one statement, one round trip."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import Any

import asyncpg

from app.base.refusal import Refusal, unavailable
from app.database.errors import RoleChanged, from_database, is_retryable
from app.database.pool import Connections, Usage
from app.database.replica import Replica
from app.database.writers import Writers

ATTEMPTS = 5  # for a transaction that failed because of another transaction or an upgrade


class Database:
    """Runs statements, retries them after a conflict with another transaction, and translates errors."""

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
        """Run a statement as its own transaction and return its first row, or None.

        A `stale` statement runs on the replica when one is fresh enough, and on the primary when the replica fails.
        A `reading` statement may use any connection of the pool. Other statements share the places of writers.
        """
        if stale and self._replica is not None and self._replica.usable():
            try:
                return await self._attempt(self._replica, statement, arguments)
            except RoleChanged:
                pass  # the primary has the present role
            except asyncpg.PostgresError as error:  # the replica cancelled the query because the primary changed rows
                if not is_retryable(error):
                    raise
            except Refusal as refusal:
                if refusal.status not in (401, 503):  # 401: the replica does not have the account yet
                    raise
                if refusal.status == 503:
                    self._replica.distrust()
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._attempt(self._connections, statement, arguments, None if reading else self._writers)
            except asyncpg.PostgresError as error:
                if not is_retryable(error):
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
            translated = None if is_retryable(error) else from_database(error, self.sentences)
            if translated is None:
                raise
            raise translated from (error if isinstance(translated, RoleChanged) else None)

    async def value(self, statement: str, arguments: Sequence[Any] = ()) -> Any:
        """Return the first column of the first row of a statement that only reads, or None."""
        row = await self.row(statement, arguments, reading=True)
        return None if row is None else row[0]

    def usage(self) -> dict[str, Usage]:
        """The use of this process's connections, by pool."""
        pools = {"primary": self._connections.usage()}
        return pools if self._replica is None else {**pools, "replica": self._replica.usage()}

    async def close(self) -> None:
        if self._replica is not None:
            await self._replica.close()
        await self._connections.close()
