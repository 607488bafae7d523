"""The address of an account receives reset links and unusual sign-ins. Without one, an administrator is notified."""

from typing import Any

import pytest

from app.auth.kvstore import Store
from tests import builders
from tests.auth.conftest import Box, role_id, session
from tests.conftest import Db, Http, ok, refusal

LOGIN = "essai.adresse"
ADDRESS = "awa@exemple.ci"


@pytest.fixture
def user(db: Db) -> int:
    return builders.utilisateur(db, role="RH", login=LOGIN)


def set_address(http: Http, user: int, email: str | None = ADDRESS) -> Any:
    return ok(http.as_admin().patch(f"/admin/utilisateurs/{user}", json={"email": email}))


def request_reset(http: Http, name: str) -> Any:
    http.services.store = Store()
    return http.post("/auth/mot-de-passe-oublie", json={"login": name})


def use_link(http: Http, box: Box) -> Any:
    token = box.sent[0][2].text.split("jeton=")[1].split()[0]
    body = {"jeton": token, "nouveau_mot_de_passe": "trois mots ici"}
    return http.post("/auth/reinitialiser-mot-de-passe", json=body)


def test_an_account_is_created_and_shown_with_its_address(http: Http, db: Db) -> None:
    body = {"login": "essai.neuf", "mot_de_passe": "trois mots ici", "id_role": role_id(db, "RH"), "email": ADDRESS}
    made = http.as_admin().post("/admin/utilisateurs", json=body)
    assert made.status_code == 201 and made.json()["email"] == ADDRESS
    key = int(made.json()["id_utilisateur"])
    assert http.as_user(key).get("/auth/me").json()["email"] == ADDRESS
    assert set_address(http, key, None)["email"] is None
    assert http.as_admin().patch(f"/admin/utilisateurs/{key}", json={"email": "pas une"}).status_code == 400


@pytest.mark.parametrize("identifier", [LOGIN.upper(), "AWA@exemple.CI"])
def test_staff_recover_their_password_by_login_or_address(http: Http, user: int, box: Box, identifier: str) -> None:
    set_address(http, user)
    assert request_reset(http, identifier).status_code == 200
    [(to, _, letter)] = box.sent
    assert to == ADDRESS and LOGIN in letter.text
    assert use_link(http, box).status_code == 200
    assert http.post("/auth/login", json={"login": LOGIN, "mot_de_passe": "trois mots ici"}).status_code == 200


def test_the_answer_to_a_reset_request_is_the_same_for_every_login(http: Http, db: Db, user: int, box: Box) -> None:
    reachable = builders.utilisateur(db, role="RH", login="essai.joint")
    set_address(http, reachable, "joint@exemple.ci")
    answers = [request_reset(http, name) for name in (LOGIN, "essai.joint", "joint@exemple.ci", "personne.du.tout")]
    assert len({(answer.status_code, answer.content) for answer in answers}) == 1


def notices(http: Http) -> list[Any]:
    rows = http.get("/notifications").json()
    return [row for row in rows if row["evenement"] == "auth.mot_de_passe.demande"]


def test_a_reset_of_an_active_account_without_address_notifies_an_administrator_once_an_hour(
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
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [user])
    db.execute("delete from notification.notification")
    request_reset(http, LOGIN)
    assert notices(admin) == []


def test_a_changed_address_invalidates_links_sent_to_the_former_address(
    http: Http, db: Db, user: int, box: Box
) -> None:
    set_address(http, user)
    request_reset(http, LOGIN)
    set_address(http, user, ADDRESS)  # the same address changes nothing
    assert db.one("select count(*) from auth.jeton_reinitialisation where date_usage is null") == 1
    set_address(http, user, "autre@exemple.ci")
    assert refusal(use_link(http, box)) == (400, "JETON_INVALIDE")


def test_an_unusual_sign_in_is_mailed_to_an_account_with_an_address(http: Http, db: Db, user: int, box: Box) -> None:
    elsewhere = "update auth.connexion set adresse_ip = '198.51.100.7'"
    session(http, db, user, "Navigateur/1")
    db.execute(elsewhere)
    session(http, db, user, "Autre/1")  # an unusual sign-in of an account without an address
    db.execute("delete from auth.connexion")
    set_address(http, user)
    session(http, db, user, "Navigateur/1")  # the first sign-in sends no mail
    session(http, db, user, "Navigateur/2")  # another device at a known address
    db.execute(elsewhere)
    session(http, db, user, "Navigateur/1")  # a known device at a new address: a telephone often gets a new one
    assert box.sent == []
    db.execute(elsewhere)
    http.services.store = Store()  # resets the throttle
    session(http, db, user, "<b>Voleur</b>/1")
    [(to, _, letter)] = box.sent
    assert to == ADDRESS and letter.subject == "Nouvelle connexion à votre compte"
    assert "127.0.0.1" in letter.text and "<b>Voleur</b>/1" in letter.text and "<b>" not in letter.html
    assert "jeton" not in letter.text
    session(http, db, user, "<b>Voleur</b>/1")  # the device is known now
    assert len(box.sent) == 1
    db.execute("update auth.connexion set date = date - interval '91 days'")
    session(http, db, user, "Navigateur/1")  # a device is forgotten after ninety days
    assert len(box.sent) == 2
