"""A user changes their own password: the old one is verified, other sessions end, the current session continues."""

from dataclasses import replace
from typing import Any

import pytest

from app.auth.kvstore import Store
from tests import builders
from tests.auth.conftest import renew, role_id
from tests.auth.test_session import behind
from tests.conftest import Db, Http, connected, ok, refused

LOGIN = "essai.passe"
NEW = "un mot de passe tout neuf"


def sign_in(http: Http, password: str = builders.PASSWORD) -> Any:
    http.services.store = Store()  # resets the throttle
    return http.post("/auth/login", json={"login": LOGIN, "mot_de_passe": password})


def change(http: Http, session: Any, old: str = builders.PASSWORD, new: str = NEW) -> Any:
    return http.post("/auth/mot-de-passe", json={"ancien": old, "nouveau": new}, token=session["accessToken"])


@pytest.fixture
def user(db: Db) -> int:
    return builders.utilisateur(db, role="RH", login=LOGIN)


def me(http: Http, token: str) -> int:
    return http.get("/auth/me", token=token).status_code


def test_a_password_change_ends_every_session_except_the_current_one(http: Http, user: int) -> None:
    here, there = sign_in(http).json(), sign_in(http).json()
    fresh = ok(change(http, here))
    assert set(fresh) == {"accessToken", "accessExpiresIn"} and fresh["accessExpiresIn"] == 900
    assert me(http, fresh["accessToken"]) == 200
    # All earlier access tokens are refused. The current session uses its new access token, or refreshes.
    assert [me(http, session["accessToken"]) for session in (here, there)] == [401, 401]
    assert renew(http, there).status_code == 401
    renewed = renew(http, here)
    assert renewed.status_code == 200 and me(http, renewed.json()["accessToken"]) == 200
    assert [sign_in(http, password).status_code for password in (builders.PASSWORD, NEW)] == [401, 200]


def test_a_session_continues_after_a_second_password_change(http: Http, user: int) -> None:
    session = sign_in(http).json()
    for old, new in ((builders.PASSWORD, NEW), (NEW, "encore un autre mot")):
        session |= change(http, session, old, new).json()
    assert me(http, session["accessToken"]) == 200
    assert renew(http, session).status_code == 200


def test_a_wrong_old_password_changes_nothing_and_is_throttled(http: Http, user: int) -> None:
    session = sign_in(http).json()
    answers = [change(http, session, old="pas le mien") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [400] * 5 + [429]
    details = answers[0].json()["details"]
    assert details == [{"property": "ancien", "messages": ["Ce n'est pas votre mot de passe actuel."]}]
    assert me(http, session["accessToken"]) == 200
    assert sign_in(http).status_code == 200


def test_every_route_that_sets_a_password_refuses_a_common_password(http: Http, db: Db, user: int) -> None:
    person = {"login": "essai.commun", "mot_de_passe": "Motdepasse1"}
    names = {"nom": "Essai", "prenoms": "Awa", "tel_principal": "+2250700000001"}
    reset, admin = f"/admin/utilisateurs/{user}/reinitialiser-mot-de-passe", http.as_admin()
    for path, body in (
        ("/auth/inscription", person | names),
        ("/admin/utilisateurs", person | {"id_role": role_id(db, "RH")}),
        (reset, {"nouveau_mot_de_passe": "Motdepasse1"}),
        ("/auth/mot-de-passe", {"ancien": builders.PASSWORD, "nouveau": "Motdepasse1"}),
    ):
        answer = admin.post(path, json=body)
        assert answer.status_code == 400 and "trop courant" in answer.text, (path, answer.text)


def test_a_sign_in_in_production_refuses_the_development_password(
    http: Http, db: Db, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An account of the demonstration keeps its password hash when its login changes."""
    user = builders.utilisateur(db, login="essai.demo")
    hash = "$2b$10$1ZGp63s/eqWgPOvxjN/TWOrvUIc1dljwelbL9Y9QezR4MsupHhghC"  # of motdepasse
    db.execute("update auth.secret set mot_de_passe = %s where id_utilisateur = %s", [hash, user])
    for production, status in ((False, 200), (True, 401)):
        monkeypatch.setattr(http.services, "settings", replace(http.services.settings, production=production))
        body = {"login": "essai.demo", "mot_de_passe": "motdepasse"}
        assert http.post("/auth/login", json=body).status_code == status
    assert "mot de passe de développement" in caplog.text


def test_the_second_of_two_concurrent_password_changes_is_refused(module_url: str) -> None:
    """The second change verified a password that the first change has replaced."""
    first, second = ("$2b$10$" + letter * 53 for letter in "de")
    with connected(module_url) as db:
        user = builders.utilisateur(db, login=LOGIN)

    def replace_password(db: Db, new: str) -> None:
        db.acting(user)
        db.call("auth.mot_de_passe_changer", ancien=builders.PASSWORD_HASH, nouveau=new, famille=None)

    def replace_later(db: Db) -> None:
        with refused("MOT_DE_PASSE_DEJA_CHANGE", status=409, connection=db.connection):
            replace_password(db, second)

    behind(module_url, lambda db: replace_password(db, first), replace_later)
    with connected(module_url) as db:
        assert db.one("select mot_de_passe from auth.secret where id_utilisateur = %s", [user]) == first
