"""The route that receives the balance with which the books open, as a sheet."""

from functools import partial
from typing import Any, BinaryIO

import msgspec

from app.base.refusal import validation
from app.database.catalogue import PgType
from app.documents.thread import IMPORTS, off_loop
from app.http import uploads
from app.http.answer import Answer
from app.http.request import Request
from app.http.route import ACTIVITY, CREATE, SHEETS, TILL
from app.http.write import write
from app.leaves.echange.prepared import prepare
from app.leaves.echange.sheets import columns
from app.leaves.echange.sheets.guard import BadSheet

LIMIT = 5 * 1024 * 1024
COLUMNS_LIMIT = 64 * 1024  # bytes of a field
ERRORS = 20  # in the answer


async def receive(request: Request) -> Answer:
    """Passe les à-nouveaux d'une balance, classeur .xlsx ou texte .csv de 5 Mio au plus : une ligne par compte, son débit et son crédit, ou ses soldes. `colonnes` corrige les colonnes reconnues."""
    kind = request.services.catalogue.named("compta.ligne_saisie")
    async with uploads.received(request, "date", optional=("colonnes",), limit=LIMIT, part=COLUMNS_LIMIT, kind=lambda _: "") as form:
        try:
            work = off_loop(partial(_lines, form.file, kind, form.fields.get("colonnes")), thread=IMPORTS)
            lines = await request.services.turns.take(request.signed_in.sub, request.receive, work, long=True)
        except BadSheet as problem:
            raise validation({problem.field: [str(problem)]}) from None
        digest = "\0".join((await form.digest(), form.fields["date"], form.fields.get("colonnes") or ""))
        row, headers = await write(request, supplied={"date": form.fields["date"], "lignes": lines}, digest=digest)
    return Answer(201, row["corps"], headers)


def _lines(file: BinaryIO, kind: PgType, given: str | None) -> list[Any]:
    prepared = prepare(file, kind, columns.parse_given(given))
    try:
        rows = [row for batch in prepared.batches() for row in msgspec.json.decode(batch)]
    finally:
        prepared.close()
    errors = [f"Ligne {row['ligne']}, {one['champ']} : {one['message']}" for row in rows for one in row["erreurs"]]
    if errors:
        raise validation({"file": errors[:ERRORS]})
    return [row["donnees"] for row in rows]


PREFIX = "/api/v1/compta"
BOUNDS = ACTIVITY + TILL
FORM = (("date", "pg_catalog.date"), ("colonnes", "core.texte"))
ROUTES = [
    CREATE("/a-nouveaux/feuille", "compta.a_nouveau_creer", "COMPTA.CREER", handler=receive, optional=("colonnes",), supplied=("lignes", "libelle"), form=FORM, accepts=SHEETS, rehearsable=True, costly=True),
]
