"""Rehearses a write: it runs whole, the caller gets its true answer, and the transaction is rolled back.

A caller asks for it with `Prefer: tx=rollback` (RFC 7240).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from app.base.refusal import Refusal, unavailable, validation
from app.database.database import Database, Run
from app.database.replicas import Reader
from app.http.request import Request
from app.http.route import Route

T = TypeVar("T")
APPLIED = {"Preference-Applied": "tx=rollback"}
SECONDS = 5.0  # a rehearsal holds locks that other writers need, such as the counter of invoice numbers


def wants_rehearsal(request: Request) -> bool:
    """Whether the request prefers tx=rollback. Another value of tx is refused, because a misspelt one would write."""
    if b"prefer" not in request.headers:
        return False
    values = {
        value.strip().strip('"').lower()
        for header, content in request.scope["headers"]
        if header == b"prefer"
        for preference in content.decode("latin-1").split(",")
        for name, _, value in [preference.partition(";")[0].partition("=")]
        if name.strip().lower() == "tx"
    }
    if values - {"commit", "rollback"} or len(values) > 1:
        raise validation({"Prefer": ["Préférences possibles : tx=rollback (répéter sans garder) ou tx=commit."]})
    return values == {"rollback"}


def refuse_rehearsal(route: Route) -> None:
    message = f"{route.method} {route.path} ne se répète pas : ses effets ne sont pas tous dans la base."
    raise Refusal(400, "REPETITION_IMPOSSIBLE", message)


class _Overdue(Exception):
    """The work of a transaction takes too long."""


async def limited(
    database: Database,
    work: Callable[[Run], Awaitable[T]],
    seconds: float,
    caller: Reader | None = None,
    *,
    keep: bool,
) -> T:
    """Run `work` as one transaction, as Database.within does. Raises 503 when it takes longer; nothing remains of it.

    The commit may take longer. If it were interrupted, its rows could be there already.
    """
    end = asyncio.get_running_loop().time() + seconds

    async def in_time(run: Run) -> T:
        try:
            async with asyncio.timeout_at(end):
                return await work(run)
        except TimeoutError:
            raise _Overdue from None

    try:
        return await database.within(in_time, caller, keep=keep)
    except _Overdue:
        raise unavailable(
            "OPERATION_TROP_LONGUE", f"Cette opération dépasse {seconds:.0f} s : elle est arrêtée, rien n'en reste."
        ) from None
