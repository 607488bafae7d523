"""Summaries: arrears, money by activity, money by month; each user sees only the allowed part."""

import pytest

from tests import builders
from tests.conftest import refused
from tests.facturation.test_resume_facture import invoice

PRESSING, RESTAURATION = 2, 3


@pytest.fixture
def money(db):
    """Two tills of two activities with one payment each; one payment, its refund and two expenses without a till."""
    tills = builders.caisse(db), builders.caisse(db, activite_code="RESTAURATION")
    builders.paiement(db, "100", id_caisse=tills[0], date="2026-07-31")
    builders.paiement(db, "250", id_caisse=tills[1], date="2026-08-01")
    paid = builders.payer(db, "40", id_activite=PRESSING, date="2026-08-31")
    db.execute(
        "insert into finances.paiement (montant, type, id_moyen, id_activite, id_paiement_origine, date)"
        " values (40, 'DECAISSEMENT', 1, 2, %s, '2026-08-31')",
        [paid],
    )
    builders.depense(db, "30", id_caisse=tills[0], date="2026-07-15")
    builders.depense(db, "5", date="2026-08-15")
    for till in ({}, {"id_caisse": tills[0]}):
        void = builders.depense(db, "999", date="2026-08-15", **till)["id_depense"]
        db.call("finances.depense_supprimer", id_depense=void)
    return tills


def consolidation(db, du=None, au=None):
    """The activities whose amounts are not all zero, by code; the total; the number of lines."""
    bilan = db.one("select to_jsonb(c) from finances.consolidation(%s, %s) c", [du, au])
    names = ["encaissements", "decaissements", "depenses", "solde"]
    lines = {line["code"]: [line[name] for name in names] for line in bilan["par_activite"]}
    moved = {code: amounts for code, amounts in lines.items() if any(amounts)}
    return moved, [bilan["total"][name] for name in names], len(lines)


def test_the_consolidation_shows_only_the_activity_or_till_of_the_user(db, money):
    manager = builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING)
    cashier = builders.utilisateur(db, role="CAISSIER", caisse=money[0])
    assert consolidation(db, "2026-08-01", "2026-08-15")[1:] == ([250, 0, 5, 245], 7)
    db.acting(manager)
    assert consolidation(db) == ({"PRESSING": [140, 40, 30, 70]}, [140, 40, 30, 70], 1)
    db.acting(cashier)
    assert consolidation(db) == ({"PRESSING": [100, 0, 30, 70]}, [100, 0, 30, 70], 1)


def months(db, **days):
    names = ("encaissements", "sorties", "marge_nette", "factures_emises")
    return [
        (row["periode"], *map(float, (row[n] for n in names))) for row in db.rows("finances.tableau_de_bord", **days)
    ]


def test_the_dashboard_sums_each_month(db, money):
    assert months(db) == [("2026-07", 100, 30, 70, 0), ("2026-08", 290, 45, 245, 0)]
    assert months(db, du="2026-08-01", au="2026-08-30") == [("2026-08", 250, 5, 245, 0)]
    db.acting(builders.utilisateur(db, role="CAISSIER", caisse=money[1]))
    assert months(db) == [("2026-08", 250, 0, 250, 0)]


def references(db, **filters):
    return [row["reference"] for row in db.rows("finances.impaye_lister", **filters)]


def test_arrears_list_open_invoices_and_filter_them(db):
    older = invoice(db, "2026-07-31", "100", PRESSING)
    recent = invoice(db, "2026-08-01", "50", RESTAURATION)
    settled = invoice(db, "2026-08-02", "10", PRESSING)
    for paid, amount in ((older, "30"), (settled, "10")):
        builders.paiement(db, amount, id_facture=paid)
    query = "select numero from facturation.facture where id_facture = any(%s) order by 1"
    old, new = (row["numero"] for row in db.all(query, [[older, recent]]))
    rows = db.rows("finances.impaye_lister")
    assert [(r["type"], r["reference"], float(r["reste"])) for r in rows] == [
        ("FACTURE", old, 70),
        ("FACTURE", new, 50),
    ]
    assert references(db, type="SEJOUR") == references(db, client=987654321) == []
    with refused("PERIODE_MAL_FORMEE", status=400):
        references(db, periode="2026-13")
    billed = db.rows("finances.tableau_de_bord", du="2026-07-01", au="2026-07-31")
    assert (billed[0]["factures_emises"], float(billed[0]["montant_factures"])) == (1, 100)
    db.acting(builders.utilisateur(db, role="RESPONSABLE_RESTAURANT", activite=RESTAURATION))
    assert references(db) == [new]
