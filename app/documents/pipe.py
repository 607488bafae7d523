"""Chromium's protocol over two pipes.

With --remote-debugging-pipe, Chromium reads commands from descriptor 3 and writes answers and events to descriptor 4.
Each message is a JSON text that ends with a NUL byte. Only the parent process holds the other ends, so no other account
can reach the browser.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import msgspec

END = b"\0"
BLOCK = 1 << 20  # bytes read at once; a printed document is one message
# asyncio passes only the first three descriptors to a child. The shell moves two of them, then executes the browser.
SHELL = ("/bin/sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null', "sh")

Answer = asyncio.Future[dict[str, Any]]


class PipeError(Exception):
    """The browser refused a command, or it is gone."""


async def spawn(command: Sequence[str], folder: Path) -> asyncio.subprocess.Process:
    """Start a browser. Its descriptors 3 and 4 are stdin and stdout of the returned process.

    All its files, also temporary ones, are in the folder. TMPDIR is relative because Chromium creates a socket there,
    and Linux limits the path of a socket to 107 bytes.
    """
    return await asyncio.create_subprocess_exec(
        *SHELL,
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=BLOCK,
        cwd=folder,
        env={**os.environ, "TMPDIR": "."},
        start_new_session=True,  # Ctrl+C in the terminal must reach only the service
    )


class Pipe:
    """The connection to one browser. When the browser is gone, every command raises PipeError."""

    def __init__(self, process: asyncio.subprocess.Process, on_event: Callable[[dict[str, Any]], object]) -> None:
        self._on_event = on_event
        self._reader = cast(asyncio.StreamReader, process.stdout)
        self._writer = cast(asyncio.StreamWriter, process.stdin)
        self._pending: dict[int, Answer] = {}
        self._last = 0
        self._reading: asyncio.Task[None] | None = asyncio.create_task(self._read())

    def command(self, method: str, params: Mapping[str, Any] | None = None, session: str | None = None) -> Answer:
        """Send a command to the browser, or to the page of the session."""
        self._last += 1
        answer: Answer = asyncio.get_running_loop().create_future()
        answer.add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )  # retrieved here: some callers never await it
        if self._reading is None or self._writer.is_closing():
            answer.set_exception(PipeError(f"{method}: the browser is gone"))
            return answer
        message = {"id": self._last, "method": method, "params": params or {}}
        if session is not None:
            message["sessionId"] = session
        self._pending[self._last] = answer
        self._writer.write(msgspec.json.encode(message) + END)
        return answer

    async def dispose(self) -> None:
        """Close the pipe. Chromium then ends by itself."""
        self._writer.close()
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading

    async def _read(self) -> None:
        rest: list[bytes] = []
        try:
            while block := await self._reader.read(BLOCK):
                *ended, last = block.split(END)
                for part in ended:
                    self._receive(msgspec.json.decode(b"".join([*rest, part])))
                    rest.clear()
                rest.append(last)
        except OSError:  # a killed browser resets the pipe
            pass
        finally:
            self._reading = None
            for answer in self._pending.values():
                if not answer.done():
                    answer.set_exception(PipeError("the browser is gone"))
            self._pending.clear()

    def _receive(self, message: dict[str, Any]) -> None:
        if "id" not in message:
            self._on_event(message)
            return
        answer = self._pending.pop(message["id"], None)
        if answer is None or answer.done():  # the caller was cancelled
            return
        if error := message.get("error"):
            answer.set_exception(PipeError(f"{error.get('message')} {error.get('data', '')}".strip()))
        else:
            answer.set_result(message.get("result", {}))
