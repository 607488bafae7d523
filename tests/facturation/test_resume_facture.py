"""Daily sums of invoices beside other transactions. The histories of tests/compta sum at random moments."""

from concurrent.futures import ThreadPoolExecutor

from tests.conftest import Db
from tests.finances import test_resume
from tests.together import connect, until_it_waits

RAW = """
    select d.jour, d.id_activite, sum(d.n) as n, sum(d.brut - d.avoirs) as montant
      from (select f.jour, f.id_activite, (not f.annulee)::integer as n, f.montant_total as brut, 0 as avoirs
              from facturation.facture f
            union all
            select a.jour, a.id_activite, 0, 0, a.montant_total from facturation.avoir a) d
     group by 1, 2 having sum(d.brut) <> 0 or sum(d.avoirs) <> 0 order by 1, 2"""
SUMMED = """
    select v.jour, v.id_activite, v.nombre as n, v.chiffre_affaires as montant
      from facturation.facture_jour_vue v order by 1, 2"""


def exact(db):
    test_resume.exact(db, SUMMED, RAW)


def summed(db):
    return test_resume.summed(db, "facturation.facture", "id_facture")


def invoice(db, day, amount="100", activite=2):
    """An unpaid invoice of a past day. The settlement dates its invoices now, so this one is inserted by hand."""
    key = int(db.one("select nextval('facturation.facture_id_facture_seq')"))
    line = "insert into facturation.facture_ligne (id_facture, libelle, prix_unitaire) values (%s, 'x', %s)"
    db.execute(line, [key, amount])
    db.execute(
        "insert into facturation.facture (id_facture, numero, date, id_activite, libelle, source_type)"
        " overriding system value values (%s, core._numeroter('FAC', 2026), %s, %s, 'x', 'AUTRE')",
        [key, day, activite],
    )
    return key


def cancel(db, key):
    db.one("select finances._facture_annuler(%s, 'essai')", [key])


def committed(db, day, amount="100"):
    with db.connection.transaction():
        return invoice(db, day, amount)


def test_the_job_leaves_no_invoice_out_while_an_older_one_is_uncommitted(database_url):
    """The writer holds an identifier and has written nothing yet. Another invoice has a greater one and commits."""
    with connect(database_url) as writer, connect(database_url) as other_writer, connect(database_url) as job:
        with writer.transaction():
            writer.execute("select nextval('facturation.facture_id_facture_seq')")
            committed(Db(other_writer), "2026-08-01", "2")
            assert Db(job).one("select facturation._factures_resumer(10)") == 0
        assert summed(Db(job)) == 0
        exact(Db(job))
        assert Db(job).one("select jobs.resumer_factures()") > 0
        assert summed(Db(job)) == 1
        exact(Db(job))


def test_an_invoice_cancelled_during_the_job_leaves_the_sums(database_url):
    with connect(database_url) as writer, connect(database_url) as job, ThreadPoolExecutor(1) as thread:
        committed(Db(writer), "2026-08-01", "7")
        key = committed(Db(writer), "2026-08-01", "30")
        with job.transaction():
            job.execute("select facturation._factures_resumer(10)")
            cancelling = thread.submit(cancel, Db(writer), key)
            until_it_waits(Db(job), writer)
        cancelling.result()
        exact(Db(job))
        days = Db(job).all("select nombre, factures::integer from facturation.resume_facture where nombre > 0")
        assert days == [{"nombre": 1, "factures": 37}]
