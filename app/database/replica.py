"""A streaming replica for stale reads, and a watch that measures its age.

The watch notes the WAL position of the primary. A second later it asks whether the replica has replayed up to it; if
so, the replica shows everything committed before the note. This needs no clock of another machine and no privilege.
When the watch has not confirmed the age for too long, another replica or the primary answers.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import asyncpg

from app.base import tasks
from app.database.errors import LOST
from app.database.pool import Connections, Usage

PROBE_SECONDS = 1.0

_LOST = (asyncpg.PostgresError, *LOST)


class Replica:
    """Connections to the replica, and the age of its data."""

    def __init__(
        self, primary: Connections, replica: Connections, bound: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._primary = primary
        self._replica = replica
        self._bound = bound
        self._clock = clock
        self._as_of = -math.inf  # the replica has everything committed before this time
        self._note: tuple[float, str] | None = None
        self._watching: asyncio.Task[None] | None = None
        self.running = 0  # statements that run on the replica or wait for a connection
        self.answers = 0

    def usable(self) -> bool:
        """Whether the replica is fresh enough now. The first call starts the watch and returns False."""
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch())
        return self.age() <= self._bound

    @property
    def watched(self) -> bool:
        return self._watching is not None

    def age(self) -> float:
        """Seconds since the time up to which the replica certainly has every commit. Infinite when it is not known."""
        return self._clock() - self._as_of

    def distrust(self) -> None:
        """Stop using the replica, which has failed, until the watch confirms it again."""
        self._as_of = -math.inf

    async def fetchrow(self, statement: str, *arguments: Any) -> Any:
        self.running += 1
        try:
            row = await self._replica.fetchrow(statement, *arguments)
        finally:
            self.running -= 1
        self.answers += 1
        return row

    def usage(self) -> Usage:
        return self._replica.usage()

    async def close(self) -> None:
        await tasks.end(self._watching)
        await self._replica.close()

    async def _watch(self) -> None:
        while True:
            with suppress(*_LOST):
                await self.look()
            await asyncio.sleep(PROBE_SECONDS)

    async def look(self) -> None:
        """Compare the replica with the noted position once."""
        if self._note is None:
            moment = self._clock()
            row = await self._primary.fetchrow("select pg_current_wal_lsn()::text")
            self._note = (moment, row[0])
        moment, position = self._note
        reached = "select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::text::pg_lsn"
        if (await self._replica.fetchrow(reached, position))[0]:
            self._as_of, self._note = moment, None
