"""Runs an operation that writes, with arguments from path, body and query, as the headers ask: once for each
Idempotency-Key, or as a rehearsal."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec

from app.database.database import Run
from app.http.operation import Context, Operation, in_context
from app.http.rehearsal import APPLIED, SECONDS, Begin, count_rehearsal, limited, wants_rehearsal
from app.http.request import Request
from app.http.versions import check_version, is_conditional, may_read


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
    extra = lacking(query or {}, body)
    values = await operation.checked({**extra, **request.scope["path_params"], **(supplied or {})}, body)
    rehearsed, conditional = wants_rehearsal(request), method != "POST" and is_conditional(request)
    if rehearsed:
        await count_rehearsal(request)
    if rehearsed or conditional:  # a rehearsal does not use up an Idempotency-Key
        row = await _apart(request, operation, values, conditional=conditional, keep=not rehearsed)
        return row, APPLIED.copy() if rehearsed else {}
    sent = msgspec.json.encode(operation.without_passwords(body)) if operation.arguments.passwords else raw
    key = idempotency_key(request, sent + urlencode(extra).encode()) if method == "POST" else None
    row = await operation.run(request, values, key)
    return row, {"Idempotency-Replayed": "true"} if key and row["rejoue"] else {}


async def _apart(
    request: Request, operation: Operation, values: list[str | None], *, conditional: bool, keep: bool
) -> Any:
    """Run the operation in a transaction with more statements: one that checks the version, or one that rolls back."""
    database = request.services.database

    async def attempt(context: Context) -> Any:
        readable = conditional and await may_read(request)

        async def work(run: Run, begin: Begin) -> Any:
            await begin()
            if conditional:
                await check_version(request, run, context, readable=readable)
            return await operation.within(run, context, values)

        return await limited(database, work, SECONDS, request, keep=keep)

    return await in_context(request, attempt)


def lacking(query: Mapping[str, str], body: Mapping[str, Any]) -> dict[str, str]:
    """The arguments of the query that the body lacks: the body wins."""
    return {name: value for name, value in query.items() if name not in body}


def idempotency_key(request: Request, body: bytes) -> tuple[str, str] | None:
    """The Idempotency-Key and the fingerprint of its request, or None.

    `body` has no passwords: a reader of the database could try passwords until one gives the fingerprint.
    """
    key = request.repeat_key()
    return None if key is None else (key, hashlib.sha256(request.path.encode() + b"\0" + body).hexdigest())
