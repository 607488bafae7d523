"""A stolen token is no lasting hold: what gives power asks for a sign-in, or the password, of the last five minutes."""

from dataclasses import replace
from typing import Any

import pyotp
import pytest

from tests import builders
from tests.auth.conftest import Box, permission_id, renew, role_id, session
from tests.conftest import Db, Http, ok, refusal

PROOF = "/auth/preuve"
REFUSED = (403, "PREUVE_REQUISE")
KEY = {"libelle": "Comptabilité", "permissions": ["CLIENT.VOIR"]}
HOOK = {"url": "https://compta.example.com/", "types": ["paiement.recu"]}


def later(db: Db) -> None:
    """Six minutes pass for the sessions."""
    db.execute("update auth.jeton_rafraichissement set date_connexion = date_connexion - interval '6 minutes',"
               " date_preuve = date_preuve - interval '6 minutes'")  # fmt: skip


def powers(db: Db) -> list[tuple[str, str, Any]]:
    """Requests of which each gives lasting power."""
    user = builders.utilisateur(db, role="DIRIGEANT")
    client = builders.client(db, email="awa@exemple.ci")
    builders.utilisateur(db, role="CLIENT", id_client=client)
    role, permission = role_id(db, "DIRIGEANT"), permission_id(db, "RH.CREER")
    activity, till = builders.activite(db, "RESTAURATION"), builders.caisse(db)
    account = f"/admin/utilisateurs/{user}"
    new = {"login": "moussa.exemple", "mot_de_passe": "un autre mot de passe 7", "id_role": str(role)}
    return [
        ("POST", "/auth/a2f", None),
        ("POST", "/auth/cles", KEY),
        ("POST", "/admin/utilisateurs", new),
        ("PATCH", account, {"email": "moussa@exemple.ci"}),
        ("PATCH", account, {"login": "moussa.autre"}),
        ("PATCH", account, {"id_role": str(role_id(db, "RH"))}),
        ("PATCH", account, {"id_activite_scope": str(activity)}),
        ("PATCH", account, {"id_activite_scope": None, "id_caisse": str(till)}),
        ("POST", f"{account}/reinitialiser-mot-de-passe", {"nouveau_mot_de_passe": "un autre mot de passe 7"}),
        ("DELETE", f"{account}/a2f", None),
        ("POST", f"/admin/roles/{role}/permissions", {"id_permission": str(permission)}),
        ("PUT", f"/admin/roles/{role}/permissions", {"id_permissions": [str(permission)]}),
        ("POST", "/admin/webhooks", HOOK),
        ("PATCH", f"/client/clients/{client}", {"email": "moussa@exemple.ci"}),
    ]


def test_each_lasting_power_asks_for_a_fresh_proof(http: Http, db: Db) -> None:
    requests, admin = powers(db), http.as_admin()
    assert admin.post("/auth/a2f").status_code == 200  # the sign-in of the last five minutes is enough
    later(db)
    for method, path, body in requests:
        answer = admin.request(method, path, json=body)
        assert refusal(answer) == REFUSED, (method, path, answer.text)
        assert "reconnectez-vous" in answer.json()["message"] and "/auth/preuve" in answer.json()["message"]
    assert admin.post(PROOF, json={"mot_de_passe": builders.PASSWORD}).status_code == 200
    for method, path, body in requests:
        assert admin.request(method, path, json=body).is_success, path
    later(db)
    assert refusal(admin.post("/auth/a2f")) == REFUSED


def test_the_address_and_the_key_of_a_webhook_ask_for_a_fresh_proof(http: Http, db: Db) -> None:
    admin = http.as_admin()
    made = admin.post("/admin/webhooks", json=HOOK).json()
    hook = f"/admin/webhooks/{made['id_webhook']}"
    later(db)
    assert refusal(admin.patch(hook, json={"url": "https://ailleurs.example.com/"})) == REFUSED
    assert refusal(admin.post(f"{hook}/secret")) == REFUSED
    assert admin.patch(hook, json={"url": made["url"], "actif": False}).status_code == 200


