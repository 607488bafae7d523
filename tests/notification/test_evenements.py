"""Each event of the catalogue: its real operation emits it once, and only under its condition."""

from itertools import product

import pytest

from tests import builders
from tests.conftest import refused

LARGE = "paiement.important"
TRIAL = "'essais.envoi', 'LOW', 'T', 'C', '{}'"


def events(db, name):
    query = (
        "select evenement, priorite, titre, corps, donnees, permission, id_caisse, stricte "
        "from notification.notification where evenement like %s order by id_notification"
    )
    return db.all(query, [name])


def pay(db, amount, till):
    fields = {"id_moyen": builders.moyen(db), "id_facture": builders.facture(db, total="5000000"), "id_caisse": till}
    return db.call("finances.paiement_creer", montant=amount, **fields)


@pytest.mark.parametrize(("threshold", "amount", "notified"), [
    (None, "999999.99", False), (None, "1000000", True), ("100000", "100000", True),
])  # fmt: skip
def test_a_payment_of_at_least_the_threshold_sends_one_notification(db, threshold, amount, notified):
    if threshold:
        db.call("core.parametre_modifier", cle="SEUIL_PAIEMENT_IMPORTANT", valeur=threshold)
    till = builders.caisse(db)
    payment = pay(db, amount, till)
    rows = events(db, LARGE)
    assert len(rows) == notified
    if notified:
        assert (rows[0]["permission"], rows[0]["id_caisse"], rows[0]["stricte"]) == ("FINANCES.VOIR", till, True)
        assert (rows[0]["titre"], rows[0]["priorite"]) == ("Encaissement important", "HIGH")
        assert rows[0]["donnees"]["id_paiement"] == str(payment["id_paiement"])


def test_an_invalid_threshold_is_refused(db):
    for value in ("", "99999", "0100000", "1000000.5", "-1000000", "un million", "1" * 13):
        with refused("SEUIL_PAIEMENT_INVALIDE", status=400):
            db.call("core.parametre_modifier", cle="SEUIL_PAIEMENT_IMPORTANT", valeur=value)


def test_without_a_threshold_no_payment_sends_a_notification(db):
    db.execute("delete from core.parametre where cle = 'SEUIL_PAIEMENT_IMPORTANT'")
    pay(db, "4000000", builders.caisse(db))
    assert events(db, LARGE) == []


def test_a_large_payment_without_till_notifies_only_users_without_till_or_activity(db):
    """A salary payment has no till. A cashier, who may see payments, receives no notification of it."""
    till = builders.caisse(db)
    free, cashier = builders.utilisateur(db, role="ADMINISTRATEUR"), builders.utilisateur(db, caisse=till)
    bound = builders.utilisateur(db, role="ADMINISTRATEUR", activite=builders.activite(db))
    payment = "insert into finances.paiement (type, montant, id_moyen, motif) values ('DECAISSEMENT', 2000000, %s, %s)"
    db.execute(payment, [builders.moyen(db), "Salaire"])
    assert events(db, LARGE)[0]["corps"].endswith(" : Salaire.")
    for user in (free, cashier, bound):
        db.acting(user)
        expected = [LARGE] if user == free else []
        assert [row["evenement"] for row in db.rows("notification.notification_lister")] == expected, db.account(user)
        assert [row["event"] for row in db.rows("notification.historique")] == expected, db.account(user)
    db.acting(None)
    last = [int(key) for key in db.one("select notification.recentes()")][-1:]
    delivered = db.one("select (l).utilisateurs from notification.livraison(%s, %s) l", [last, [free, cashier, bound]])
    assert delivered == [free]


def test_a_notification_is_delivered_to_exactly_the_users_that_list_it(db):
    """Try each combination of notification and user: the live delivery and the list agree."""
    till, other = builders.caisse(db), builders.caisse(db, activite_code="RESTAURATION")
    pressing, hall = builders.activite(db), builders.activite(db, "SALLE_FETE")
    users = [
        builders.utilisateur(db, role=role, caisse=caisse, activite=activite)
        for role in ("ADMINISTRATEUR", "CAISSIER", "RH")
        for caisse in (None, till, other)
        for activite in (None, pressing, hall)
    ]
    permissions = (None, "FINANCES.VOIR", "RH.VOIR")
    for values in product(permissions, (None, till, other), (None, pressing, hall), (None, users[0]), (False, True)):
        db.execute(f"select notification._emettre({TRIAL}, %s, %s, %s, %s, %s)", values)
    ids = db.one("select notification.recentes()")
    delivered = {user: set() for user in users}
    query = "select ((l).enveloppe).id, (l).utilisateurs from notification.livraison(%s, %s) l"
    rows = db.all(query, [ids, users])
    assert [row["id"] for row in rows] == ids
    for row in rows:
        for user in row["utilisateurs"]:
            delivered[user].add(row["id"])
    for user in users:
        db.acting(user)
        listed = {row["id_notification"] for row in db.rows("notification.notification_lister", limit=500)}
        assert delivered[user] == listed, db.account(user)
    assert len({frozenset(keys) for keys in delivered.values()}) > 12
    db.acting(None)
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [users[1]])
    assert all(users[1] not in row["utilisateurs"] for row in db.all(query, [ids, users]))


def test_the_fingerprint_of_a_user_changes_with_each_change_of_rights(db):
    till = builders.caisse(db)
    user, other = (builders.utilisateur(db, role="CAISSIER") for _ in range(2))

    def fingerprint(owner=user):
        rows = db.rows("notification.droits", utilisateurs=[owner])
        return rows[0]["empreinte"] if rows else None

    fingerprints = [fingerprint()]
    assert fingerprints[0] == fingerprint(other)
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
        fingerprints.append(fingerprint())
    assert len(set(fingerprints)) == len(fingerprints) and fingerprints[-1] is None


def test_recent_ids_start_after_the_given_id(db):
    ids = []
    for _ in range(3):
        db.execute(f"select notification._emettre({TRIAL}, null, null, null, null)")
        ids.append(db.one("select max(id_notification) as id from notification.notification"))
    assert db.one("select notification.recentes(%s)", [ids[0]]) == ids[1:]
    assert db.one("select notification.recentes()")[-3:] == ids
    assert db.one("select notification.recentes(%s)", [ids[-1]]) == []
