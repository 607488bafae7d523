"""Measures each home-made part of the service beside the library's own part: `python -m bench.pieces`, six minutes.

One service runs for each variant: the service as it is, and the service with one part swapped. They take turns on the
same database, and the processor time of the API process per request is compared, because other programs of the machine
disturb it less than the rate. `python -m bench.pieces PART` serves with that part swapped.
"""

import logging
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import psutil
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app import __main__ as program
from app.commands import application
from app.database import pool
from app.http import protocol, requestlog
from app.leaves.embarque.postgres import Postgres
from bench.outils import wrk
from bench.run import seed
from bench.service import Service, running
from bench.valkey import Valkey

ROUNDS = int(os.environ.get("TOURS", "7"))
SECONDS = int(os.environ.get("SECONDES", "3"))
LOADS = {"lecture": "lecture.lua", "règlement": "reglement.lua"}
LOG = logging.getLogger("comptoir.requetes")


class LibraryPool:
    """asyncpg's pool. A reset would be a second round trip for each statement, so it is left out."""

    def __init__(self, url: str, size: int, prepared: int) -> None:
        self._size = size
        self._pool = asyncpg.create_pool(
            url,
            min_size=0,
            max_size=size,
            max_inactive_connection_lifetime=0,
            reset=_keep_state,
            timeout=pool.ACQUIRE_TIMEOUT,
            command_timeout=pool.STATEMENT_TIMEOUT,
            max_cached_statement_lifetime=0,
            statement_cache_size=prepared,
            server_settings={"role": pool.ROLE, "application_name": "comptoir"},
        )

    async def fetchrow(self, statement: str, *arguments: Any) -> Any:
        await self._pool
        async with self._pool.acquire(timeout=pool.ACQUIRE_TIMEOUT) as connection:
            return await connection.fetchrow(statement, *arguments)

    def usage(self) -> pool.Usage:
        count = self._pool.get_size()
        return pool.Usage(count, count - self._pool.get_idle_size(), self._size)

    async def close(self) -> None:
        await self._pool.close()


async def _keep_state(_: Any) -> None:
    pass


class LibraryRouter(Starlette):
    """Starlette's router: a Route for each method and path, those without a key first."""

    def __init__(self, routes: list[Any], **options: Any) -> None:
        table, *others = routes
        super().__init__(routes=[*table, *others], **options)


def library_routes(routes: Iterable[tuple[str, str, ASGIApp]]) -> list[BaseRoute]:
    ordered = sorted(routes, key=lambda route: "{" in route[1])
    return [Route(path, endpoint, methods=[method]) for method, path, endpoint in ordered]


def library_log(_: Any, scope: Scope, method: str, route: str, status: int, seconds: float) -> None:
    """Write a line at once, through logging."""
    line = requestlog.Line(
        time=datetime.now(UTC),
        request_id=scope["comptoir.id"],
        address=scope["comptoir.address"],
        user=scope.get("comptoir.user"),
        method=method,
        route=route,
        status=status,
        duration_ms=round(seconds * 1000, 2),
    )
    LOG.info(msgspec.json.encode(line).decode())


# For each part: the names that are replaced, and by what.
SWAPS: dict[str, list[tuple[Any, str, Any]]] = {
    "service": [],
    "pool": [(application, "Pool", LibraryPool)],
    "router": [(application, "Paths", library_routes), (application, "Starlette", LibraryRouter)],
    "connection": [(protocol, "Connection", HttpToolsProtocol)],
    "log": [(requestlog.RequestLog, "add", library_log)],
}


def serve(part: str) -> int:
    LOG.propagate = False
    LOG.setLevel(logging.INFO)
    LOG.addHandler(logging.StreamHandler(sys.stdout))
    for owner, name, library_part in SWAPS[part]:
        setattr(owner, name, library_part)
    sys.argv[1:] = ["serve"]
    return program.main()


def main() -> int:
    wrk_program = shutil.which("wrk")
    if wrk_program is None:
        print("wrk manque : apt install wrk (ou brew install wrk), puis relancez.", file=sys.stderr)
        return 1
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="comptoir-pieces-")))
        directory.chmod(0o711)
        settings = {"max_connections": "200", "shared_buffers": "256MB", "max_wal_size": "8GB"}
        server = stack.enter_context(Postgres(directory / "postgres", settings))
        store = stack.enter_context(Valkey(directory / "valkey"))
        extra = {"DATABASE_URL": server.url(), "KVSTORE_URL": store.url, "WEB_CONCURRENCY": "1", "JWT_DUREE": "86400"}
        services = {
            name: stack.enter_context(running(directory, module=("bench.pieces", name), **extra)) for name in SWAPS
        }
        seed(server.url())
        token = services["service"].login().headers["authorization"]
        costs: dict[tuple[str, str], list[float]] = {(name, load): [] for name in SWAPS for load in LOADS}
        for _ in range(ROUNDS):
            for load, script in LOADS.items():
                for name, service in services.items():
                    costs[name, load].append(measure(wrk_program, service, script, token))
    for name in SWAPS:
        print(name, *(figures(costs, name, load) for load in LOADS), sep=" | ")
    return 0


def measure(program: str, service: Service, script: str, token: str) -> float:
    """Processor time of the API process per request, in microseconds."""
    process = psutil.Process(service.process.pid)
    before = process.cpu_times()
    rate = wrk(program, service.url, script, token, SECONDS)
    after = process.cpu_times()
    return (after.user + after.system - before.user - before.system) / rate.calls * 1e6


def figures(costs: dict[tuple[str, str], list[float]], name: str, load: str) -> str:
    """The median cost, and the median of the rounds' ratios to the service as it is."""
    ratio = statistics.median(c / own for c, own in zip(costs[name, load], costs["service", load], strict=True))
    return f"{load} {statistics.median(costs[name, load]):.0f} µs ({(ratio - 1) * 100:+.1f} %)"


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1]) if len(sys.argv) > 1 else main())
