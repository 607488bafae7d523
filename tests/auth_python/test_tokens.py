"""Access tokens: a token issued here is accepted until it expires, and every other token is refused."""

import base64
import hashlib
import json
import re
import time
from typing import Any

import jwt
import pytest

from app.auth import tokens
from app.auth.tokens import AccessTokens, Claims, InvalidToken, new_refresh_token, token_hash
from tests.auth_python.conftest import Clock

SECRET = "un secret de test assez long pour HS512 aussi, donc de soixante-quatre octets"
OTHER = "un autre secret de test assez long pour HS512, donc de soixante-quatre octets"
KID = hashlib.sha256(SECRET.encode()).hexdigest()[:8]


@pytest.fixture
def access() -> AccessTokens:
    return AccessTokens(SECRET, None, 900)


def payload(**changes: Any) -> dict[str, Any]:
    """Return the claims of a valid token. A change to None removes a claim."""
    now = int(time.time())
    claims = {"sub": "7", "login": "awa", "role": "CAISSIER", "jti": "ab" * 16, "iat": now, "exp": now + 900}
    return {name: value for name, value in (claims | changes).items() if value is not None}


def signed(claims: dict[str, Any], secret: str | None = SECRET, algorithm: str = "HS256", **headers: Any) -> str:
    return jwt.encode(claims, secret, algorithm, headers={"kid": KID} | headers)


