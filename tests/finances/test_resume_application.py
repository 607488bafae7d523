"""Daily sums of what payments settle: the rents received are exact before, during and after a run of the job."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db
from tests.server import eventually

RAW = """
    select p.jour, f.source_type::text, sum(a.montant) as montant
      from finances.application_paiement a join finances.paiement p using (id_paiement)
      join facturation.facture f using (id_facture) group by 1, 2 having sum(a.montant) <> 0 order by 1, 2"""
SUMMED = """
    select v.jour, v.source_type::text, sum(v.montant) as montant
      from finances.application_jour_vue v group by 1, 2 having sum(v.montant) <> 0 order by 1, 2"""
MOVE = "select finances.paiement_modifier(%s, jsonb_build_object('date', %s::text))"


def exact(db: Db) -> None:
    assert db.all(SUMMED) == db.all(RAW)
    assert db.all("select * from jobs._controler() c where c like '%%résumé%%'", []) == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_sums_of_applications_stay_exact_over_random_writes_and_job_runs(db: Db, seed: int) -> None:
    dice = random.Random(seed)
    leases = [builders.contrat(db, montant_loyer=f"{900 + n}.25") for n in range(2)]
    paid: list[int] = []
    undone = 0
    for _ in range(40):
        draw = dice.random()
        if draw < 0.3 or not paid:
            amount = f"{dice.randint(1, 1500)}.{dice.randint(0, 99):02}"
            db.call("residence.contrat_encaisser_loyer_lot", id_contrat=dice.choice(leases), montant=amount, id_moyen=1)
            paid.append(db.one("select max(id_paiement) from finances.paiement"))
        elif draw < 0.45:
            invoice = builders.facture(db, "500.00")
            made = db.call("finances.paiement_creer", montant=str(dice.randint(1, 500)), id_moyen=1, id_facture=invoice)
            paid.append(made["id_paiement"])
        elif draw < 0.7:
            db.execute(MOVE, [dice.choice(paid), f"2026-07-{dice.randint(1, 4):02}"])
        elif draw < 0.8:
            db.call("finances.paiement_annuler", id_paiement=paid.pop(dice.randrange(len(paid))), motif="essai")
            undone += 1
        else:
            db.one("select finances._applications_resumer(%s)", [dice.choice([2, 1000])])
        exact(db)
    assert undone
    db.one("select jobs.resumer_applications()")
    exact(db)
    assert db.one("select jobs.resumer_applications()") == 0
    received = db.one(
        "select sum(a.montant) from finances.application_paiement a join facturation.facture f using (id_facture)"
        " where f.source_type = 'LOCATION'"
    )
    report = db.call("rapports.activite", code="LOCATION_RESIDENTIEL")
    assert report["indicateurs"]["loyers_percus"] == f"{received:.2f}"


def test_the_integrity_check_reports_a_wrong_sum_of_applications(db: Db) -> None:
    db.call("finances.paiement_creer", montant="5", id_moyen=1, id_facture=builders.facture(db))
    db.one("select jobs.resumer_applications()")
    db.execute("update finances.resume_application set montant = montant + 1")
    (line,) = db.all("select c from jobs._controler() c where c like '%%résumé%%'", [])
    assert "source PRESTATION" in line["c"]


def test_the_role_of_the_worker_can_sum_the_applications(db: Db) -> None:
    db.call("finances.paiement_creer", montant="5", id_moyen=1, id_facture=builders.facture(db))
    db.execute("set local role comptoir_travail")
    assert db.one("select jobs.resumer_applications()") > 0


@pytest.mark.parametrize("applied", [True, False])
def test_a_date_changed_while_the_job_waits_moves_the_applications(database_url: str, applied: bool) -> None:
    """The payment moves to another day. Its application is committed before, or while the move is uncommitted."""
    waits = "select wait_event_type = 'Lock' as waits from pg_stat_activity where pid = %s"
    with (
        psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as mover,
        psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as other,
        psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as job,
        ThreadPoolExecutor(1) as thread,
    ):
        invoice = builders.facture(Db(other), "500.00")
        paid = Db(other).call("finances.paiement_creer", montant="50", id_moyen=1, id_activite=2, date="2026-08-01")
        apply = "insert into finances.application_paiement (id_paiement, id_facture, montant) values (%s, %s, 20)"
        if applied:
            other.execute(apply, [paid["id_paiement"], invoice])
        with mover.transaction():
            # By hand: finances.paiement_modifier locks the payment, and no other transaction can apply it meanwhile.
            mover.execute(
                "update finances.paiement set date = '2026-07-03' where id_paiement = %s", [paid["id_paiement"]]
            )
            if not applied:
                other.execute(apply, [paid["id_paiement"], invoice])
            summing = thread.submit(lambda: Db(job).one("select finances._applications_resumer(10)"))
            eventually(lambda: Db(other).one(waits, [job.info.backend_pid]))
        assert summing.result() > 0
        exact(Db(job))
        assert str(Db(job).one("select jour from finances.resume_application where montant <> 0")) == "2026-07-03"
