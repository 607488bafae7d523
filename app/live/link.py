"""One WebSocket between the server and Socket.IO, with limits on time and on messages.

A client sends almost nothing here, so its messages are counted. A client that does not read is disconnected.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import Message, Receive, Send

from app.http.caller import Caller

HANDSHAKE_SECONDS = 10.0  # time allowed for the handshake
SEND_SECONDS = 10.0  # time allowed to send a message
MESSAGES, WINDOW = 20, 10.0  # most messages from the client in a window of this many seconds

LATE = "La connexion n'a pas été faite à temps."
FLOOD = "Trop de messages : la connexion est fermée."
UNREADABLE = "Message illisible : la connexion est fermée."

# Allowed packets: Engine.IO's close and pong, and Socket.IO's connect, disconnect and event. Other packets (binary,
# upgrade, unexpected payloads) never reach the decoders, because some decoders fail on them.
BARE, STARTS = ("1", "3"), ("40", "41", "42")


class Link:
    """Receives and sends for one socket. After the handshake its caller has the user's claims."""

    def __init__(
        self, caller: Caller, receive: Receive, send: Send, farewell: "Callable[[Link], Awaitable[None]]"
    ) -> None:
        self.caller = caller
        self.reason = LATE
        self.ended = False
        # Set by the handshake:
        self.sid = ""
        self.rights = ""  # fingerprint of the user's rights at the handshake
        self.waiting: list[Any] | None = []  # notifications that arrive before the history is sent; then None
        self.history_at = 0.0
        self._receive = receive
        self._send = send
        self._farewell = farewell
        self._until = asyncio.get_running_loop().time() + HANDSHAKE_SECONDS
        self._deadline: asyncio.Timeout | None = None
        self._window, self._messages = 0.0, 0

    def end(self, reason: str, when: float = 0.0) -> None:
        """Send the reason and close the socket at this loop time. A past time means now."""
        if self.ended:
            return
        self._until, self.reason = when, reason
        if self._deadline is not None and not self._deadline.expired():
            self._deadline.reschedule(when)

    async def receive(self) -> Message:
        """Return the next message. After the deadline, return a disconnect, so that Socket.IO closes the socket."""
        if not self.ended:
            try:
                async with asyncio.timeout_at(self._until) as self._deadline:
                    message = await self._receive()
                problem = self._problem(message) if message["type"] == "websocket.receive" else None
                if problem is None:
                    return message
                self.reason = problem
            except TimeoutError:
                pass
            finally:
                self._deadline = None
            self.ended = True
            await self._farewell(self)
        return {"type": "websocket.disconnect", "code": 1008}

    async def send(self, message: Message) -> None:
        if message["type"] != "websocket.send":  # uvicorn bounds the time of a close
            await self._send(message)
            return
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._send(message)
        except TimeoutError:
            self.end("Ce client ne lit plus ce qui lui est envoyé.")
            raise

    def _problem(self, message: Message) -> str | None:
        now = asyncio.get_running_loop().time()
        if now - self._window > WINDOW:
            self._window, self._messages = now, 0
        self._messages += 1
        if self._messages > MESSAGES:
            return FLOOD
        text = message.get("text") or ""
        return None if text in BARE or text.startswith(STARTS) else UNREADABLE
