"""Till counts: the database computes the expected amount, a till has one count a day, a gap sends a notification."""

from tests import builders
from tests.conftest import refused

PRESSING = 2


def count(db, caisse=None, compte="0", **fields):
    return db.call("finances.tirage_creer", montant_compte=compte, id_caisse=caisse, **fields)


def gaps(db):
    return db.rows("notification.notification_lister")


def test_a_correct_count_sends_no_notification(db):
    caisse, user = builders.caisse(db), builders.utilisateur(db, role="ADMINISTRATEUR")
    db.acting(user)
    builders.paiement(db, "1000.50", id_caisse=caisse)
    builders.depense(db, "200", id_caisse=caisse)
    tirage = count(db, caisse, "800.50", note="Juste")
    assert tirage["id"] == tirage["id_tirage"]
    assert (float(tirage["montant_attendu"]), float(tirage["ecart"])) == (800.5, 0)
    login = db.one("select login from auth.utilisateur where id_utilisateur = %s", [user])
    assert (tirage["note"], tirage["id_utilisateur"], tirage["login"]) == ("Juste", user, login)
    assert tirage["date"] == db.today()
    assert gaps(db) == []


def test_the_expected_amount_leaves_out_the_float(db):
    caisse = builders.caisse(db, ouverte=False)
    db.call("finances.caisse_ouvrir", id_caisse=caisse, fond_initial="5000")
    tirage = count(db, caisse)
    assert (float(tirage["montant_attendu"]), float(tirage["ecart"])) == (0, 0)


def test_a_gap_notifies_only_the_users_that_see_the_till(db):
    caisse, other = builders.caisse(db), builders.caisse(db)
    users = [
        (builders.utilisateur(db, role="CAISSIER", caisse=caisse), 1),
        (builders.utilisateur(db, role="CAISSIER", caisse=other), 0),
        (builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING), 1),
        (builders.utilisateur(db, role="RESPONSABLE_RESTAURANT", activite=3), 0),
        (builders.utilisateur(db, role="RH"), 0),
    ]
    builders.paiement(db, "1000", id_caisse=caisse)
    tirage = count(db, caisse, "900")
    assert float(tirage["ecart"]) == -100
    (alert,) = gaps(db)
    assert (alert["evenement"], alert["priorite"], alert["lue"]) == ("finances.tirage.ecart", "HIGH", False)
    expected = {"id_tirage": str(tirage["id_tirage"]), "id_caisse": str(caisse), "ecart": -100}
    assert expected.items() <= alert["donnees"].items()
    for user, sees in users:
        db.acting(user)
        assert len(gaps(db)) == sees


def test_a_till_is_counted_once_a_day(db):
    caisse = builders.caisse(db)
    count(db, caisse)
    with refused("TIRAGE_DEJA_FAIT", status=409):
        count(db, caisse, "5")
    count(db, caisse, date="2026-08-24")


def test_direct_sql_cannot_change_or_delete_a_count(db):
    tirage = count(db, builders.caisse(db), "800")["id_tirage"]
    for statement in ("update finances.tirage set montant_compte = 1000", "delete from finances.tirage"):
        with refused("TIRAGE_FIGE", 409):
            db.execute(f"{statement} where id_tirage = %s", [tirage])


def test_an_invalid_count_is_refused(db):
    caisse = builders.caisse(db)
    for rule, status, fields in (
        ("CAISSE_OBLIGATOIRE", 400, {}),
        ("NOT_FOUND", 404, {"caisse": 987654321}),
        ("DATE_FUTURE", 400, {"caisse": caisse, "date": "2999-01-01"}),
        ("MONTANT_POSITIF", 400, {"caisse": caisse, "compte": "-1"}),
    ):
        with refused(rule, status=status):
            count(db, **{"compte": "10"} | fields)


def test_a_user_of_a_till_counts_and_sees_that_till_only(db):
    own, other = builders.caisse(db), builders.caisse(db)
    count(db, other)
    db.acting(builders.utilisateur(db, role="CAISSIER", caisse=own))
    with refused("CAISSE_INTERDITE", status=400):
        count(db, other, date="2026-08-24")
    tirage = count(db)
    assert tirage["id_caisse"] == own
    assert db.rows("finances.tirage_lister") == [tirage]
    assert db.rows("finances.tirage_lister", id_caisse=other) == []


def test_the_list_of_counts_filters_by_day_and_till(db):
    a, b = builders.caisse(db), builders.caisse(db)
    first, second, third = (
        count(db, caisse, date=f"2026-08-0{n}")["id_tirage"] for n, caisse in enumerate((a, b, a), start=1)
    )
    for expected, filters in (
        ([third, second, first], {}),
        ([second], {"du": "2026-08-02", "au": "2026-08-02"}),
        ([third, first], {"id_caisse": a}),
    ):
        assert [t["id_tirage"] for t in db.rows("finances.tirage_lister", **filters)] == expected
