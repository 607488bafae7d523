"""One thread for long computations, so the event loop competes with only one of them for the GIL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")

_thread = ThreadPoolExecutor(1, thread_name_prefix="exports")


async def off_loop(function: Callable[..., T], *arguments: Any) -> T:
    """Run a long computation in the shared thread and return its result."""
    return await asyncio.get_running_loop().run_in_executor(_thread, function, *arguments)
