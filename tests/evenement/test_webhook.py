"""Webhooks over HTTP: making, changing and trying them, the keys, and the addresses that are refused."""

import base64
import ipaddress

import pytest

from app.auth.encrypted import Secrets
from app.jobs.webhooks import Sender
from tests import builders
from tests.conftest import ok, refusal
from tests.receiver import genuine, receiving

HOOKS = "/admin/webhooks"
URL = "https://compta.example.com/comptoir"
LOOPBACK = [ipaddress.ip_network("127.0.0.0/8")]


def make(http, **fields):
    return ok(http.as_admin().post(HOOKS, json={"url": URL, "types": ["paiement.recu"]} | fields), 201)


@pytest.fixture
def loopback(http, monkeypatch):
    """The service sends to this machine."""
    sender = Sender(LOOPBACK, http.services.secrets, encrypted=False)
    monkeypatch.setattr(http.services, "sender", sender)
    yield sender
    http.runner.run(sender.close())


def test_a_webhook_shows_its_key_once(http, db):
    made = make(http, types=["paiement.recu", "facture.emise"], description="Comptabilité")
    assert (made["url"], made["etat"], made["types"]) == (URL, "ACTIF", ["paiement.recu", "facture.emise"])
    assert made["secret"].startswith("whsec_") and len(base64.b64decode(made["secret"].removeprefix("whsec_"))) == 32
    admin = http.as_admin()
    shown = admin.get(f"{HOOKS}/{made['id_webhook']}").json()
    assert [shown] == admin.get(HOOKS).json() and "secret" not in shown
    assert shown["tentatives"] == 0 and shown["prochain_essai"] is None


def test_no_table_holds_the_key_of_a_webhook(http, db):
    """Neither the secret of the webhooks, nor the first answers kept for a repeated request."""
    admin, key = http.as_admin(), {"Idempotency-Key": "cle-chiffree"}
    body = {"url": URL, "types": ["paiement.recu"]}
    made = admin.post(HOOKS, json=body, headers=key)
    again = admin.post(HOOKS, json=body, headers=key)
    assert again.headers["idempotency-replayed"] == "true" and again.content == made.content
    new = admin.post(f"{HOOKS}/{made.json()['id_webhook']}/secret", headers={"Idempotency-Key": "autre"}).json()
    for secret in (made.json()["secret"], new["secret"]):
        assert secret.startswith("whsec_")
        for table in ("evenement.webhook_secret", "evenement.webhook", "audit.journal"):
            assert secret not in str(db.all(f"select t::text from {table} t")), table
        assert db.one("select count(*) from core.idempotence where position(%s in reponse) > 0", [secret.encode()]) == 0
    assert db.one("select count(*) from evenement.webhook_secret where starts_with(secret, 'chiffre:')") == 2


def test_a_webhook_is_changed_suspended_resumed_and_deleted(http, db):
    admin, hook = http.as_admin(), f"{HOOKS}/{make(http)['id_webhook']}"
    changed = admin.patch(hook, json={"types": ["client.cree"], "url": f"{URL}/2"}).json()
    assert (changed["types"], changed["url"], changed["etat"]) == (["client.cree"], f"{URL}/2", "ACTIF")
    assert refusal(admin.patch(hook, json={"actif": None})) == (400, "VALIDATION_ERROR")
    assert admin.patch(hook, json={"actif": False}).json()["etat"] == "SUSPENDU"
    assert admin.patch(hook, json={"description": "Clients"}).json()["etat"] == "SUSPENDU"
    assert admin.patch(hook, json={"actif": True}).json()["etat"] == "ACTIF"
    assert admin.delete(hook).status_code == 204
    assert refusal(admin.get(hook)) == (404, "NOT_FOUND")
    assert db.one("select count(*) from evenement.webhook_secret") == 0


