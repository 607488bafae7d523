"""Writes two years of a business with set-based SQL: ten million payments in ten minutes. Operations take days.

    python -m bench.donnees base --paiements 10000000           # a new server in the folder « base »
    python -m bench.donnees postgresql://… --paiements 100000   # an empty, migrated database, as superuser

Ten invoices have twenty lines and twenty payments: one to seven lines, one to six payments. A twentieth of the recent
invoices and a five-hundredth of the others are half paid; a few are cancelled and refunded. There is one expense for
twenty payments, and one lease for a thousand, which begins on any day of a month. The journal has the entries that the
triggers of lines, payments and invoices would have written, on the dates of the rows.

Triggers and checks of foreign keys are off while it writes (session_replication_role). Indexes are dropped before and
made again after. At the end `jobs._controler()`, which also checks a restored database, and the queries of INVARIANTS
check the data. The same number of payments gives the same data, relative to the present day.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import scalar_row

from app.database import schema
from app.database.months import keep_months
from app.leaves.embarque.postgres import Postgres

SQL = Path(__file__).resolve().parent / "sql" / "donnees"
DAYS = 730
VACUUMED = """
select c.oid::regclass::text from pg_class c
 where c.relkind = 'r' and c.relowner = 'comptoir_owner'::regrole order by c.relpages desc
"""
# The months of the journal. A month that is emptied in the transaction that fills it writes no WAL. That loses nothing
# unless days of the organisation begin in another month of UTC, or the month has entries of the migration.
MONTHS = """
select 'audit.' || p.nom, p.du::date::text,
       case when p.du < date_trunc('month', now(), 'UTC')
                 and (select bool_and(j.debut = j.jour::timestamp at time zone 'UTC') from brouillon.jour j)
            then format('truncate audit.%I', p.nom) else 'select' end
  from audit.partie_vue p
 where p.du < now() and p.nom <> 'journal_suite'
 order by p.du
