"""The second factor: enrolment, sign-in, recovery codes, roles that must have it, and its reset."""

import hashlib
import time
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import httpx
import pyotp
import pytest

from app.auth import codes
from app.auth.encrypted import Secrets
from app.auth.kvstore import Store
from tests import builders
from tests.auth.conftest import Box, renew, session, sign_in
from tests.conftest import SECRET, Db, Http, ok, refusal

FACTOR, PAYMENTS = "/auth/a2f", "/finances/paiements"


@pytest.fixture(autouse=True)
def standing_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of the codes stands still: a code must not expire between its making and its check."""
    now = time.time()
    monkeypatch.setattr(codes, "time", SimpleNamespace(time=lambda: now))


class Telephone:
    """An authenticator app: each call gives the code of a later step, because a code serves once."""

    def __init__(self, secret: str) -> None:
        self.totp = pyotp.TOTP(secret)
        self.step = int(codes.time.time()) // codes.PERIOD - 1

    def code(self) -> str:
        self.step += 1
        return str(self.totp.generate_otp(self.step - 1))


def enrol(http: Http, user: int, token: str | None = None) -> tuple[Telephone, list[str]]:
    person = replace(http, token=token) if token else http.as_user(user)
    telephone = Telephone(ok(person.post(FACTOR))["secret"])
    return telephone, ok(person.post(f"{FACTOR}/confirmer", json={"code": telephone.code()}))["codes_secours"]


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
    for wrong in (code[::-1], f" {code}", f"94{code}", code[:5], f"{code}0", "", "٢٨٧٠٨٢"):
        assert codes.step_of(secret, wrong, seconds) is None, wrong


def test_the_codes_are_those_of_rfc_4226() -> None:
    """Appendix D of the RFC: the first ten steps of the same secret."""
    published = ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]
    for step, code in enumerate(published):
        assert codes.step_of("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", code, step * codes.PERIOD) == step


def test_a_factor_is_asked_once_it_is_confirmed(http: Http, db: Db, boss: int) -> None:
    prepared = http.as_user(boss).post(FACTOR).json()
    assert prepared["uri"].startswith("otpauth://totp/") and prepared["secret"] in prepared["uri"]
    assert prepared["qr"].startswith("<svg") and "</svg>" in prepared["qr"]
    assert sign_in(http, db, boss).status_code == 200
    telephone, recovery = enrol(http, boss)
    assert len(set(recovery)) == 10
    assert refusal(sign_in(http, db, boss)) == (401, "A2F_REQUIS")
    assert refusal(sign_in(http, db, boss, mot_de_passe="faux-mot-de-passe")) == (401, "UNAUTHORIZED")
    assert refusal(http.as_user(boss).post(FACTOR)) == (409, "A2F_DEJA_ACTIF")
    stored = db.all("select row_to_json(c)::text as t from auth.code_secours c"
                    " union all select f::text from auth.second_facteur f"
                    " union all select coalesce(avant, apres)::text from audit.journal")  # fmt: skip
    assert all(code.replace("-", "") not in row["t"] and telephone.totp.secret not in row["t"]
               for row in stored for code in recovery)  # fmt: skip


def test_a_factor_that_does_not_open_is_refused(
    http: Http, db: Db, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Under another key, or copied from another account: neither a code nor a recovery code passes."""
    user, other = (builders.utilisateur(db, role="DIRIGEANT") for _ in range(2))
    telephone, recovery = enrol(http, user)
    enrol(http, other)
    own = db.one("select secret from auth.second_facteur where id_utilisateur = %s", [user])
    db.execute("update auth.second_facteur set secret = %s where id_utilisateur = %s", [own, other])
    assert refusal(sign_in(http, db, other, code="000000")) == (503, "SECRET_ILLISIBLE")
    monkeypatch.setattr(http.services, "secrets", Secrets("another key of the service"))
    for code in ("000000", recovery[0]):
        assert refusal(sign_in(http, db, user, code=code)) == (503, "SECRET_ILLISIBLE")
    assert "SECRETS_CLE_PRECEDENTE" in caplog.text and telephone.totp.secret not in caplog.text
    monkeypatch.setattr(http.services, "secrets", Secrets("a new key of the service", SECRET))
    assert sign_in(http, db, user, code=telephone.code()).status_code == 200


