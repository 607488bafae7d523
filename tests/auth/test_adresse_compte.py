"""The address of an account receives reset links and unusual sign-ins. Without one, an administrator is notified."""

from __future__ import annotations

from typing import Any

import pytest

from app.auth.kvstore import MemoryStore
from tests import builders
from tests.auth.conftest import Box
from tests.conftest import Db, Http

LOGIN = "essai.adresse"
ADDRESS = "awa@exemple.ci"


@pytest.fixture
def user(db: Db) -> int:
    return builders.utilisateur(db, role="RH", login=LOGIN)


def set_address(http: Http, user: int, email: str | None = ADDRESS) -> Any:
    answer = http.as_admin().patch(f"/admin/utilisateurs/{user}", json={"email": email})
    assert answer.status_code == 200, answer.text
    return answer.json()


def request_reset(http: Http, name: str) -> Any:
    http.services.store = MemoryStore()
    return http.post("/auth/mot-de-passe-oublie", json={"login": name})


def test_an_account_is_created_and_shown_with_its_address(http: Http, db: Db) -> None:
    role = db.one("select id_role from auth.role where code = 'RH'")
    body = {"login": "essai.neuf", "mot_de_passe": "trois mots ici", "id_role": role, "email": ADDRESS}
    made = http.as_admin().post("/admin/utilisateurs", json=body)
    assert made.status_code == 201 and made.json()["email"] == ADDRESS
    assert http.as_user(int(made.json()["id_utilisateur"])).get("/auth/me").json()["email"] == ADDRESS
    assert set_address(http, int(made.json()["id_utilisateur"]), None)["email"] is None
    wrong = http.as_admin().patch(f"/admin/utilisateurs/{made.json()['id_utilisateur']}", json={"email": "pas une"})
    assert wrong.status_code == 400


@pytest.mark.parametrize("identifier", [LOGIN, LOGIN.upper(), ADDRESS, "AWA@exemple.CI"])
def test_staff_recover_their_password_by_login_or_address(http: Http, user: int, box: Box, identifier: str) -> None:
    set_address(http, user)
    assert request_reset(http, identifier).status_code == 200
    [(to, _, letter)] = box.sent
    assert to == ADDRESS and LOGIN in letter.text
    token = letter.text.split("jeton=")[1].split()[0]
    body = {"jeton": token, "nouveau_mot_de_passe": "trois mots ici"}
    assert http.post("/auth/reinitialiser-mot-de-passe", json=body).status_code == 200
    assert http.post("/auth/login", json={"login": LOGIN, "mot_de_passe": "trois mots ici"}).status_code == 200


def test_the_answer_to_a_reset_request_is_the_same_for_every_login(http: Http, db: Db, user: int, box: Box) -> None:
    reachable = builders.utilisateur(db, role="RH", login="essai.joint")
    set_address(http, reachable, "joint@exemple.ci")
    answers = [request_reset(http, name) for name in (LOGIN, "essai.joint", "joint@exemple.ci", "personne.du.tout")]
    assert len({(answer.status_code, answer.content) for answer in answers}) == 1


def notices(http: Http) -> list[Any]:
    rows = http.get("/notifications").json()
    return [row for row in rows if row["evenement"] == "auth.mot_de_passe.demande"]


def test_a_reset_without_an_address_notifies_an_administrator_once_an_hour(
    http: Http, db: Db, user: int, box: Box
) -> None:
    admin, other = http.as_admin(), http.as_user(builders.utilisateur(db, role="RH"))
    for _ in range(3):
        request_reset(http, LOGIN)
    request_reset(http, "personne.du.tout")
    [notice] = notices(admin)
    assert LOGIN in notice["corps"] and notice["donnees"] == {"id_utilisateur": str(user), "login": LOGIN}
    assert notices(other) == [] and box.sent == []
    assert db.one("select count(*) from auth.jeton_reinitialisation") == 0
    db.execute("update notification.notification set date = date - interval '61 minutes'")
    request_reset(http, LOGIN)
    assert len(notices(admin)) == 2


def test_a_reset_request_for_an_inactive_account_sends_no_notice(http: Http, db: Db, user: int, box: Box) -> None:
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [user])
    request_reset(http, LOGIN)
    assert notices(http.as_admin()) == []


def test_a_changed_address_invalidates_links_sent_to_the_former_address(
    http: Http, db: Db, user: int, box: Box
) -> None:
    set_address(http, user)
    request_reset(http, LOGIN)
    token = box.sent[0][2].text.split("jeton=")[1].split()[0]
    set_address(http, user, ADDRESS)  # the same address changes nothing
    assert db.one("select count(*) from auth.jeton_reinitialisation where date_usage is null") == 1
    set_address(http, user, "autre@exemple.ci")
    body = {"jeton": token, "nouveau_mot_de_passe": "trois mots ici"}
    refused = http.post("/auth/reinitialiser-mot-de-passe", json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, "JETON_INVALIDE")


def sign_in(http: Http, db: Db, agent: str, days_ago: int = 0) -> None:
    http.services.store = MemoryStore()
    body = {"login": LOGIN, "mot_de_passe": builders.PASSWORD}
    answer = http.post("/auth/login", json=body, headers={"user-agent": agent})
    assert answer.status_code == 200
    if days_ago:
        db.execute("update auth.connexion set date = date - %s * interval '1 day'", [days_ago])


def test_an_unusual_sign_in_is_mailed_to_the_account(http: Http, db: Db, user: int, box: Box) -> None:
    set_address(http, user)
    sign_in(http, db, "Navigateur/1")  # the first sign-in sends no mail
    sign_in(http, db, "Navigateur/2")  # another device at a known address
    assert box.sent == []
    db.execute("update auth.connexion set adresse_ip = '198.51.100.7'")
    sign_in(http, db, "Navigateur/1")  # a known device at a new address: the address of a telephone changes often
    assert box.sent == []
    db.execute("update auth.connexion set adresse_ip = '198.51.100.7'")
    sign_in(http, db, "<b>Voleur</b>/1")
    [(to, _, letter)] = box.sent
    assert to == ADDRESS and letter.subject == "Nouvelle connexion à votre compte"
    assert "127.0.0.1" in letter.text and "<b>Voleur</b>/1" in letter.text and "<b>" not in letter.html
    assert "jeton" not in letter.text
    sign_in(http, db, "<b>Voleur</b>/1", days_ago=91)  # the device is known now
    assert len(box.sent) == 1
    sign_in(http, db, "Navigateur/1")  # a device is forgotten after ninety days
    assert len(box.sent) == 2


def test_an_unusual_sign_in_without_an_address_sends_no_mail(http: Http, db: Db, user: int, box: Box) -> None:
    sign_in(http, db, "Navigateur/1")
    db.execute("update auth.connexion set adresse_ip = '198.51.100.7'")
    sign_in(http, db, "Autre/1")
    assert box.sent == []
