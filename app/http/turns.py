"""Costly answers take turns: exports, PDF documents, answers for a past instant, the verification of the seals.

For each user one answer is computed at a time, two more wait, and a fourth is refused. Answers that take seconds of
processor or PostgreSQL time (all but the document of one row) are also limited to two at a time in a process. Ordinary
requests thus keep the event loop and connections of the pool. An answer that is sent while it is computed takes such a
place for each of its parts, so that a slow reader holds none.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from app.base.refusal import Refusal

RUNNING = 2  # long answers computed at a time in this process
IN_LINE = 3  # answers of one user, including the one being computed
RETRY_SECONDS = 5

Receive = Callable[[], Awaitable[Any]]
T = TypeVar("T")


@dataclass(slots=True)
class _Line:
    """The queue of costly answers of one user."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    length: int = 0


class Turns:
    """The queues of one process, or of one organisation among several."""

    def __init__(self, process: Turns | None = None) -> None:
        """With `process`, half of its places for long answers serve this organisation."""
        self._lines: dict[str, _Line] = {}
        self._running = asyncio.Semaphore(RUNNING // 2 if process else RUNNING)
        self._process = process

    async def take(self, user: str, receive: Receive, work: Coroutine[Any, Any, T], *, long: bool) -> T:
        """Run `work` in its turn and return its result. A disconnect cancels it. Raises 429 if the line is full."""
        line = self._lines.setdefault(user, _Line())
        if line.length >= IN_LINE:
            work.close()
            raise Refusal(
                429,
                "DOCUMENTS_EN_COURS",
                "Vos documents précédents se préparent encore : attendez-les, puis redemandez celui-ci.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            )
        line.length += 1
        try:
            return await _while_connected(receive, self._turn(line, work, long))
        finally:
            line.length -= 1
            if not line.length:
                del self._lines[user]

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """One of the places for long answers, for a part of an answer."""
        async with self._running, self._process.place() if self._process else nullcontext():
            yield

    async def _turn(self, line: _Line, work: Coroutine[Any, Any, T], long: bool) -> T:
        try:
            async with line.lock, self.place() if long else nullcontext():
                return await work
        finally:
            work.close()  # when the caller left the line before its turn


async def _while_connected(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    computing = asyncio.create_task(work)
    leaving = asyncio.create_task(_disconnected(receive))
    try:
        await asyncio.wait((computing, leaving), return_when=asyncio.FIRST_COMPLETED)
        if computing.done():
            return computing.result()
        raise Refusal(400, "REQUETE_INTERROMPUE", "La requête s'est interrompue.")
    finally:
        for task in (computing, leaving):
            task.cancel()
            with suppress(BaseException):
                await task


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass  # a part of the body, which is not needed
