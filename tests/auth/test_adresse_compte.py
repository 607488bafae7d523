"""The address of an account: links go there, unusual sign-ins are told; without one, an administrator is notified."""

from __future__ import annotations

from typing import Any

import pytest

from app.auth.kvstore import MemoryStore
from tests import builders
from tests.conftest import Db, Http

LOGIN = "essai.adresse"
ADDRESS = "awa@exemple.ci"


class Box:
    """A mailer that keeps what it is given."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, Any]] = []

    async def send(self, *message: Any) -> None:
        self.sent.append(message)

    async def close(self) -> None:
        pass


@pytest.fixture
def box(http: Http, monkeypatch: pytest.MonkeyPatch) -> Box:
    found = Box()
    monkeypatch.setattr(http.services, "mailer", found)
    return found


@pytest.fixture
def user(db: Db) -> int:
    return builders.utilisateur(db, role="RH", login=LOGIN)


def give(http: Http, user: int, email: str | None = ADDRESS) -> Any:
    answer = http.as_admin().patch(f"/admin/utilisateurs/{user}", json={"email": email})
    assert answer.status_code == 200, answer.text
    return answer.json()


def forget(http: Http, name: str) -> Any:
    http.services.store = MemoryStore()
    return http.post("/auth/mot-de-passe-oublie", json={"login": name})


def test_an_account_is_made_and_shown_with_its_address(http: Http, db: Db) -> None:
    role = db.one("select id_role from auth.role where code = 'RH'")
    body = {"login": "essai.neuf", "mot_de_passe": "trois mots ici", "id_role": role, "email": ADDRESS}
    made = http.as_admin().post("/admin/utilisateurs", json=body)
    assert made.status_code == 201 and made.json()["email"] == ADDRESS
    assert http.as_user(int(made.json()["id_utilisateur"])).get("/auth/me").json()["email"] == ADDRESS
    assert give(http, int(made.json()["id_utilisateur"]), None)["email"] is None
    wrong = http.as_admin().patch(f"/admin/utilisateurs/{made.json()['id_utilisateur']}", json={"email": "pas une"})
    assert wrong.status_code == 400


@pytest.mark.parametrize("asked", [LOGIN, LOGIN.upper(), ADDRESS, "AWA@exemple.CI"])
def test_staff_recover_their_password_by_login_or_address(http: Http, user: int, box: Box, asked: str) -> None:
    give(http, user)
    assert forget(http, asked).status_code == 200
    [(to, _, letter)] = box.sent
    assert to == ADDRESS and LOGIN in letter.text
    token = letter.text.split("jeton=")[1].split()[0]
    body = {"jeton": token, "nouveau_mot_de_passe": "trois mots ici"}
    assert http.post("/auth/reinitialiser-mot-de-passe", json=body).status_code == 200
    assert http.post("/auth/login", json={"login": LOGIN, "mot_de_passe": "trois mots ici"}).status_code == 200


def test_the_answer_is_the_same_whoever_asks(http: Http, db: Db, user: int, box: Box) -> None:
    reached = builders.utilisateur(db, role="RH", login="essai.joint")
    give(http, reached, "joint@exemple.ci")
    answers = [forget(http, name) for name in (LOGIN, "essai.joint", "joint@exemple.ci", "personne.du.tout")]
    assert len({(answer.status_code, answer.content) for answer in answers}) == 1


def notices(http: Http) -> list[Any]:
    found = http.get("/notifications").json()
    return [row for row in found if row["evenement"] == "auth.mot_de_passe.demande"]


def test_without_an_address_an_administrator_is_told_once_an_hour(http: Http, db: Db, user: int, box: Box) -> None:
    admin, other = http.as_admin(), http.as_user(builders.utilisateur(db, role="RH"))
    for _ in range(3):
        forget(http, LOGIN)
    forget(http, "personne.du.tout")
    [notice] = notices(admin)
    assert LOGIN in notice["corps"] and notice["donnees"] == {"id_utilisateur": str(user), "login": LOGIN}
    assert notices(other) == [] and box.sent == []
    assert db.one("select count(*) from auth.jeton_reinitialisation") == 0
    db.execute("update notification.notification set date = date - interval '61 minutes'")
    forget(http, LOGIN)
    assert len(notices(admin)) == 2


def test_an_inactive_account_tells_nobody(http: Http, db: Db, user: int, box: Box) -> None:
    db.execute("update auth.utilisateur set actif = false where id_utilisateur = %s", [user])
    forget(http, LOGIN)
    assert notices(http.as_admin()) == []


def test_links_sent_to_the_former_address_end_with_it(http: Http, db: Db, user: int, box: Box) -> None:
    give(http, user)
    forget(http, LOGIN)
    token = box.sent[0][2].text.split("jeton=")[1].split()[0]
    give(http, user, ADDRESS)  # the same: nothing changes
    assert db.one("select count(*) from auth.jeton_reinitialisation where date_usage is null") == 1
    give(http, user, "autre@exemple.ci")
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


def test_an_unusual_sign_in_is_told_to_the_owner(http: Http, db: Db, user: int, box: Box) -> None:
    give(http, user)
    sign_in(http, db, "Navigateur/1")  # the first ever tells nothing
    sign_in(http, db, "Navigateur/2")  # another device at a known address
    assert box.sent == []
    db.execute("update auth.connexion set adresse_ip = '198.51.100.7'")
    sign_in(http, db, "Navigateur/1")  # a known device elsewhere: telephones change their address all the time
    assert box.sent == []
    db.execute("update auth.connexion set adresse_ip = '198.51.100.7'")
    sign_in(http, db, "<b>Voleur</b>/1")
    [(to, _, letter)] = box.sent
    assert to == ADDRESS and letter.subject == "Nouvelle connexion à votre compte"
    assert "127.0.0.1" in letter.text and "<b>Voleur</b>/1" in letter.text and "<b>" not in letter.html
    assert "jeton" not in letter.text
    sign_in(http, db, "<b>Voleur</b>/1", days_ago=91)  # known by now
    assert len(box.sent) == 1
    sign_in(http, db, "Navigateur/1")  # forgotten after ninety days
    assert len(box.sent) == 2


def test_without_an_address_nobody_is_written_to(http: Http, db: Db, user: int, box: Box) -> None:
    sign_in(http, db, "Navigateur/1")
    db.execute("update auth.connexion set adresse_ip = '198.51.100.7'")
    sign_in(http, db, "Autre/1")
    assert box.sent == []
