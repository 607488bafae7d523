"""What a hundred times the data does to every list, lookup and report: each GET of the route table, timed in SQL.

The statements are those of the API, as comptoir_app, without HTTP. Fastest of several runs: the machine is shared.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any

import asyncpg

from app import catalogue, routes, wire
from app.application import path_keys
from app.arguments import Arguments

RUNS = 7
USER = 1
# An object that both sizes have, for each key of a path.
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
# What is no page: sums, and all that is owed or was paid today.
WHOLE = {
    "finances.caisse_dashboard",
    "finances.consolidation",
    "finances.impaye_lister",
    "finances.paiements_par_utilisateur",
}
ASKED = {"date": "2026-08-15", "attendu": None, "code": "x", "mois": "2026-08"}


@dataclass(frozen=True)
class Timing:
    path: str
    report: bool
    small_ms: float
    large_ms: float

    @property
    def ratio(self) -> float:
        """Below a millisecond a difference is noise of the clock."""
        return max(self.large_ms, 1.0) / max(self.small_ms, 1.0)


def compare(small: str, large: str) -> list[Timing]:
    """Every GET that has something to answer, slowest growth last."""
    first, second = asyncio.run(_times(small)), asyncio.run(_times(large))
    timings = [Timing(path, report, ms, second[path][1]) for path, (report, ms) in first.items() if path in second]
    return sorted(timings, key=lambda timing: timing.ratio)


async def _times(url: str) -> dict[str, tuple[bool, float]]:
    connection = await asyncpg.connect(url, server_settings={"role": "comptoir_app"})
    owner = await asyncpg.connect(url)
    try:
        found = await catalogue.read(connection)
        keys = {name: str(await owner.fetchval(query)) for name, query in KEYS.items()}
        timed = {}
        for route in routes.load().routes:
            if route.method != "GET" or route.function is None or "/portail/" in route.path:
                continue
            function = found.functions[route.function]
            given: dict[str, Any] = {name: keys.get(name) for name in path_keys(route.path)}
            asked = [p.name for p in function.parameters if p.required and p.name not in given]
            given |= {name: ASKED.get(name, "2026-08-15") for name in asked}
            if None in given.values():
                continue
            values = Arguments(function.parameters, None).check(given, None)
            report = route.report is not None or route.function in WHOLE
            timed[route.path] = (report, await _fastest(connection, wire.statement(function), values))
        return {path: (report, ms) for path, (report, ms) in timed.items() if ms is not None}
    finally:
        await connection.close()
        await owner.close()


async def _fastest(connection: Any, statement: str, values: list[str | None]) -> float | None:
    best = None
    for _ in range(RUNS):
        started = time.perf_counter()
        try:
            await connection.fetchrow(statement, USER, "ADMINISTRATEUR", "127.0.0.1", "bench", *values)
        except asyncpg.PostgresError:  # nothing of this kind in the data
            return None
        took = (time.perf_counter() - started) * 1000
        best = took if best is None else min(best, took)
    return best
