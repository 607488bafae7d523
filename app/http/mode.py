"""How a write runs. The headers of its request choose the mode once.

- Plain: the operation is one statement, and its own transaction.
- Keyed, by Idempotency-Key: the first answer is stored with its effect and returned when the request is repeated.
- Conditional, by If-Match or If-None-Match: only in the state that the caller names (app/http/versions.py).
- Rehearsed, by `Prefer: tx=rollback` (RFC 7240): the write runs whole, the caller gets its true answer, and the
  transaction is rolled back. A rehearsal uses no key, and may be conditional.
"""

import hashlib
from typing import Any, NamedTuple, NoReturn

from app.auth.throttle import Throttle
from app.base.refusal import Refusal, validation
from app.http import limits
from app.http.compression import CONDITIONS
from app.http.request import Request
from app.http.route import Route

RATE = Throttle(10, 60)  # rehearsals of a user


class Mode(NamedTuple):
    """A plain write has none of these."""

    key: tuple[str, str] | None = None  # the Idempotency-Key and the fingerprint of its request
    conditional: bool = False
    rehearsed: bool = False
    waited: bool = False  # the caller waits for the disk, once for several transactions: Database.one_wait

    def headers(self, row: Any) -> dict[str, str]:
        """The headers of an answer that name its mode."""
        if self.rehearsed:
            return {"Preference-Applied": "tx=rollback"}
        return {"Idempotency-Replayed": "true"} if self.key and row["rejoue"] else {}


def choose(request: Request, method: str, sent: bytes) -> Mode:
    """The mode of a write. `sent` is what the caller has sent, as `keyed` takes it."""
    conditional = method != "POST" and any(name in request.headers for name in CONDITIONS)
    if wants_rehearsal(request):
        if method == "POST":
            request.repeat_key()  # a key that the write would refuse
        return Mode(conditional=conditional, rehearsed=True)
    return keyed(request, sent) if method == "POST" else Mode(conditional=conditional)


def keyed(request: Request, sent: bytes) -> Mode:
    """The mode of a POST that is not rehearsed.

    `sent` has no passwords: a reader of the database could try passwords until one gives the fingerprint.
    """
    key = request.repeat_key()
    if key is None:
        return Mode()
    return Mode((key, hashlib.sha256(request.path.encode() + b"\0" + sent).hexdigest()))


def wants_rehearsal(request: Request) -> bool:
    """Whether the request prefers tx=rollback. Another value of tx is refused, because a misspelt one would write."""
    if b"prefer" not in request.headers:
        return False
    values = {
        value.strip().strip('"').lower()
        for header, content in request.scope["headers"]
        if header == b"prefer"
        for preference in content.decode("latin-1").split(",")
        for name, _, value in [preference.partition(";")[0].partition("=")]
        if name.strip().lower() == "tx"
    }
    if values - {"commit", "rollback"} or len(values) > 1:
        raise validation({"Prefer": ["Préférences possibles : tx=rollback (répéter sans garder) ou tx=commit."]})
    return values == {"rollback"}


def refuse_rehearsal(route: Route) -> NoReturn:
    message = f"{route.method} {route.path} ne se répète pas : ses effets ne sont pas tous dans la base."
    raise Refusal(400, "REPETITION_IMPOSSIBLE", message)


async def count_rehearsal(request: Request) -> None:
    """Count a rehearsal of this user. Raises 429 after too many."""
    await limits.count(request, "repetition", RATE, f"svc:repetition:{request.signed_in.sub}")
