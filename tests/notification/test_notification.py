"""Notifications: permission, till and activity limit what a user sees, and each user marks notifications as read."""

from tests import builders
from tests.conftest import refused

PRESSING, RESTAURATION = 2, 3


def emit(db, permission=None, caisse=None, activite=None, utilisateur=None, titre="Essai"):
    db.execute(
        "select notification._emettre('essais.envoi', 'LOW', %s, 'Corps', '{\"id_objet\": \"7\"}', %s, %s, %s, %s)",
        [titre, permission, caisse, activite, utilisateur],
    )
    return db.one("select max(id_notification) as id from notification.notification")


def listed(db, **filters):
    return [n["id_notification"] for n in db.rows("notification.notification_lister", **filters)]


def test_notifications_are_listed_newest_first(db):
    first, second = emit(db), emit(db)
    assert listed(db) == [second, first]
    row = db.rows("notification.notification_lister")[0]
    assert list(row) == ["id_notification", "evenement", "priorite", "titre", "corps", "donnees", "date", "lue"]
    assert (row["evenement"], row["priorite"], row["donnees"]) == ("essais.envoi", "LOW", {"id_objet": "7"})


def test_users_list_the_notifications_of_their_permissions_till_and_activity(db):
    till = builders.caisse(db)
    cashier = builders.utilisateur(db, role="CAISSIER", caisse=till)
    manager = builders.utilisateur(db, role="RESPONSABLE_RESTAURANT", activite=RESTAURATION)
    rh, admin = (builders.utilisateur(db, role=role) for role in ("RH", "ADMINISTRATEUR"))
    of_all, of_finances = emit(db), emit(db, permission="FINANCES.VOIR")
    of_till, of_activity = emit(db, permission="FINANCES.VOIR", caisse=till), emit(db, activite=RESTAURATION)
    of_rh, personal = emit(db, permission="RH.VOIR"), emit(db, utilisateur=rh)
    for user, expected in (
        (cashier, [of_all, of_finances, of_till]),
        # A user without a till sees the notifications of every till in the user's activity.
        (manager, [of_all, of_finances, of_till, of_activity]),
        (rh, [of_all, of_activity, of_rh, personal]),
        (admin, [of_all, of_finances, of_till, of_activity, of_rh]),
    ):
        db.acting(user)
        assert listed(db) == expected[::-1], db.account(user)


def test_marking_a_notification_read_concerns_one_user_and_happens_once(db):
    reader, other = (builders.utilisateur(db, role="ADMINISTRATEUR") for _ in range(2))
    read, unread = emit(db), emit(db)
    db.acting(reader)
    for _ in range(2):
        answer = db.call("notification.notification_lire", id_notification=read)
        assert (answer["id_notification"], answer["lue"]) == (read, True)
    assert (listed(db, lue=True), listed(db, lue=False)) == ([read], [unread])
    assert db.one("select count(*) as n from notification.lecture") == 1
    db.acting(other)
    assert listed(db, lue=False) == [unread, read]


def test_a_hidden_notification_is_not_found_like_an_unknown_one(db):
    hidden = emit(db, permission="RH.VOIR")
    db.acting(builders.utilisateur(db, role="RESPONSABLE_PRESSING", activite=PRESSING))
    for key in (hidden, 987654321):
        with refused("NOT_FOUND", status=404):
            db.call("notification.notification_lire", id_notification=key)


def test_the_search_ignores_case_and_accents(db):
    match = emit(db, titre="Écart de caisse")
    emit(db)
    assert listed(db, recherche="ecart") == [match]
