"""Connections to PostgreSQL, and who waits for one.

asyncpg's own pool runs a task and two turns of the loop for each statement, to reset and to guard a session state that
we never have: a third of what a short statement costs in this process. This one hands a connection over.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextlib import suppress
from typing import Any, NamedTuple, Protocol, TypeAlias

import asyncpg

ROLE = "comptoir_app"
STATEMENT_TIMEOUT = 15.0
ACQUIRE_TIMEOUT = 5.0
WAITING_ROOM = 50  # requests that may wait for each connection: more would not be served in time, and are told at once

Connection: TypeAlias = "asyncpg.Connection[Any]"


class Usage(NamedTuple):
    """How many connections are open, how many of them at work, and how many there may be."""

    open: int
    busy: int
    size: int


class Connections(Protocol):
    """Where statements run: the pool of the primary, or the replica."""

    async def fetchrow(self, statement: str, *arguments: Any) -> Any: ...
    def usage(self) -> Usage: ...
    async def close(self) -> None: ...


class Pool:
    """Connections as comptoir_app, opened when they are needed: the service starts, and recovers, with the database
    down. Settings are local to their transaction, so nothing is reset between two statements."""

    def __init__(self, url: str, size: int, prepared: int) -> None:
        self._url = url
        self._size = size
        self._prepared = prepared
        self._connections: set[Connection] = set()
        self._free: list[Connection] = []  # the last one used goes out first: its server process is warm
        self._opening = 0
        self._parting: set[asyncio.Task[None]] = set()
        # Who waits is given a connection, or null: the place of one that was lost, to open another. First come, first
        # served, so the first is the first to give up: one timer is enough for all.
        self._waiting: deque[tuple[float, asyncio.Future[Connection | None]]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    async def fetchrow(self, statement: str, *arguments: Any) -> Any:
        """The first row, or null; TimeoutError when no connection is to be had in time."""
        connection = await self._obtain()
        try:
            row = await connection.fetchrow(statement, *arguments)
        except asyncpg.PostgresError:
            self._give_back(connection)
            raise
        except BaseException:  # interrupted, or out of step with its server: what it would answer next is unknown
            self._part(connection)
            raise
        self._give_back(connection)
        return row

    async def _obtain(self) -> Connection:
        while self._free:
            connection = self._free.pop()
            if not connection.is_closed():
                return connection
            self._connections.discard(connection)
        if len(self._connections) + self._opening < self._size:
            self._opening += 1
            return await self._open()
        if len(self._waiting) >= self._size * WAITING_ROOM:
            raise TimeoutError
        return await self._wait() or await self._open()

    async def _open(self) -> Connection:
        """A new connection, in a place that is taken already."""
        try:
            connection: Connection = await asyncpg.connect(
                self._url,
                timeout=ACQUIRE_TIMEOUT,
                command_timeout=STATEMENT_TIMEOUT,
                max_cached_statement_lifetime=0,
                statement_cache_size=self._prepared,
                server_settings={"role": ROLE, "application_name": "comptoir"},
            )
        except BaseException:
            self._leave_place()
            raise
        self._opening -= 1
        self._connections.add(connection)
        return connection

    async def _wait(self) -> Connection | None:
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[Connection | None] = loop.create_future()
        self._waiting.append((loop.time() + ACQUIRE_TIMEOUT, turn))
        if self._timer is None:
            self._timer = loop.call_later(ACQUIRE_TIMEOUT, self._give_up, loop)
        try:
            return await turn
        except asyncio.CancelledError:
            if not turn.cancelled() and turn.exception() is None:  # it came at the very moment of going away
                connection = turn.result()
                if connection is None:
                    self._leave_place()
                else:
                    self._give_back(connection)
            raise

    def _give_up(self, loop: asyncio.AbstractEventLoop) -> None:
        """Who has waited too long is told so."""
        self._timer = None
        while self._waiting:
            deadline, turn = self._waiting[0]
            if deadline > loop.time():
                self._timer = loop.call_at(deadline, self._give_up, loop)
                return
            self._waiting.popleft()
            if not turn.done():
                turn.set_exception(TimeoutError())

    def _give_back(self, connection: Connection) -> None:
        if connection.is_closed():
            self._part(connection)
        elif (turn := self._next()) is not None:
            turn.set_result(connection)
        else:
            self._free.append(connection)

    def _part(self, connection: Connection) -> None:
        task = asyncio.create_task(self._close(connection))
        self._parting.add(task)  # a task that nobody holds may be collected before it ends
        task.add_done_callback(self._parting.discard)

    async def _close(self, connection: Connection) -> None:
        """Its place stays taken until the server has been told to stop what it still does for it."""
        with suppress(Exception):
            await connection.close(timeout=ACQUIRE_TIMEOUT)
        self._connections.discard(connection)
        self._opening += 1
        self._leave_place()

    def _leave_place(self) -> None:
        """A connection was not opened, or is lost: whoever waits may open another in its place."""
        if (turn := self._next()) is not None:
            turn.set_result(None)
        else:
            self._opening -= 1

    def _next(self) -> asyncio.Future[Connection | None] | None:
        while self._waiting:
            _, turn = self._waiting.popleft()
            if not turn.done():
                return turn
        return None

    def usage(self) -> Usage:
        count = len(self._connections)
        return Usage(count, count - len(self._free), self._size)

    async def close(self) -> None:
        """When all requests are answered."""
        if self._timer is not None:
            self._timer.cancel()
        await asyncio.gather(*self._parting)
        for connection in (*self._connections,):
            await self._close(connection)
