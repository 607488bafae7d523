"""Daily sums of what payments settle, beside other transactions. The histories of tests/compta sum too."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests import builders
from tests.conftest import Db
from tests.finances.test_resume import exact
from tests.together import connect, until_it_waits

RAW = """
    select p.jour, f.source_type::text, sum(a.montant) as montant
      from finances.imputation_vue a join finances.paiement p on p.id_paiement = a.id_paiement
      join facturation.facture f on f.id_facture = a.id_facture
     where not p.credit group by 1, 2 having sum(a.montant) <> 0 order by 1, 2"""
SUMMED = """
    select v.jour, v.source_type::text, sum(v.montant) as montant
      from finances.application_jour_vue v group by 1, 2 having sum(v.montant) <> 0 order by 1, 2"""


@pytest.mark.parametrize("applied", [True, False])
def test_a_date_changed_while_the_job_waits_moves_the_applications(database_url, applied):
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
