"""Times each GET of the route table in SQL, on a database and on one with a hundred times the data.

The statements are the same as in the API, run as comptoir_app without HTTP. The fastest of several runs counts, because
the machine is shared.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Literal

import asyncpg

from app import routes
from app.database import catalogue, wire
from app.database.catalogue import Function
from app.http.arguments import Arguments
from app.http.route import Route
from app.routes.check import path_keys
from bench.outils import CALLER

RUNS = 30
ROWS = "50"  # of a page: the smaller database has only a hundred leases
SECONDS = 10.0  # a pair of calls is not repeated after this time
Kind = Literal["page", "month", "unbounded"]
# For each key of a path, a row that exists in both databases.
KEYS = {
    "id_facture": "select max(id_facture) from facturation.facture",
    "id_client": "select max(id_client) from client.client",
    "id_caisse": "select max(id_caisse) from finances.caisse",
    "id_paiement": "select max(id_paiement) from finances.paiement",
    "id_contrat": "select max(id_contrat) from residence.contrat_location",
    "id_echeance": "select max(id_echeance) from residence.echeance",
    "id_utilisateur": "select 1",
    "id_role": "select 1",
    "cle": "select 'DEVISE_DEFAUT'",
    "code": "select 'PRESSING'",
}
# Operations that return sums or whole lists instead of a page.
WHOLE = {
    "finances.consolidation",
    "finances.impaye_lister",
    "finances.paiements_par_utilisateur",
}
# Operations whose answer grows with the data, as answers of costly routes do: a till returns each payment of the day,
# and every client to a device that sells without a network.
GROWING = {"finances.caisse_dashboard", "finances.caisse_fonds"}
# Bounds of a report: a whole month of the data, in each way in which a function may ask for it.
MONTH = {
    "du": "date_trunc('month', core.aujourdhui()) - interval '2 months'",
    "au": "date_trunc('month', core.aujourdhui()) - interval '1 month 1 day'",
    "mois": "date_trunc('month', core.aujourdhui()) - interval '2 months'",
    "date": "date_trunc('month', core.aujourdhui()) - interval '2 months'",
}


@dataclass(frozen=True)
class Timing:
    path: str
    kind: Kind
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
            if route.method != "GET" or route.function is None or route.supplied or "/portail/" in route.path:
                continue
            if route.costly or route.function in GROWING:
                continue
            function = operations.functions[route.function]
            for kind in kinds(route, function):
                calls = [call for database in databases if (call := database.call(route.path, function, kind))]
                if len(calls) == len(databases) and (fastest := await _fastest(calls)):
                    timings.append(Timing(route.path, kind, *fastest))
        return timings


def kinds(route: Route, function: Function) -> list[Kind]:
    """A report is timed over one month and without bounds, if it takes bounds. Everything else is a page or one row."""
    parameters = {parameter.name: parameter.required for parameter in function.parameters}
    if "limit" in parameters or (route.report is None and route.function not in WHOLE):
        return ["page"]
    bounds = [required for name, required in parameters.items() if name in MONTH]
    month: list[Kind] = ["month"] if bounds else []
    return month if any(bounds) else [*month, "unbounded"]


async def _open(stack: AsyncExitStack, url: str) -> Database:
    connection = await asyncpg.connect(url, server_settings={"role": "comptoir_app"})
    stack.push_async_callback(connection.close)
    owner = await asyncpg.connect(url)
    keys = {name: await owner.fetchval(query) for name, query in KEYS.items()}
    month = {name: (await owner.fetchval(f"select ({query})::date")).isoformat() for name, query in MONTH.items()}
    await owner.close()
    return Database(
        connection,
        {name: str(key) for name, key in keys.items() if key is not None},
        month | {"mois": month["mois"][:7]},
    )


@dataclass(frozen=True)
class Database:
    """One of the databases: a connection as comptoir_app, a row for each key of a path, and the bounds of a month."""

    connection: Any
    keys: dict[str, str]
    month: dict[str, str]

    def call(self, path: str, function: Function, kind: Kind) -> Callable[[], Awaitable[Any]] | None:
        """The call of a request to this path, or None when the database has no row for it."""
        arguments: dict[str, Any] = {name: self.keys.get(name) for name in path_keys(path)}
        for parameter in function.parameters:
            if parameter.name not in arguments and (
                parameter.required or (kind == "month" and parameter.name in MONTH)
            ):
                arguments[parameter.name] = self.month.get(parameter.name, "x")
        if kind == "page" and any(parameter.name == "limit" for parameter in function.parameters):
            arguments["limit"] = ROWS
        if None in arguments.values():
            return None
        values = Arguments(function.parameters, None).check(arguments, None)
        statement = wire.statement(function)
        cursor = [None] if function.paged else []
        return lambda: self.connection.fetchrow(statement, *CALLER, *values, *cursor)


async def _fastest(calls: list[Callable[[], Awaitable[Any]]]) -> list[float] | None:
    """The fastest time of each call in milliseconds. The calls take turns, so that other load affects all of them."""
    best = [math.inf] * len(calls)
    end = time.perf_counter() + SECONDS
    for _ in range(RUNS):
        for number, call in enumerate(calls):
            started = time.perf_counter()
            try:
                await call()
            except asyncpg.PostgresError:  # the data has no such row
                return None
            best[number] = min(best[number], (time.perf_counter() - started) * 1000)
        if time.perf_counter() > end:
            break
    return best
