"""Access tokens, which say who calls, and the opaque secrets that refresh them."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

import jwt
from jwt.types import Options

ALGORITHM = "HS256"
CACHED = 4096  # tokens; about 3 MB

USER = re.compile(r"[0-9]{1,18}")  # a user's id: a whole number that fits a bigint
TEXTS = ("sub", "login", "role", "jti")
# iat decides nothing: a clock one second ahead on another machine must not refuse a fresh token.
OPTIONS: Options = {"require": [*TEXTS, "exp"], "verify_iat": False}


class InvalidToken(Exception):
    """The token is forged, expired or not one of ours. The cause stays with us."""

    def __init__(self) -> None:
        super().__init__("Jeton d'accès invalide ou expiré.")


@dataclass(frozen=True, slots=True)
class Claims:
    sub: str
    login: str
    role: str
    jti: str
    exp: int
    epoque: int  # of the user when the token was issued: auth.utilisateur has the present one
    sid: str | None  # the sign-in that it comes from, as auth.jeton_rafraichissement.famille names it


class AccessTokens:
    """Issues with the current secret; verifies with the current one or the one before, named by `kid`."""

    def __init__(self, secret: str, previous: str | None, ttl: int, clock: Callable[[], float] = time.time) -> None:
        self._secret = secret
        self._kid = _kid(secret)
        self._secrets = {_kid(known): known for known in (previous, secret) if known}
        self._ttl = ttl
        self._clock = clock
        self._verified: dict[str, Claims] = {}

    def issue(self, sub: str, login: str, role: str, epoque: int = 0, sid: str | None = None) -> tuple[str, int]:
        """A new token and the seconds that it lives."""
        now = int(self._clock())
        claims = {"sub": sub, "login": login, "role": role, "jti": secrets.token_hex(16), "epoque": epoque, "sid": sid}
        times = {"iat": now, "exp": now + self._ttl}
        return jwt.encode(claims | times, self._secret, ALGORITHM, headers={"kid": self._kid}), self._ttl

    def verify(self, token: str) -> Claims:
        """What a valid token says; InvalidToken for any other. The denylist is the caller's business."""
        # A signature stays valid, so one check a token is enough (50 µs); only time must be looked at again.
        claims = self._verified.get(token)
        if claims is None:
            claims = self._decode(token)
            if len(self._verified) >= CACHED:
                del self._verified[next(iter(self._verified))]
            self._verified[token] = claims
        if claims.exp <= self._clock():
            self._verified.pop(token, None)
            raise InvalidToken
        return claims

    def bearer(self, authorization: str | None) -> Claims | None:
        """The claims of an Authorization header; None without a valid token."""
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            return self.verify(token.strip())
        except InvalidToken:
            return None

    def _decode(self, token: str) -> Claims:
        try:
            secret = self._secrets[jwt.get_unverified_header(token)["kid"]]
            payload = jwt.decode(token, secret, algorithms=[ALGORITHM], options=OPTIONS, leeway=0)
        except (jwt.PyJWTError, KeyError, ValueError) as error:
            raise InvalidToken from error
        if not all(isinstance(payload[name], str) for name in TEXTS) or not USER.fullmatch(payload["sub"]):
            raise InvalidToken
        # Tokens of a release before epochs have neither claim, and live for minutes.
        epoque, sid = payload.get("epoque", 0), payload.get("sid")
        if not isinstance(epoque, int) or not isinstance(sid, str | None):
            raise InvalidToken
        expiry = int(payload["exp"])
        return Claims(payload["sub"], payload["login"], payload["role"], payload["jti"], expiry, epoque, sid)


def new_refresh_token() -> tuple[str, str]:
    """A refresh token for the client, and its hash for the database: 32 random bytes, so no salt."""
    token = base64.urlsafe_b64encode(secrets.token_bytes(32)).rstrip(b"=").decode()
    return token, refresh_hash(token)


def refresh_hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _kid(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()[:8]
