"""The sums by day of the amounts due, beside other transactions. tests/compta sums at random moments."""

import random
from contextlib import suppress

import psycopg
import pytest

from tests import builders
from tests.conftest import Db
from tests.finances.test_resume import exact, pay, writing
from tests.preuve import selon
from tests.together import connect

RAW = """
    select i.type = 'LOYER' as loyer, i.date_echeance as jour, count(*) as n, sum(i.reste) as reste
      from finances.impaye_vue i group by 1, 2 order by 1, 2"""
SUMMED = """
    select i.loyer, i.jour, sum(i.nombre) as n, sum(i.reste) as reste
      from rapports._impayes(core.aujourdhui()) i group by 1, 2
    having sum(i.nombre) <> 0 or sum(i.reste) <> 0 order by 1, 2"""
USED = "select rapports._impayes_resumes()"
JOB = "select jobs.resumer_impayes()"


def a_step(db, step, invoice, lease):
    """Something that changes what is owed, through an operation or by hand."""
    line = db.one("select min(id_ligne) from facturation.facture_ligne where id_facture = %s", [invoice])
    match step:
        case "bill":
            builders.facture(db, "250")
        case "pay":
            pay(db, db.today(), "7", id_facture=invoice)
        case "credit":
            some = [{"id_ligne": line, "montant": "3"}]
            db.call("facturation.avoir_creer", id_facture=invoice, lignes=some, motif="x")
        case "cancel":
            db.one("select finances._facture_annuler(%s, 'x')", [invoice])
        case "pay by hand":
            db.execute("insert into finances.paiement (montant, id_moyen, id_facture) values (1, 1, %s)", [invoice])
        case "lie by hand":
            db.execute("update facturation.facture set montant_paye = 7, reste = 7 where id_facture = %s", [invoice])
        case "lease":
            builders.contrat(db, actif=False)
        case "activate":
            db.call("residence.contrat_activer", id_contrat=lease)
        case "rent":
            db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, id_moyen=1, montant="130000")
        case "correct by hand":
            raised = "update residence.echeance set montant = montant + 1 where id_contrat = %s and montant_paye = 0"
            db.execute(raised, [lease])
        case "end":
            db.call("residence.contrat_resilier", id_contrat=lease, motif="x")


STEPS = (
    "bill", "pay", "credit", "cancel", "pay by hand", "lie by hand", "lease", "activate", "rent", "correct by hand",
    "end",
)  # fmt: skip


def test_the_sums_are_exact_at_every_step_of_a_random_history(db):
    dice, done = random.Random(selon(3, random.randrange(1000))), set()
    builders.moyen(db)
    a_step(db, "bill", None, None)
    a_step(db, "lease", None, None)
    exact(db, SUMMED, RAW)  # the job has never run
    assert not db.one(USED)
    for _ in range(selon(90, 900)):
        if dice.random() < 0.2:
            db.one(JOB)
            assert db.one(USED)
        step = dice.choice(STEPS)
        keys = {
            key: dice.choice([row[key] for row in db.all(f"select {key} from {table}", [])])
            for table, key in (("facturation.facture", "id_facture"), ("residence.contrat_location", "id_contrat"))
        }
        with suppress(psycopg.Error), db.connection.transaction():
            a_step(db, step, *keys.values())
            done.add(step)
        exact(db, SUMMED, RAW)
    assert done == {*STEPS}


@pytest.mark.parametrize(("first", "used"), [(0, True), (1, False)])
def test_an_entry_archived_after_the_sums_sends_the_report_back_to_the_documents(db, first, used):
    builders.facture(db, "100")
    db.one(JOB)
    db.execute(
        "insert into audit.archive (partie, au, entrees, ids, du_rang, au_rang, chemin, taille_octets, sha256)"
        " select 'x', now(), 1, int8multirange(int8range(1, e.jusqu_a + 1 + %s)), 1, 1, 'x', 1, 'x'"
        " from core.resume_etat e where e.entite = 'finances.impaye'",
        [first],
    )
    assert db.one(USED) is used
    exact(db, SUMMED, RAW)


def test_the_sums_are_exact_while_several_sessions_write(database_url):
    def write(db, dice):
        with db.connection.transaction():
            key = builders.facture(db, "100")
            if dice.random() < 0.7:
                pay(db, db.today(), dice.choice(["100", "60"]), id_facture=key)

    with connect(database_url) as connection:
        builders.moyen(Db(connection))
        advanced = 0
        with writing(database_url, write) as writers:
            while advanced < selon(20, 200):
                advanced += Db(connection).one(JOB) > 0
                summed, raw = (f"(select array_agg(x) from ({rows}) x)" for rows in (SUMMED, RAW))
                assert Db(connection).one(f"select {summed}::text is not distinct from {raw}::text")
                assert not any(one.done() for one in writers)
        exact(Db(connection), SUMMED, RAW)
        assert Db(connection).one(USED)
        connection.execute(
            "select setval('audit.journal_id_trace_seq', last_value + 20001) from audit.journal_id_trace_seq"
        )
        assert not Db(connection).one(USED)  # too late: the documents are read
        exact(Db(connection), SUMMED, RAW)


def test_the_job_gives_up_while_a_writer_is_open_and_the_report_stays_exact(database_url):
    with connect(database_url) as writer, connect(database_url) as job:
        builders.moyen(Db(writer))
        key = builders.facture(Db(writer), "100")
        assert Db(job).one(JOB) > 0
        with writer.transaction():
            pay(Db(writer), Db(writer).today(), "40", id_facture=key)
            assert Db(job).one(JOB) == 0
            exact(Db(job), SUMMED, RAW)
        exact(Db(job), SUMMED, RAW)
        assert Db(job).one(JOB) > 0
        exact(Db(job), SUMMED, RAW)