def test_a_code_and_a_recovery_code_serve_once(http: Http, db: Db, boss: int) -> None:
    telephone, recovery = enrol(http, boss)
    code = telephone.code()
    for given, again in ((code, code), (recovery[3].lower().replace("-", " "), recovery[3])):
        assert sign_in(http, db, boss, code=given).status_code == 200
        assert refusal(sign_in(http, db, boss, code=again)) == (401, "UNAUTHORIZED")


def test_the_pause_after_wrong_codes_grows(http: Http, db: Db) -> None:
    user, other = builders.utilisateur(db, role="DIRIGEANT"), builders.utilisateur(db, role="DIRIGEANT")
    telephone, _ = enrol(http, user)
    enrol(http, other)
    now = [0.0]
    http.services.store = Store(lambda: now[0])
    for address in range(5):  # the login route counts each address, the codes count each account
        assert refusal(attempt(http, db, user, "000000", address)) == (401, "UNAUTHORIZED")
    pauses = []
    for address in range(5, 9):
        answer = attempt(http, db, user, "000000", address)
        assert refusal(answer) == (429, "TOO_MANY_REQUESTS")
        pauses.append(int(answer.headers["retry-after"]))
        assert refusal(attempt(http, db, user, telephone.code(), address)) == (429, "TOO_MANY_REQUESTS")
        now[0] += pauses[-1]
    assert pauses == [1, 2, 4, 8]
    assert refusal(attempt(http, db, user, None, 10)) == (401, "A2F_REQUIS")
    assert refusal(attempt(http, db, other, "000000", 11)) == (401, "UNAUTHORIZED")
    telephone.step = int(codes.time.time()) // codes.PERIOD + 1
    assert attempt(http, db, user, telephone.code(), 12).status_code == 200
    assert refusal(attempt(http, db, user, "000000", 13)) == (401, "UNAUTHORIZED")


def attempt(http: Http, db: Db, user: int, code: str | None, number: int) -> Any:
    """Sign in from an address of its own."""
    client = replace(http, transport=httpx.ASGITransport(http.transport.app, client=(f"192.0.2.{number + 1}", 1)))
    return sign_in(client, db, user, **({} if code is None else {"code": code}))


def test_a_factor_is_removed_by_a_code_and_ends_the_sessions(http: Http, db: Db, boss: int) -> None:
    telephone, _ = enrol(http, boss)
    tokens = session(http, db, boss, code=telephone.code())
    person = replace(http, token=tokens["accessToken"])
    assert refusal(person.delete(FACTOR, json={"code": "000000"})) == (401, "UNAUTHORIZED")
    assert person.delete(FACTOR, json={"code": telephone.code()}).status_code == 204
    assert refusal(person.get("/auth/me")) == (401, "UNAUTHORIZED")
    assert renew(http, tokens).status_code == 401
    assert sign_in(http, db, boss).status_code == 200


def test_an_administrator_resets_the_factor_of_another(http: Http, db: Db, boss: int) -> None:
    enrol(http, boss)
    assert http.as_admin().delete(f"/admin/utilisateurs/{boss}/a2f").status_code == 204
    assert sign_in(http, db, boss).status_code == 200
    [row] = db.all("select operation, avant ->> 'secret' as secret, id_utilisateur from audit.journal"
                   " where entite = 'second_facteur' and operation = 'DELETE'")  # fmt: skip
    assert row["secret"] == "***" and row["id_utilisateur"] is not None


