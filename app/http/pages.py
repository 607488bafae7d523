"""The pages of a list: the signed cursor in `apres`, and the headers that lead to the next page.

PostgreSQL makes the cursor (sql/core/_curseur.sql): the sort values of the last row of a page. A caller gets it with a
signature over the list, its order and its filters, so that it continues this list only.
"""

import base64
import hashlib
import hmac
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import msgspec

from app.base.refusal import Refusal, validation
from app.base.settings import Settings
from app.http.operation import Operation

PURPOSE = b"comptoir: curseur de liste"  # another use of the same secret makes other signatures
SIGNATURE = hashlib.sha256().digest_size
LONGEST = 1500  # bytes of a cursor in an address; many servers and proxies refuse one of more than some 8,000


class Pages:
    """The cursors of one list. A cursor signed with the previous secret is valid too."""

    def __init__(self, operation: Operation, settings: Settings) -> None:
        self._list = operation.function.qualified
        self._names = operation.names
        secrets = (settings.jwt_secret, settings.jwt_secret_precedent)
        self._keys = [hmac.digest(secret.encode(), PURPOSE, "sha256") for secret in secrets if secret]

    def cursor(self, query: Mapping[str, str], values: list[str | None], organisation: str) -> str | None:
        """The cursor of the query for the database, or None. Raises 400 for a forged one or one of another list.

        `organisation` is the code of the organisation, empty where there is only one.
        """
        sent = query.get("apres")
        if sent is None:
            return None
        if "offset" in query:
            raise validation({"apres": ["« apres » et « offset » ne vont pas ensemble."]})
        raw = _decode(sent)
        signature, cursor = raw[:SIGNATURE], raw[SIGNATURE:]
        if not any(hmac.compare_digest(signature, self._sign(key, cursor, values, organisation)) for key in self._keys):
            raise Refusal(
                400, "CURSEUR_INVALIDE", "Ce curseur n'est pas celui de cette liste : reprenez à la première page."
            )
        return cursor.decode()

    def headers(
        self, path: str, query: Mapping[str, str], values: list[str | None], row: Any, organisation: str
    ) -> dict[str, str]:
        """X-Total-Count, and Link to the next page if there is one: by offset after an offset, else by cursor."""
        total: str = row["total"]
        headers = {"X-Total-Count": total.removesuffix("+")}
        if total.endswith("+"):
            headers["X-Total-Capped"] = "true"
        if (following := row["suite"]) is not None:
            others = {name: value for name, value in query.items() if name not in ("apres", "offset")}
            cursor = following.encode()
            if "offset" in query or len(cursor) > LONGEST:
                place: dict[str, Any] = {"offset": msgspec.json.decode(cursor)["rang"]}
            else:
                place = {"apres": _encode(self._sign(self._keys[0], cursor, values, organisation) + cursor)}
            headers["Link"] = f'<{path}?{urlencode({**others, **place})}>; rel="next"'
        return headers

    def _sign(self, key: bytes, cursor: bytes, values: list[str | None], organisation: str) -> bytes:
        """Sign the cursor with the list and the checked values of its parameters. The size of a page may change."""
        parameters = [
            (name, value)
            for name, value in zip(self._names, values, strict=True)
            if value is not None and name not in ("limit", "offset")
        ]
        return hmac.digest(key, msgspec.json.encode((organisation, self._list, parameters)) + b"\n" + cursor, "sha256")


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    """The bytes of a cursor, or none at all for a text that no cursor has: `b64decode` accepts several for the same."""
    try:
        raw = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except ValueError:
        return b""
    return raw if _encode(raw) == text else b""
