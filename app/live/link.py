"""One WebSocket, between the server and Socket.IO: it ends in time, whatever is at the other end.

A client has almost nothing to say here, so what it may say is counted; a reader that does not read is let go.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import Message, Receive, Send

from app.auth.tokens import Claims
from app.http.caller import Caller

HANDSHAKE_SECONDS = 10.0  # to say who one is
SEND_SECONDS = 10.0  # for a message to leave this process
MESSAGES, WINDOW = 20, 10.0  # from the client, in so many seconds

LATE = "La connexion n'a pas été faite à temps."
FLOOD = "Trop de messages : la connexion est fermée."
UNREADABLE = "Message illisible : la connexion est fermée."

# All that a client has to say, in Engine.IO's words: goodbye, pong, and Socket.IO's connect, disconnect and event. The
# rest (binary packets, upgrades, payloads where none belongs) never gets to the decoders, some of which it would break.
BARE, STARTS = ("1", "3"), ("40", "41", "42")


class Link:
    """Receives and sends for one socket, and knows whose it is once Socket.IO has said so."""

    def __init__(
        self, caller: Caller, receive: Receive, send: Send, farewell: Callable[[Link], Awaitable[None]]
    ) -> None:
        self.caller = caller
        self.reason = LATE
        self.ended = False
        # Of a socket that is somebody's:
        self.sid = ""
        self.rights = ""  # fingerprint of what the user might see when connecting
        self.waiting: list[Any] | None = []  # what came before the history left; then None
        self.history_at = 0.0
        self._receive = receive
        self._send = send
        self._farewell = farewell
        self._until = asyncio.get_running_loop().time() + HANDSHAKE_SECONDS
        self._deadline: asyncio.Timeout | None = None
        self._window, self._messages = 0.0, 0

    @property
    def claims(self) -> Claims | None:
        """Of the user whose socket it is."""
        return self.caller.claims

    def end_at(self, when: float, reason: str) -> None:
        """Say the reason and close, at this time of the loop; the past is now."""
        if self.ended:
            return
        self._until, self.reason = when, reason
        if self._deadline is not None and not self._deadline.expired():
            self._deadline.reschedule(when)

    def end(self, reason: str) -> None:
        self.end_at(0.0, reason)

    async def receive(self) -> Message:
        """The next message; once the time is over, the word that the client is gone: Socket.IO closes then."""
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
        if message["type"] != "websocket.send":  # closing has a limit of its own
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
