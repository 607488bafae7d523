"""Summaries: arrears, money by activity, money by month; each user sees only the allowed part."""

import datetime as dt

import pytest

from tests import builders
from tests.conftest import refused

PRESSING, RESTAURATION = 2, 3


@pytest.fixture
def money(db):
    """Two tills of two activities with one payment each; one payment, its refund and two expenses without a till."""
    tills = builders.caisse(db), builders.caisse(db, activite_code="RESTAURATION")
    categorie = db.call("finances.categorie_depense_creer", libelle="Énergie")["id_categorie_depense"]

    def spend(montant, **fields):
        return db.call(
            "finances.depense_creer", montant=montant, libelle="Courant", id_categorie_depense=categorie, **fields
        )

    db.call("finances.paiement_creer", montant="100", id_moyen=1, id_caisse=tills[0], date="2026-07-31")
    db.call("finances.paiement_creer", montant="250", id_moyen=1, id_caisse=tills[1], date="2026-08-01")
    paid = db.call("finances.paiement_creer", montant="40", id_moyen=1, id_activite=PRESSING, date="2026-08-31")
    db.execute(
        "insert into finances.paiement (montant, type, id_moyen, id_activite, id_paiement_origine, date)"
        " values (40, 'DECAISSEMENT', 1, 2, %s, '2026-08-31')",
        [paid["id_paiement"]],
    )
    spend("30", id_caisse=tills[0], date="2026-07-15")
    spend("5", date="2026-08-15")
    for till in ({}, {"id_caisse": tills[0]}):
        void = spend("999", date="2026-08-15", **till)
        db.call("finances.depense_supprimer", id_depense=void["id_depense"])
    return tills


def consolidation(db, du=None, au=None):
    """The activities whose amounts are not all zero, by code; the total; the number of lines."""
    bilan = db.one("select to_jsonb(c) from finances.consolidation(%s, %s) c", [du, au])
    names = ["encaissements", "decaissements", "depenses", "solde"]
    lines = {line["code"]: [line[name] for name in names] for line in bilan["par_activite"]}
    moved = {code: amounts for code, amounts in lines.items() if any(amounts)}
    return moved, [bilan["total"][name] for name in names], len(lines)


def test_the_consolidation_sums_each_activity(db, money):
    moved, total, _ = consolidation(db)
    assert moved == {
        "PRESSING": [140, 40, 30, 70],
        "RESTAURATION": [250, 0, 0, 250],
        "SANS_ACTIVITE": [0, 0, 5, -5],
    }
    assert total == [390, 40, 35, 315]


def test_the_consolidation_lists_every_activity_without_money(db):
    assert consolidation(db) == ({}, [0, 0, 0, 0], 6)


def test_the_consolidation_of_a_period_counts_only_its_days(db, money):
    moved, total, _ = consolidation(db, "2026-08-01", "2026-08-15")
    assert moved == {"RESTAURATION": [250, 0, 0, 250], "SANS_ACTIVITE": [0, 0, 5, -5]}
    assert total == [250, 0, 5, 245]


def test_the_consolidation_shows_only_the_activity_or_till_of_the_user(db, money):
    manager = builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING)
    cashier = builders.utilisateur(db, role="CAISSIER", caisse=money[0])
    db.acting(manager)
    assert consolidation(db) == ({"PRESSING": [140, 40, 30, 70]}, [140, 40, 30, 70], 1)
    db.acting(cashier)
    assert consolidation(db) == ({"PRESSING": [100, 0, 30, 70]}, [100, 0, 30, 70], 1)


def months(rows):
    return [
        (
            r["periode"],
            float(r["encaissements"]),
            float(r["sorties"]),
            float(r["marge_nette"]),
            r["factures_emises"],
        )
        for r in rows
    ]


