"""Bounds the connections of a process to all organisations in sum: each has its own pool."""

from __future__ import annotations

import asyncio

from app.database.pool import Pool


class Places:
    """The places for connections of one process. A pool takes one before it opens a connection."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._free = asyncio.Semaphore(size)
        self._waiting = 0
        self._holders: dict[Pool, None] = {}  # the pool that has waited longest for a place first

    async def take(self, holder: Pool) -> None:
        """Take a place. When none is free, another pool gives up an idle connection."""
        self._holders.pop(holder, None)
        self._holders[holder] = None
        self._waiting += 1
        try:
            if self._free.locked():
                any(other.give_up() for other in self._holders)
            await self._free.acquire()
        finally:
            self._waiting -= 1

    def leave(self) -> None:
        """Give a place back: its connection is closed."""
        self._free.release()

    def are_wanted(self) -> bool:
        """Whether a pool waits for a place, so that the next idle connection is better closed."""
        return self._waiting > 0

    def forget(self, holder: Pool) -> None:
        self._holders.pop(holder, None)
