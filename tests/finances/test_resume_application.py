"""Daily sums of what payments settle: the rents received are exact before, during and after a run of the job."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests import builders
from tests.conftest import Db
from tests.finances.test_resume import exact, move
from tests.preuve import selon
from tests.together import connect, until_it_waits

RAW = """
    select p.jour, f.source_type::text, sum(a.montant) as montant
      from finances.imputation_vue a join finances.paiement p on p.id_paiement = a.id_paiement
      join facturation.facture f on f.id_facture = a.id_facture
     group by 1, 2 having sum(a.montant) <> 0 order by 1, 2"""
SUMMED = """
    select v.jour, v.source_type::text, sum(v.montant) as montant
      from finances.application_jour_vue v group by 1, 2 having sum(v.montant) <> 0 order by 1, 2"""


@pytest.mark.parametrize("seed", selon([1], [1, 2, 3]))
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
            paid.append(builders.paiement(db, dice.randint(1, 500), id_facture=invoice)["id_paiement"])
        elif draw < 0.7:
            move(db, dice.choice(paid), f"2026-07-{dice.randint(1, 4):02}")
        elif draw < 0.8:
            db.call("finances.paiement_annuler", id_paiement=paid.pop(dice.randrange(len(paid))), motif="essai")
            undone += 1
        else:
            job = dice.choice(["_applications_resumer", "_paiements_resumer"])
            db.one(f"select finances.{job}(%s)", [dice.choice([2, 1000])])
        exact(db, SUMMED, RAW)
    assert undone
    for job in ("resumer_applications", "resumer_paiements"):
        db.one(f"select jobs.{job}()")
        exact(db, SUMMED, RAW)
        assert db.one(f"select jobs.{job}()") == 0
    received = db.one(
        "select sum(a.montant) from finances.imputation_vue a join facturation.facture f using (id_facture)"
        " where f.source_type = 'LOCATION'"
    )
    report = db.call("rapports.activite", code="LOCATION_RESIDENTIEL")
    assert report["indicateurs"]["loyers_percus"] == f"{received:.2f}"


@pytest.mark.parametrize("applied", [True, False])
def test_a_date_changed_while_the_job_waits_moves_the_applications(database_url: str, applied: bool) -> None:
    """The payment moves to another day. Its application is committed before, or while the move is uncommitted."""
    with (
        connect(database_url) as mover,
        connect(database_url) as other,
        connect(database_url) as job,
        ThreadPoolExecutor(1) as thread,
    ):
        invoice = builders.facture(Db(other), "500.00")
        paid = builders.paiement(Db(other), "50", id_activite=2, date="2026-08-01")["id_paiement"]
        if applied:
            builders.part(Db(other), paid, invoice, 20)
        with mover.transaction():
            # By hand: finances.paiement_modifier locks the payment, and no other transaction can apply it meanwhile.
            mover.execute("update finances.paiement set date = '2026-07-03' where id_paiement = %s", [paid])
            if not applied:
                builders.part(Db(other), paid, invoice, 20)
            summing = thread.submit(Db(job).one, "select finances._applications_resumer(10)")
            until_it_waits(Db(other), job)
        assert summing.result() > 0
        exact(Db(job), SUMMED, RAW)
        assert str(Db(job).one("select jour from finances.resume_application where montant <> 0")) == "2026-07-03"
