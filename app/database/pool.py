"""A pool of connections to PostgreSQL, with a queue of waiting requests.

asyncpg's own pool resets and guards the session state with a task and two turns of the event loop for each statement:
a third of the cost of a short statement in this process. This program keeps no session state and does without.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import asyncpg

from app.base.refusal import Refusal
from app.database.errors import RoleChanged

ROLE = "comptoir_app"
STATEMENT_TIMEOUT = 15.0
ACQUIRE_TIMEOUT = 5.0
# A statement gives up a lock before a request gives up the connection that the statement holds. core.contexte sets the
# same limit, but PostgreSQL locks the types of a statement before it calls a function.
LOCK_TIMEOUT = 4.0
IN_STEP = (asyncpg.PostgresError, Refusal, RoleChanged)  # after one of these, the connection is ready for a statement
WAITING_ROOM = 50  # requests that may wait per connection: more would time out, so they are refused at once

Connection: TypeAlias = "asyncpg.Connection[Any]"
T = TypeVar("T")


class Usage(NamedTuple):
    """Numbers of connections: open, busy, and the maximum."""

    open: int
    busy: int
    size: int


class Writers:
    """Bounds the number of concurrent statements that write. The other connections of the pool stay free for readers.

    A writer may wait for a lock: the lock of a till, or of every table during a restore. If writers could take every
    connection of the pool, no request could read in the meantime. `async with` takes a place, first come, first
    served. It raises TimeoutError when none becomes free in time.
    """

    def __init__(self, size: int) -> None:
        self.places = max(1, size - max(1, size // 3))
        self._free = asyncio.Semaphore(self.places)
        self._waiting = 0

    async def __aenter__(self) -> None:
        if not self._free.locked():
            await self._free.acquire()  # at once
            return
        if self._waiting >= self.places * WAITING_ROOM:
            raise TimeoutError
        self._waiting += 1
        try:
            async with asyncio.timeout(ACQUIRE_TIMEOUT):
                await self._free.acquire()
        finally:
            self._waiting -= 1

    async def __aexit__(self, *_: object) -> None:
        self._free.release()


class Places(Protocol):
    """Bounds the connections of several pools in sum: a pool takes a place before it opens a connection."""

    async def take(self, holder: Pool) -> None: ...
    def leave(self) -> None: ...
    def are_wanted(self) -> bool: ...
    def forget(self, holder: Pool) -> None: ...


class Pool:
    """Connections as comptoir_app, opened when needed, so the service starts and recovers with the database down.

    Settings are local to their transaction, so a connection needs no reset between two statements.
    """

    def __init__(self, url: str, size: int, prepared: int, places: Places | None = None) -> None:
        self._url = url
        self._places = places
        self._size = size
        self._prepared = prepared
        self._connections: set[Connection] = set()
        self._free: list[Connection] = []  # the last one used is taken first: the caches of its server process are warm
        self._opening = 0
        self._closing: set[asyncio.Task[None]] = set()
        # Each waiting request gets a connection, or None when one was lost: it then opens another in its place. The
        # queue is first in, first out, so the first request expires first and one timer serves all.
        self._waiting: deque[tuple[float, asyncio.Future[Connection | None]]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @cached_property
    def _loop(self) -> asyncio.AbstractEventLoop:
        """Python 3.11 asks the system for the process at each call of get_running_loop."""
        return asyncio.get_running_loop()

    async def fetchrow(self, statement: str, *arguments: Any) -> Any:
        """Return the first row, or None. Raises TimeoutError when no connection becomes free in time."""
        return await self._lend(lambda connection: connection.fetchrow(statement, *arguments))

    async def within(self, opening: str, work: Callable[[Connection], Awaitable[T]], *, keep: bool) -> T:
        """Run `work` in one transaction, which `opening` begins. Commit it if `keep` is true, else roll it back."""

        async def transaction(connection: Connection) -> T:
            await connection.execute(opening)
            try:
                result = await work(connection)
                await connection.execute("commit" if keep else "rollback")
            except IN_STEP:
                await connection.execute("rollback")
                raise
            return result

        return await self._lend(transaction)

    async def _lend(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        connection = await self._obtain()
        try:
            result = await work(connection)
        except IN_STEP:
            self._give_back(connection)
            raise
        except BaseException:  # cancelled or out of step: the next answer could belong to this statement
            self._discard(connection)
            raise
        self._give_back(connection)
        return result

    async def _obtain(self) -> Connection:
        while self._free:
            connection = self._free.pop()
            if not connection.is_closed():
                return connection
            self._remove(connection)
        if len(self._connections) + self._opening < self._size:
            self._opening += 1
            return await self._open()
        if len(self._waiting) >= self._size * WAITING_ROOM:
            raise TimeoutError
        return await self._wait() or await self._open()

    async def _open(self) -> Connection:
        """Open a connection. The caller has counted it in `_opening`."""
        try:
            if self._places is not None:
                async with asyncio.timeout(ACQUIRE_TIMEOUT):
                    await self._places.take(self)
            try:
                connection: Connection = await asyncpg.connect(
                    self._url,
                    timeout=ACQUIRE_TIMEOUT,
                    command_timeout=STATEMENT_TIMEOUT,
                    max_cached_statement_lifetime=0,
                    statement_cache_size=self._prepared,
                    server_settings={"role": ROLE, "application_name": "comptoir", "lock_timeout": f"{LOCK_TIMEOUT}s"},
                )
            except BaseException:
                if self._places is not None:
                    self._places.leave()
                raise
        except BaseException:
            self._leave_place()
            raise
        self._opening -= 1
        self._connections.add(connection)
        return connection

    async def _wait(self) -> Connection | None:
        turn: asyncio.Future[Connection | None] = self._loop.create_future()
        self._waiting.append((self._loop.time() + ACQUIRE_TIMEOUT, turn))
        if self._timer is None:
            self._timer = self._loop.call_later(ACQUIRE_TIMEOUT, self._give_up)
        try:
            return await turn
        except asyncio.CancelledError:
            if not turn.cancelled() and turn.exception() is None:  # the connection arrived just before the cancellation
                connection = turn.result()
                if connection is None:
                    self._leave_place()
                else:
                    self._give_back(connection)
            raise

    def _give_up(self) -> None:
        """Refuse the requests that have waited too long."""
        self._timer = None
        while self._waiting:
            deadline, turn = self._waiting[0]
            if deadline > self._loop.time():
                self._timer = self._loop.call_at(deadline, self._give_up)
                return
            self._waiting.popleft()
            if not turn.done():
                turn.set_exception(TimeoutError())

    def _give_back(self, connection: Connection) -> None:
        if connection.is_closed():
            self._discard(connection)
        elif (turn := self._next()) is not None:
            turn.set_result(connection)
        elif self._places is not None and self._places.are_wanted():
            self._discard(connection)
        else:
            self._free.append(connection)

    def give_up(self) -> bool:
        """Close the connection that has been idle longest. Return False when each one is in use."""
        if not self._free:
            return False
        self._discard(self._free.pop(0))
        return True

    def _discard(self, connection: Connection) -> None:
        task = asyncio.create_task(self._close(connection))
        self._closing.add(task)  # a task without a reference may be collected before it ends
        task.add_done_callback(self._closing.discard)

    async def _close(self, connection: Connection) -> None:
        """Close a connection. Its place stays taken until the server has received the request to stop its statement."""
        with suppress(Exception):
            await connection.close(timeout=ACQUIRE_TIMEOUT)
        self._remove(connection)
        self._opening += 1
        self._leave_place()

    def _remove(self, connection: Connection) -> None:
        if connection in self._connections:
            self._connections.remove(connection)
            if self._places is not None:
                self._places.leave()

    def _leave_place(self) -> None:
        """Free the place of a connection that was lost or not opened. The next waiting request may open another."""
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
        """Close every connection. The caller has answered all requests."""
        if self._timer is not None:
            self._timer.cancel()
        await asyncio.gather(*self._closing)
        for connection in (*self._connections,):
            await self._close(connection)
        if self._places is not None:
            self._places.forget(self)