def part(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def refused(access: AccessTokens, token: str) -> bool:
    for _ in range(2):  # a cache must not change the answer
        with pytest.raises(InvalidToken):
            access.verify(token)
    return True


def test_an_issued_token_names_its_user_and_its_role() -> None:
    clock = Clock(time.time())
    token, expires_in = AccessTokens(SECRET, None, 900, clock).issue("7", "awa", "CAISSIER")
    header = jwt.get_unverified_header(token)
    claims = jwt.decode(token, SECRET, algorithms=["HS256"])
    assert header == {"alg": "HS256", "typ": "JWT", "kid": KID}
    assert re.fullmatch("[0-9a-f]{32}", claims.pop("jti"))
    now = int(clock.now)
    expected = {"sub": "7", "login": "awa", "role": "CAISSIER", "epoque": 0, "sid": None, "a2f": False}
    assert claims == {**expected, "iat": now, "exp": now + 900}
    assert expires_in == 900


def test_verification_returns_the_claims(access: AccessTokens) -> None:
    token, _ = access.issue("7", "awa", "CAISSIER")
    issued = jwt.decode(token, SECRET, algorithms=["HS256"])
    expected = Claims(sub="7", login="awa", role="CAISSIER", jti=issued["jti"], exp=issued["exp"], epoque=0, sid=None)
    assert access.verify(token) == access.verify(token) == expected


def test_each_token_has_its_own_jti(access: AccessTokens) -> None:
    issued = [access.issue("7", "awa", "CAISSIER")[0] for _ in range(50)]
    assert len({access.verify(token).jti for token in issued}) == 50


def test_the_signed_payload_of_these_tests_is_a_valid_token(access: AccessTokens) -> None:
    """A machine with a fast clock may have signed it."""
    now = int(time.time())
    for claims in (payload(), payload(iat=now + 30, exp=now + 930)):
        assert access.verify(signed(claims)).login == "awa"


def test_a_cached_token_expires_too() -> None:
    clock = Clock(time.time())
    access = AccessTokens(SECRET, None, 900, clock)
    token, _ = access.issue("7", "awa", "CAISSIER")
    end = access.verify(token).exp
    clock.now = end - 0.001
    assert access.verify(token).exp == end
    clock.now = end
    assert refused(access, token)


def test_a_token_with_another_algorithm_or_without_a_signature_is_refused(access: AccessTokens) -> None:
    for algorithm in ("HS384", "HS512"):
        assert refused(access, signed(payload(), algorithm=algorithm))
    assert refused(access, signed(payload(), secret=None, algorithm="none"))
    for algorithm in ("none", "None", "NONE", "HS256", "", None, 1):
        header = {"alg": algorithm, "typ": "JWT", "kid": KID}
        assert refused(access, f"{part(header)}.{part(payload())}.")
    _, body, signature = signed(payload()).split(".")
    assert refused(access, f"{part({'alg': 'none', 'kid': KID})}.{body}.{signature}")


def test_a_token_with_one_changed_character_is_refused(access: AccessTokens) -> None:
    token = signed(payload())
    access.verify(token)
    header, _, signature = token.split(".")
    assert refused(access, f"{header}.{part(payload(role='ADMINISTRATEUR'))}.{signature}")
    for position in range(len(token) - 1):  # base64 ignores some bits of the last character
        changed = "A" if token[position] != "A" else "B"
        assert refused(access, token[:position] + changed + token[position + 1 :])


def test_a_token_signed_with_another_secret_is_refused(access: AccessTokens) -> None:
    forged = signed(payload(), secret=OTHER)
    assert refused(access, forged)
    assert refused(AccessTokens(OTHER, SECRET, 900), forged)  # the kid names the previous secret


@pytest.mark.parametrize("kid", ["", "00000000", KID.upper(), KID[:4], 1, None, [KID], "../../dev/null"])
def test_a_token_with_a_wrong_kid_is_refused(access: AccessTokens, kid: Any) -> None:
    header = part({"alg": "HS256", "typ": "JWT", "kid": kid})
    body = part(payload())
    key = jwt.get_algorithm_by_name("HS256")
    mac = key.sign(f"{header}.{body}".encode(), key.prepare_key(SECRET))
    assert refused(access, f"{header}.{body}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}")


@pytest.mark.parametrize("claim", ["sub", "login", "role", "jti", "exp"])
def test_a_token_without_a_kid_or_a_claim_or_with_a_claim_of_the_wrong_type_is_refused(
    access: AccessTokens, claim: str
) -> None:
    assert refused(access, jwt.encode(payload(), SECRET, "HS256"))
    for value in [None] if claim == "sub" else [None, ["x"]]:
        assert refused(access, signed(payload(**{claim: value})))


def test_a_malformed_token_is_refused(access: AccessTokens) -> None:
    deep = base64.urlsafe_b64encode(b'{"kid":' + b"[" * 20_000).rstrip(b"=").decode()
    for token in (
        "", ".", "..", "...", "a.b.c", "é.é.é", "\ud800.a.b", "a" * 100_000, f"{part([1])}.{part({})}.", " ",
        f"{deep}.{part(payload())}.AAAA",
    ):  # fmt: skip
        assert refused(access, token)


def test_the_previous_secret_verifies_tokens_and_issues_none() -> None:
    old, _ = AccessTokens(SECRET, None, 900).issue("7", "awa", "CAISSIER")
    both = AccessTokens(OTHER, SECRET, 900)
    new, _ = both.issue("7", "awa", "CAISSIER")
    assert both.verify(old).sub == both.verify(new).sub == "7"
    after = AccessTokens(OTHER, None, 900)
    assert after.verify(new).sub == "7"
    assert refused(after, old)


def test_the_cache_of_verified_tokens_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "CACHED", 5)
    access = AccessTokens(SECRET, None, 900)
    issued = [access.issue(str(number), "awa", "CAISSIER")[0] for number in range(20)]
    for token in issued * 2:
        access.verify(token)
    refused(access, "a.b.c")
    assert len(access._verified) == 5
    assert [access.verify(token).sub for token in issued] == [str(number) for number in range(20)]


def test_an_expired_token_is_refused_in_french_without_a_cause(access: AccessTokens) -> None:
    now = int(time.time())
    for end in (now, now - 1, 1):
        token = signed(payload(exp=end))
        assert refused(access, token)
        with pytest.raises(InvalidToken, match=r"^Jeton d'accès invalide ou expiré\.$"):
            access.verify(token)


def test_a_refresh_token_is_32_random_bytes() -> None:
    token, digest = new_refresh_token()
    assert re.fullmatch("[A-Za-z0-9_-]{43}", token)
    assert len(base64.urlsafe_b64decode(token + "=")) == 32
    assert digest == token_hash(token) == hashlib.sha256(token.encode()).hexdigest()
    assert new_refresh_token()[0] != token
    # Every text has a hash.
    assert len(token_hash("")) == len(token_hash("é\ud800")) == 64
