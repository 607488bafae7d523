"""One JSON line a request on standard output; never a body, a query, a token."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from starlette.types import Scope

SECONDS = 0.05  # how late a line may be: a write for each costs a short request more than all its checks


class Line(msgspec.Struct, gc=False):
    """What is said of a request."""

    time: datetime
    request_id: str
    address: str  # the caller's, as app.auth.throttle finds it behind trusted proxies
    user: str | None
    method: str
    route: str
    status: int
    duration_ms: float


class RequestLog:
    """Lines of one process, several in one write."""

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
        )
        self._lines.append(line)

    def write(self) -> None:
        lines, self._lines = self._lines, []
        sys.stdout.buffer.writelines([msgspec.json.encode(line) + b"\n" for line in lines])
        sys.stdout.buffer.flush()
