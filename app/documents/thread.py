"""Threads for long computations: one for exports, one for imports, so the event loop competes with few for the GIL."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")

EXPORTS = ThreadPoolExecutor(1, thread_name_prefix="exports")
IMPORTS = ThreadPoolExecutor(1, thread_name_prefix="imports")


async def off_loop(function: Callable[..., T], *arguments: Any, thread: ThreadPoolExecutor = EXPORTS) -> T:
    """Run a long computation in a shared thread and return its result."""
    return await asyncio.get_running_loop().run_in_executor(thread, function, *arguments)
