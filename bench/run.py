"""Settlement over HTTP beside pgbench calling the same functions, in interleaved rounds of one run.

    make bench SECONDES=10

Every fourth call invoices a service paid in part, the others pay a part of an open invoice: 16 connections, bearer
token, denylist in Valkey, permission, journal on. PostgreSQL keeps its durable defaults. The run ends with the
invariants checked, and with one line: the rate over HTTP as a share of what pgbench reached.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import psycopg

from app.embedded import Postgres, Valkey
from tests.server import running

HERE = Path(__file__).resolve().parent
SECONDS = int(os.environ.get("SECONDES", "10"))
ROUNDS = int(os.environ.get("TOURS", "3"))
PROCESSES = os.environ.get("WEB_CONCURRENCY", "2")
CONNECTIONS = 16
INVOICES = 20_000
GOAL = 0.5


@dataclass
class Rate:
    per_second: float
    p50_ms: float
    p99_ms: float


def main() -> int:
    wrk = shutil.which("wrk")
    if wrk is None:
        print("wrk manque : apt install wrk (ou brew install wrk), puis relancez.", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="comptoir-bench-") as name:
        directory = Path(name)
        directory.chmod(0o711)
        settings = {
            "max_connections": "200",
            "shared_buffers": "512MB",
            "checkpoint_timeout": "1h",
            "max_wal_size": "8GB",
        }
        with Postgres(directory / "postgres", settings) as server, Valkey(directory / "valkey") as store:
            url = server.url()
            extra = {"DATABASE_URL": url, "KVSTORE_URL": store.url, "WEB_CONCURRENCY": PROCESSES, "JWT_DUREE": "86400"}
            with running(directory, **extra, DATABASE_POOL="16") as service:
                seed(url)
                token = service.login().headers["authorization"]
                rounds = []
                for number in range(1, ROUNDS + 1):
                    direct = pgbench(server.bin / "pgbench", url)
                    over_http = http(wrk, service.url, token)
                    rounds.append((direct, over_http))
                    share = over_http.per_second / direct.per_second
                    rates = f"pgbench {direct.per_second:.0f}/s, HTTP {over_http.per_second:.0f}/s"
                    print(f"tour {number} : {rates}, part {share:.2f}")
            problems = broken_invariants(url)
    share = statistics.median(h.per_second / d.per_second for d, h in rounds)
    result = {"rounds": [{"pgbench": asdict(d), "http": asdict(h)} for d, h in rounds], "share": share}
    (HERE / "resultats").mkdir(exist_ok=True)
    (HERE / "resultats" / "reglement.json").write_text(json.dumps(result, indent=2))
    for problem in problems:
        print(f"invariant rompu : {problem}")
    last = rounds[-1][1]
    print(f"HTTP : p50 {last.p50_ms:.1f} ms, p99 {last.p99_ms:.1f} ms")
    print(f"goal settlement: {share:.2f} (>= {GOAL}) {'ok' if share >= GOAL else 'missed'}")
    return 1 if problems else 0


def seed(url: str) -> None:
    """A service and begun invoices that part payments of one franc never fill; then the planner is told how many."""
    with psycopg.connect(url) as connection:
        connection.execute("select facturation.prestation_creer('Location de chaises', 1000000, p_id_activite => 1)")
        connection.execute("select facturation.prestation_facturer(1, 1, 1) from generate_series(1, %s)", [INVOICES])
        connection.commit()
        connection.autocommit = True
        connection.execute("vacuum analyze")


def pgbench(program: Path, url: str) -> Rate:
    command = [str(program), "-n", "-M", "prepared", "-c", str(CONNECTIONS), "-j", "2", "-T", str(SECONDS)]
    command += ["-D", f"factures={INVOICES}", "-f", str(HERE / "reglement.sql"), url]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    average = float(re.search(r"latency average = ([\d.]+)", output)[1])
    return Rate(float(re.search(r"tps = ([\d.]+)", output)[1]), average, average)


def http(wrk: str, url: str, token: str) -> Rate:
    command = [
        wrk,
        "-t",
        "1",
        "-c",
        str(CONNECTIONS),
        "-d",
        f"{SECONDS}s",
        "--latency",
        "-s",
        str(HERE / "reglement.lua"),
        url,
    ]
    environment = {**os.environ, "JETON": token, "FACTURES": str(INVOICES)}
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    if "Non-2xx" in output:
        raise RuntimeError(output)
    return Rate(
        float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1]),
        _milliseconds(output, "50"),
        _milliseconds(output, "99"),
    )


def _milliseconds(output: str, percentile: str) -> float:
    number, unit = re.search(rf"{percentile}%\s+([\d.]+)(us|ms|s)", output).groups()
    return float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def broken_invariants(url: str) -> list[str]:
    """What must hold after any load: sums, numbers without a hole, one application for each payment."""
    checks = {
        "montant_paye = Σ application_paiement": """
            select count(*) from facturation.facture f
             where f.montant_paye <> coalesce((select sum(a.montant) from finances.application_paiement a
                                                where a.id_facture = f.id_facture), 0)""",
        "aucun surpaiement": "select count(*) from facturation.facture where montant_paye > montant_total",
        "numéros sans trou": """
            select max(n) - count(*) + count(*) - count(distinct n)
              from (select substring(numero from '(\\d+)$')::bigint as n from facturation.facture) s""",
        "un paiement, une application": """
            select count(*) from finances.paiement p
             where (select count(*) from finances.application_paiement a where a.id_paiement = p.id_paiement) <> 1""",
        "une trace par paiement": """
            select (select count(*) from finances.paiement)
                 - (select count(*) from audit.journal where entite = 'paiement' and operation = 'INSERT')""",
    }
    with psycopg.connect(url) as connection:
        return [name for name, query in checks.items() if connection.execute(query).fetchone()[0] != 0]


if __name__ == "__main__":
    sys.exit(main())
