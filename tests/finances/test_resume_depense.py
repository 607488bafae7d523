"""Daily sums of expenses beside other transactions. The histories of tests/compta sum at random moments."""

from concurrent.futures import ThreadPoolExecutor

from tests import builders
from tests.conftest import Db
from tests.finances.test_resume import exact
from tests.together import connect, until_it_waits

RAW = """
    select d.jour, d.id_activite, d.id_caisse, sum(d.montant) as montant
      from finances.depense d where d.date_annulation is null group by 1, 2, 3 order by 1, 2, 3"""
SUMMED = """
    select m.jour, m.id_activite, m.id_caisse, sum(m.depenses) as montant
      from finances.mouvement_jour_vue m group by 1, 2, 3 having sum(m.depenses) <> 0 order by 1, 2, 3"""


def test_an_expense_changed_during_the_job_is_summed_once(database_url):
    with connect(database_url) as writer, connect(database_url) as job, ThreadPoolExecutor(1) as thread:
        expense = builders.depense(Db(writer), "7", date="2026-08-01")["id_depense"]
        with job.transaction():
            job.execute("select finances._depenses_resumer(10)")
            changed = {"id_depense": expense, "champs": {"montant": "9"}}
            changing = thread.submit(Db(writer).call, "finances.depense_modifier", **changed)
            until_it_waits(Db(job), writer)
        changing.result()
        exact(Db(job), SUMMED, RAW)
        assert Db(job).one("select sum(montant)::integer from finances.resume_depense") == 9
