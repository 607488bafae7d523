"""One thread for long computations: the loop waits for the interpreter's lock behind one of them, never behind ten."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")

_thread = ThreadPoolExecutor(1, thread_name_prefix="exports")


async def off_loop(function: Callable[..., T], *arguments: Any) -> T:
    """What a function that computes for long answers, in the thread that exports share."""
    return await asyncio.get_running_loop().run_in_executor(_thread, function, *arguments)
