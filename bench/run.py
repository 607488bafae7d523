"""Measures every speed goal in one run, as ratios. The machine is shared, so the two sides of a ratio take turns.

    make bench SECONDES=10
    make bench BUTS='settlement-bare year'                 # some goals
    make bench BASE=/var/tmp/base PAIEMENTS=1000000        # keeps the large base, smaller than ten million payments
    make bench HISTOIRE=1                                  # adds the run to histoire.json, which the page draws

16 connections, a bearer token, the denylist in Valkey, permissions and the journal; PostgreSQL keeps its durable
defaults. At the end the invariants are checked, one line is printed for each goal, and resultats/index.html is written.
"""

import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import psycopg

from app.documents.chromium import find
from app.leaves.embarque.postgres import Postgres
from bench import (
    avis,
    donnees,
    history,
    hors_ligne,
    idle,
    instructions,
    large,
    livre,
    organisations,
    outils,
    page,
    pdf,
    reading,
    releve,
    settlement,
    webhooks,
    year,
)
from bench.goal import Bench, Goal
from bench.outils import INVOICES
from bench.valkey import Valkey

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "resultats"
SETTINGS = {
    "max_connections": "200",
    "shared_buffers": "512MB",
    "checkpoint_timeout": "1h",
    "max_wal_size": "8GB",
    "shared_preload_libraries": "pg_stat_statements",
}
# Each measurement, with the goals that it yields.
MEASURES: dict[Callable[[Bench], Iterator[Goal]], tuple[str, ...]] = {
    settlement.settlement: (
        "settlement-bare",
        "settlement-http",
        "settlement",
        "settlement-scaling",
        "settlement-16-4",
        "peer",
    ),
    instructions.instructions: ("settlement-limit", "settlement-instructions"),
    settlement.slow_disk: ("slow-disk",),
    settlement.journal_cost: ("journal-cost",),
    settlement.event_cost: ("events",),
    settlement.shares: ("taxes", "closing", "seals"),
    settlement.slowest: ("p99",),
    reading.reading: ("reading", "reading-asgi"),
    reading.round_trips: ("round-trips", "disk-waits"),
    reading.lists: ("lists",),
    reading.memory: ("memory",),
    webhooks.deliveries: ("deliveries",),
    avis.notices: ("avis",),
    hors_ligne.lots: ("hors-ligne",),
    year.year: ("year",),
    releve.statement: ("releve",),
    pdf.first_pdf: ("pdf-first",),
    pdf.pdf: ("pdf", "pdf-memory", "pdf-report"),
    livre.ledger: ("livre", "livre-page", "livre-growth"),
    large.growth: ("pages-10m", "reports-10m", "reports-all-10m"),
    large.seal: ("seal-10m", "verify-10m"),
    large.client_data: ("client-data-10m",),
    large.save: ("backup-10m",),
    # These come last: their databases stay on the server.
    organisations.serving: (
        "organisation-new",
        "organisation-size",
        "organisations-start",
        "organisations-memory",
        "organisations-idle",
        "organisations-noise",
    ),
    idle.idle: ("idle-worker", "idle-postgres", "idle-memory", "idle-connections"),
}
# Queries that return 0 after any load: sums, invoice numbers without a gap, a journal entry for each payment.
INVARIANTS = {
    **{name: donnees.INVARIANTS[name] for name in ("aucun surpaiement", "un paiement, une facture")},
    "montant_paye = Σ imputation_vue": """
        select count(*) from facturation.facture f
         where f.montant_paye <> coalesce((select sum(a.montant) from finances.imputation_vue a
                                            where a.id_facture = f.id_facture), 0)""",
    "numéros sans trou": """
        select abs(max(n) - count(*)) + count(*) - count(distinct n)
          from (select substring(numero from '(\\d+)$')::bigint as n from facturation.facture) s""",
    "une trace par paiement": """
        select count(*)
          from (select p.id_paiement::text as cle from finances.paiement p
                 where p.id_paiement not in (select s.id_paiement from bare.sans_journal s)) p
          full join (select j.entite_id as cle from audit.journal j
                      where j.entite = 'paiement' and j.operation = 'INSERT') j on j.cle = p.cle
         where p.cle is null or j.cle is null""",
}


def main() -> int:
    chosen = os.environ.get("BUTS", "").split()
    names = [name for goals in MEASURES.values() for name in goals]
    if unknown := set(chosen) - set(names):
        print(f"BUTS ne connaît pas {', '.join(sorted(unknown))} : {' '.join(names)}.", file=sys.stderr)
        return 1
    program = shutil.which("wrk")
    if program is None:
        print("wrk manque : apt install wrk (ou brew install wrk), puis relancez.", file=sys.stderr)
        return 1
    if find(os.environ.get("PUPPETEER_EXECUTABLE_PATH")) is None:
        print("Chromium manque pour les PDF : installez-le, ou donnez PUPPETEER_EXECUTABLE_PATH.", file=sys.stderr)
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers stop too
    with tempfile.TemporaryDirectory(prefix="comptoir-bench-") as name, ExitStack() as closing:
        directory = Path(name)
        directory.chmod(0o711)
        server = closing.enter_context(Postgres(directory / "postgres", SETTINGS))
        store = closing.enter_context(Valkey(directory / "valkey"))
        bench = Bench(program, server, store, directory, closing)
        with bench.service("1"):  # migrates the database, and signs in
            seed(bench.url)
        measures = [measure for measure, goals in MEASURES.items() if not chosen or set(chosen) & set(goals)]
        goals = [goal for measure in measures for goal in measure(bench)]
        problems = [f"invariant rompu : {name}" for name in donnees.broken(bench.url, INVARIANTS)]
        problems += [
            f"plus de {instructions.TOLERANCE - 1:.0%} d'instructions de plus : {goal}"
            for goal in goals
            if goal.name == "settlement-instructions" and not goal.met
        ]
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "mesures.json").write_text(json.dumps([asdict(goal) for goal in goals], indent=2))
        if os.environ.get("HISTOIRE"):
            history.add(goals)
        page.write(RESULTS / "index.html", goals, history.read())
        for problem in problems:
            print(problem)
        for goal in goals:
            print(goal)
    return 1 if problems else 0


def seed(url: str) -> None:
    """Create a service and invoices so large that payments of one franc never settle them, here and in `bare`."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("create extension if not exists pg_stat_statements")
        connection.execute((HERE / "sql" / "bare.sql").read_text())
        outils.seed(
            connection, "facturation.prestation_facturer(1, 1, 1), bare.regler(1, 1, p_prix => 1000000)", INVOICES
        )
        connection.execute("vacuum analyze")


if __name__ == "__main__":
    sys.exit(main())
