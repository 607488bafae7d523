"""Runs an operation that writes, with arguments from path, body and query, and with the Idempotency-Key if sent."""

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
    query: Mapping[str, str] | None = None,
    digest: str | None = None,
) -> tuple[Any, dict[str, str]]:
    """Run the operation and return its row and the headers of the answer.

    Arguments come from path, body and `supplied` (from the server). `query` adds those that the body lacks. `digest`
    stands for a body that is already read.
    """
    raw = await request.raw_body() if digest is None else digest.encode()
    body = request.parse(raw) if digest is None else {}
    extra = {name: value for name, value in (query or {}).items() if name not in body}
    outside = {**extra, **request.scope["path_params"], **(supplied or {})}
    values = await operation.hashed(operation.arguments.check(outside, body))
    key = _idempotency_key(request, raw + urlencode(extra).encode()) if method == "POST" else None
    row = await operation.run(request, values, key)
    return row, {"Idempotency-Replayed": "true"} if key and row["rejoue"] else {}


def _idempotency_key(request: Request, body: bytes) -> tuple[str, str] | None:
    """The Idempotency-Key and the fingerprint of its request, or None."""
    key = request.repeat_key()
    return None if key is None else (key, hashlib.sha256(request.path.encode() + b"\0" + body).hexdigest())
