"""A database of ten million payments: its pages and reports, its seals, its backup."""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, LiteralString, TypeVar

import psycopg

from app.leaves.embarque.postgres import Postgres
from app.seals import signing
from app.vault import backup, restoration
from app.vault.cipher import Keys
from bench import croissance, donnees
from bench.goal import ROUNDS, Bench, Goal, say

T = TypeVar("T")
PAYMENTS = int(os.environ.get("PAIEMENTS", "10000000"))
SIZES = (PAYMENTS // 100, PAYMENTS)
# Saving and restoring the largest base would need its size on disk once more, and half an hour.
SAVED = int(os.environ.get("SAUVEGARDE", str(PAYMENTS // 50)))
SEALED = int(os.environ.get("SCELLEES", "500000"))  # entries of each register
# Documents over all seals of invoices.
TOKENS = """
select core._jeton('facture', s.ids[1 + s.rang % cardinality(s.ids)])
  from audit.sceau s where s.registre = 'facture' order by sha256(s.rang::text::bytea) limit 50
"""
DURABLE = {"shared_buffers": "1GB", "checkpoint_timeout": "1h", "max_wal_size": "8GB", "max_connections": "50"}


class Large:
    """A server of its own, which keeps its databases in the folder BASE from one run to the next."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.server = Postgres(directory, DURABLE)

    def database(self, payments: int) -> str:
        """The address of a database with this number of payments. The first call fills it."""
        self.server.start()
        name = f"taille{payments}"
        with psycopg.connect(self.server.url("postgres"), autocommit=True) as connection:
            if connection.execute("select 1 from pg_database where datname = %s", [name]).fetchone():
                return self.server.url(name)
        self.server.stop()
        started = time.monotonic()
        with Postgres(self.directory, donnees.FILLING) as server:
            donnees.create(server, name, payments, lambda _: None)
        os.sync()  # the filling server does not: its pages would be written while the next measurement runs
        say(f"base de {payments} paiements : écrite en {time.monotonic() - started:.0f} s")
        self.server.start()
        return self.server.url(name)


def of(bench: Bench) -> Large:
    """The server of this run."""
    if "large" not in bench.shared:
        directory = Path(os.environ.get("BASE") or bench.directory / "base")
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(0o711)
        bench.shared["large"] = Large(directory / "postgres")
        bench.closing.callback(bench.shared["large"].server.stop)
    large: Large = bench.shared["large"]
    return large


def growth(bench: Bench) -> Iterator[Goal]:
    """The largest growth of pages and lookups, and of reports, with a hundred times the payments."""
    for payments in SIZES:
        of(bench).database(payments)  # filling one restarts the server, which changes its port
    timings = croissance.compare(*(of(bench).database(payments) for payments in SIZES))
    size = f"{PAYMENTS} paiements, autant de lignes de facture et leur journal, divisée par celle d'un centième"
    goals: tuple[tuple[str, croissance.Kind, float, str], ...] = (
        ("pages-10m", "page", 1.3, "La première page de 50 lignes, total compris, qui ralentit le plus"),
        ("reports-10m", "month", 1.5, "Le rapport d'un mois qui ralentit le plus"),
        ("reports-all-10m", "unbounded", 1.5, "Le rapport sans bornes qui ralentit le plus"),
    )
    for name, kind, bound, text in goals:
        chosen = [timing for timing in timings if timing.kind == kind]
        for timing in chosen[-3:]:
            say(f"{name} : {timing.path} {timing.small_ms:.1f} ms, {timing.large_ms:.1f} ms, {timing.ratio:.2f}")
        rounds = [asdict(timing) | {"value": timing.ratio} for timing in chosen]
        yield Goal(name, chosen[-1].ratio, bound, f"{text} : sa durée avec {size}.", at_least=False, rounds=rounds)


def seal(bench: Bench) -> Iterator[Goal]:
    """Seal as many entries as there are payments, a quarter of each register, and verify them. It is rolled back.

    With the root signed, it also times the public page and the proof of some of the documents sealed.
    """
    with psycopg.connect(of(bench).database(PAYMENTS)) as connection:
        connection.execute("set max_parallel_workers_per_gather = 0")
        with sequences_at(connection, PAYMENTS // 4):
            sealed, sealing = _timed(lambda: donnees.value(connection, "select (audit.sceller()).entrees"))
            connection.execute("analyze audit.sceau, audit.feuillage, audit.noeud")
            problems, verifying = _timed(lambda: donnees.value(connection, "select count(*) from audit.verifier()"))
            signing.sign(connection)
            pages = _milliseconds(connection, "select audit.document_verifier(%s)")
            proofs = _milliseconds(connection, "select audit.document_prouver(%s)")
        connection.rollback()
    assert problems == 0, f"{problems} constats"
    value = sealed / (sealing + verifying) / 1000
    say(f"sceau : {sealed} entrées scellées en {sealing:.1f} s, vérifiées en {verifying:.1f} s")
    for name, times in (("page d'un document", pages), ("preuve", proofs)):
        say(f"sceau : {name}, {statistics.median(times):.1f} ms, {max(times):.1f} au plus")
    text = (
        f"Milliers d'entrées scellées puis vérifiées par seconde sur un cœur, {sealed} entrées à la suite : plus d'un, "
        "et le scellement suit mille écritures par seconde."
    )
    yield Goal("seal-10m", value, 1, text)
    text = f"Secondes pour vérifier un million d'entrées scellées, {sealed} entrées à la suite."
    yield Goal("verify-10m", verifying / sealed * 1e6, 15, text, at_least=False, unit=" s")


def client_data(bench: Bench) -> Iterator[Goal]:
    """GET /client/portail/donnees answers every row about a client: here the client with the most invoices."""
    with psycopg.connect(of(bench).database(PAYMENTS)) as connection:
        client = donnees.value(
            connection, "select id_client from facturation.facture group by 1 order by count(id_client) desc limit 1"
        )
        query: LiteralString = "select length(client._donnees(%s)::text)"
        times = [_timed(partial(connection.execute, query, [client]))[1] for _ in range(ROUNDS * 2)]
        size = connection.execute(query, [client]).fetchone()
    say(f"données d'un client : {size and size[0]} caractères, " + ", ".join(f"{time:.2f} s" for time in times))
    text = f"Toutes les données du client qui a le plus de factures, {PAYMENTS} paiements et leur journal."
    yield Goal("client-data-10m", statistics.median(times), 1.5, text, at_least=False, unit=" s")


def save(bench: Bench) -> Iterator[Goal]:
    """Back up a database and restore it. The restore checks schema, sums, numbers and seals before it swaps."""
    url, keys, file = of(bench).database(SAVED), Keys.new(), bench.directory / "sauvegarde"
    with psycopg.connect(url, autocommit=True) as connection:
        with sequences_at(connection, SEALED):
            connection.execute("select audit.sceller()")
        size = donnees.value(connection, "select pg_database_size(current_database())") / 2**30
    saved = backup.dump(url, file, keys, replace=True, say=lambda _: None)
    former, restoring = _timed(lambda: restoration.restore(url, file, keys, say=lambda _: None))
    with psycopg.connect(of(bench).server.url("postgres"), autocommit=True) as connection:
        connection.execute(f"drop database {former}")
    file.unlink()
    parts = f"sauvegarde {saved.seconds / size:.1f} s/Gio, restauration vérifiée {restoring / size:.1f} s/Gio"
    say(f"sauvegarde : {SAVED} paiements, {size:.1f} Gio, fichier de {saved.size / 2**30:.2f} Gio ; {parts}")
    text = f"Durée d'une sauvegarde et d'une restauration vérifiée, par gibioctet, {SAVED} paiements : {parts}."
    yield Goal("backup-10m", (saved.seconds + restoring) / size, None, text, unit=" s/Gio")


@contextmanager
def sequences_at(connection: psycopg.Connection[Any], entries: int) -> Iterator[None]:
    """Set the sequences of the registers back, so that a seal covers this number of entries of each."""
    suites = connection.execute(
        """select s.suite::text, s.dernier, least(s.dernier, %s + coalesce(max(x.au_id), 0))
             from audit._suites() s left join audit.sceau x on x.registre = s.registre
            where s.dernier > 0 group by s.suite, s.dernier""",
        [entries],
    ).fetchall()
    for name, _, last in suites:
        connection.execute("select setval(%s::regclass, %s)", [name, last])
    try:
        yield
    finally:
        for name, last, _ in suites:
            connection.execute("select setval(%s::regclass, %s)", [name, last])


def _milliseconds(connection: psycopg.Connection[Any], query: LiteralString) -> list[float]:
    """The duration of this query for each of some documents."""
    tokens = connection.execute(TOKENS).fetchall()
    return [_timed(partial(connection.execute, query, token))[1] * 1000 for token in tokens]


def _timed(call: Callable[[], T]) -> tuple[T, float]:
    started = time.perf_counter()
    result = call()
    return result, time.perf_counter() - started
