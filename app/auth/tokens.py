"""Access tokens, which authenticate a caller, and opaque refresh tokens."""

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
# iat is not verified: another machine's clock may run a second ahead, and its new tokens must be accepted.
OPTIONS: Options = {"require": [*TEXTS, "exp"], "verify_iat": False}


class InvalidToken(Exception):
    """The token is forged, expired or foreign. The answer does not reveal which."""

    def __init__(self) -> None:
        super().__init__("Jeton d'accès invalide ou expiré.")


@dataclass(frozen=True, slots=True)
class Claims:
    sub: str
    login: str
    role: str
    jti: str
    exp: int
    epoque: int | None  # the user's epoch at the issue of the token; auth.utilisateur holds the present one. Keys: None
    sid: str | None  # the sign-in of this token: auth.jeton_rafraichissement.famille
    second_factor: bool = False  # whether the user had one at the sign-in
    key: int | None = None  # the API key that was sent instead of a token
    device: bool = False  # whether a device of a till has this key
    permissions: frozenset[str] | None = None  # of the key; the caller has the permissions that the role has too


class AccessTokens:
    """Signs with the current secret. Verifies with the current or the previous secret, chosen by `kid`."""

    def __init__(self, secret: str, previous: str | None, ttl: int, clock: Callable[[], float] = time.time) -> None:
        self._secret = secret
        self._kid = _kid(secret)
        self._secrets = {_kid(key): key for key in (previous, secret) if key}
        self._ttl = ttl
        self._clock = clock
        self._verified: dict[str, Claims] = {}

    def issue(
        self, sub: str, login: str, role: str, epoque: int = 0, sid: str | None = None, *, second_factor: bool = False
    ) -> tuple[str, int]:
        """Return a new token and its lifetime in seconds."""
        now = int(self._clock())
        claims: dict[str, object] = {"sub": sub, "login": login, "role": role, "jti": secrets.token_hex(16)}
        claims |= {"epoque": epoque, "sid": sid, "a2f": second_factor}
        times = {"iat": now, "exp": now + self._ttl}
        return jwt.encode(claims | times, self._secret, ALGORITHM, headers={"kid": self._kid}), self._ttl

    def verify(self, token: str) -> Claims:
        """Return the claims of a valid token, or raise InvalidToken. The caller checks the denylist."""
        # A signature stays valid, so it is checked once for each token (50 µs). The expiry is checked every time.
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
        """Return the claims of an Authorization header, or None without a valid token."""
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
        # Tokens issued by earlier releases have none of these claims. They expire within minutes.
        epoque, sid, second = payload.get("epoque", 0), payload.get("sid"), payload.get("a2f", False)
        if not isinstance(epoque, int) or not isinstance(sid, str | None) or not isinstance(second, bool):
            raise InvalidToken
        expiry = int(payload["exp"])
        return Claims(payload["sub"], payload["login"], payload["role"], payload["jti"], expiry, epoque, sid, second)


def new_refresh_token() -> tuple[str, str]:
    """Return a refresh token for the client and its hash for the database. 32 random bytes need no salt."""
    token = secrets.token_urlsafe(32)
    return token, token_hash(token)


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _kid(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()[:8]