"""
SESSIONS = 2
# A server that only fills a database: a crash would lose it anyway.
FILLING = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "4GB",
    "checkpoint_timeout": "1d",
    "shared_buffers": "1GB",
    "autovacuum": "off",
    "max_connections": "20",
}
SESSION = " ".join(
    f"-c {setting}"
    for setting in (
        "session_replication_role=replica",
        "work_mem=512MB",
        "maintenance_work_mem=1GB",
        "max_parallel_workers_per_gather=0",  # the sessions use the cores
        "max_parallel_maintenance_workers=0",
    )
)
TABLES = (
    "finances.paiement",
    "facturation.facture",
    "facturation.facture_ligne",
)
Say = Callable[[str], object]
INVARIANTS = {
    "aucun surpaiement": "select count(*) from facturation.facture where montant_paye > montant_total",
    "un paiement, une facture": "select count(*) from finances.paiement where id_facture is null",
    "un paiement suit sa facture, de la même activité": """
        select count(*) from finances.paiement p
          join facturation.facture f using (id_facture)
         where p.id_activite <> f.id_activite or p.jour < f.jour""",
    "un paiement est d'une période de sa caisse": """
        select count(*) from finances.paiement p
          left join finances.periode_caisse c on c.id_periode = p.id_periode and c.id_caisse = p.id_caisse
                                             and p.date >= c.ouverture and p.date <= coalesce(c.fermeture, p.date)
         where p.id_caisse is not null and c.id_periode is null""",
    "le jour est celui de la date": """
        select count(*) from finances.paiement p where p.jour <> core.jour(p.date) or p.jour > core.aujourdhui()""",
    "les montants écrits sont ceux qui se déduisent": "select count(*) from jobs._controler()",
}


def fill(url: str, payments: int, say: Say = print) -> None:
    """Fill an empty, migrated database. The jobs of a stage run at the same time, in two sessions."""
    with psycopg.connect(url, autocommit=True) as connection:
        if value(connection, "select exists (select from finances.paiement) or exists (select from client.client)"):
            raise SystemExit("Cette base a déjà des paiements ou des clients : il en faut une vide, migrée.")
        # The password of this account is no hash of any password.
        create = "select auth.administrateur_initialiser('admin', %s) where not exists (select from auth.utilisateur)"
        connection.execute(create, ["$2b$10$" + "." * 53])
        traces = value(connection, "select coalesce(max(id_trace), 0)::integer from audit.journal")
        parameters(connection, paiements=payments, jours=DAYS, baux=max(1, payments // 1000), traces=traces)
        indexes = without_indexes(connection, TABLES)
        run = partial(stage, url, say)
        run(script("entreprise"))
        run(script("lignes"), script("baux"))
        run(script("versements"), script("factures"))
        run(script("paiements"), script("jours"), script("journal"))
        run(script("mois"))
        months = [month(connection, *row) for row in connection.execute(MONTHS).fetchall()]
        run(*months)
        run(script("suites"), Job("index du journal", keep_months), *[Job("", definition) for definition in indexes])
        run(Job("sommes par jour", sum_days))  # the sums of what is owed begin at the last entry of the journal
        connection.execute("drop schema brouillon cascade")
        tables = connection.execute(VACUUMED).fetchall()
        run(*[Job("", f"vacuum analyze {table}") for (table,) in tables])


def month(connection: psycopg.Connection[Any], part: str, first: str, empty: str) -> Job:
    """The job that fills a month of the journal and makes its indexes."""
    indexes = without_indexes(connection, [part])
    return Job(part, "; ".join([empty, f"call brouillon.journaliser('{first}')", *indexes]))


def sum_days(url: str) -> None:
    """Run each periodic job that adds up rows by day until it has added all of them."""
    with psycopg.connect(url, autocommit=True) as connection:
        jobs = connection.execute(
            """select format('select %s()', p.oid::regproc) from pg_proc p
                where p.pronamespace = 'jobs'::regnamespace and p.proname like 'resumer%'"""
        ).fetchall()
        for (job,) in jobs:
            while value(connection, job):
                pass


@dataclass(frozen=True)
class Job:
    """Statements in one transaction, or a function of the address. Its name is printed with its duration."""

    name: str
    work: str | Callable[[str], None]


def script(name: str) -> Job:
    return Job(name, (SQL / f"{name}.sql").read_text())


def stage(url: str, say: Say, *jobs: Job) -> None:
    def run(job: Job) -> None:
        started = time.monotonic()
        if callable(job.work):
            job.work(url)
        else:
            with psycopg.connect(url, autocommit=True, options=SESSION) as connection:
                connection.execute("select set_config('TimeZone', core.fuseau(), false)")
                connection.execute(job.work)
        if job.name:
            say(f"{job.name} : {time.monotonic() - started:.1f} s")

    with ThreadPoolExecutor(SESSIONS) as pool:
        list(pool.map(run, jobs))


def parameters(connection: psycopg.Connection[Any], **numbers: int) -> None:
    """Create the schema of the drafts, with a function for each number that the files read."""
    connection.execute("create schema brouillon")
    connection.execute(
        """create function brouillon.numero(p_type text, p_annee integer, p_rang bigint) returns text
           language sql stable return concat_ws('-', (select p.valeur from core.parametre p
             where p.cle = 'CODE_ORGANISATION'), p_type, p_annee, core._chiffres(p_rang, 3))"""
    )
    for name, number in numbers.items():
        connection.execute(
            f"create function brouillon.{name}() returns integer language sql immutable parallel safe return {number}"
        )


def without_indexes(connection: psycopg.Connection[Any], tables: Sequence[str]) -> list[str]:
    """Drop the indexes of these tables that belong to no constraint. Return their definitions."""
    indexes = connection.execute(
        """select i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) from pg_index i
            where i.indrelid = any(%s::regclass[])
              and not exists (select from pg_constraint c where c.conindid = i.indexrelid) order by 1""",
        [list(tables)],
    ).fetchall()
    for name, _ in indexes:
        connection.execute(f"drop index {name}")
    return [definition for _, definition in indexes]


def broken(url: str, invariants: dict[str, str] = INVARIANTS, say: Say = lambda _: None) -> list[str]:
    """The names of the invariants that the data breaks."""
    problems = []
    with psycopg.connect(url) as connection:
        for name, query in invariants.items():
            started = time.monotonic()
            if value(connection, query) != 0:
                problems.append(name)
            say(f"vérifié, {name} : {time.monotonic() - started:.1f} s")
    return problems


def value(connection: psycopg.Connection[Any], query: str) -> Any:
    """The result of a query with one row and one column."""
    return connection.cursor(row_factory=scalar_row).execute(query).fetchone()


def create(server: Postgres, database: str, payments: int, say: Say = print) -> str:
    """Create, migrate and fill a database of a server. Return its address."""
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute(f"create database {database}")
    url = server.url(database)
    schema.migrate(url, lambda _: None)
    fill(url, payments, say)
    return url


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.donnees", description="Remplit une base d'essai.")
    parser.add_argument("cible", help="base migrée et vide, en superutilisateur ; ou dossier d'un nouveau serveur")
    parser.add_argument("--paiements", type=int, default=1_000_000)
    arguments = parser.parse_args()
    started = time.monotonic()
    if "://" in arguments.cible:
        fill(arguments.cible, arguments.paiements)
        return check(arguments.cible, started)
    with Postgres(Path(arguments.cible), FILLING) as server:
        return check(create(server, f"taille{arguments.paiements}", arguments.paiements), started)


def check(url: str, started: float) -> int:
    print(f"écrit en {time.monotonic() - started:.0f} s", flush=True)
    problems = broken(url, say=partial(print, flush=True))
    for problem in problems:
        print(f"invariant rompu : {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
