"""The request log: one JSON line for each request on standard output, without body, query or token."""

import asyncio
import sys
from datetime import UTC, datetime

import msgspec
from starlette.types import Scope

SECONDS = 0.05  # longest delay of a line: one write for each line would cost more than all checks of a short request


_encoder = msgspec.json.Encoder()


class Line(msgspec.Struct, gc=False, omit_defaults=True):
    time: datetime
    request_id: str
    address: str  # the caller's address (app.auth.throttle.client_address)
    user: str | None
    method: str
    route: str
    status: int
    duration_ms: float
    organisation: str | None = None  # its code, where one process serves several


class RequestLog:
    """Buffers the lines of one process and writes several at once."""

    def __init__(self) -> None:
        self._lines: list[Line] = []

    def add(self, scope: Scope, method: str, route: str, status: int, seconds: float) -> None:
        if not self._lines:
            asyncio.get_running_loop().call_later(SECONDS, self.write)
        line = Line(
            time=datetime.now(UTC),
            request_id=scope["comptoir.id"],
            address=scope["comptoir.address"],
            user=scope.get("comptoir.user"),
            method=method,
            route=route,
            status=status,
            duration_ms=round(seconds * 1000, 2),
            organisation=scope.get("comptoir.organisation"),
        )
        self._lines.append(line)

    def write(self) -> None:
        lines, self._lines = self._lines, []
        sys.stdout.buffer.write(_encoder.encode_lines(lines))
        sys.stdout.buffer.flush()