def test_a_role_that_must_have_a_factor_can_only_enrol(
    http: Http, db: Db, boss: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    required = replace(http.services.settings, second_factor_roles=frozenset({"DIRIGEANT"}))
    monkeypatch.setattr(http.services, "settings", required)
    person = replace(http, token=session(http, db, boss)["accessToken"])
    assert person.get("/auth/me").status_code == 200
    assert refusal(person.get(PAYMENTS)) == (403, "A2F_A_ENROLER")
    made = person.post("/auth/cles", json={"libelle": "x", "permissions": ["FINANCES.VOIR"]})
    assert refusal(http.get(PAYMENTS, token=made.json()["cle"])) == (403, "A2F_A_ENROLER")
    telephone, _ = enrol(http, boss, person.token)
    again = session(http, db, boss, code=telephone.code())["accessToken"]
    assert [http.get(PAYMENTS, token=token).status_code for token in (person.token, again)] == [200, 200]
    assert http.as_user(builders.utilisateur(db, role="RH")).get("/rh/employes").status_code == 200


def test_a_code_without_a_factor_changes_nothing(http: Http, db: Db, boss: int) -> None:
    assert sign_in(http, db, boss, code="123456").status_code == 200
    person = http.as_user(boss)
    assert refusal(person.post(f"{FACTOR}/confirmer", json={"code": "123456"})) == (404, "NOT_FOUND")
    person.post(FACTOR)
    assert refusal(person.post(f"{FACTOR}/confirmer", json={"code": "000000"})) == (401, "UNAUTHORIZED")
    assert sign_in(http, db, boss).status_code == 200


def test_wrong_codes_are_rows_and_the_third_is_written_to_the_owner(http: Http, db: Db, boss: int, box: Box) -> None:
    def wrong_codes() -> int:
        query = "select count(*) from auth.connexion where id_utilisateur = %s and code_faux and not succes"
        return int(db.one(query, [boss]))

    enrol(http, boss)
    [(address, _, letter)] = box.sent
    assert address == "awa@exemple.ci" and "second facteur" in letter.text
    box.sent.clear()
    for number in range(2):
        assert refusal(attempt(http, db, boss, "000000", number)) == (401, "UNAUTHORIZED")
    assert (wrong_codes(), box.sent) == (2, [])
    gone = http.as_user(boss).delete(FACTOR, json={"code": "AAAA-BBBB-CCCC-DDDD"})
    assert (refusal(gone), wrong_codes()) == ((401, "UNAUTHORIZED"), 3)
    [(address, _, letter)] = box.sent
    assert address == "awa@exemple.ci" and "Trois codes faux" in letter.text
    assert refusal(attempt(http, db, boss, "000000", 5)) == (401, "UNAUTHORIZED")
    assert len(box.sent) == 1
    [row, *_] = http.as_admin().get(f"/admin/utilisateurs/{boss}/connexions").json()
    assert row["code_faux"] is True and row["succes"] is False


def test_enrolment_ends_the_other_sessions_and_a_session_keeps_what_its_sign_in_proved(
    http: Http, db: Db, boss: int
) -> None:
    def proved(answer: Any) -> bool:
        assert answer.status_code == 200, answer.text
        return http.services.tokens.verify(answer.json()["accessToken"]).second_factor

    def change(session: Any, old: str, new: str) -> Any:
        return http.post(
            "/auth/mot-de-passe", token=session.json()["accessToken"], json={"ancien": old, "nouveau": new}
        )

    older, own = session(http, db, boss), session(http, db, boss)
    telephone, _ = enrol(http, boss, own["accessToken"])
    assert refusal(http.get("/auth/me", token=older["accessToken"])) == (401, "UNAUTHORIZED")
    assert renew(http, older).status_code == 401
    renewed = renew(http, own)
    passwords = [builders.PASSWORD, "un autre mot de passe 7", "un tout autre mot de passe 8"]
    assert not proved(renewed) and not proved(change(renewed, *passwords[:2]))
    renewed = renew(http, session(http, db, boss, code=telephone.code(), mot_de_passe=passwords[1]))
    assert proved(renewed) and proved(change(renewed, *passwords[1:]))


def test_recovery_codes_are_hashed_slowly_and_those_of_an_earlier_release_still_serve(
    http: Http, db: Db, boss: int
) -> None:
    def fast(code: str) -> str:
        return hashlib.sha256(code.replace("-", "").encode()).hexdigest()

    _, recovery = enrol(http, boss)
    stored = {row["hash"] for row in db.all("select hash from auth.code_secours where id_utilisateur = %s", [boss])}
    assert len(stored) == 10 and not stored & {fast(code) for code in recovery}
    old = codes.new_recovery_codes()[0]
    db.execute("insert into auth.code_secours (id_utilisateur, hash) values (%s, %s)", [boss, fast(old)])
    assert sign_in(http, db, boss, code=old).status_code == 200
    assert refusal(sign_in(http, db, boss, code=old)) == (401, "UNAUTHORIZED")
