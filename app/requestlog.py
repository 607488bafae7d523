"""One JSON line a request on standard output; never a body, a query, a token."""

from __future__ import annotations

import asyncio
import sys
from datetime import UTC, datetime
from typing import Any

import msgspec

SECONDS = 0.05  # how late a line may be: a write for each costs a short request more than all its checks


class RequestLog:
    """Lines of one process, several in one write."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def add(self, method: str, route: str, request_id: str, user: str | None, status: int, seconds: float) -> None:
        line: dict[str, Any] = {
            "time": datetime.now(UTC),
            "request_id": request_id,
            "user": user,
            "method": method,
            "route": route,
            "status": status,
            "duration_ms": round(seconds * 1000, 2),
        }
        if not self._lines:
            asyncio.get_running_loop().call_later(SECONDS, self.write)
        self._lines.append(msgspec.json.encode(line) + b"\n")

    def write(self) -> None:
        lines, self._lines = self._lines, []
        sys.stdout.buffer.writelines(lines)
        sys.stdout.buffer.flush()
