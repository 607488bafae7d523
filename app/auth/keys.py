"""API keys: made here, stored as hashes. The database checks a key again in every statement."""

import secrets
import sys
from datetime import datetime
from time import monotonic, time

import msgspec

from app.auth.tokens import Claims, token_hash
from app.database.database import Database

SCHEME = "cpt_"
START = "cpt_live_"  # scanners of leaked secrets know a key by it
SHOWN = len(START) + 6  # characters of a key that are stored and shown
CACHE_SECONDS = 60
CACHED = 4096  # keys and addresses; the oldest is forgotten first


def new_key() -> tuple[str, str, str]:
    """Return a key, its visible start, and its hash for the database. 32 random bytes need no salt."""
    key = START + secrets.token_urlsafe(32)
    return key, key[:SHOWN], token_hash(key)


class Keys:
    """Finds the user of a key, and keeps it for a minute. The database decides each time whether the key is valid."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[tuple[str, str], tuple[float, Claims]] = {}

    async def find(self, key: str, address: str) -> Claims | None:
        """The claims of a valid key. None if it is unknown, expired, used from elsewhere, or of an inactive user."""
        place = token_hash(key), address
        known = self._known.get(place)
        if known is None or known[0] < monotonic():
            claims = await self._read(*place)
            self._known.pop(place, None)
            if claims is None:
                return None
            if len(self._known) >= CACHED:
                del self._known[next(iter(self._known))]
            known = self._known[place] = (monotonic() + CACHE_SECONDS, claims)
        return known[1] if known[1].exp > time() else None

    async def _read(self, hashed: str, address: str) -> Claims | None:
        statement = "select row_to_json(k)::text from auth.cle_reconnaitre($1, $2) k"
        text = await self._database.value(statement, [hashed, address], reading=False)
        if text is None:
            return None
        row = msgspec.json.decode(text)
        expiry = row["expire_le"]
        return Claims(
            sub=str(row["id_utilisateur"]),
            login=row["login"],
            role=row["role"],
            jti=f"cle-{row['id_cle']}",
            exp=sys.maxsize if expiry is None else int(datetime.fromisoformat(expiry).timestamp()),
            epoque=None,  # a key outlives the sessions of its user
            sid=None,
            key=row["id_cle"],
            device=row["appareil"],
            permissions=frozenset(row["permissions"]),
        )
