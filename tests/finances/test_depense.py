"""Expenses: an open till pays them, and they can be changed or voided while the period is open."""

import pytest

from tests import builders
from tests.builders import depense
from tests.conftest import refused

PRESSING, RESTAURATION = 2, 3


def change(db, expense, **champs):
    return db.call("finances.depense_modifier", id_depense=expense["id_depense"], champs=champs)


def void(db, expense):
    return db.call("finances.depense_supprimer", id_depense=expense["id_depense"])


def stored(db, expense):
    return db.one("select * from finances.depense where id_depense = %s", [expense["id_depense"]])


def listed(db, **filters):
    return [row["id_depense"] for row in db.rows("finances.depense_lister", **filters)]


def test_an_expense_records_its_till_period_day_and_activity(db):
    caisse = builders.caisse(db)
    expense = depense(db, id_caisse=caisse, justificatif="Reçu 12")
    assert (expense["id_activite"], expense["id_caisse"], expense["justificatif"]) == (PRESSING, caisse, "Reçu 12")
    row = stored(db, expense)
    query = "select id_periode, core.aujourdhui() as jour from finances.periode_caisse where id_caisse = %s"
    assert db.one(query, [caisse]) == {"id_periode": row["id_periode"], "jour": row["jour"]}


def test_an_expense_without_a_till_keeps_its_date_and_activity(db):
    expense = depense(db, date="2026-08-15", id_activite=RESTAURATION)
    assert (expense["id_caisse"], expense["id_activite"]) == (None, RESTAURATION)
    assert str(stored(db, expense)["jour"]) == "2026-08-15"


def test_an_invalid_expense_is_refused(db):
    closed, inactive = builders.caisse(db, ouverte=False), builders.caisse(db, actif=False)
    for rule, status, fields in (
        ("MONTANT_STRICTEMENT_POSITIF", 400, {"montant": "0"}),
        ("MONTANT_STRICTEMENT_POSITIF", 400, {"montant": "-5"}),
        ("LIBELLE_REMPLI", 400, {"libelle": "  "}),
        ("DATE_FUTURE", 400, {"date": "2999-01-01"}),
        ("DEPENSE_CATEGORIE_INCONNUE", 422, {"id_categorie_depense": 987654321}),
        ("DEPENSE_ACTIVITE_INCONNUE", 422, {"id_activite": 987654321}),
        ("NOT_FOUND", 404, {"id_caisse": 987654321}),
        ("PERIODE_CAISSE_FERMEE", 409, {"id_caisse": closed}),
        ("CAISSE_INACTIVE", 409, {"id_caisse": inactive}),
    ):
        with refused(rule, status=status):
            depense(db, **fields)


def test_the_till_of_the_cashier_pays_whatever_till_the_request_names(db):
    own, other = builders.caisse(db), builders.caisse(db)
    depense(db, id_caisse=other)
    depense(db, id_activite=PRESSING)
    user = builders.utilisateur(db, role="CAISSIER", caisse=own)
    db.acting(user)
    expense = depense(db, id_caisse=other)
    assert (expense["id_caisse"], expense["id_utilisateur"]) == (own, user)
    # The filter sans_caisse has no effect for a user of one till.
    assert listed(db, sans_caisse=True) == listed(db, id_caisse=own) == [expense["id_depense"]]
    with refused("CAISSE_INTERDITE", status=400):
        listed(db, id_caisse=other)


def test_a_user_of_an_activity_books_expenses_of_that_activity_only(db):
    db.acting(builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING))
    expense = depense(db)
    assert expense["id_activite"] == PRESSING
    for activity in (RESTAURATION, 987654321):
        with refused("NOT_FOUND", status=404):
            change(db, expense, id_activite=activity)
    # Without an activity in the request, the expense gets the user's activity.
    assert change(db, expense, id_activite=None)["id_activite"] == PRESSING


