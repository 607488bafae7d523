"""No one gives more than they have: who may touch a webhook, and what the webhook of an API key receives."""

from dataclasses import replace

import pytest

from tests import builders
from tests.conftest import ok, refusal
from tests.evenement.test_webhook import HOOKS, URL

EVERYTHING = ("ADMIN.VOIR", "ADMIN.CREER", "ADMIN.MODIFIER", "ADMIN.SUPPRIMER")
WRITES = [
    ("PATCH", "", {"url": "https://ailleurs.example.com/"}), ("POST", "/secret", {}),
    ("POST", "/rejouer", {"apres": "0"}), ("POST", "/essayer", {}), ("DELETE", "", None),
]  # fmt: skip


def make(http, **fields):
    return str(ok(http.post(HOOKS, json={"url": URL, "types": ["paiement.recu"]} | fields), 201)["id_webhook"])


def key(http, user, *permissions, **fields):
    body = {"libelle": "Comptabilité", "permissions": [*EVERYTHING, *permissions]} | fields
    return ok(http.as_user(user).post("/auth/cles", json=body), 201)


def program(http, user, *permissions, **fields):
    """A client with a new key of the user."""
    return replace(http, token=key(http, user, *permissions, **fields)["cle"])


def lot(db, hook):
    db.acting(None)
    db.settle()
    return db.call("jobs.webhook_lot", id_webhook=hook, limite=100)


def pay(db, till=None):
    db.acting(None)
    db.call("finances.paiement_creer", montant="10", id_moyen=1, id_caisse=till or builders.caisse(db))


@pytest.fixture
def limited(db):
    return int(builders.utilisateur(db, role="ADMINISTRATEUR", activite=builders.activite(db, "RESTAURATION")))


def test_a_limited_administrator_reaches_no_webhook_of_a_freer_one(http, db, limited):
    hook = make(http.as_admin(), id_activite=str(builders.activite(db, "PRESSING")))
    other = http.as_user(limited)
    assert other.get(HOOKS).json() == []
    for method, path, body in [("GET", "", None), ("GET", "/livraisons", None), *WRITES]:
        assert refusal(other.request(method, f"{HOOKS}/{hook}{path}", json=body)) == (403, "POUVOIR_DEPASSE"), path
    own = make(other)
    assert [row["id_webhook"] for row in other.get(HOOKS).json()] == [own]
    assert [row["id_webhook"] for row in http.as_admin().get(HOOKS).json()] == [hook, own]


def test_a_key_reaches_no_webhook_that_receives_more(http, db):
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    hook = make(http.as_user(user))
    reader = program(http, user, "CLIENT.VOIR")
    assert reader.get(HOOKS).json() == []
    for method, path, body in WRITES:
        assert refusal(reader.request(method, f"{HOOKS}/{hook}{path}", json=body)) == (403, "POUVOIR_DEPASSE"), path
    own = make(reader)
    assert reader.patch(f"{HOOKS}/{own}", json={"description": "Le mien"}).status_code == 200


def test_the_webhook_of_a_key_receives_what_the_key_may_read(http, db):
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    blind = make(program(http, user, "CLIENT.VOIR"))
    seeing = make(program(http, user, "FINANCES.VOIR"))
    pay(db)
    assert len(lot(db, seeing)["identifiants"]) == 1
    assert lot(db, blind)["identifiants"] == []


@pytest.mark.parametrize("bound", ["id_caisse", "id_activite"])
def test_the_webhook_of_a_key_stays_in_its_till_and_activity(http, db, bound):
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    till = builders.caisse(db)
    # A key of a till is tried beside another till of its activity.
    elsewhere = builders.caisse(db, activite_code="PRESSING" if bound == "id_caisse" else "RESTAURATION")
    own = {"id_caisse": till, "id_activite": builders.activite(db, "PRESSING")}[bound]
    hook = make(program(http, user, "FINANCES.VOIR", **{bound: str(own)}))
    pay(db, elsewhere)
    assert lot(db, hook)["identifiants"] == []
    pay(db, till)
    assert len(lot(db, hook)["identifiants"]) == 1


def test_the_webhook_of_a_deleted_key_stops_and_keeps_the_limits_of_the_key(http, db):
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    made = key(http, user, "CLIENT.VOIR")
    hook = make(replace(http, token=made["cle"]))
    assert http.as_user(user).delete(f"/auth/cles/{made['id_cle']}").status_code == 204
    [row] = http.as_user(user).get(HOOKS).json()
    assert (row["etat"], row["id_cle"]) == ("SUSPENDU", None)
    assert http.as_user(user).patch(f"{HOOKS}/{hook}", json={"actif": True}).json()["etat"] == "ACTIF"
    pay(db)
    assert lot(db, hook)["identifiants"] == []


def test_the_webhook_of_an_expired_key_stops_and_loses_no_event(http, db):
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    made = key(http, user, "FINANCES.VOIR")
    hook = make(replace(http, token=made["cle"]))
    pay(db)
    db.execute("update auth.cle set expire_le = now() where id_cle = %s", [made["id_cle"]])
    assert lot(db, hook)["url"] is None
    assert http.as_user(user).get(f"{HOOKS}/{hook}").json()["etat"] == "SUSPENDU"
    http.as_user(user).patch(f"{HOOKS}/{hook}", json={"actif": True})
    assert len(lot(db, hook)["identifiants"]) == 1


def test_the_notice_of_a_stopped_webhook_does_not_show_its_address(http, db):
    hook = make(http.as_admin())
    db.one("select evenement._webhook_arreter(%s, 410)", [hook])
    [notice] = db.all("select titre || corps || donnees as text from notification.notification"
                      " where evenement = 'webhook.en_panne'")  # fmt: skip
    assert "example.com" not in notice["text"] and f"n° {hook}" in notice["text"]
