"""Public routes: anyone checks a document by its QR code, and keeps roots and keys that prove it later."""

from functools import partial

import msgspec

from app.auth.throttle import Throttle
from app.base.refusal import Refusal
from app.documents import printing
from app.http.accept import wants_page
from app.http.answer import Answer
from app.http.request import Request
from app.http.route import COMPANY, GET
from app.http.static import page_headers


async def page(request: Request) -> Answer:
    """Vérifie un document par le jeton de son code QR : une page pour un navigateur, sinon du JSON.

    Un jeton inconnu reçoit 404, un document retiré des livres 409, sur une page aussi.
    """
    operation = request.operation
    values = operation.arguments.check(request.scope["path_params"], None)
    shown = wants_page(request.header(b"accept"))
    try:
        body = (await operation.run(request, values))["corps"]
    except Refusal as refusal:
        if not shown or refusal.code not in ("DOCUMENT_INCONNU", "DOCUMENT_RETIRE"):
            raise
        return await _shown(refusal.status, {"refus": refusal.code, "message": refusal.message}, request)
    return await _shown(200, msgspec.json.decode(body), request) if shown else Answer(200, body)


async def _shown(status: int, data: dict[str, object], request: Request) -> Answer:
    data |= {"fichier": "verification", "jeton": request.path.rpartition("/")[2]}
    services = request.services
    site = services.settings.public_url
    document = await printing.document(services.renderer, "html", "verification.html", data, site)
    return Answer(status, document.body, page_headers(), document.media_type)


PREFIX = "/verifier"
BOUNDS = COMPANY
OPEN = partial(GET, permission=None, public=True, throttle=Throttle(60, 60))  # some times a minute for one address
ROUTES = [
    OPEN("/{jeton}", "audit.document_verifier", handler=page),
    OPEN("/{jeton}/preuve", "audit.document_prouver"),
    OPEN("/racines", "audit.racine_lister"),
    OPEN("/coherence", "audit.racine_relier"),
    OPEN("/.well-known/comptoir-sceau.json", "audit.cle_lister"),
]
