"""The handler that makes an API key: the key itself never reaches the database."""

from __future__ import annotations

import msgspec

from app.auth.keys import new_key
from app.http.answer import Answer
from app.http.request import Request
from app.http.write import write
from app.jobs import letters
from app.routes import tries

SUPPLIED = ("prefixe", "hash", "avis_en_file")


class CleFaite(msgspec.Struct):
    """Une clé d'API, montrée cette fois seulement ; null quand la requête est répétée sous sa clé d'idempotence."""

    id_cle: str
    prefixe: str
    cle: str | None


async def create(request: Request) -> Answer:
    key, start, hashed = new_key()
    queueing = request.services.settings.queueing
    supplied = {"prefixe": start, "hash": hashed, "avis_en_file": "true" if queueing else "false"}
    row, headers = await write(request, request.operation, supplied=supplied)
    made = msgspec.json.decode(row["corps"])
    if not queueing and not headers:
        facts = {"libelle": (await request.json())["libelle"], "prefixe": start}
        request.services.background.later(tries.warn(request, letters.KEY, request.signed_in.login, facts))
    shown = CleFaite(made["id_cle"], made["prefixe"], None if headers else key)
    return Answer(201, msgspec.json.encode(shown), headers)
