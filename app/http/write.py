"""One writing call: the arguments of a path, a body and a query, under an Idempotency-Key if there is one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from app.http.operation import Operation
from app.http.request import Request


async def write(
    request: Request,
    operation: Operation,
    method: str = "POST",
    supplied: Mapping[str, str] | None = None,
    asked: Mapping[str, str] | None = None,
    sent: str | None = None,
) -> tuple[Any, dict[str, str]]:
    """The row and headers of a writing call: arguments of path and body, those that the server itself supplies, and
    of the query those that the body does not give. `sent` is the digest of a body that was read already."""
    raw = await request.raw_body() if sent is None else sent.encode()
    body = request.parse(raw) if sent is None else {}
    extra = {name: value for name, value in (asked or {}).items() if name not in body}
    outside = {**extra, **request.scope["path_params"], **(supplied or {})}
    values = await operation.hashed(operation.arguments.check(outside, body))
    key = _idempotency_key(request, raw + urlencode(extra).encode()) if method == "POST" else None
    row = await operation.run(request, values, key)
    return row, {"Idempotency-Replayed": "true"} if key and row["rejoue"] else {}


def _idempotency_key(request: Request, body: bytes) -> tuple[str, str] | None:
    """The key and the fingerprint of what came under it."""
    key = request.repeat_key()
    return None if key is None else (key, hashlib.sha256(request.path.encode() + b"\0" + body).hexdigest())
