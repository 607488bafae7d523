"""A streaming replica that answers reports, and the watch that knows how old what it shows may be.

The watch notes where the primary's journal stands and asks, a second later, whether the replica has come that far:
then it shows whatever was committed before the note. No clock of another machine and no privilege is needed. When
nobody has been able to say so for too long, for whatever reason, reports are the primary's again.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import asyncpg

from app.database.errors import LOST
from app.database.pool import Connections, Usage

PROBE_SECONDS = 1.0

_LOST = (asyncpg.PostgresError, *LOST)


class Replica:
    """Connections to the replica, with their age."""

    def __init__(
        self, primary: Connections, replica: Connections, bound: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._primary = primary
        self._replica = replica
        self._bound = bound
        self._clock = clock
        self._as_of = -math.inf  # everything that was committed before is there
        self._note: tuple[float, str] | None = None
        self._watching: asyncio.Task[None] | None = None

    def usable(self) -> bool:
        """Whether it is fresh enough now. The first to ask starts the watch, and is answered no."""
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch())
        return self._clock() - self._as_of <= self._bound

    def distrust(self) -> None:
        """It failed: not before the watch has found it well again."""
        self._as_of = -math.inf

    async def fetchrow(self, statement: str, *arguments: Any) -> Any:
        return await self._replica.fetchrow(statement, *arguments)

    def usage(self) -> Usage:
        return self._replica.usage()

    async def close(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching
        await self._replica.close()

    async def _watch(self) -> None:
        while True:
            with suppress(*_LOST):
                await self.look()
            await asyncio.sleep(PROBE_SECONDS)

    async def look(self) -> None:
        """Compare once."""
        if self._note is None:
            moment = self._clock()
            row = await self._primary.fetchrow("select pg_current_wal_lsn()::text")
            self._note = (moment, row[0])
        moment, position = self._note
        reached = "select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::text::pg_lsn"
        if (await self._replica.fetchrow(reached, position))[0]:
            self._as_of, self._note = moment, None
