"""Each event of the list arises by its real operation, once, and only when it should."""

from __future__ import annotations

import pytest

from tests import builders
from tests.conftest import refused

LARGE = "paiement.important"


def events(db, name):
    query = (
        "select evenement, priorite, titre, corps, donnees, permission, id_caisse, stricte "
        "from notification.notification where evenement like %s order by id_notification"
    )
    return db.all(query, [name])


def pay(db, montant, **fields):
    facture = builders.facture(db, total="5000000")
    return db.call(
        "finances.paiement_creer", montant=montant, id_moyen=builders.moyen(db), id_facture=facture, **fields
    )


@pytest.mark.parametrize(
    "threshold, amount, told",
    [
        (None, "999999.99", False),
        (None, "1000000", True),
        ("100000", "99999.99", False),
        ("100000", "100000", True),
        ("3000000", "2999999", False),
    ],
)
def test_a_large_payment(db, threshold, amount, told):
    if threshold:
        db.call("core.parametre_modifier", cle="SEUIL_PAIEMENT_IMPORTANT", valeur=threshold)
    till = builders.caisse(db)
    payment = pay(db, amount, id_caisse=till)
    found = events(db, LARGE)
    assert len(found) == told
    if told:
        assert (found[0]["permission"], found[0]["id_caisse"], found[0]["stricte"]) == ("FINANCES.VOIR", till, True)
        assert (found[0]["titre"], found[0]["priorite"]) == ("Encaissement important", "HIGH")
        assert found[0]["donnees"]["id_paiement"] == str(payment["id_paiement"])


@pytest.mark.parametrize("value", ["", "99999", "0100000", "1000000.5", "-1000000", "un million", "1" * 13])
def test_a_threshold_that_is_none_is_refused(db, value):
    with refused("SEUIL_PAIEMENT_INVALIDE", status=400):
        db.call("core.parametre_modifier", cle="SEUIL_PAIEMENT_IMPORTANT", valeur=value)


def test_without_a_threshold_nothing_is_told(db):
    db.execute("delete from core.parametre where cle = 'SEUIL_PAIEMENT_IMPORTANT'")
    pay(db, "4000000", id_caisse=builders.caisse(db))
    assert events(db, LARGE) == []


def test_money_of_no_till_is_told_to_nobody_who_is_bound(db):
    """A salary has no till: a cashier, who sees the payments of one, does not hear of it."""
    till = builders.caisse(db)
    people = {
        "free": builders.utilisateur(db, role="ADMINISTRATEUR"),
        "cashier": builders.utilisateur(db, role="CAISSIER", caisse=till),
        "bound": builders.utilisateur(db, role="ADMINISTRATEUR", activite=builders.activite(db)),
    }
    db.execute(
        "insert into finances.paiement (type, montant, id_moyen, motif) "
        "values ('DECAISSEMENT', 2000000, %s, 'Salaire')",
        [builders.moyen(db)],
    )
    assert events(db, LARGE)[0]["corps"].endswith(" : Salaire.")
    for name, user in people.items():
        db.acting(user)
        seen = [row["evenement"] for row in db.rows("notification.notification_lister")]
        assert seen == ([LARGE] if name == "free" else []), name
        history = [row["event"] for row in db.rows("notification.historique")]
        assert history == seen, name
    db.acting(None)
    ids = [int(one) for one in db.one("select notification.recentes()")]
    row = db.one("select (l).utilisateurs from notification.livraison(%s, %s) l", [ids[-1:], list(people.values())])
    assert row == [people["free"]]


def test_a_delivery_says_what_the_list_says(db):
    """One rule: for every kind of notification and of user, who is told is who sees it."""
    till, other = builders.caisse(db), builders.caisse(db, activite_code="RESTAURATION")
    pressing, hall = builders.activite(db), builders.activite(db, "SALLE_FETE")
    users = [
        builders.utilisateur(db, role=role, caisse=caisse, activite=activite)
        for role in ("ADMINISTRATEUR", "CAISSIER", "RH")
        for caisse in (None, till, other)
        for activite in (None, pressing, hall)
    ]
    for permission in (None, "FINANCES.VOIR", "RH.VOIR"):
        for caisse in (None, till, other):
            for activite in (None, pressing, hall):
                for user in (None, users[0]):
                    for strict in (False, True):
                        db.execute(
                            "select notification._emettre('essais.envoi', 'LOW', 'T', 'C', '{}', %s, %s, %s, %s, %s)",
                            [permission, caisse, activite, user, strict],
                        )
    ids = db.one("select notification.recentes()")
    told = {user: set() for user in users}
    query = "select ((l).enveloppe).id, (l).utilisateurs from notification.livraison(%s, %s) l"
    rows = db.all(query, [ids, users])
    assert [row["id"] for row in rows] == ids
    for row in rows:
        for user in row["utilisateurs"]:
            told[user].add(row["id"])
    for user in users:
        db.acting(user)
        seen = {row["id_notification"] for row in db.rows("notification.notification_lister", limit=500)}
        assert told[user] == seen, db.account(user)
    assert len({frozenset(seen) for seen in told.values()}) > 12
    db.acting(None)
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [users[1]])
    assert all(users[1] not in row["utilisateurs"] for row in db.all(query, [ids, users]))


def test_rights_have_a_fingerprint(db):
    till = builders.caisse(db)
    user, other = (builders.utilisateur(db, role="CAISSIER") for _ in range(2))

    def fingerprint(of=user):
        rows = db.rows("notification.droits", utilisateurs=[of])
        return rows[0]["empreinte"] if rows else None

    found = [fingerprint()]
    assert found[0] == fingerprint(other)
    for change in (
        "update auth.utilisateur set id_activite_scope = 3 where id_utilisateur = %(user)s",
        "insert into finances.affectation_caisse (id_utilisateur, id_caisse) values (%(user)s, %(till)s)",
        "delete from auth.role_permission where id_role = (select id_role from auth.role where code = 'CAISSIER') "
        "and id_permission = (select id_permission from auth.permission where code = 'FINANCES.VOIR')",
        "update auth.utilisateur set id_role = (select id_role from auth.role where code = 'RH') "
        "where id_utilisateur = %(user)s",
        "update auth.utilisateur set actif = false where id_utilisateur = %(user)s",
    ):
        db.execute(change, {"user": user, "till": till})
        found.append(fingerprint())
    assert len(set(found)) == len(found) and found[-1] is None


def test_ids_after_one(db):
    ids = []
    for _ in range(3):
        db.execute("select notification._emettre('essais.envoi', 'LOW', 'T', 'C', '{}', null, null, null, null)")
        ids.append(db.one("select max(id_notification) as id from notification.notification"))
    assert db.one("select notification.recentes(%s)", [ids[0]]) == ids[1:]
    assert db.one("select notification.recentes()")[-3:] == ids
    assert db.one("select notification.recentes(%s)", [ids[-1]]) == []