def test_the_dashboard_sums_each_month(db, money):
    rows = db.rows("finances.tableau_de_bord")
    assert list(rows[0]) == [
        "periode",
        "encaissements",
        "decaissements",
        "marge_nette",
        "factures_emises",
        "montant_factures",
        "depenses",
        "sorties",
        "montant_brut",
        "montant_avoirs",
    ]
    assert months(rows) == [("2026-07", 100, 30, 70, 0), ("2026-08", 290, 45, 245, 0)]
    assert months(db.rows("finances.tableau_de_bord", du="2026-08-01", au="2026-08-30")) == [
        ("2026-08", 250, 5, 245, 0)
    ]
    db.acting(builders.utilisateur(db, role="CAISSIER", caisse=money[1]))
    assert months(db.rows("finances.tableau_de_bord")) == [("2026-08", 250, 0, 250, 0)]


def invoice(db, numero, jour, id_activite, total):
    id_facture = db.one("select nextval('facturation.facture_id_facture_seq')")
    db.execute(
        "insert into facturation.facture_ligne (id_facture, libelle, prix_unitaire) values (%s, 'Essai', %s)",
        [id_facture, total],
    )
    db.execute(
        "insert into facturation.facture (id_facture, numero, date, id_activite, source_type)"
        " overriding system value values (%s, %s, %s, %s, 'AUTRE')",
        [id_facture, numero, jour, id_activite],
    )
    return id_facture


def test_arrears_list_open_invoices_and_filter_them(db):
    older = invoice(db, "ESSAI-1", "2026-07-31", PRESSING, "100")
    invoice(db, "ESSAI-2", "2026-08-01", RESTAURATION, "50")
    settled = invoice(db, "ESSAI-3", "2026-08-02", PRESSING, "10")
    db.call("finances.paiement_creer", montant="30", id_moyen=1, id_facture=older)
    db.call("finances.paiement_creer", montant="10", id_moyen=1, id_facture=settled)
    rows = db.rows("finances.impaye_lister")
    assert list(rows[0]) == [
        "type",
        "id_client",
        "client",
        "reference",
        "montant_du",
        "montant_paye",
        "reste",
        "date_echeance",
    ]
    assert [(r["type"], r["reference"], float(r["reste"])) for r in rows] == [
        ("FACTURE", "ESSAI-1", 70),
        ("FACTURE", "ESSAI-2", 50),
    ]
    assert [r["reference"] for r in db.rows("finances.impaye_lister", periode="2026-07")] == ["ESSAI-1"]
    assert db.rows("finances.impaye_lister", type="SEJOUR") == []
    day = next(r["date_echeance"] for r in rows if r["reference"] == "ESSAI-1")
    later = day + dt.timedelta(days=1)
    assert [r["reference"] for r in db.rows("finances.impaye_lister", du=day, au=day)] == ["ESSAI-1"]
    assert "ESSAI-1" not in [r["reference"] for r in db.rows("finances.impaye_lister", du=later)]
    assert "ESSAI-1" not in [r["reference"] for r in db.rows("finances.impaye_lister", au=day - dt.timedelta(days=1))]
    assert [r["reference"] for r in db.rows("finances.impaye_lister", au=day)] == ["ESSAI-1"]
    assert db.rows("finances.impaye_lister", client=987654321) == []
    billed = db.rows("finances.tableau_de_bord", du="2026-07-01", au="2026-07-31")
    assert (billed[0]["factures_emises"], float(billed[0]["montant_factures"])) == (1, 100)

    db.acting(builders.utilisateur(db, role="RESPONSABLE_RESTAURANT", activite=RESTAURATION))
    assert [r["reference"] for r in db.rows("finances.impaye_lister")] == ["ESSAI-2"]


def test_arrears_refuse_a_month_that_does_not_exist(db):
    with refused("PERIODE_MAL_FORMEE", status=400):
        db.rows("finances.impaye_lister", periode="2026-13")


def test_a_payment_without_activity_counts_under_sans_activite(db, http):
    boss = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR"))
    created = boss.post("/api/v1/finances/paiements", json={"montant": "77.25", "id_moyen": "1", "motif": "Don"})
    assert (created.status_code, created.json()["id_activite"]) == (201, None), created.text
    rows = boss.get("/api/v1/finances/consolidation").json()["par_activite"]
    assert [row["encaissements"] for row in rows if row["code"] == "SANS_ACTIVITE"] == ["77.25"]
    report = boss.get("/api/v1/rapports/synthese-globale").text
    assert "SANS_ACTIVITE" in report and "77.25" in report
