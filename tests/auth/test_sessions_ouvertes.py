"""The open sessions of a user: seen, ended one by one or all others at once."""

from __future__ import annotations

from typing import Any

from tests import builders
from tests.conftest import Db, Http

SESSIONS = "/auth/sessions"


def sign_in(http: Http, db: Db, user: int, agent: str) -> dict[str, Any]:
    body = {"login": db.account(user)["login"], "mot_de_passe": builders.PASSWORD}
    answer = http.post("/auth/login", json=body, headers={"user-agent": agent})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def status(http: Http, session: dict[str, Any]) -> int:
    return int(http.request("GET", "/auth/me", token=session["accessToken"]).status_code)


def renewed(http: Http, session: dict[str, Any]) -> int:
    return int(http.post("/auth/refresh", json={"refresh_token": session["refreshToken"]}).status_code)


def test_a_user_sees_and_ends_the_own_sessions(http: Http, db: Db) -> None:
    user, other = builders.utilisateur(db, role="DIRIGEANT"), builders.utilisateur(db, role="DIRIGEANT")
    telephone, desk = sign_in(http, db, user, "Telephone/1"), sign_in(http, db, user, "Bureau/2")
    stranger = sign_in(http, db, other, "Autre/3")
    rows = http.request("GET", SESSIONS, token=desk["accessToken"]).json()
    assert {(row["appareil"], row["courante"]) for row in rows} == {("Telephone/1", False), ("Bureau/2", True)}
    assert all(
        set(row) == {"id_session", "appareil", "adresse", "depuis", "derniere_utilisation", "courante"} for row in rows
    )
    [foreign] = http.request("GET", SESSIONS, token=stranger["accessToken"]).json()
    ended = http.request("DELETE", f"{SESSIONS}/{foreign['id_session']}", token=desk["accessToken"])
    assert (ended.status_code, ended.json()["code"]) == (404, "NOT_FOUND")
    [mine] = [row["id_session"] for row in rows if not row["courante"]]
    assert http.request("DELETE", f"{SESSIONS}/{mine}", token=desk["accessToken"]).status_code == 204
    assert [status(http, session) for session in (telephone, desk, stranger)] == [401, 200, 200]
    assert [renewed(http, session) for session in (telephone, desk, stranger)] == [401, 200, 200]


def test_a_user_ends_all_other_sessions(http: Http, db: Db) -> None:
    user = builders.utilisateur(db, role="DIRIGEANT")
    sessions = [sign_in(http, db, user, f"Appareil/{n}") for n in range(3)]
    assert http.request("DELETE", SESSIONS, token=sessions[1]["accessToken"]).status_code == 204
    assert [status(http, session) for session in sessions] == [401, 200, 401]
    [row] = http.request("GET", SESSIONS, token=sessions[1]["accessToken"]).json()
    assert row["courante"] is True


def test_a_renewed_session_keeps_its_device_and_its_place(http: Http, db: Db) -> None:
    user = builders.utilisateur(db, role="DIRIGEANT")
    first = sign_in(http, db, user, "Bureau/2")
    before = http.request("GET", SESSIONS, token=first["accessToken"]).json()
    second = http.post("/auth/refresh", json={"refresh_token": first["refreshToken"]}).json()
    after = http.request("GET", SESSIONS, token=second["accessToken"]).json()
    assert [(row["id_session"], row["appareil"], row["courante"]) for row in after] == [
        (before[0]["id_session"], "Bureau/2", True)
    ]


def test_an_administrator_learns_of_a_sign_in_from_a_new_address(http: Http, db: Db) -> None:
    admin, clerk = builders.utilisateur(db, role="ADMINISTRATEUR"), builders.utilisateur(db, role="RH")
    for user in (admin, clerk):
        for address in ("192.0.2.7", "192.0.2.7", "198.51.100.4"):
            token = str(db.one("select gen_random_uuid()"))
            db.call(
                "auth.session_ouvrir", id_utilisateur=user, hash=token, duree=60, adresse_ip=address, agent="Bureau/2"
            )
    rows = db.all(
        "select id_utilisateur, donnees from notification.notification where evenement like 'auth.connexion%%'"
    )
    assert rows == [{"id_utilisateur": admin, "donnees": {"adresse": "198.51.100.4", "appareil": "Bureau/2"}}]
    opened = db.call(
        "auth.session_ouvrir", id_utilisateur=admin, hash="x", duree=60, adresse_ip="203.0.113.9", agent="Bureau/2"
    )
    assert opened["inhabituelle"] is True
