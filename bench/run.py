"""Every goal of speed in one run, as ratios: this machine is shared, so both sides of each take turns.

    make bench SECONDES=10

Settlement and reading over HTTP beside pgbench calling the same functions, with 16 connections, bearer token, denylist
in Valkey, permission and journal on; PostgreSQL keeps its durable defaults. Lists beside the same rows through Python
objects; how long the slowest wait; what a hundred times the data costs; memory; round trips. The run ends with the
invariants checked, one line a goal, and the page resultats/index.html.
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
PROCESSES = os.environ.get("WEB_CONCURRENCY", str(max(1, (os.cpu_count() or 1) // 2)))  # the database needs the others
REQUESTS = int(os.environ.get("REQUETES", "200000"))  # after which memory is looked at again
LARGE = int(os.environ.get("PAIEMENTS", "1000000"))
LIST = "/api/v1/facturation/factures?limit=50"


# What must hold after any load, beside what holds of any data: sums, numbers without a hole, a trace of each payment.
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
    """A figure, the bound it keeps or misses, and what it was made of."""

    name: str
    value: float
    bound: float
    at_least: bool = True
    rounds: list[dict[str, Any]] = field(default_factory=list)

    @property
    def kept(self) -> bool:
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def __str__(self) -> str:
        sign = ">=" if self.at_least else "<="
        return f"goal {self.name}: {self.value:.2f} ({sign} {self.bound:g}) {'ok' if self.kept else 'missed'}"


@dataclass
class Bench:
    """What every measure needs."""

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

    def ask(self, service: Service, script: str, seconds: int = SECONDS, **told: str) -> Rate:
        self.token = self.token or service.login().headers["authorization"]  # logging in is throttled
        return wrk(self.wrk, service.url, script, self.token, seconds, **told)

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
    """A service and begun invoices that part payments of one franc never fill; then the planner is told how many."""
    with psycopg.connect(url) as connection:
        connection.execute("create extension if not exists pg_stat_statements")
        connection.execute("select facturation.prestation_creer('Location de chaises', 1000000, p_id_activite => 1)")
        connection.execute("select facturation.prestation_facturer(1, 1, 1) from generate_series(1, %s)", [INVOICES])
        connection.commit()
        connection.autocommit = True
        connection.execute("vacuum analyze")


def settlement(bench: Bench, service: Service) -> Goal:
    """Every fourth call invoices a service paid in part, the others pay a part of an open invoice."""
    return _against(bench, "settlement", 0.55, "reglement.sql", lambda: bench.ask(service, "reglement.lua"))


def reading(bench: Bench, service: Service) -> Goal:
    return _against(bench, "reading", 0.40, "lecture.sql", lambda: bench.ask(service, "lecture.lua"))


def _against(bench: Bench, name: str, bound: float, script: str, over_http: Callable[[], Rate]) -> Goal:
    rounds: list[dict[str, Any]] = []
    for number in range(1, ROUNDS + 1):
        direct, http = bench.direct(script), over_http()
        share = http.per_second / direct.per_second
        rounds.append({"pgbench": asdict(direct), "http": asdict(http), "ratio": share})
        told = f"pgbench {direct.per_second:.0f}/s, HTTP {http.per_second:.0f}/s, part {share:.2f}"
        print(f"{name}, tour {number} : {told}", flush=True)
    return Goal(name, statistics.median(r["ratio"] for r in rounds), bound, rounds=rounds)


def slowest(bench: Bench, service: Service) -> Goal:
    """p99 ÷ p50 of settlements at half the highest load: each connection pauses as long as a call takes."""
    rounds: list[dict[str, Any]] = []
    for _ in range(ROUNDS):
        full = bench.ask(service, "reglement.lua")
        half = bench.ask(service, "reglement.lua", PAUSE=str(2000 * CONNECTIONS / full.per_second - half_wait(full)))
        rounds.append({"full": asdict(full), "half": asdict(half), "ratio": half.p99_ms / half.p50_ms})
        told = f"{full.per_second:.0f}/s, à mi-charge {half.per_second:.0f}/s"
        print(f"p99 : {told}, p50 {half.p50_ms:.1f} ms, p99 {half.p99_ms:.1f} ms", flush=True)
    return Goal("p99", statistics.median(r["ratio"] for r in rounds), 6, at_least=False, rounds=rounds)


def half_wait(full: Rate) -> float:
    """How long a call is expected to take at half the load: it waits for fewer others."""
    return full.p50_ms / 2


def round_trips(bench: Bench, service: Service) -> Goal:
    """Statements that PostgreSQL was sent, for a thousand requests of each kind."""
    paths = ("/facturation/factures/7", "/facturation/factures?limit=20", "/finances/paiements?limit=20")
    client = httpx.Client(base_url=f"{service.url}/api/v1", headers={"authorization": bench.token})
    for path in paths:
        client.get(path)
    # Checks of deferred keys run at commit and count as statements of their own, though nobody sent them.
    counted = """select coalesce(sum(calls), 0) from pg_stat_statements
                  where toplevel and query not like '%pg_stat%' and query not like '%FOR KEY SHARE%'"""
    with psycopg.connect(bench.url, autocommit=True) as connection:
        connection.execute("select pg_stat_statements_reset()")
        for _ in range(300):
            for path in paths:
                assert client.get(path).status_code == 200
            paid = {"montant": "1", "id_moyen": "1", "id_facture": "7"}
            assert client.post("/finances/paiements", json=paid).status_code == 201
        calls = donnees.value(connection, counted)
    return Goal("round-trips", float(calls) / (300 * (len(paths) + 1)), 1.02, at_least=False)


def lists(bench: Bench, service: Service) -> Goal:
    """Fifty invoices as JSON bytes of PostgreSQL, beside the same rows through Python objects; one process each."""
    rounds: list[dict[str, Any]] = []
    with objects(bench) as other:
        for number in range(1, ROUNDS + 1):
            through = wrk(bench.wrk, other, "liste.lua", "", CHEMIN="/factures")
            straight = bench.ask(service, "liste.lua", CHEMIN=LIST)
            ratio = straight.per_second / through.per_second
            rounds.append({"objects": asdict(through), "bytes": asdict(straight), "ratio": ratio})
            told = f"objets {through.per_second:.0f}/s, octets {straight.per_second:.0f}/s, rapport {ratio:.2f}"
            print(f"lists, tour {number} : {told}", flush=True)
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
    """Of the API process after many requests, as a share of what it was after 2,000."""
    process = psutil.Process(service.process.pid)
    done, first = 0, 0
    while done < REQUESTS:
        rate = bench.ask(service, "lecture.lua", seconds=2 if done == 0 else SECONDS)
        done += rate.calls
        first = first or process.memory_info().rss
    last = process.memory_info().rss
    print(f"mémoire : {first / 2**20:.0f} Mio, puis {last / 2**20:.0f} Mio après {done} requêtes", flush=True)
    return Goal("memory", last / first, 1.1, at_least=False, rounds=[{"first": first, "last": last, "requests": done}])


def growth(bench: Bench) -> Iterator[Goal]:
    """The slowest growth of pages and lookups, and of reports, with a hundred times the payments."""
    urls = [bench.server.url(f"taille{payments}") for payments in (LARGE // 100, LARGE)]
    for url, payments in zip(urls, (LARGE // 100, LARGE), strict=True):
        with psycopg.connect(bench.server.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database taille{payments}")
        schema.migrate(url, lambda _: None)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("select auth.administrateur_initialiser('admin', %s)", ["$2b$10$" + "." * 53])
            donnees.fill(url, payments, lambda *_: None)
            connection.execute("select jobs.resumer_paiements()")
            connection.execute("vacuum analyze")
    timings = croissance.compare(*urls)
    for report, name, bound in ((False, "growth-pages", 1.5), (True, "growth-reports", 20)):
        found = [timing for timing in timings if timing.report == report]
        worst = found[-1]
        for timing in found[-3:]:
            told = f"{timing.small_ms:.1f} ms, {timing.large_ms:.1f} ms, {timing.ratio:.2f}"
            print(f"{name} : {timing.path} {told}", flush=True)
        yield Goal(name, worst.ratio, bound, at_least=False, rounds=[asdict(t) | {"ratio": t.ratio} for t in found])


if __name__ == "__main__":
    sys.exit(main())
