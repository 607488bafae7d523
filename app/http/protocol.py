"""uvicorn's HTTP connection with bounds on the size, the number and the time of headers and bodies.

A client that sends them slowly, or sends nothing, keeps its connection for a bounded time.
"""

import asyncio
import re
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.base.refusal import Refusal
from app.base.settings import Settings

HEADER_BYTES = 64 * 1024
HEADER_COUNT = 100
TOO_LARGE = Refusal(
    431, "ENTETES_TROP_GRANDS", f"Les en-têtes dépassent {HEADER_BYTES // 1024} Kio, ou {HEADER_COUNT} en nombre."
)


class _Stop(Exception):
    """Stops the parser. The client receives 431 for headers that are too large, else 400."""


class Connection(HttpToolsProtocol):
    """Closes itself when a request does not arrive in time. Between requests uvicorn's own timer applies."""

    def __init__(self, config: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        self._settings: Settings = self.app.state.settings
        self._deadline: float | None = None  # loop time by which the rest of a request must arrive
        # One timer serves many requests: when it fires it checks the deadline, so it is rarely rescheduled.
        self._timer: asyncio.TimerHandle | None = None
        # Bytes since the start of the headers or since the last piece of a body, to bound headers and trailers.
        self._unparsed = 0
        self._too_large = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timing(self._settings.header_patience)

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline = None
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            self._start_timing(self._settings.header_patience)
        self._unparsed += len(data)
        super().data_received(data)
        if self._unparsed > HEADER_BYTES and not self.transport.is_closing():
            self._refuse_headers()

    def on_headers_complete(self) -> None:
        if len(self.headers) > HEADER_COUNT or (self._unparsed > HEADER_BYTES and self._header_size() > HEADER_BYTES):
            self._too_large = True
            raise _Stop
        if not self.url.startswith((b"/", b"*")) and _authority(self.url) != _host(self.headers):
            raise _Stop  # the target and Host name different hosts
        self._unparsed = 0
        super().on_headers_complete()
        self._start_timing(self._settings.body_patience)

    def on_body(self, body: bytes) -> None:
        self._unparsed = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unparsed = 0
        super().on_message_complete()
        self._deadline = None

    def send_400_response(self, msg: str) -> None:
        """uvicorn calls this when its parser stops."""
        if self._too_large:
            self._refuse_headers()
        else:
            super().send_400_response(msg)

    def _header_size(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def _refuse_headers(self) -> None:
        if self.cycle is None or self.cycle.response_complete:  # no answer is in progress
            path = self.url.partition(b"?")[0][:200].decode("latin-1")
            body = TOO_LARGE.body(path, "")
            self.transport.write(
                b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: application/json\r\n"
                b"connection: close\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)
            )
        self.transport.close()

    def handle_websocket_upgrade(self) -> None:
        self._deadline = None
        super().handle_websocket_upgrade()

    def _start_timing(self, seconds: float) -> None:
        self._deadline = self.loop.time() + seconds
        if self._timer is not None and self._timer.when() > self._deadline:
            self._timer.cancel()
            self._timer = None
        if self._timer is None:
            self._timer = self.loop.call_at(self._deadline, self._look)

    def _look(self) -> None:
        self._timer = None
        if self._deadline is None:
            return
        if self._deadline <= self.loop.time():
            self.transport.close()
        else:
            self._timer = self.loop.call_at(self._deadline, self._look)


def _authority(url: bytes) -> bytes:
    """The host and port of an absolute target (http://host/path), in lower case."""
    return re.split(rb"[/?#]", url.partition(b"://")[2], maxsplit=1)[0].lower()


def _host(headers: list[tuple[bytes, bytes]]) -> bytes:
    return next((value.lower() for name, value in headers if name == b"host"), b"")
