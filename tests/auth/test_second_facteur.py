"""The second factor: enrolment, sign-in, recovery codes, roles that must have it, and its reset."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import httpx
import pyotp
import pytest

from app.auth import codes
from tests import builders
from tests.conftest import Db, Http

LOGIN, FACTOR = "/auth/login", "/auth/a2f"


@pytest.fixture(autouse=True)
def standing_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the codes stands still: a code must not expire between its making and its check."""
    now = time.time()
    monkeypatch.setattr(codes, "time", SimpleNamespace(time=lambda: now))


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def sign_in(http: Http, db: Db, user: int, **fields: Any) -> Any:
    body = {"login": db.account(user)["login"], "mot_de_passe": builders.PASSWORD} | fields
    return http.post(LOGIN, json=body)


class Telephone:
    """An authenticator app: each call gives the code of a later step, because a code serves once."""

    def __init__(self, secret: str) -> None:
        self.totp = pyotp.TOTP(secret)
        self.step = int(codes.time.time()) // codes.PERIOD - 1

    def code(self) -> str:
        self.step += 1
        return str(self.totp.generate_otp(self.step - 1))


def enrol(http: Http, user: int) -> tuple[Telephone, list[str]]:
    prepared = http.as_user(user).post(FACTOR)
    assert prepared.status_code == 200, prepared.text
    telephone = Telephone(prepared.json()["secret"])
    confirmed = http.as_user(user).post(f"{FACTOR}/confirmer", json={"code": telephone.code()})
    assert confirmed.status_code == 200, confirmed.text
    return telephone, confirmed.json()["codes_secours"]


@pytest.mark.parametrize(("seconds", "code"), [
    (59, "287082"), (1111111109, "081804"), (1111111111, "050471"), (1234567890, "005924"), (2000000000, "279037"),
    (20000000000, "353130"),
])  # fmt: skip
def test_the_codes_are_those_of_rfc_6238(seconds: int, code: str) -> None:
    """Appendix B of the RFC, SHA-1, with the last six of its eight digits."""
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    step = seconds // codes.PERIOD
    assert codes.step_of(secret, code, seconds) == step
    assert codes.step_of(secret, code, seconds + 30) == codes.step_of(secret, code, seconds - 29) == step
    assert codes.step_of(secret, code, seconds + 90) is None
    for wrong in (code[::-1], f" {code}", code[:5], f"{code}0", "", "٢٨٧٠٨٢"):
        assert codes.step_of(secret, wrong, seconds) is None, wrong


def test_a_factor_is_asked_once_it_is_confirmed(http: Http, db: Db) -> None:
    user = builders.utilisateur(db, role="DIRIGEANT")
    prepared = http.as_user(user).post(FACTOR).json()
    assert prepared["uri"].startswith("otpauth://totp/") and prepared["secret"] in prepared["uri"]
    assert prepared["qr"].startswith("<svg") and "</svg>" in prepared["qr"]
    assert sign_in(http, db, user).status_code == 200
    telephone, recovery = enrol(http, user)
    assert len(set(recovery)) == 10
    assert refusal(sign_in(http, db, user)) == (401, "A2F_REQUIS")
    assert refusal(sign_in(http, db, user, mot_de_passe="faux-mot-de-passe")) == (401, "UNAUTHORIZED")
    assert sign_in(http, db, user, code=telephone.code()).status_code == 200
    assert refusal(http.as_user(user).post(FACTOR)) == (409, "A2F_DEJA_ACTIF")
    stored = db.all("select row_to_json(c)::text as t from auth.code_secours c"
                    " union all select coalesce(avant, apres)::text from audit.journal")  # fmt: skip
    assert all(code.replace("-", "") not in row["t"] and telephone.totp.secret not in row["t"]
               for row in stored for code in recovery)  # fmt: skip


def test_a_code_and_a_recovery_code_serve_once(http: Http, db: Db) -> None:
    user = builders.utilisateur(db, role="DIRIGEANT")
    telephone, recovery = enrol(http, user)
    code = telephone.code()
    assert sign_in(http, db, user, code=code).status_code == 200
    assert refusal(sign_in(http, db, user, code=code)) == (401, "UNAUTHORIZED")
    assert sign_in(http, db, user, code=recovery[3].lower().replace("-", " ")).status_code == 200
    assert refusal(sign_in(http, db, user, code=recovery[3])) == (401, "UNAUTHORIZED")


