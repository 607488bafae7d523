"""Daily sums of payments: reports answer the same before, during and after a run of the summing job."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db, refused
from tests.server import eventually

RAW = """
    select p.jour, p.id_activite, p.id_caisse, p.id_utilisateur,
           sum(p.montant) filter (where p.type = 'ENCAISSEMENT') as e,
           sum(p.montant) filter (where p.type = 'DECAISSEMENT') as d, count(*) as n
      from finances.paiement p group by 1, 2, 3, 4 order by 1, 2, 3, 4"""
SUMMED = """
    select v.jour, v.id_activite, v.id_caisse, v.id_utilisateur,
           nullif(sum(v.encaissements), 0) as e, nullif(sum(v.decaissements), 0) as d, sum(v.nombre) as n
      from finances.paiement_jour_vue v group by 1, 2, 3, 4 having sum(v.nombre) > 0 order by 1, 2, 3, 4"""


def exact(db: Db) -> None:
    assert db.all(SUMMED) == db.all(RAW)
    assert db.all("select * from jobs._controler() c where c like '%%résumé%%'", []) == []


def summed(db: Db) -> int:
    return int(
        db.one(
            "select count(*) from finances.paiement, core.resume_etat e"
            " where e.entite = 'finances.paiement' and id_paiement <= jusqu_a"
        )
    )


def pay(db: Db, day: str, amount: str = "100", **fields: Any) -> Any:
    return db.call("finances.paiement_creer", montant=amount, id_moyen=1, date=day, **({"id_activite": 2} | fields))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_sums_stay_exact_over_random_writes_and_job_runs(db: Db, seed: int) -> None:
    dice = random.Random(seed)
    tills = [builders.caisse(db), builders.caisse(db, activite_code="RESTAURATION")]
    users = [None, builders.utilisateur(db, role="DIRIGEANT"), builders.utilisateur(db, role="DIRIGEANT")]
    paid: list[Any] = []
    for _ in range(80):
        db.acting(dice.choice(users))
        day = f"2026-0{dice.randint(1, 9)}-{dice.randint(1, 28):02}"
        draw = dice.random()
        if draw < 0.55 or not paid:
            fields = {"id_caisse": dice.choice(tills), "id_activite": None} if dice.random() < 0.4 else {}
            if dice.random() < 0.1:
                db.execute("insert into finances.paiement (montant, id_moyen, date) values (7, 1, %s)", [day])
            paid.append(pay(db, day, f"{dice.randint(1, 9000)}.{dice.randint(0, 99):02}", **fields)["id_paiement"])
        elif draw < 0.65:
            db.execute(
                "insert into finances.paiement (montant, type, id_moyen, id_activite, id_paiement_origine, date)"
                " select montant, 'DECAISSEMENT', id_moyen, id_activite, id_paiement, %s from finances.paiement"
                " where id_paiement = %s",
                [day, paid.pop(dice.randrange(len(paid)))],
            )
        elif draw < 0.9:
            db.call("finances.paiement_modifier", id_paiement=dice.choice(paid), champs={"date": day})
        else:
            db.one("select finances._paiements_resumer(%s)", [dice.choice([5, 1000])])
        exact(db)
    db.acting(None)
    db.one("select jobs.resumer_paiements()")
    assert summed(db) == db.one("select count(*) from finances.paiement")
    exact(db)
    assert db.one("select jobs.resumer_paiements()") == 0
    # A cashier reads only the sums of the cashier's till.
    db.acting(builders.utilisateur(db, role="CAISSIER", caisse=tills[0]))
    own_sum = db.one(
        "select sum(montant) from finances.paiement where type = 'ENCAISSEMENT' and id_caisse = %s", [tills[0]]
    )
    assert Decimal(db.one("select coalesce(sum(encaissements), 0) from finances.mouvement_jour_vue")) == (own_sum or 0)


def test_the_integrity_check_reports_a_wrong_sum(db: Db) -> None:
    pay(db, "2026-08-01")
    db.one("select jobs.resumer_paiements()")
    db.execute("update finances.resume_paiement set encaissements = encaissements + 1")
    (line,) = db.all("select c from jobs._controler() c where c like '%%résumé%%'", [])
    assert line["c"].startswith("Le 2026-08-01, activité 2")


def test_the_role_of_the_worker_can_run_the_summing_job(db: Db) -> None:
    pay(db, "2026-08-01")
    db.execute("set local role comptoir_travail")
    assert db.one("select jobs.resumer_paiements()") > 0


def test_the_summing_job_refuses_repeatable_read(database_url: str) -> None:
    with open_db(database_url) as writer:
        pay(Db(writer), "2026-08-01")
    with psycopg.connect(database_url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        with refused("ISOLATION_IMPREVUE", 409, connection):
            connection.execute("select jobs.resumer_paiements()")


# ---- real commits


def open_db(url: str) -> psycopg.Connection[Any]:
    return psycopg.connect(url, row_factory=dict_row, autocommit=True)


def test_the_summing_job_leaves_nothing_out_while_an_older_payment_is_uncommitted(database_url: str) -> None:
    """The second payment has the greater id and commits first. The sums must not leave the first payment out."""
    with open_db(database_url) as writer, open_db(database_url) as other_writer, open_db(database_url) as job:
        with writer.transaction():
            pay(Db(writer), "2026-08-01", "1")
            pay(Db(other_writer), "2026-08-01", "2")
            with ThreadPoolExecutor(1) as thread:
                waiting = thread.submit(lambda: job.execute("select finances._paiements_resumer(10) as n").fetchone())
                assert waiting.result()["n"] == 0  # the job gave up, because the first payment is not committed
        assert summed(Db(job)) == 0
        exact(Db(job))
        assert job.execute("select jobs.resumer_paiements() as n").fetchone()["n"] > 0
        assert summed(Db(job)) == 2
        exact(Db(job))


def test_the_waiting_job_blocks_no_writer(database_url: str) -> None:
    with open_db(database_url) as writer, open_db(database_url) as other_writer, open_db(database_url) as job:
        moved = pay(Db(other_writer), "2026-08-01")["id_paiement"]
        waits = "select wait_event = 'PgSleep' as waits from pg_stat_activity where pid = %s"
        with ThreadPoolExecutor(1) as thread, writer.transaction():
            pay(Db(writer), "2026-08-02")
            waiting = thread.submit(lambda: job.execute("select finances._paiements_resumer(10) as n").fetchone())
            eventually(lambda: Db(other_writer).one(waits, [job.info.backend_pid]))
            other_writer.execute("set lock_timeout = '50ms'")
            Db(other_writer).call("finances.paiement_modifier", id_paiement=moved, champs={"date": "2026-08-05"})
        waiting.result()
        exact(Db(job))


def test_a_date_changed_during_the_job_is_summed_on_its_new_day(database_url: str) -> None:
    with open_db(database_url) as writer, open_db(database_url) as job, ThreadPoolExecutor(1) as thread:
        moved = pay(Db(writer), "2026-08-01")["id_paiement"]
        waits = "select wait_event_type = 'Lock' as waits from pg_stat_activity where pid = %s"
        with job.transaction():
            job.execute("select finances._paiements_resumer(10)")
            call = 'select finances.paiement_modifier(%s, \'{"date": "2026-08-05"}\')'
            moving = thread.submit(lambda: writer.execute(call, [moved]))
            eventually(lambda: Db(job).one(waits, [writer.info.backend_pid]))
        moving.result()
        exact(Db(job))
        assert str(Db(job).one("select jour from finances.resume_paiement where nombre > 0")) == "2026-08-05"


def test_the_sums_are_exact_after_concurrent_writes(database_url: str) -> None:
    stop = threading.Event()

    def write(seed: int) -> None:
        dice = random.Random(seed)
        with open_db(database_url) as connection:
            shared = Db(connection)
            while not stop.is_set():
                paid = pay(shared, f"2026-08-{dice.randint(1, 28):02}", str(dice.randint(1, 99)))
                if dice.random() < 0.5:
                    champs = {"date": f"2026-07-{dice.randint(1, 28):02}"}
                    shared.call("finances.paiement_modifier", id_paiement=paid["id_paiement"], champs=champs)

    with ThreadPoolExecutor(3) as threads, open_db(database_url) as job:
        writers = [threads.submit(write, seed) for seed in range(3)]
        shared = Db(job)
        try:
            while summed(shared) < 200:
                job.execute("select jobs.resumer_paiements()")
        finally:
            stop.set()
        for writer in writers:
            writer.result()
        exact(shared)
        job.execute("select jobs.resumer_paiements()")
        exact(shared)
