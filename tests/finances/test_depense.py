"""Expenses: an open till pays them, and they can be changed or voided while the period is open."""

import pytest

from tests import builders
from tests.conftest import refused

PRESSING, RESTAURATION = 2, 3


@pytest.fixture
def categorie(db):
    return db.call("finances.categorie_depense_creer", libelle="Fournitures de bureau")["id_categorie_depense"]


@pytest.fixture
def depense(db, categorie):
    def create(**fields):
        fields = {"montant": "25000", "libelle": "Papier", "id_categorie_depense": categorie} | fields
        return db.call("finances.depense_creer", **fields)

    return create


def stored(db, id_depense):
    return db.one("select * from finances.depense where id_depense = %s", [id_depense])


def test_an_expense_records_its_till_period_day_and_activity(db, depense):
    caisse = builders.caisse(db)
    expense = depense(id_caisse=caisse, justificatif="Reçu 12")
    assert list(expense) == [
        "id_depense",
        "date",
        "montant",
        "id_categorie_depense",
        "id_activite",
        "libelle",
        "justificatif",
        "id_utilisateur",
        "id_caisse",
    ]
    assert (expense["id_activite"], expense["id_caisse"], expense["justificatif"]) == (PRESSING, caisse, "Reçu 12")
    row = stored(db, expense["id_depense"])
    period = db.one(
        "select id_periode, core.aujourdhui() as jour from finances.periode_caisse where id_caisse = %s", [caisse]
    )
    assert (row["id_periode"], row["jour"]) == (period["id_periode"], period["jour"])


def test_an_expense_without_a_till_keeps_its_date_and_activity(db, depense):
    expense = depense(date="2026-08-15", id_activite=RESTAURATION)
    assert (expense["id_caisse"], expense["id_activite"]) == (None, RESTAURATION)
    assert str(stored(db, expense["id_depense"])["jour"]) == "2026-08-15"


@pytest.mark.parametrize(
    ("rule", "status", "fields"),
    [
        ("MONTANT_STRICTEMENT_POSITIF", 400, {"montant": "0"}),
        ("MONTANT_STRICTEMENT_POSITIF", 400, {"montant": "-5"}),
        ("LIBELLE_REMPLI", 400, {"libelle": "  "}),
        ("DATE_FUTURE", 400, {"date": "2999-01-01"}),
        ("DEPENSE_CATEGORIE_INCONNUE", 422, {"id_categorie_depense": 987654321}),
        ("DEPENSE_ACTIVITE_INCONNUE", 422, {"id_activite": 987654321}),
        ("NOT_FOUND", 404, {"id_caisse": 987654321}),
    ],
)
def test_a_refused_expense_leaves_no_row(db, depense, rule, status, fields):
    with refused(rule, status=status):
        depense(**fields)
    assert db.one("select count(*) as n from finances.depense") == 0


def test_a_new_base_says_how_to_create_the_first_category(http):
    admin = http.as_admin()
    assert admin.get("/finances/categories-depenses").json() == []
    refusal = admin.post("/finances/depenses", json={"montant": "100", "libelle": "Eau", "id_categorie_depense": "1"})
    assert (refusal.status_code, refusal.json()["code"]) == (422, "DEPENSE_CATEGORIE_INCONNUE")
    assert "POST /finances/categories-depenses" in refusal.json()["message"]


def test_a_closed_or_inactive_till_refuses_an_expense(db, depense):
    caisse = builders.caisse(db, ouverte=False)
    with refused("PERIODE_CAISSE_FERMEE", status=409):
        depense(id_caisse=caisse)
    open_till = builders.caisse(db)
    db.call("finances.caisse_modifier", id_caisse=open_till, champs={"actif": False})
    with refused("CAISSE_INACTIVE", status=409):
        depense(id_caisse=open_till)


def test_the_till_of_the_cashier_pays_whatever_till_the_request_names(db, depense):
    own, other = builders.caisse(db), builders.caisse(db)
    foreign = depense(id_caisse=other)
    without_till = depense(id_activite=PRESSING)
    user = builders.utilisateur(db, role="CAISSIER", caisse=own)
    db.acting(user)
    expense = depense(id_caisse=other)
    assert (expense["id_caisse"], expense["id_utilisateur"]) == (own, user)
    # The filter sans_caisse has no effect for a user of one till.
    listed = db.rows("finances.depense_lister", sans_caisse=True)
    assert [d["id_depense"] for d in listed] == [expense["id_depense"]]
    assert db.rows("finances.depense_lister", id_caisse=own) == listed
    with refused("CAISSE_INTERDITE", status=400):
        db.rows("finances.depense_lister", id_caisse=other)
    with refused("NOT_FOUND", status=404):
        depense(id_activite=RESTAURATION)
    for unseen in (foreign, without_till):
        with refused("NOT_FOUND", status=404):
            db.call("finances.depense_supprimer", id_depense=unseen["id_depense"])
        with refused("NOT_FOUND", status=404):
            db.call("finances.depense_modifier", id_depense=unseen["id_depense"], champs={"libelle": "Vu"})


