"""Work after the answer, so that its duration reveals nothing to the caller."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

log = logging.getLogger("comptoir")


class Background:
    """The background tasks of one process."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def later(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)  # the event loop keeps only weak references: the task could be collected before it ends
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("Travail remis à plus tard : échec", exc_info=error)

    async def settle(self) -> None:
        """Wait for every task, including tasks that other tasks start."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)
