"""pyppeteer's connection to Chromium, over two pipes instead of a WebSocket.

With --remote-debugging-pipe, Chromium reads commands from descriptor 3 and writes answers and events to descriptor 4.
Each message is a JSON text that ends with a NUL byte. Only the parent process holds the other ends, so no other account
can reach the browser.
"""

import asyncio
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from pyppeteer.browser import Browser
from pyppeteer.connection import Connection

END = b"\0"
LARGEST = 1 << 30  # bytes of a message, such as a printed document
KEPT = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH")  # no secret of the service
# asyncio passes only the first three descriptors to a child. The shell moves two of them, then executes the browser.
SHELL = ("/bin/sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null', "sh")


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
        limit=LARGEST,
        cwd=folder,
        env={name: os.environ[name] for name in KEPT if name in os.environ} | {"TMPDIR": "."},
        start_new_session=True,  # Ctrl+C in the terminal must reach only the service
    )


class Pipe(Connection):  # type: ignore[misc]  # pyppeteer has no types
    """The connection to one browser. When the browser is gone, every command raises an error."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._reader = cast(asyncio.StreamReader, process.stdout)
        self._writer = cast(asyncio.StreamWriter, process.stdin)
        super().__init__("ws://pipe", asyncio.get_running_loop())  # it connects only in _recv_loop

    async def browser(self) -> Any:
        return await Browser.create(self, [], False, None)

    def send(self, method: str, params: Mapping[str, Any] | None = None) -> asyncio.Future[Any]:
        answer: asyncio.Future[Any] = super().send(method, params)
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # some callers never await it
        return answer

    async def dispose(self) -> None:
        """Close the pipe. Chromium then ends by itself."""
        self._writer.close()
        for commands in (self, *self._sessions.values()):  # without the commands whose caller was cancelled
            commands._callbacks = {n: answer for n, answer in commands._callbacks.items() if not answer.done()}
        await super().dispose()

    async def _recv_loop(self) -> None:
        self._connected = True
        try:
            while True:
                message = await self._reader.readuntil(END)
                with suppress(asyncio.InvalidStateError):  # the caller of the command was cancelled
                    await self._on_message(message[:-1])
        except (asyncio.IncompleteReadError, OSError):  # a killed browser resets the pipe
            await self.dispose()

    async def _async_send(self, msg: str, callback_id: int) -> None:
        self._writer.write(msg.encode() + END)
