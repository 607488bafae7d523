"""The bounds of one account: 20 API keys, 20 webhooks, 50 sessions, 5 imports that wait."""

from dataclasses import replace
from typing import Any

import psycopg
import pytest

from tests import builders
from tests.conftest import Db, Http, connected, refusal
from tests.sheets import done, send, text, tried
from tests.together import waiting

KEY = {"libelle": "Comptabilité", "permissions": ["CLIENT.VOIR"]}
HOOK = {"url": "https://hooks.example.com/", "types": ["facture.emise"]}
SHEET = text(("Nom", "Prénoms", "Téléphone", "Type de client"), ("Exemple", "Awa", "+2250700000001", "PASSAGE"))


@pytest.mark.promesse("Un compte a un nombre borné de clés, de webhooks, de sessions et d'imports en attente")
@pytest.mark.parametrize(
    ("path", "body", "name", "code"),
    [
        ("/auth/cles", KEY, "id_cle", "CLES_TROP_NOMBREUSES"),
        ("/admin/webhooks", HOOK, "id_webhook", "WEBHOOKS_TROP_NOMBREUX"),
    ],
)
def test_an_account_has_twenty_keys_and_twenty_webhooks(
    http: Http, path: str, body: dict[str, Any], name: str, code: str
) -> None:
    admin = http.as_admin()
    made = [admin.post(path, json=body) for _ in range(20)]
    assert {answer.status_code for answer in made} == {201}
    assert refusal(admin.post(path, json=body)) == (409, code)
    assert http.as_admin().post(path, json=body).status_code == 201  # another account
    assert admin.delete(f"{path}/{made[0].json()[name]}").status_code == 204
    assert admin.post(path, json=body).status_code == 201


def test_an_account_takes_no_twenty_first_webhook_over(http: Http, db: Db) -> None:
    admin = http.as_admin()
    assert {admin.post("/admin/webhooks", json=HOOK).status_code for _ in range(20)} == {201}
    left = http.as_admin().post("/admin/webhooks", json=HOOK).json()["id_webhook"]
    owner = "(select id_utilisateur from evenement.webhook where id_webhook = %s)"
    db.execute(f"update auth.utilisateur set actif = false where id_utilisateur = {owner}", [left])
    taken = admin.patch(f"/admin/webhooks/{left}", json={"actif": True})
    assert refusal(taken) == (409, "WEBHOOKS_TROP_NOMBREUX")


def test_two_requests_at_once_make_no_twenty_first_key(database_url: str) -> None:
    insert = (
        "insert into auth.cle (id_utilisateur, libelle, prefixe, hash, permissions) "
        "select %s, 'Essai', 'cpt_live_' || n, md5(n::text), array['CLIENT.VOIR'] "
        "from generate_series(%s::bigint, %s::bigint) n"
    )
    with connected(database_url) as first, connected(database_url) as late:
        user = builders.utilisateur(first)
        first.connection.commit()
        first.execute(insert, [user, 1, 20])
        with waiting(late, first, lambda: late.execute(insert, [user, 21, 21])) as acting:
            first.connection.commit()
            with pytest.raises(psycopg.Error, match="20 clés"):
                acting.result()


def test_the_fifty_first_session_ends_the_oldest(http: Http, db: Db) -> None:
    user, sessions = builders.utilisateur(db, login="essai.sessions"), []
    # Sign-ins of one transaction have one time: each is dated a minute before the next.
    age = "update auth.jeton_rafraichissement set date_connexion = date_connexion - interval '1 minute'"
    for others in (0, 48, 0):
        answer = http.post("/auth/login", json={"login": "essai.sessions", "mot_de_passe": builders.PASSWORD})
        assert answer.status_code in (200, 201), answer.text
        sessions.append(answer.json())
        db.execute(age)
        for _ in range(others):
            db.session(user)
    signed_in = replace(http, token=sessions[-1]["accessToken"])
    assert len(signed_in.get("/auth/sessions").json()) == 50
    answers = [http.post("/auth/refresh", json={"refresh_token": session["refreshToken"]}) for session in sessions]
    assert [answer.status_code for answer in answers] == [401, 200, 200]


def test_five_imports_of_an_account_wait(http: Http) -> None:
    admin = http.as_admin()
    numbers = [tried(admin, SHEET)["id_import"] for _ in range(5)]
    assert refusal(send(admin, SHEET)) == (409, "IMPORTS_EN_ATTENTE")
    assert send(http.as_admin(), SHEET).status_code == 201
    assert admin.post(f"/imports/{numbers[0]}/annuler").status_code == 200
    done(admin, SHEET)
    assert send(admin, SHEET).status_code == 201
    assert refusal(send(admin, SHEET)) == (409, "IMPORTS_EN_ATTENTE")
