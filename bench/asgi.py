"""A bare ASGI application for comparison: no token, permission or log, the statement of the API for one invoice."""

import os
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg

from app.database import catalogue, wire
from bench.outils import CALLER

POOL = 6  # as in the API
HEADERS = [(b"content-type", b"application/json")]

_pool: Any = None
_statement = ""
_others: list[None] = []  # the parameters of the statement after the invoice


async def app(
    scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
) -> None:
    if scope["type"] == "lifespan":
        await _lifespan(receive, send)
        return
    invoice = scope["path"].rpartition("/")[2]
    row = await _pool.fetchrow(_statement, *CALLER, invoice, *_others)
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": row["corps"]})


async def _lifespan(receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]) -> None:
    global _pool, _statement, _others
    await receive()
    _pool = await asyncpg.create_pool(
        os.environ["DATABASE_URL"],
        min_size=POOL,
        max_size=POOL,
        reset=_keep,  # the settings of a statement are local to it, and a reset would be a second one
        server_settings={"role": "comptoir_app"},
    )
    async with _pool.acquire() as connection:
        function = (await catalogue.read(connection)).functions["facturation.facture_detail"]
    _statement, _others = wire.statement(function), [None] * (len(function.parameters) - 1)
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await _pool.close()
    await send({"type": "lifespan.shutdown.complete"})


async def _keep(_: object) -> None:
    """Leave the state of the session as it is."""
