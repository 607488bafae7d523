"""Costly answers take turns: exports, PDF documents, imports, answers for a past instant, the check of the seals.

Answers that take seconds of processor or PostgreSQL time are long. For each user one is computed at a time, two more
wait, and a fourth is refused; in a process two are computed at a time. Documents of one row take milliseconds: for each
user one is made at a time, however many wait, so that a user delays another one by one document at most. Ordinary
requests thus keep the event loop and connections of the pool. An answer that is sent while it is computed takes one of
the two places for each of its parts, so that a slow reader holds none.
"""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.types import Receive

from app.base.refusal import Refusal

RUNNING = 2  # long answers computed at a time in this process
LONG = 3  # long answers of one user, including the one being computed
DOCUMENTS = 17  # documents of one user, including the one being made
RETRY_SECONDS = 5

T = TypeVar("T")


@dataclass(slots=True)
class _Line:
    """The queue of the long answers of one user, or of the documents."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    length: int = 0


class Turns:
    """The queues of one process, or of one organisation among several."""

    def __init__(self, process: "Turns | None" = None) -> None:
        """With `process`, half of its places for long answers serve this organisation."""
        self._lines: dict[tuple[str, bool], _Line] = {}
        self._running = asyncio.Semaphore(RUNNING // 2 if process else RUNNING)
        self._process = process

    async def take(
        self, user: str, receive: Receive, work: Coroutine[Any, Any, T], *, long: bool, parts: bool = False
    ) -> T:
        """Run `work` in its turn and return its result. A disconnect cancels it. Raises 429 if the line is full.

        `parts`: the work takes a place for each of its parts.
        """
        line = self._lines.setdefault((user, long), _Line())
        if line.length >= (LONG if long else DOCUMENTS):
            work.close()
            raise Refusal(
                429,
                "DOCUMENTS_EN_COURS",
                "Vos documents précédents se préparent encore : attendez-les, puis redemandez celui-ci.",
                headers={"Retry-After": str(RETRY_SECONDS)},
            )
        line.length += 1
        try:
            return await _while_connected(receive, self._turn(line, work, long and not parts))
        finally:
            line.length -= 1
            if not line.length:
                del self._lines[user, long]

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """One of the places for long answers, for a part of an answer."""
        async with self._running, self._process.place() if self._process else nullcontext():
            yield

    async def _turn(self, line: _Line, work: Coroutine[Any, Any, T], placed: bool) -> T:
        try:
            async with line.lock, self.place() if placed else nullcontext():
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