def test_the_sixth_code_in_a_minute_is_not_tried(http: Http, db: Db) -> None:
    user, other = builders.utilisateur(db, role="DIRIGEANT"), builders.utilisateur(db, role="DIRIGEANT")
    telephone, _ = enrol(http, user)
    enrol(http, other)
    for address in range(4):  # the login route counts each address, the codes count each account
        assert refusal(attempt(http, db, user, "000000", address)) == (401, "UNAUTHORIZED")
    answer = attempt(http, db, user, telephone.code(), 9)
    assert refusal(answer) == (429, "TOO_MANY_REQUESTS") and int(answer.headers["retry-after"]) > 0
    assert refusal(attempt(http, db, user, None, 10)) == (401, "A2F_REQUIS")
    assert refusal(attempt(http, db, other, "000000", 11)) == (401, "UNAUTHORIZED")


def attempt(http: Http, db: Db, user: int, code: str | None, number: int) -> Any:
    """Sign in from an address of its own."""
    body = {"login": db.account(user)["login"], "mot_de_passe": builders.PASSWORD}
    client = replace(http, transport=httpx.ASGITransport(http.transport.app, client=(f"192.0.2.{number + 1}", 1)))
    return client.post(LOGIN, json=body if code is None else body | {"code": code})


def test_a_factor_is_removed_by_a_code_and_ends_the_sessions(http: Http, db: Db) -> None:
    user = builders.utilisateur(db, role="DIRIGEANT")
    telephone, _ = enrol(http, user)
    session = sign_in(http, db, user, code=telephone.code()).json()
    bearer = {"authorization": f"Bearer {session['accessToken']}"}
    assert refusal(http.request("DELETE", FACTOR, headers=bearer, json={"code": "000000"})) == (401, "UNAUTHORIZED")
    gone = http.request("DELETE", FACTOR, headers=bearer, json={"code": telephone.code()})
    assert gone.status_code == 204, gone.text
    assert refusal(http.request("GET", "/auth/me", headers=bearer)) == (401, "UNAUTHORIZED")
    assert http.post("/auth/refresh", json={"refresh_token": session["refreshToken"]}).status_code == 401
    assert sign_in(http, db, user).status_code == 200


def test_an_administrator_resets_the_factor_of_another(http: Http, db: Db) -> None:
    user, clerk = builders.utilisateur(db, role="DIRIGEANT"), builders.utilisateur(db, role="RH")
    enrol(http, user)
    path = f"/admin/utilisateurs/{user}/a2f"
    assert refusal(http.as_user(clerk).request("DELETE", path)) == (403, "FORBIDDEN")
    assert http.as_admin().request("DELETE", path).status_code == 204
    assert sign_in(http, db, user).status_code == 200
    [row] = db.all("select operation, avant ->> 'secret' as secret, id_utilisateur from audit.journal"
                   " where entite = 'second_facteur' and operation = 'DELETE'")  # fmt: skip
    assert row["secret"] == "***" and row["id_utilisateur"] is not None


def test_a_role_that_must_have_a_factor_can_only_enrol(http: Http, db: Db, monkeypatch: pytest.MonkeyPatch) -> None:
    required = replace(http.services.settings, second_factor_roles=frozenset({"DIRIGEANT"}))
    monkeypatch.setattr(http.services, "settings", required)
    user = builders.utilisateur(db, role="DIRIGEANT")
    session = sign_in(http, db, user).json()
    bearer = {"authorization": f"Bearer {session['accessToken']}"}
    assert http.request("GET", "/auth/me", headers=bearer).status_code == 200
    assert refusal(http.request("GET", "/finances/paiements", headers=bearer)) == (403, "A2F_A_ENROLER")
    made = http.request("POST", "/auth/cles", headers=bearer, json={"libelle": "x", "permissions": ["FINANCES.VOIR"]})
    assert refusal(http.request("GET", "/finances/paiements", token=made.json()["cle"])) == (403, "A2F_A_ENROLER")
    telephone, _ = enrol(http, user)
    assert http.request("GET", "/finances/paiements", headers=bearer).status_code == 200
    again = sign_in(http, db, user, code=telephone.code()).json()["accessToken"]
    assert http.request("GET", "/finances/paiements", token=again).status_code == 200
    other = builders.utilisateur(db, role="RH")
    assert http.as_user(other).get("/rh/employes").status_code == 200


def test_a_code_without_a_factor_changes_nothing(http: Http, db: Db) -> None:
    user = builders.utilisateur(db, role="DIRIGEANT")
    assert sign_in(http, db, user, code="123456").status_code == 200
    assert refusal(http.as_user(user).post(f"{FACTOR}/confirmer", json={"code": "123456"})) == (404, "NOT_FOUND")
    http.as_user(user).post(FACTOR)
    assert refusal(http.as_user(user).post(f"{FACTOR}/confirmer", json={"code": "000000"})) == (401, "UNAUTHORIZED")
    assert sign_in(http, db, user).status_code == 200
