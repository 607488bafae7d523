"""A new API key: the answer shows it once, and a letter warns its owner."""

from typing import Any

import msgspec

from app.auth.keys import new_key
from app.http.request import Request
from app.http.write import write
from app.jobs import letters
from app.routes import tries


async def make(request: Request) -> tuple[dict[str, Any], str | None, dict[str, str]]:
    """Write a key. Return the answer of the operation, the key, and the headers; a request that repeats has no key."""
    key, start, hashed = new_key()
    queueing = request.services.settings.queueing
    row, headers = await write(request, supplied={"prefixe": start, "hash": hashed, "avis_en_file": queueing})
    if headers:
        return msgspec.json.decode(row["corps"]), None, headers
    if not queueing:
        facts = {"libelle": (await request.json())["libelle"], "prefixe": start}
        request.services.background.later(tries.warn(request, letters.KEY, request.signed_in.login, facts))
    return msgspec.json.decode(row["corps"]), key, headers