def test_a_user_of_an_activity_sees_and_books_expenses_of_that_activity_only(db, depense):
    other = builders.caisse(db, activite_code="RESTAURATION")
    foreign = depense(id_activite=RESTAURATION)
    db.acting(builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING))
    expense = depense()
    assert expense["id_activite"] == PRESSING
    assert [d["id_depense"] for d in db.rows("finances.depense_lister")] == [expense["id_depense"]]
    assert db.rows("finances.depense_lister", id_activite=RESTAURATION) == []
    with refused("NOT_FOUND", status=404):
        depense(id_caisse=other)
    with refused("NOT_FOUND", status=404):
        depense(id_activite=RESTAURATION)
    with refused("NOT_FOUND", status=404):
        db.call("finances.depense_modifier", id_depense=expense["id_depense"], champs={"id_activite": 3})
    with refused("NOT_FOUND", status=404):
        db.call("finances.depense_supprimer", id_depense=foreign["id_depense"])
    # Without an activity in the request, the expense gets the user's activity.
    cleared = db.call("finances.depense_modifier", id_depense=expense["id_depense"], champs={"id_activite": None})
    assert cleared["id_activite"] == PRESSING


def test_amount_and_date_change_while_the_period_is_open_and_texts_always(db, depense):
    caisse = builders.caisse(db)
    expense = depense(id_caisse=caisse)
    edited = db.call(
        "finances.depense_modifier",
        id_depense=expense["id_depense"],
        champs={"montant": "26000", "justificatif": "Facture 7", "date": "2026-08-15"},
    )
    assert (float(edited["montant"]), edited["justificatif"]) == (26000, "Facture 7")
    assert str(stored(db, expense["id_depense"])["jour"]) == "2026-08-15"

    db.call("finances.caisse_fermer", id_caisse=caisse)
    for champs in ({"montant": "1"}, {"date": "2026-08-16"}):
        with refused("PERIODE_CAISSE_FERMEE", status=409):
            db.call("finances.depense_modifier", id_depense=expense["id_depense"], champs=champs)
    with refused("PERIODE_CAISSE_FERMEE", status=409):
        db.call("finances.depense_supprimer", id_depense=expense["id_depense"])
    # A new period of the same till does not make the old period editable.
    db.call("finances.caisse_ouvrir", id_caisse=caisse)
    with refused("PERIODE_CAISSE_FERMEE", status=409):
        db.call("finances.depense_modifier", id_depense=expense["id_depense"], champs={"montant": "1"})

    worded = db.call(
        "finances.depense_modifier", id_depense=expense["id_depense"], champs={"libelle": "Encre", "justificatif": None}
    )
    assert (float(worded["montant"]), worded["libelle"], worded["justificatif"]) == (26000, "Encre", None)


@pytest.mark.parametrize(
    ("rule", "status", "champs"),
    [
        ("MONTANT_STRICTEMENT_POSITIF", 400, {"montant": "0"}),
        ("DATE_FUTURE", 400, {"date": "2999-01-01"}),
        ("DEPENSE_CATEGORIE_INCONNUE", 422, {"id_categorie_depense": "987654321"}),
    ],
)
def test_an_invalid_change_of_an_expense_is_refused(db, depense, rule, status, champs):
    expense = depense()
    with refused(rule, status=status):
        db.call("finances.depense_modifier", id_depense=expense["id_depense"], champs=champs)


def test_a_deleted_expense_is_voided(db, depense, categorie):
    caisse = builders.caisse(db)
    expense = depense(id_caisse=caisse)
    other = depense(id_caisse=caisse)
    db.call("finances.depense_supprimer", id_depense=expense["id_depense"])
    assert [d["id_depense"] for d in db.rows("finances.depense_lister")] == [other["id_depense"]]
    row = stored(db, expense["id_depense"])
    assert row["date_annulation"] is not None and float(row["montant"]) == 25000
    for call in ("depense_supprimer", "depense_modifier"):
        with refused("NOT_FOUND", status=404):
            champs = {"champs": {}} if call == "depense_modifier" else {}
            db.call(f"finances.{call}", id_depense=expense["id_depense"], **champs)
    with refused("DEPENSE_SUPPRIMEE", status=409):
        db.execute("update finances.depense set date_annulation = null where id_depense = %s", [expense["id_depense"]])


@pytest.mark.parametrize(
    "change", ["id_caisse = null, id_periode = null", "id_utilisateur = 1", "id_depense = default"]
)
def test_the_till_author_and_id_of_an_expense_never_change(db, depense, change):
    expense = depense(id_caisse=builders.caisse(db))
    with refused("DEPENSE_FIGEE", status=409):
        db.execute(f"update finances.depense set {change} where id_depense = %s", [expense["id_depense"]])


@pytest.mark.utc
def test_the_list_of_expenses_filters_sorts_and_pages(db, depense):
    caisse = builders.caisse(db)
    a = depense(libelle="Café", date="2026-08-01", id_caisse=caisse)["id_depense"]
    b = depense(libelle="Thé vert", date="2026-08-15", id_activite=RESTAURATION)["id_depense"]
    c = depense(libelle="Sucre", date="2026-08-31T23:59:59Z")["id_depense"]

    def ids(**filters):
        return [d["id_depense"] for d in db.rows("finances.depense_lister", **filters)]

    assert ids() == [c, b, a]
    assert ids(recherche="cafe") == [a]
    assert ids(libelle="the") == [b]
    assert ids(du="2026-08-15", au="2026-08-31") == [c, b]
    assert ids(du="2026-08-02", au="2026-08-15") == [b]
    assert ids(id_caisse=caisse) == [a]
    assert ids(sans_caisse=True) == [c, b]
    assert ids(sans_caisse=False) == [c, b, a]
    assert ids(id_activite=PRESSING) == [a]
    assert ids(sort="libelle", order="asc", limit=2) == [a, c]
    assert ids(limit=1, offset=1) == [b]
