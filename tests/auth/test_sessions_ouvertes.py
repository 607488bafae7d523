"""The open sessions of a user: seen, ended one by one or all others at once."""

from typing import Any

from tests import builders
from tests.auth.conftest import renew, session
from tests.conftest import Db, Http, refusal

SESSIONS = "/auth/sessions"


def status(http: Http, tokens: dict[str, Any]) -> int:
    return http.get("/auth/me", token=tokens["accessToken"]).status_code


def test_a_user_sees_and_ends_the_own_sessions(http: Http, db: Db, boss: int) -> None:
    telephone, desk = session(http, db, boss, "Telephone/1"), session(http, db, boss, "Bureau/2")
    stranger = session(http, db, builders.utilisateur(db, role="DIRIGEANT"), "Autre/3")
    rows = http.get(SESSIONS, token=desk["accessToken"]).json()
    assert {(row["appareil"], row["courante"]) for row in rows} == {("Telephone/1", False), ("Bureau/2", True)}
    fields = {"id_session", "appareil", "adresse", "depuis", "derniere_utilisation", "courante"}
    assert all(set(row) == fields for row in rows)
    [foreign] = http.get(SESSIONS, token=stranger["accessToken"]).json()
    assert refusal(http.delete(f"{SESSIONS}/{foreign['id_session']}", token=desk["accessToken"])) == (404, "NOT_FOUND")
    [mine] = [row["id_session"] for row in rows if not row["courante"]]
    assert http.delete(f"{SESSIONS}/{mine}", token=desk["accessToken"]).status_code == 204
    every = (telephone, desk, stranger)
    assert [status(http, tokens) for tokens in every] == [401, 200, 200]
    assert [renew(http, tokens).status_code for tokens in every] == [401, 200, 200]


def test_a_session_that_is_named_in_capitals_is_ended_at_once(http: Http, db: Db, boss: int) -> None:
    telephone, desk = session(http, db, boss, "Telephone/1"), session(http, db, boss, "Bureau/2")
    rows = http.get(SESSIONS, token=desk["accessToken"]).json()
    [other] = [row["id_session"] for row in rows if not row["courante"]]
    assert http.delete(f"{SESSIONS}/{other.upper()}", token=desk["accessToken"]).status_code == 204
    assert (status(http, telephone), status(http, desk)) == (401, 200)


def test_a_user_ends_all_other_sessions(http: Http, db: Db, boss: int) -> None:
    sessions = [session(http, db, boss, f"Appareil/{n}") for n in range(3)]
    assert http.delete(SESSIONS, token=sessions[1]["accessToken"]).status_code == 204
    assert [status(http, tokens) for tokens in sessions] == [401, 200, 401]
    [row] = http.get(SESSIONS, token=sessions[1]["accessToken"]).json()
    assert row["courante"] is True


def test_a_renewed_session_keeps_its_device_and_its_place(http: Http, db: Db, boss: int) -> None:
    first = session(http, db, boss, "Bureau/2")
    [before] = http.get(SESSIONS, token=first["accessToken"]).json()
    [after] = http.get(SESSIONS, token=renew(http, first).json()["accessToken"]).json()
    assert (after["id_session"], after["appareil"], after["courante"]) == (before["id_session"], "Bureau/2", True)


def test_an_administrator_learns_of_a_sign_in_from_a_new_address(db: Db) -> None:
    def opened(user: int, address: str) -> Any:
        arguments = {"hash": str(db.one("select gen_random_uuid()")), "duree": 60, "agent": "Bureau/2"}
        return db.call("auth.session_ouvrir", id_utilisateur=user, adresse_ip=address, **arguments)

    admin, clerk = builders.utilisateur(db, role="ADMINISTRATEUR"), builders.utilisateur(db, role="RH")
    for user in (admin, clerk):
        for address in ("192.0.2.7", "192.0.2.7", "198.51.100.4"):
            opened(user, address)
    query = "select id_utilisateur, donnees from notification.notification where evenement like 'auth.connexion%%'"
    notice = {"id_utilisateur": admin, "donnees": {"adresse": "198.51.100.4", "appareil": "Bureau/2"}}
    assert db.all(query) == [notice]
    assert opened(admin, "203.0.113.9")["inhabituelle"] is True
