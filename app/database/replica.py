"""A streaming replica for stale reads, and a watch that measures its age.

The watch notes the WAL position of the primary. A second later it asks whether the replica has replayed up to it; if
so, the replica shows everything committed before the note. This needs no clock of another machine and no privilege.
When the watch has not confirmed the age for too long, another replica or the primary answers.
"""

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import asyncpg

from app.base import tasks
from app.database.errors import LOST
from app.database.pool import Pool

PROBE_SECONDS = 1.0


@dataclass(eq=False)
class Replica:
    primary: Pool
    pool: Pool
    bound: float
    clock: Callable[[], float] = time.monotonic
    running: int = 0  # statements that run on the replica or wait for a connection
    answers: int = 0  # to stale statements
    _as_of: float = -math.inf  # the replica has everything committed before this time
    _note: tuple[float, str] | None = None
    _watching: asyncio.Task[None] | None = None

    def usable(self) -> bool:
        """Whether the replica is fresh enough now. The first call starts the watch and returns False."""
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch())
        return self.age() <= self.bound

    @property
    def watched(self) -> bool:
        return self._watching is not None

    def age(self) -> float:
        """Seconds since the time up to which the replica certainly has every commit. Infinite when it is not known."""
        return self.clock() - self._as_of

    def distrust(self) -> None:
        """Stop using the replica, which has failed, until the watch confirms it again."""
        self._as_of = -math.inf

    async def fetchrow(self, statement: str, *arguments: Any) -> Any:
        self.running += 1
        try:
            row = await self.pool.fetchrow(statement, *arguments)
        finally:
            self.running -= 1
        self.answers += 1
        return row

    async def close(self) -> None:
        await tasks.end(self._watching)
        await self.pool.close()

    async def _watch(self) -> None:
        while True:
            with suppress(asyncpg.PostgresError, *LOST):
                await self.look()
            await asyncio.sleep(PROBE_SECONDS)

    async def look(self) -> None:
        """Compare the replica with the noted position once."""
        if self._note is None:
            moment = self.clock()
            row = await self.primary.fetchrow("select pg_current_wal_lsn()::text")
            self._note = (moment, row[0])
        moment, position = self._note
        reached = "select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::text::pg_lsn"
        if (await self.pool.fetchrow(reached, position))[0]:
            self._as_of, self._note = moment, None
