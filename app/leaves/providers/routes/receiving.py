"""The route that receives a statement. The file is read here, off the event loop, and SQL decides about its lines."""

from functools import partial

from app.base.refusal import validation
from app.documents.thread import IMPORTS, off_loop
from app.http import uploads
from app.http.answer import Answer
from app.http.request import Request
from app.http.route import ACTIVITY, CREATE, STATEMENTS
from app.http.write import write
from app.leaves.providers import exchange

LIMIT = 10 * 1024 * 1024


async def receive(request: Request) -> Answer:
    """Envoie le relevé d'un compte : camt.053, MT940, OFX, classeur .xlsx ou texte .csv, de 10 Mio au plus. Ses lignes se rapprochent de ce qui est ici. Une ligne que le compte a déjà n'est pas reprise."""
    from app.leaves.providers import statement  # seldom used, and heavy

    account = await request.services.operation("tresorerie.compte_detail").read(request, request.scope["path_params"])
    provider = account["fournisseur"]
    read = exchange.adapter(provider).statement if provider in exchange.MODULES else partial(statement.read, words={})
    async with uploads.received(request, limit=LIMIT, kind=lambda _: "") as form:
        try:
            work = off_loop(read, form.file, form.name, thread=IMPORTS)
            made = await request.services.turns.take(request.signed_in.sub, request.receive, work, long=True)
        except statement.BadStatement as problem:
            raise validation({"file": [str(problem)]}) from None
        digest = await form.digest()
        supplied = {
            "fichier": form.name.replace("\0", "")[:200],
            "empreinte": digest,
            "format": made.format,
            "parties": made.parties,
        }
        row, headers = await write(request, supplied=supplied, digest=digest)
    return Answer(201, row["corps"], headers)


PREFIX = "/api/v1/tresorerie"
BOUNDS = ACTIVITY
ROUTES = [
    CREATE("/comptes/{id_compte}/releves", "tresorerie.releve_creer", "FINANCES.CREER", handler=receive, supplied=("fichier", "empreinte", "format", "parties"), form=(), accepts=STATEMENTS, rehearsable=True, costly=True),
]
EXAMPLES = {"ReleveRecu.fichier": "releve-2026-10.csv"}
