"""The pool and the one call: a request is one statement, one round trip."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import asyncpg

from app.errors import Refusal, RoleChanged, from_database, unavailable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from app.replica import Replica

ROLE = "comptoir_app"
ATTEMPTS = 5  # of a transaction that lost against another one
STATEMENT_TIMEOUT = 15.0
ACQUIRE_TIMEOUT = 5.0
WAITING_ROOM = 50  # requests that may wait for each connection: more would not be served in time, and are told at once


class Usage(NamedTuple):
    """How many connections are open, how many of them at work, and how many there may be."""

    open: int
    busy: int
    size: int


class Connections(Protocol):
    """Where connections come from: the pool, or a test's single connection."""

    def acquire(self) -> AbstractAsyncContextManager[Any]: ...
    def usage(self) -> Usage: ...
    async def close(self) -> None: ...


class Pool:
    """Connections as comptoir_app. They keep no session state, so none has to be reset on release."""

    def __init__(self, url: str, size: int, prepared: int) -> None:
        self._url = url
        self._size = size
        self._prepared = prepared
        self._pool: asyncpg.Pool[Any] | None = None
        self._opening = asyncio.Lock()
        self._present = 0  # requests that have a connection or wait for one

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[Any]:
        if self._present >= self._size * (1 + WAITING_ROOM):
            raise TimeoutError
        self._present += 1
        try:
            pool = self._pool or await self._open()
            async with pool.acquire(timeout=ACQUIRE_TIMEOUT) as connection:
                try:
                    yield connection
                except asyncpg.InternalClientError:
                    connection.terminate()  # out of step with its server; as it is not reset, nobody would find out
                    raise
        finally:
            self._present -= 1

    async def _open(self) -> asyncpg.Pool[Any]:
        # Opened at the first use, so that the service starts, and recovers, with the database down.
        async with self._opening:
            if self._pool is None:
                self._pool = await asyncpg.create_pool(
                    self._url,
                    min_size=min(2, self._size),
                    max_size=self._size,
                    timeout=ACQUIRE_TIMEOUT,
                    command_timeout=STATEMENT_TIMEOUT,
                    max_cached_statement_lifetime=0,
                    statement_cache_size=self._prepared,
                    server_settings={"role": ROLE, "application_name": "comptoir"},
                    reset=_no_reset,
                )
            return self._pool

    def usage(self) -> Usage:
        if self._pool is None:
            return Usage(0, 0, self._size)
        count = self._pool.get_size()
        return Usage(count, count - self._pool.get_idle_size(), self._size)

    async def close(self) -> None:
        if self._pool is not None:
            await self._pool.close()


async def _no_reset(_: Any) -> None:
    """Settings are local to their transaction: a reset would be a second round trip for nothing."""


class Database:
    """Runs statements, retries what lost against another transaction, and translates what fails."""

    def __init__(self, connections: Connections, sentences: Mapping[str, str], replica: Replica | None = None) -> None:
        self._connections = connections
        self._replica = replica
        self.sentences = sentences

    async def row(self, statement: str, arguments: Sequence[Any], stale: bool = False) -> Any:
        """The first row of a statement that is a whole transaction by itself, or null. What may be `stale` is asked of
        the replica, if there is one that is fresh enough; where that one fails, of the primary."""
        if stale and self._replica is not None and self._replica.usable():
            try:
                return await self._attempt(self._replica, statement, arguments)
            except asyncpg.SerializationError:
                pass  # what it was reading has just changed on the primary
            except Refusal as refusal:
                if refusal.status != 503:
                    raise
                self._replica.distrust()
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._attempt(self._connections, statement, arguments)
            except (asyncpg.SerializationError, asyncpg.DeadlockDetectedError):
                if attempt == ATTEMPTS:
                    raise unavailable() from None
                await asyncio.sleep(random.uniform(0.002, 0.01) * 2**attempt)  # noqa: S311 - jitter
        raise AssertionError("unreachable")

    async def _attempt(self, connections: Connections, statement: str, arguments: Sequence[Any]) -> Any:
        try:
            async with connections.acquire() as connection:
                return await connection.fetchrow(statement, *arguments)
        except (asyncpg.SerializationError, asyncpg.DeadlockDetectedError):
            raise
        except Exception as error:
            translated = from_database(error, self.sentences)
            if translated is None:
                raise
            raise translated from (error if isinstance(translated, RoleChanged) else None)

    async def value(self, statement: str, arguments: Sequence[Any] = ()) -> Any:
        """The first column of the first row."""
        row = await self.row(statement, arguments)
        return None if row is None else row[0]

    def usage(self) -> dict[str, Usage]:
        """The connections of this process, by pool."""
        found = {"primary": self._connections.usage()}
        return found if self._replica is None else {**found, "replica": self._replica.usage()}

    async def close(self) -> None:
        if self._replica is not None:
            await self._replica.close()
        await self._connections.close()
