"""Runs an operation that writes, with arguments from path, body and query, in the mode that the headers ask for."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec

from app.http.mode import Mode, choose, count_rehearsal
from app.http.operation import Context, Operation, in_context
from app.http.request import Request
from app.http.transaction import Transaction, transact
from app.http.versions import check_version, may_read

SECONDS = 5.0  # of a write in a transaction of several statements


async def write(
    request: Request,
    method: str = "POST",
    supplied: Mapping[str, Any] | None = None,
    query: Mapping[str, str] | None = None,
    digest: str | None = None,
) -> tuple[Any, dict[str, str]]:
    """Run the operation of the route and return its row and the headers of the answer.

    Arguments come from path, body and `supplied` (from the server). `query` adds arguments that the body lacks.
    `digest` stands for a body that is already read.
    """
    operation = request.operation
    raw = await request.raw_body() if digest is None else digest.encode()
    body = request.parse(raw) if digest is None else {}
    extra = lacking(query or {}, body)
    values = await operation.checked({**extra, **request.scope["path_params"], **(supplied or {})}, body)
    sent = msgspec.json.encode(operation.without_passwords(body)) if operation.arguments.passwords else raw
    mode = choose(request, method, sent + urlencode(extra).encode() if extra else sent)
    row = await run(request, mode, operation, values)
    return row, mode.headers(row)


def lacking(query: Mapping[str, str], body: Mapping[str, Any]) -> dict[str, str]:
    """The arguments of the query that the body lacks: the body wins."""
    return {name: value for name, value in query.items() if name not in body}


async def run(request: Request, mode: Mode, operation: Operation, values: list[str | None]) -> Any:
    """Run the operation in this mode and return its row."""
    if mode.rehearsed:
        await count_rehearsal(request)
    if mode.rehearsed or mode.conditional:
        return await in_context(request, _run_together, request, mode, operation, values)
    return await operation.run(request, values, mode.key)


async def _run_together(
    context: Context, request: Request, mode: Mode, operation: Operation, values: list[str | None]
) -> Any:
    """Run the operation in a transaction with more statements."""
    readable = mode.conditional and await may_read(request)  # before the transaction, which holds a connection

    async def steps(transaction: Transaction) -> Any:
        await transaction.begin()
        if mode.conditional:
            await check_version(request, transaction, readable=readable)
        return await transaction.call(operation, values)

    return await transact(context, request, mode, SECONDS, steps)
