"""Chromium's protocol over two pipes, in the shape that pyppeteer's Browser expects of a connection.

Chromium started with --remote-debugging-pipe reads commands from descriptor 3 and writes answers and events to
descriptor 4, each one a JSON text that ends with a NUL. The parent process alone holds the other ends: no other
account can reach the browser.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from pyee import EventEmitter
from pyppeteer.errors import NetworkError

END = b"\0"
BLOCK = 1 << 20  # bytes read at once; a printed document comes as one message
# asyncio gives a child only its first three descriptors: the shell moves two of them and becomes the browser.
SHELL = ("/bin/sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null', "sh")

Answer = asyncio.Future[dict[str, Any]]


async def spawn(command: Sequence[str], folder: Path) -> asyncio.subprocess.Process:
    """Start a browser whose descriptors 3 and 4 are the process's stdin and stdout here.

    All its files are in the folder, the temporary ones too. Their path is relative: Chromium makes a socket there, and
    Linux allows a socket's path 107 bytes.
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
        start_new_session=True,  # the terminal's Ctrl+C is for the service, not for the browser
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
    """The connection to one browser. Every command is answered, with a NetworkError once the browser is gone."""

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
        """pyppeteer emits `disconnected` from it; nobody here listens."""

    async def createSession(self, target: Mapping[str, Any]) -> Session:
        found = await self.command("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})
        return self._sessions.setdefault(found["sessionId"], Session(self, found["sessionId"]))

    def send(self, method: str, params: Mapping[str, Any] | None = None) -> Answer:
        return self.command(method, params)

    def command(self, method: str, params: Mapping[str, Any] | None = None, session: str | None = None) -> Answer:
        self._last += 1
        answer: Answer = self._loop.create_future()
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # some callers never await it
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
        """Hang up. Chromium ends by itself when its pipe does."""
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
                    self._receive(json.loads(b"".join([*rest, part])))
                    rest.clear()
                rest.append(last)
        except OSError:  # a killed browser resets what was under way
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
            if answer is None or answer.done():  # its caller gave up
                return
            if error := message.get("error"):
                answer.set_exception(NetworkError(f"{error.get('message')} {error.get('data', '')}".strip()))
            else:
                answer.set_result(message.get("result", {}))
            return
        method, params = message["method"], message.get("params", {})
        if method == "Target.attachedToTarget":
            # The event comes before the answer of attachToTarget, and the first events of the page before that answer.
            self._sessions.setdefault(params["sessionId"], Session(self, params["sessionId"]))
        elif method == "Target.detachedFromTarget":
            self._sessions.pop(params["sessionId"], None)
        heard = self._sessions.get(message["sessionId"]) if "sessionId" in message else self
        if heard is not None:
            heard.emit(method, params)
