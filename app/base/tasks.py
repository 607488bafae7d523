"""Background tasks of a process."""

import asyncio
from contextlib import suppress


async def end(task: asyncio.Task[None] | None) -> None:
    """Cancel a task, if there is one, and wait until it has ended. Raises the error by which it had ended before."""
    if task is not None:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