def test_a_name_and_a_closing_ask_for_no_proof(http: Http, db: Db) -> None:
    admin, user = http.as_admin(), builders.utilisateur(db, role="DIRIGEANT")
    shown = admin.get(f"/admin/utilisateurs/{user}").json()
    later(db)
    fields = ("login", "id_role", "id_activite_scope", "id_caisse", "id_client", "email", "actif")
    form = {name: shown[name] for name in fields} | {"nom": "Exemple", "prenom": "Awa"}  # a client sends its whole form
    assert admin.patch(f"/admin/utilisateurs/{user}", json=form).json()["nom"] == "Exemple"
    assert admin.post(f"/admin/utilisateurs/{user}/desactiver").status_code == 200
    assert refusal(admin.patch(f"/admin/utilisateurs/{user}", json={"actif": True})) == REFUSED


def test_a_key_gives_no_power_that_outlives_it(http: Http, db: Db) -> None:
    user = builders.utilisateur(db, role="ADMINISTRATEUR")
    every = [row["code"] for row in db.all("select code from auth.permission")]
    body = {"libelle": "Essai", "permissions": every}
    program = replace(http, token=http.as_user(user).post("/auth/cles", json=body).json()["cle"])
    for method, path, sent in powers(db):
        if not path.startswith(("/auth/", "/admin/webhooks")):
            answer = program.request(method, path, json=sent)
            assert refusal(answer) == REFUSED and "clé d'API" in answer.text, path


def test_the_proof_of_a_session_serves_this_session_while_it_is_open(http: Http, db: Db, boss: int) -> None:
    stolen, own = session(http, db, boss), session(http, db, boss)
    later(db)
    assert http.post(PROOF, token=own["accessToken"], json={"mot_de_passe": builders.PASSWORD}).status_code == 200
    assert refusal(http.post("/auth/a2f", token=stolen["accessToken"])) == REFUSED
    renewed = renew(http, own).json()
    assert http.post("/auth/a2f", token=renewed["accessToken"]).status_code == 200
    http.post("/auth/logout", json={"refresh_token": renewed["refreshToken"]})
    for token in (own["accessToken"], renewed["accessToken"]):
        assert refusal(http.post("/auth/a2f", token=token)) == REFUSED


def test_a_wrong_password_proves_nothing_and_is_recorded(http: Http, db: Db, boss: int) -> None:
    person = http.as_user(boss)
    later(db)
    for answer in [(400, "VALIDATION_ERROR")] * 5 + [(429, "TOO_MANY_REQUESTS")]:
        assert refusal(person.post(PROOF, json={"mot_de_passe": "faux"})) == answer
    assert refusal(person.post("/auth/a2f")) == REFUSED
    rows = db.all("select code_faux from auth.connexion where id_utilisateur = %s and not succes", [boss])
    assert [row["code_faux"] for row in rows] == [False] * 6


def test_a_new_key_is_written_to_the_owner(http: Http, boss: int, box: Box) -> None:
    for _ in range(2):  # the second is a replay
        ok(http.as_user(boss).post("/auth/cles", json=KEY, headers={"idempotency-key": "une-cle-de-plus-de-16"}))
    [(address, _, letter)] = box.sent
    assert address == "awa@exemple.ci" and "Comptabilité (cpt_live_" in letter.text


def test_the_letters_are_queued_with_what_they_announce(
    http: Http, db: Db, boss: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(http.services.settings, kvstore_url="redis://127.0.0.1:1/0")
    monkeypatch.setattr(http.services, "settings", settings)
    person = http.as_user(boss)
    person.post("/auth/cles", json=KEY)
    person.post("/auth/a2f")
    for _ in range(3):
        person.post("/auth/a2f/confirmer", json={"code": "000000"})
    other = http.as_user(builders.utilisateur(db, role="DIRIGEANT", email="koffi@exemple.ci"))
    secret = other.post("/auth/a2f").json()["secret"]
    assert other.post("/auth/a2f/confirmer", json={"code": pyotp.TOTP(secret).now()}).status_code == 200
    jobs = db.all("select args ->> 'modele' as letter, args -> 'faits' as facts from queue.procrastinate_jobs"
                  " where task_name = 'avertir' order by id")  # fmt: skip
    assert [job["letter"] for job in jobs] == ["cle", "codes-faux", "second-facteur"]
    assert jobs[0]["facts"]["libelle"] == "Comptabilité" and jobs[1]["facts"].keys() == {"adresse", "quand"}
