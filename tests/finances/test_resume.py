"""Daily sums of payments beside other transactions. The histories of tests/compta sum at random moments."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg

from tests import builders
from tests.conftest import Db, refused
from tests.preuve import selon
from tests.together import SLEEPS, connect, until_it_waits

RAW = """
    select p.jour, p.id_activite, p.id_caisse, p.id_utilisateur,
           sum(p.montant) filter (where p.type = 'ENCAISSEMENT') as e,
           sum(p.montant) filter (where p.type = 'DECAISSEMENT') as d, count(*) as n
      from finances.paiement p where not p.credit group by 1, 2, 3, 4 order by 1, 2, 3, 4"""
SUMMED = """
    select v.jour, v.id_activite, v.id_caisse, v.id_utilisateur,
           nullif(sum(v.encaissements), 0) as e, nullif(sum(v.decaissements), 0) as d, sum(v.nombre) as n
      from finances.paiement_jour_vue v group by 1, 2, 3, 4 having sum(v.nombre) > 0 order by 1, 2, 3, 4"""


def wrong_sums(db):
    """The sentences of the integrity check about sums by day."""
    return [row["c"] for row in db.all("select c from jobs._controler() c where c like '%%résumé%%'", [])]


def exact(db, summed_rows=SUMMED, raw=RAW):
    assert db.all(summed_rows) == db.all(raw)
    assert wrong_sums(db) == []


def summed(db, table="finances.paiement", key="id_paiement"):
    """The number of rows that the job has summed."""
    query = f"select count(*) from {table}, core.resume_etat e where e.entite = %s and {key} <= jusqu_a"
    return int(db.one(query, [table]))


def pay(db, day, amount="100", **fields):
    return builders.payer(db, amount, date=day, **{"id_activite": 2} | fields)


def move(db, payment, day):
    db.call("finances.paiement_modifier", id_paiement=payment, champs={"date": day})


def test_the_summing_job_refuses_repeatable_read(database_url):
    with connect(database_url) as writer:
        pay(Db(writer), "2026-08-01")
    with psycopg.connect(database_url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        with refused("ISOLATION_IMPREVUE", 409, connection):
            connection.execute("select jobs.resumer_paiements()")


def test_the_summing_job_leaves_nothing_out_while_an_older_payment_is_uncommitted(database_url):
    """The second payment has the greater id and commits first. The sums must not leave the first payment out."""
    with connect(database_url) as writer, connect(database_url) as other_writer, connect(database_url) as job:
        with writer.transaction():
            pay(Db(writer), "2026-08-01", "1")
            pay(Db(other_writer), "2026-08-01", "2")
            # The job gives up, because the first payment is not committed.
            assert Db(job).one("select finances._paiements_resumer(10)") == 0
        assert summed(Db(job)) == 0
        exact(Db(job))
        assert Db(job).one("select jobs.resumer_paiements()") > 0
        assert summed(Db(job)) == 2
        exact(Db(job))


def test_the_waiting_job_blocks_no_writer(database_url):
    with connect(database_url) as writer, connect(database_url) as other_writer, connect(database_url) as job:
        moved = pay(Db(other_writer), "2026-08-01")
        with ThreadPoolExecutor(1) as thread, writer.transaction():
            pay(Db(writer), "2026-08-02")
            waiting = thread.submit(job.execute, "select finances._paiements_resumer(10)")
            until_it_waits(Db(other_writer), job, SLEEPS)
            other_writer.execute("set lock_timeout = '50ms'")
            move(Db(other_writer), moved, "2026-08-05")
        waiting.result()
        exact(Db(job))


def test_a_date_changed_during_the_job_is_summed_on_its_new_day(database_url):
    with connect(database_url) as writer, connect(database_url) as job, ThreadPoolExecutor(1) as thread:
        moved = pay(Db(writer), "2026-08-01")
        with job.transaction():
            job.execute("select finances._paiements_resumer(10)")
            moving = thread.submit(move, Db(writer), moved, "2026-08-05")
            until_it_waits(Db(job), writer)
        moving.result()
        exact(Db(job))
        assert str(Db(job).one("select jour from finances.resume_paiement where nombre > 0")) == "2026-08-05"


@contextmanager
def writing(url, write):
    """Three sessions repeat a write during the block, each with dice of its own."""
    stop = threading.Event()

    def repeat(seed):
        dice = random.Random(seed)
        with connect(url) as connection:
            while not stop.is_set():
                write(Db(connection), dice)

    with ThreadPoolExecutor(3) as threads:
        writers = [threads.submit(repeat, seed) for seed in range(3)]
        try:
            yield writers
        finally:
            stop.set()
    for one in writers:
        one.result()


def test_the_sums_are_exact_after_concurrent_writes(database_url):
    def write(db, dice):
        paid = pay(db, f"2026-08-{dice.randint(1, 28):02}", str(dice.randint(1, 99)))
        if dice.random() < 0.5:
            move(db, paid, f"2026-07-{dice.randint(1, 28):02}")

    with connect(database_url) as connection:
        with writing(database_url, write) as writers:
            while summed(Db(connection)) < selon(60, 200):
                connection.execute("select jobs.resumer_paiements()")
                assert not any(one.done() for one in writers)
        exact(Db(connection))
        connection.execute("select jobs.resumer_paiements()")
        exact(Db(connection))
