"""Each job that sums by day runs with the role of the worker, and the integrity check recomputes its sums."""

import pytest

from tests import builders
from tests.facturation.test_resume_facture import invoice
from tests.finances.test_resume import pay, wrong_sums

DAY = "2026-08-01"


@pytest.mark.parametrize(
    ("job", "write", "forge", "words"),
    [
        ("paiements", lambda db: pay(db, DAY), "finances.resume_paiement set encaissements", f"Le {DAY}, activité 2"),
        (
            "depenses", lambda db: builders.depense(db, date=DAY, id_activite=2),
            "finances.resume_depense set montant", f"Le {DAY}, activité 2",
        ),
        ("factures", lambda db: invoice(db, DAY), "facturation.resume_facture set nombre", f"Le {DAY}, activité 2"),
        (
            "applications", lambda db: builders.part(db, pay(db, DAY), builders.facture(db)),
            "finances.resume_application set montant", "source PRESTATION",
        ),
    ],
    ids=["payments", "expenses", "invoices", "applications"],
)  # fmt: skip
def test_the_integrity_check_reports_a_wrong_sum_of_the_worker(db, job, write, forge, words):
    write(db)
    db.execute("set local role comptoir_travail")
    assert db.one(f"select jobs.resumer_{job}()") > 0
    assert db.one(f"select jobs.resumer_{job}()") == 0
    db.execute("reset role")
    assert wrong_sums(db) == []
    db.execute(f"update {forge} = {forge.split()[-1]} + 1")
    (line,) = wrong_sums(db)
    assert words in line


@pytest.mark.parametrize(
    ("entity", "write"),
    [("le paiement", lambda db: pay(db, "2026-01-17")), ("la facture", lambda db: invoice(db, DAY))],
)
def test_the_integrity_check_reports_a_stopped_summing_job(db, entity, write):
    key, name = write(db), entity.split()[1]

    def late():
        return db.all("select c from jobs._controler() c where c like '%%n''avance plus%%'", [])

    assert late() == []  # dated long ago but written now
    aged = "update audit.journal set date_heure = now() - interval '3 hours 5 minutes'"
    db.tamper(f"{aged} where entite = %s and entite_id = %s", name, str(key))
    (line,) = late()
    assert f"{entity} {key}" in line["c"] and f"resumer-{name}s" in line["c"]
    db.one(f"select jobs.resumer_{name}s()")
    assert late() == []