def test_amount_and_date_change_while_the_period_is_open_and_texts_always(db):
    caisse = builders.caisse(db)
    expense = depense(db, "25000", id_caisse=caisse)
    edited = change(db, expense, montant="26000", justificatif="Facture 7", date="2026-08-15")
    assert (float(edited["montant"]), edited["justificatif"]) == (26000, "Facture 7")
    assert str(stored(db, expense)["jour"]) == "2026-08-15"

    db.call("finances.caisse_fermer", id_caisse=caisse)
    for champs in ({"montant": "1"}, {"date": "2026-08-16"}):
        with refused("PERIODE_CAISSE_FERMEE", status=409):
            change(db, expense, **champs)
    with refused("PERIODE_CAISSE_FERMEE", status=409):
        void(db, expense)
    # A new period of the same till does not make the old period editable.
    db.call("finances.caisse_ouvrir", id_caisse=caisse)
    with refused("PERIODE_CAISSE_FERMEE", status=409):
        change(db, expense, montant="1")
    worded = change(db, expense, libelle="Encre", justificatif=None)
    assert (float(worded["montant"]), worded["libelle"], worded["justificatif"]) == (26000, "Encre", None)


def test_an_invalid_change_of_an_expense_is_refused(db):
    expense = depense(db)
    for rule, status, champs in (
        ("MONTANT_STRICTEMENT_POSITIF", 400, {"montant": "0"}),
        ("DATE_FUTURE", 400, {"date": "2999-01-01"}),
        ("DEPENSE_CATEGORIE_INCONNUE", 422, {"id_categorie_depense": "987654321"}),
    ):
        with refused(rule, status=status):
            change(db, expense, **champs)


def test_a_deleted_expense_is_voided(db):
    caisse = builders.caisse(db)
    expense, other = depense(db, "25000", id_caisse=caisse), depense(db, id_caisse=caisse)
    void(db, expense)
    assert listed(db) == [other["id_depense"]]
    row = stored(db, expense)
    assert row["date_annulation"] is not None and float(row["montant"]) == 25000
    for write in (void, change):
        with refused("NOT_FOUND", status=404):
            write(db, expense)
    with refused("DEPENSE_SUPPRIMEE", status=409):
        db.execute("update finances.depense set date_annulation = null where id_depense = %s", [expense["id_depense"]])


def test_direct_sql_cannot_delete_an_expense(db):
    expense = depense(db)
    with refused("DEPENSE_NON_EFFACABLE", status=409):
        db.execute("delete from finances.depense where id_depense = %s", [expense["id_depense"]])


@pytest.mark.parametrize(
    "change", ["id_caisse = null, id_periode = null", "id_utilisateur = 1", "id_depense = default"]
)
def test_the_till_author_and_id_of_an_expense_never_change(db, change):
    expense = depense(db, id_caisse=builders.caisse(db))
    with refused("DEPENSE_FIGEE", status=409):
        db.execute(f"update finances.depense set {change} where id_depense = %s", [expense["id_depense"]])


@pytest.mark.utc
def test_the_list_of_expenses_filters_sorts_and_pages(db):
    caisse = builders.caisse(db)
    a = depense(db, libelle="Café", date="2026-08-01", id_caisse=caisse)["id_depense"]
    b = depense(db, libelle="Thé vert", date="2026-08-15", id_activite=RESTAURATION)["id_depense"]
    c = depense(db, libelle="Sucre", date="2026-08-31T23:59:59Z")["id_depense"]
    for expected, filters in (
        ([c, b, a], {}),
        ([a], {"recherche": "cafe"}),
        ([b], {"libelle": "the"}),
        ([c, b], {"du": "2026-08-15", "au": "2026-08-31"}),
        ([b], {"du": "2026-08-02", "au": "2026-08-15"}),
        ([a], {"id_caisse": caisse}),
        ([c, b], {"sans_caisse": True}),
        ([c, b, a], {"sans_caisse": False}),
        ([a], {"id_activite": PRESSING}),
    ):
        assert listed(db, **filters) == expected, filters
