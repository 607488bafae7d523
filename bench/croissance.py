"""Times each GET of the route table in SQL, on a database and on one with a hundred times the data.

The statements are those of the API, run as comptoir_app without HTTP. The fastest of several runs counts, because the
machine is shared.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import asyncpg

from app import routes
from app.database import catalogue, wire
from app.database.catalogue import Function
from app.http.arguments import Arguments
from app.routes.check import path_keys

RUNS = 30
USER = 1
# For each key of a path, a row that exists in both databases.
KEYS = {
    "id_facture": "select max(id_facture) from facturation.facture",
    "id_client": "select max(id_client) from client.client",
    "id_caisse": "select max(id_caisse) from finances.caisse",
    "id_paiement": "select max(id_paiement) from finances.paiement",
    "id_utilisateur": "select 1",
    "id_role": "select 1",
    "cle": "select 'DEVISE_DEFAUT'",
    "code": "select 'PRESSING'",
}
# Operations that return sums or whole lists instead of a page.
WHOLE = {
    "finances.caisse_dashboard",
    "finances.consolidation",
    "finances.impaye_lister",
    "finances.paiements_par_utilisateur",
}
ARGUMENTS = {"date": "2026-08-15", "attendu": None, "code": "x", "mois": "2026-08"}


@dataclass(frozen=True)
class Timing:
    path: str
    report: bool
    small_ms: float
    large_ms: float

    @property
    def ratio(self) -> float:
        """The growth. Times below a millisecond count as one, because their differences are noise."""
        return max(self.large_ms, 1.0) / max(self.small_ms, 1.0)


def compare(small: str, large: str) -> list[Timing]:
    """Time every GET that has rows in both databases. The largest growth comes last."""
    return sorted(asyncio.run(_timings(small, large)), key=lambda timing: timing.ratio)


async def _timings(*urls: str) -> list[Timing]:
    async with AsyncExitStack() as stack:
        databases = [await _open(stack, url) for url in urls]
        operations = await catalogue.read(databases[0].connection)
        timings = []
        for route in routes.load().routes:
            if route.method != "GET" or route.function is None or "/portail/" in route.path:
                continue
            function = operations.functions[route.function]
            calls = [call for database in databases if (call := database.call(route.path, function))]
            if len(calls) == len(databases) and (fastest := await _fastest(calls)):
                timings.append(Timing(route.path, route.report is not None or route.function in WHOLE, *fastest))
        return timings


async def _open(stack: AsyncExitStack, url: str) -> Database:
    connection = await asyncpg.connect(url, server_settings={"role": "comptoir_app"})
    stack.push_async_callback(connection.close)
    owner = await asyncpg.connect(url)
    keys = {name: await owner.fetchval(query) for name, query in KEYS.items()}
    await owner.close()
    return Database(connection, {name: str(key) for name, key in keys.items() if key is not None})


@dataclass(frozen=True)
class Database:
    """One of the databases: a connection as comptoir_app, and a row for each key of a path."""

    connection: Any
    keys: dict[str, str]

    def call(self, path: str, function: Function) -> Callable[[], Awaitable[Any]] | None:
        """The call of a request to this path, or None when the database has no row for it."""
        arguments: dict[str, Any] = {name: self.keys.get(name) for name in path_keys(path)}
        arguments |= {
            p.name: ARGUMENTS.get(p.name, "2026-08-15")
            for p in function.parameters
            if p.required and p.name not in arguments
        }
        if None in arguments.values():
            return None
        values = Arguments(function.parameters, None).check(arguments, None)
        statement = wire.statement(function)
        return lambda: self.connection.fetchrow(statement, USER, "ADMINISTRATEUR", "127.0.0.1", "bench", *values)


async def _fastest(calls: list[Callable[[], Awaitable[Any]]]) -> list[float] | None:
    """The fastest time of each call in milliseconds. The calls take turns, so that other load affects all of them."""
    best = [math.inf] * len(calls)
    for _ in range(RUNS):
        for number, call in enumerate(calls):
            started = time.perf_counter()
            try:
                await call()
            except asyncpg.PostgresError:  # the data has no such row
                return None
            best[number] = min(best[number], (time.perf_counter() - started) * 1000)
    return best
