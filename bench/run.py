"""Measures every speed goal in one run, as ratios. The machine is shared, so the two sides of a ratio take turns.

    make bench SECONDES=10

Settlement and reading over HTTP are compared with pgbench calling the same functions. They use 16 connections, a bearer
token, the denylist in Valkey, permissions and the journal; PostgreSQL keeps its durable defaults. Other goals: lists
compared with the same rows through Python objects, the slowest calls, a hundred times the data, memory, and round
trips. At the end the invariants are checked, one line is printed for each goal, and resultats/index.html is written.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg

from app.base.server import free_port
from app.database import schema
from app.database.postgres import Postgres
from bench import croissance, donnees, page
from bench.outils import CONNECTIONS, INVOICES, SECONDS, Rate, pgbench, wrk
from bench.service import SECRET, Service, eventually, running
from bench.valkey import Valkey

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "resultats"
ROUNDS = int(os.environ.get("TOURS", "3"))
PROCESSES = os.environ.get(
    "WEB_CONCURRENCY", str(max(1, (os.cpu_count() or 1) // 2))
)  # the other cores are for the database
REQUESTS = int(os.environ.get("REQUETES", "200000"))  # requests between the two measurements of memory
LARGE = int(os.environ.get("PAIEMENTS", "1000000"))
LIST = "/api/v1/facturation/factures?limit=50"


# Queries that return 0 after any load: sums, invoice numbers without a gap, a journal entry for each payment.
INVARIANTS = {
    **{name: donnees.INVARIANTS[name] for name in ("aucun surpaiement", "un paiement, une application")},
    "montant_paye = Σ application_paiement": """
        select count(*) from facturation.facture f
         where f.montant_paye <> coalesce((select sum(a.montant) from finances.application_paiement a
                                            where a.id_facture = f.id_facture), 0)""",
    "numéros sans trou": """
        select abs(max(n) - count(*)) + count(*) - count(distinct n)
          from (select substring(numero from '(\\d+)$')::bigint as n from facturation.facture) s""",
    "une trace par paiement": """
        select (select count(*) from finances.paiement)
             - (select count(*) from audit.journal where entite = 'paiement' and operation = 'INSERT')""",
}


@dataclass
class Goal:
    """A measured value, its bound, and the rounds that it comes from."""

    name: str
    value: float
    bound: float
    at_least: bool = True
    rounds: list[dict[str, Any]] = field(default_factory=list)

    @property
    def met(self) -> bool:
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def __str__(self) -> str:
        sign = ">=" if self.at_least else "<="
        return f"goal {self.name}: {self.value:.2f} ({sign} {self.bound:g}) {'ok' if self.met else 'missed'}"


@dataclass
class Bench:
    """The servers and programs of a run."""

    wrk: str
    server: Postgres
    store: Valkey
    directory: Path
    token: str = ""

    @property
    def url(self) -> str:
        return self.server.url()

    @contextmanager
    def service(self, processes: str) -> Iterator[Service]:
        extra = {"DATABASE_URL": self.url, "KVSTORE_URL": self.store.url, "WEB_CONCURRENCY": processes}
        with running(self.directory, **extra, JWT_SECRET=SECRET, JWT_DUREE="86400") as service:
            yield service

    def ask(self, service: Service, script: str, seconds: int = SECONDS, **variables: str) -> Rate:
        self.token = self.token or service.login().headers["authorization"]  # one sign-in, because it is throttled
        return wrk(self.wrk, service.url, script, self.token, seconds, **variables)

    def direct(self, script: str) -> Rate:
        return pgbench(self.server.bin / "pgbench", self.url, script)


def main() -> int:
    program = shutil.which("wrk")
    if program is None:
        print("wrk manque : apt install wrk (ou brew install wrk), puis relancez.", file=sys.stderr)
        return 1
    settings = {
        "max_connections": "200",
        "shared_buffers": "512MB",
        "checkpoint_timeout": "1h",
        "max_wal_size": "8GB",
        "shared_preload_libraries": "pg_stat_statements",
    }
    with tempfile.TemporaryDirectory(prefix="comptoir-bench-") as name:
        directory = Path(name)
        directory.chmod(0o711)
        with Postgres(directory / "postgres", settings) as server, Valkey(directory / "valkey") as store:
            bench = Bench(program, server, store, directory)
            goals = list(measures(bench))
            problems = donnees.broken(bench.url, INVARIANTS)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "mesures.json").write_text(json.dumps([asdict(goal) for goal in goals], indent=2))
    page.write(RESULTS / "index.html", goals)
    for problem in problems:
        print(f"invariant rompu : {problem}")
    for goal in goals:
        print(goal)
    return 1 if problems else 0


def measures(bench: Bench) -> Iterator[Goal]:
    with bench.service(PROCESSES) as service:
        seed(bench.url)
        yield settlement(bench, service)
        yield reading(bench, service)
        yield slowest(bench, service)
        yield round_trips(bench, service)
    with bench.service("1") as service:
        yield lists(bench, service)
        yield memory(bench, service)
    yield from growth(bench)


def seed(url: str) -> None:
    """Create a service and invoices so large that payments of one franc never settle them, then analyze."""
    with psycopg.connect(url) as connection:
        connection.execute("create extension if not exists pg_stat_statements")
        connection.execute("select facturation.prestation_creer('Location de chaises', 1000000, p_id_activite => 1)")
        connection.execute("select facturation.prestation_facturer(1, 1, 1) from generate_series(1, %s)", [INVOICES])
        connection.commit()
        connection.autocommit = True
        connection.execute("vacuum analyze")


def settlement(bench: Bench, service: Service) -> Goal:
    """Every fourth call creates an invoice with a part payment; the other calls pay a part of an open invoice."""
    return _against(bench, "settlement", 0.55, "reglement.sql", lambda: bench.ask(service, "reglement.lua"))


def reading(bench: Bench, service: Service) -> Goal:
    return _against(bench, "reading", 0.40, "lecture.sql", lambda: bench.ask(service, "lecture.lua"))


def _against(bench: Bench, name: str, bound: float, script: str, over_http: Callable[[], Rate]) -> Goal:
    rounds: list[dict[str, Any]] = []
    for number in range(1, ROUNDS + 1):
        direct, http = bench.direct(script), over_http()
        share = http.per_second / direct.per_second
        rounds.append({"pgbench": asdict(direct), "http": asdict(http), "ratio": share})
        figures = f"pgbench {direct.per_second:.0f}/s, HTTP {http.per_second:.0f}/s, part {share:.2f}"
        print(f"{name}, tour {number} : {figures}", flush=True)
    return Goal(name, statistics.median(r["ratio"] for r in rounds), bound, rounds=rounds)


def slowest(bench: Bench, service: Service) -> Goal:
    """p99 ÷ p50 of settlements at half the highest load. Pauses between the calls halve the load."""
    rounds: list[dict[str, Any]] = []
    for _ in range(ROUNDS):
        full = bench.ask(service, "reglement.lua")
        half = bench.ask(service, "reglement.lua", PAUSE=str(2000 * CONNECTIONS / full.per_second - half_wait(full)))
        rounds.append({"full": asdict(full), "half": asdict(half), "ratio": half.p99_ms / half.p50_ms})
        rates = f"{full.per_second:.0f}/s, à mi-charge {half.per_second:.0f}/s"
        print(f"p99 : {rates}, p50 {half.p50_ms:.1f} ms, p99 {half.p99_ms:.1f} ms", flush=True)
    return Goal("p99", statistics.median(r["ratio"] for r in rounds), 6, at_least=False, rounds=rounds)


def half_wait(full: Rate) -> float:
    """The expected duration of a call at half the load, where it waits for fewer other calls."""
    return full.p50_ms / 2


def round_trips(bench: Bench, service: Service) -> Goal:
    """Statements that PostgreSQL receives for each request, over 1,200 reads and writes."""
    paths = ("/facturation/factures/7", "/facturation/factures?limit=20", "/finances/paiements?limit=20")
    client = httpx.Client(base_url=f"{service.url}/api/v1", headers={"authorization": bench.token})
    for path in paths:
        client.get(path)
    # pg_stat_statements also counts the checks of deferred keys at commit, which the client did not send.
    query = """select coalesce(sum(calls), 0) from pg_stat_statements
                  where toplevel and query not like '%pg_stat%' and query not like '%FOR KEY SHARE%'"""
    with psycopg.connect(bench.url, autocommit=True) as connection:
        connection.execute("select pg_stat_statements_reset()")
        for _ in range(300):
            for path in paths:
                assert client.get(path).status_code == 200
            paid = {"montant": "1", "id_moyen": "1", "id_facture": "7"}
            assert client.post("/finances/paiements", json=paid).status_code == 201
        calls = donnees.value(connection, query)
    return Goal("round-trips", float(calls) / (300 * (len(paths) + 1)), 1.02, at_least=False)


def lists(bench: Bench, service: Service) -> Goal:
    """Fifty invoices as JSON bytes of PostgreSQL, compared with the same rows through Python objects. One process."""
    rounds: list[dict[str, Any]] = []
    with objects(bench) as url:
        for number in range(1, ROUNDS + 1):
            through = wrk(bench.wrk, url, "liste.lua", "", CHEMIN="/factures")
            straight = bench.ask(service, "liste.lua", CHEMIN=LIST)
            ratio = straight.per_second / through.per_second
            rounds.append({"objects": asdict(through), "bytes": asdict(straight), "ratio": ratio})
            figures = f"objets {through.per_second:.0f}/s, octets {straight.per_second:.0f}/s, rapport {ratio:.2f}"
            print(f"lists, tour {number} : {figures}", flush=True)
    return Goal("lists", statistics.median(r["ratio"] for r in rounds), 3, rounds=rounds)


@contextmanager
def objects(bench: Bench) -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "bench.objets:app", "--port", str(port), "--log-level", "warning"]
    process = subprocess.Popen(command, cwd=HERE.parent, env={**os.environ, "DATABASE_URL": bench.url})
    url = f"http://127.0.0.1:{port}"
    try:
        eventually(lambda: _answers(f"{url}/factures"))
        yield url
    finally:
        process.terminate()
        process.wait()


def _answers(url: str) -> bool:
    try:
        return httpx.get(url).status_code == 200
    except httpx.TransportError:
        return False


def memory(bench: Bench, service: Service) -> Goal:
    """Memory of the API process after many requests, divided by its memory after two seconds of requests."""
    process = psutil.Process(service.process.pid)
    requests, first = 0, 0
    while requests < REQUESTS:
        rate = bench.ask(service, "lecture.lua", seconds=2 if requests == 0 else SECONDS)
        requests += rate.calls
        first = first or process.memory_info().rss
    last = process.memory_info().rss
    print(f"mémoire : {first / 2**20:.0f} Mio, puis {last / 2**20:.0f} Mio après {requests} requêtes", flush=True)
    return Goal(
        "memory", last / first, 1.1, at_least=False, rounds=[{"first": first, "last": last, "requests": requests}]
    )


def growth(bench: Bench) -> Iterator[Goal]:
    """The largest growth of pages and lookups, and of reports, with a hundred times the payments."""
    urls = [bench.server.url(f"taille{payments}") for payments in (LARGE // 100, LARGE)]
    for url, payments in zip(urls, (LARGE // 100, LARGE), strict=True):
        with psycopg.connect(bench.server.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database taille{payments}")
        schema.migrate(url, lambda _: None)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("select auth.administrateur_initialiser('admin', %s)", ["$2b$10$" + "." * 53])
            donnees.fill(url, payments, lambda *_: None)
            for name in ("paiements", "applications", "factures", "depenses"):
                connection.execute(f"select jobs.resumer_{name}()")
            connection.execute("vacuum analyze")
    timings = croissance.compare(*urls)
    for report, name, bound in ((False, "growth-pages", 1.5), (True, "growth-reports", 20)):
        chosen = [timing for timing in timings if timing.report == report]
        worst = chosen[-1]
        for timing in chosen[-3:]:
            figures = f"{timing.small_ms:.1f} ms, {timing.large_ms:.1f} ms, {timing.ratio:.2f}"
            print(f"{name} : {timing.path} {figures}", flush=True)
        yield Goal(name, worst.ratio, bound, at_least=False, rounds=[asdict(t) | {"ratio": t.ratio} for t in chosen])


if __name__ == "__main__":
    sys.exit(main())