def test_an_invalid_webhook_is_refused(http, db):
    admin, body, hook = http.as_admin(), {"url": URL, "types": ["paiement.recu"]}, f"{HOOKS}/{make(http)['id_webhook']}"
    malformed = ("ftp://compta.example.com", "https://moi:secret@compta.example.com/", "https://", None)
    private = ("http://127.0.0.1:8000/", "https://[::1]/", "https://169.254.169.254/latest/meta-data")
    wrong = [
        ({"types": []}, "WEBHOOK_SANS_TYPE"), ({"types": ["facture.perdue"]}, "TYPE_INCONNU"),
        *(({"url": url}, "VALIDATION_ERROR") for url in malformed),
        *(({"url": url}, "ADRESSE_INTERDITE") for url in private),
    ]  # fmt: skip
    for fields, code in wrong:
        assert refusal(admin.post(HOOKS, json=body | fields)) == (400, code), fields
        assert refusal(admin.patch(hook, json=fields)) == (400, code), fields
    assert db.one("select count(*) from evenement.webhook") == 1


def test_a_new_key_signs_beside_the_former_one_for_a_day(http, db, loopback):
    with receiving() as receiver:
        made = make(http, url=receiver.url)
        hook = f"{HOOKS}/{made['id_webhook']}"
        new = http.as_admin().post(f"{hook}/secret").json()["secret"]
        assert new != made["secret"]
        tried = http.as_admin().post(f"{hook}/essayer").json()
        assert (tried["code"], tried["reponse"], tried["erreur"]) == (200, "bien recu", None)
        db.execute("update evenement.webhook_secret set date_expiration = now() where date_expiration is not null")
        http.as_admin().post(f"{hook}/essayer")
    both, alone = receiver.deliveries
    assert genuine(both, [made["secret"]]) and genuine(both, [new])
    assert genuine(alone, [new]) and not genuine(alone, [made["secret"]])


def test_the_trial_tells_of_a_receiver_that_fails(http, loopback):
    with receiving() as receiver:
        hook = f"{HOOKS}/{make(http, url=receiver.url)['id_webhook']}/essayer"
        receiver.answer = lambda _: 500
        assert http.as_admin().post(hook).json()["code"] == 500
        http.runner.run(loopback.close())
    answer = http.as_admin().post(hook)
    assert (answer.status_code, answer.json()["code"]) == (200, None)
    assert "Connexion impossible" in answer.json()["erreur"]


def test_a_webhook_whose_key_does_not_open_says_what_is_missing(http, loopback):
    with receiving() as receiver:
        hook = f"{HOOKS}/{make(http, url=receiver.url)['id_webhook']}/essayer"
        loopback._secrets = Secrets("another key of the service")
        answer = http.as_admin().post(hook)
        assert (answer.status_code, answer.json()["code"]) == (200, None)
        assert "SECRETS_CLE" in answer.json()["erreur"] and receiver.deliveries == []


def test_a_webhook_of_a_deactivated_account_stops_until_another_resumes_it(http, db):
    admin = http.as_admin()
    owner = builders.utilisateur(db, role="ADMINISTRATEUR")
    hook = http.as_user(owner).post(HOOKS, json={"url": URL, "types": ["paiement.recu"]}).json()["id_webhook"]
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [owner])
    assert admin.get(f"{HOOKS}/{hook}").json()["etat"] == "SUSPENDU"
    resumed = admin.patch(f"{HOOKS}/{hook}", json={"actif": True}).json()
    assert resumed["etat"] == "ACTIF" and resumed["id_utilisateur"] != str(owner)


def test_a_webhook_beyond_the_limits_of_its_owner_gets_nothing(http, db):
    """Neither the events of its own activity, nor those without an activity."""
    owner = builders.utilisateur(db, role="DIRIGEANT")
    db.acting(owner)
    types = ["signalement.ouvert"]
    made = db.call(
        "evenement.webhook_creer", url="https://compta.example.com/", types=types, chiffre="chiffre:",
        id_activite=builders.activite(db, "RESTAURATION"),
    )  # fmt: skip
    db.acting(None)
    scope = builders.activite(db, "PRESSING")
    db.execute("update auth.utilisateur set id_activite_scope = %s where id_utilisateur = %s", [scope, owner])
    for activity in (None, builders.activite(db, "RESTAURATION")):
        db.call("signalement.signalement_creer", titre="Fuite", description="Sous l'évier", id_activite=activity)
    db.settle()
    lot = db.call("jobs.webhook_lot", id_webhook=made["id_webhook"], limite=100)
    assert lot["url"] is not None and lot["identifiants"] == []
