"""Bounds the connections of a process to all organisations in sum: each has its own pool."""

from __future__ import annotations

import asyncio
from collections import deque

from app.database.pool import Pool


class Places:
    """The places for connections of one process. A pool takes one before it opens a connection."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._free = size
        self._holders: dict[Pool, None] = {}  # the pool that has waited longest for a place first
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self, holder: Pool) -> None:
        """Take a place. When none is free, another pool gives up an idle connection."""
        self._holders.pop(holder, None)
        self._holders[holder] = None
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        any(other.give_up() for other in self._holders)
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled():  # the place arrived just before the cancellation
                self.leave()
            raise

    def leave(self) -> None:
        """Give a place back: its connection is closed."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1

    def are_wanted(self) -> bool:
        """Whether a pool waits for a place, so that the next idle connection is better closed."""
        return any(not turn.done() for turn in self._waiting)

    def forget(self, holder: Pool) -> None:
        self._holders.pop(holder, None)
