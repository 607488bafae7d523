"""Till counts: the database computes the expected amount, a till has one count a day, a gap sends a notification."""

import pytest

from tests import builders
from tests.conftest import refused

PRESSING = 2


def pay(db, caisse, montant, **fields):
    return db.call("finances.paiement_creer", montant=str(montant), id_moyen=1, id_caisse=caisse, **fields)


@pytest.fixture
def categorie(db):
    return db.call("finances.categorie_depense_creer", libelle="Menue dépense")["id_categorie_depense"]


def spend(db, caisse, categorie, montant, **fields):
    return db.call(
        "finances.depense_creer",
        montant=str(montant),
        libelle="Achat",
        id_categorie_depense=categorie,
        id_caisse=caisse,
        **fields,
    )


def gaps(db):
    return db.rows("notification.notification_lister")


def test_a_correct_count_sends_no_notification(db, categorie):
    caisse = builders.caisse(db)
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    db.acting(user)
    pay(db, caisse, "1000.50")
    spend(db, caisse, categorie, "200")
    tirage = db.call("finances.tirage_creer", montant_compte="800.50", id_caisse=caisse, note="Juste")
    assert list(tirage) == [
        "id",
        "id_tirage",
        "id_caisse",
        "date",
        "montant_compte",
        "montant_attendu",
        "ecart",
        "note",
        "id_utilisateur",
        "login",
    ]
    assert tirage["id"] == tirage["id_tirage"]
    assert (float(tirage["montant_attendu"]), float(tirage["ecart"])) == (800.5, 0)
    assert (tirage["note"], tirage["id_utilisateur"]) == ("Juste", user)
    assert tirage["login"] == db.one("select login from auth.utilisateur where id_utilisateur = %s", [user])
    assert str(tirage["date"]) == str(db.one("select core.aujourdhui() as jour"))
    assert gaps(db) == []


def test_the_expected_amount_leaves_out_the_float(db):
    caisse = builders.caisse(db, ouverte=False)
    db.call("finances.caisse_ouvrir", id_caisse=caisse, fond_initial="5000")
    tirage = db.call("finances.tirage_creer", montant_compte="0", id_caisse=caisse)
    assert (float(tirage["montant_attendu"]), float(tirage["ecart"])) == (0, 0)


def test_a_gap_notifies_only_the_users_that_see_the_till(db):
    caisse, other = builders.caisse(db), builders.caisse(db)
    own = builders.utilisateur(db, role="CAISSIER", caisse=caisse)
    neighbour = builders.utilisateur(db, role="CAISSIER", caisse=other)
    manager = builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING)
    elsewhere = builders.utilisateur(db, role="RESPONSABLE_RESTAURANT", activite=3)
    without_permission = builders.utilisateur(db, role="RH")
    pay(db, caisse, "1000")
    tirage = db.call("finances.tirage_creer", montant_compte="900", id_caisse=caisse)
    assert float(tirage["ecart"]) == -100

    (alert,) = gaps(db)
    assert (alert["evenement"], alert["priorite"], alert["lue"]) == ("finances.tirage.ecart", "HIGH", False)
    assert alert["donnees"]["id_tirage"] == str(tirage["id_tirage"])
    assert alert["donnees"]["id_caisse"] == str(caisse)
    assert alert["donnees"]["ecart"] == -100
    for user, sees in ((own, 1), (neighbour, 0), (manager, 1), (elsewhere, 0), (without_permission, 0)):
        db.acting(user)
        assert len(gaps(db)) == sees


def test_a_till_is_counted_once_a_day(db):
    caisse = builders.caisse(db)
    db.call("finances.tirage_creer", montant_compte="0", id_caisse=caisse)
    with refused("TIRAGE_DEJA_FAIT", status=409):
        db.call("finances.tirage_creer", montant_compte="5", id_caisse=caisse)
    assert gaps(db) == []  # the refused count sent no notification
    db.call("finances.tirage_creer", montant_compte="0", id_caisse=caisse, date="2026-08-24")


@pytest.mark.parametrize(
    ("rule", "status", "fields"),
    [
        ("CAISSE_OBLIGATOIRE", 400, {}),
        ("NOT_FOUND", 404, {"id_caisse": 987654321}),
        ("DATE_FUTURE", 400, {"id_caisse": "own", "date": "2999-01-01"}),
        ("MONTANT_POSITIF", 400, {"id_caisse": "own", "montant_compte": "-1"}),
    ],
)
def test_a_refused_count_leaves_no_row_and_no_notification(db, rule, status, fields):
    caisse = builders.caisse(db)
    if fields.get("id_caisse") == "own":
        fields = fields | {"id_caisse": caisse}
    with refused(rule, status=status):
        db.call("finances.tirage_creer", **({"montant_compte": "10"} | fields))
    assert db.rows("finances.tirage_lister") == []
    assert gaps(db) == []


def test_a_user_of_a_till_counts_and_sees_that_till_only(db):
    own, other = builders.caisse(db), builders.caisse(db)
    db.call("finances.tirage_creer", montant_compte="0", id_caisse=other)
    db.acting(builders.utilisateur(db, role="CAISSIER", caisse=own))
    with refused("CAISSE_INTERDITE", status=400):
        db.call("finances.tirage_creer", montant_compte="0", id_caisse=other, date="2026-08-24")
    tirage = db.call("finances.tirage_creer", montant_compte="0")
    assert tirage["id_caisse"] == own
    assert db.rows("finances.tirage_lister") == [tirage]
    assert db.rows("finances.tirage_lister", id_caisse=other) == []


def test_a_user_of_an_activity_counts_its_tills_only(db):
    own, other = builders.caisse(db), builders.caisse(db, activite_code="RESTAURATION")
    db.call("finances.tirage_creer", montant_compte="0", id_caisse=other)
    db.acting(builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING))
    with refused("NOT_FOUND", status=404):
        db.call("finances.tirage_creer", montant_compte="0", id_caisse=other, date="2026-08-24")
    tirage = db.call("finances.tirage_creer", montant_compte="0", id_caisse=own)
    assert db.rows("finances.tirage_lister") == [tirage]


def test_the_list_of_counts_filters_by_day_and_till(db):
    a, b = builders.caisse(db), builders.caisse(db)
    for caisse, jour in ((a, "2026-08-01"), (b, "2026-08-02"), (a, "2026-08-03")):
        db.call("finances.tirage_creer", montant_compte="0", id_caisse=caisse, date=jour)

    def days(**filters):
        return [str(t["date"]) for t in db.rows("finances.tirage_lister", **filters)]

    assert days() == ["2026-08-03", "2026-08-02", "2026-08-01"]
    assert days(du="2026-08-02", au="2026-08-02") == ["2026-08-02"]
    assert days(id_caisse=a) == ["2026-08-03", "2026-08-01"]
