"""Bounds the number of concurrent statements that write. The other connections of the pool stay free for readers.

A writer may wait for a lock: the lock of a till, or of every table during a restore. If writers could take every
connection of the pool, no request could read in the meantime.
"""

from __future__ import annotations

import asyncio

from app.database.pool import ACQUIRE_TIMEOUT, WAITING_ROOM


class Writers:
    """`async with` takes a place, first come, first served. Raises TimeoutError when none becomes free in time."""

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
