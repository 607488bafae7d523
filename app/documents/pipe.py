"""Chromium's protocol over two pipes, with the interface that pyppeteer's Browser expects of a connection.

With --remote-debugging-pipe, Chromium reads commands from descriptor 3 and writes answers and events to descriptor 4.
Each message is a JSON text that ends with a NUL byte. Only the parent process holds the other ends, so no other account
can reach the browser.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from pyee import EventEmitter
from pyppeteer.errors import NetworkError

from app.base import tasks

END = b"\0"
BLOCK = 1 << 20  # bytes read at once; a printed document is one message
# asyncio passes only the first three descriptors to a child. The shell moves two of them, then executes the browser.
SHELL = ("/bin/sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null', "sh")

Answer = asyncio.Future[dict[str, Any]]


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


class Session(EventEmitter):
    """Commands to one page, and its events."""

    def __init__(self, pipe: Pipe, identifier: str) -> None:
        super().__init__()
        self._pipe = pipe
        self._identifier = identifier
        self._loop = pipe._loop  # pyppeteer reads it from each session

    def send(self, method: str, params: Mapping[str, Any] | None = None) -> Answer:
        return self._pipe.command(method, params, self._identifier)


class Pipe(EventEmitter):
    """The connection to one browser. When the browser is gone, every command raises NetworkError."""

    url = ""  # a pipe has no address

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()  # pyppeteer reads it from each connection
        self._reader = cast(asyncio.StreamReader, process.stdout)
        self._writer = cast(asyncio.StreamWriter, process.stdin)
        self._sessions: dict[str, Session] = {}
        self._pending: dict[int, Answer] = {}
        self._last = 0
        self._reading: asyncio.Task[None] | None = asyncio.create_task(self._read())

    def setClosedCallback(self, callback: Any) -> None:
        """pyppeteer requires this method to emit `disconnected`. Renderer does not use that event."""

    async def createSession(self, target: Mapping[str, Any]) -> Session:
        attached = await self.command("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})
        return self._sessions.setdefault(attached["sessionId"], Session(self, attached["sessionId"]))

    def send(self, method: str, params: Mapping[str, Any] | None = None) -> Answer:
        return self.command(method, params)

    def command(self, method: str, params: Mapping[str, Any] | None = None, session: str | None = None) -> Answer:
        self._last += 1
        answer: Answer = self._loop.create_future()
        answer.add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )  # retrieved here: some callers never await it
        if self._reading is None or self._writer.is_closing():
            answer.set_exception(NetworkError(f"{method}: the browser is gone"))
            return answer
        message = {"id": self._last, "method": method, "params": dict(params or {})}
        if session is not None:
            message["sessionId"] = session
        self._pending[self._last] = answer
        self._writer.write(json.dumps(message).encode() + END)
        return answer

    async def dispose(self) -> None:
        """Close the pipe. Chromium then ends by itself."""
        self._writer.close()
        await tasks.end(self._reading)

    async def _read(self) -> None:
        rest: list[bytes] = []
        try:
            while block := await self._reader.read(BLOCK):
                *ended, last = block.split(END)
                for part in ended:
                    self._receive(json.loads(b"".join([*rest, part])))
                    rest.clear()
                rest.append(last)
        except OSError:  # a killed browser resets the pipe
            pass
        finally:
            self._reading = None
            for answer in self._pending.values():
                if not answer.done():
                    answer.set_exception(NetworkError("the browser is gone"))
            self._pending.clear()

    def _receive(self, message: dict[str, Any]) -> None:
        if "id" in message:
            answer = self._pending.pop(message["id"], None)
            if answer is None or answer.done():  # the caller was cancelled
                return
            if error := message.get("error"):
                answer.set_exception(NetworkError(f"{error.get('message')} {error.get('data', '')}".strip()))
            else:
                answer.set_result(message.get("result", {}))
            return
        method, params = message["method"], message.get("params", {})
        if method == "Target.attachedToTarget":
            # This event and the first events of the page arrive before the answer of attachToTarget.
            self._sessions.setdefault(params["sessionId"], Session(self, params["sessionId"]))
        elif method == "Target.detachedFromTarget":
            self._sessions.pop(params["sessionId"], None)
        emitter = self._sessions.get(message["sessionId"]) if "sessionId" in message else self
        if emitter is not None:
            emitter.emit(method, params)
