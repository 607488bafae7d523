"""Routes of client: the client file, emergency contacts, identity documents."""

from app.http.answer import Answer
from app.http.request import Request
from app.http.route import CLIENT, CREATE, GET, PATCH, POST
from app.http.write import write
from app.jobs import letters


async def data(request: Request) -> Answer:
    operation, keys = request.operation, request.scope["path_params"]
    row = await operation.run(request, operation.arguments.check(keys, None))
    name = f"client-{keys.get('id_client', 'moi')}.json"
    return Answer(200, row["corps"], {"Content-Disposition": f'attachment; filename="{name}"'})


# The former address of an account is warned when its address changes. The transaction of the change queues the letter.
# Without a queue, this process sends it after the answer.
async def modify(request: Request) -> Answer:
    services, body = request.services, await request.json()
    queueing = services.settings.queueing
    former = await _address(request, body["email"]) if "email" in body and not queueing else None
    row, headers = await write(request, "PATCH", {"avis_en_file": queueing})
    rehearsed = bool(headers)
    if former is not None and not rehearsed:
        services.background.later(letters.warn(services.mailer, letters.ADDRESS_CHANGED, former, {}))
    return Answer(200, row["corps"], headers)


async def _address(request: Request, email: object) -> letters.Recipient | None:
    """The recipient at the former address, read before the change. The change itself refuses an invalid address."""
    arguments = {**request.scope["path_params"], "email": email if isinstance(email, str) else None}
    rows = await request.services.operation("auth.adresse_avis").read(request, arguments)
    return letters.Recipient(**rows[0]) if rows else None


PREFIX = "/api/v1/client/clients"
BOUNDS = CLIENT
ROUTES = [
    GET("/api/v1/client/portail", "client.portail_detail", "PORTAIL.VOIR"),
    GET("/api/v1/client/portail/donnees", "client.mes_donnees", "PORTAIL.VOIR", handler=data, costly=True),
    GET("", "client.client_lister", "CLIENT.VOIR"),
    CREATE("", "client.client_creer", "CLIENT.CREER", "CreerClientDto"),
    GET("/{id_client}", "client.client_detail", "CLIENT.VOIR"),
    PATCH("/{id_client}", "client.client_modifier", "CLIENT.MODIFIER", "MajClientDto", "client.client_champs", handler=modify, supplied=("avis_en_file",), rehearsable=True),
    GET("/{id_client}/credit", "client.credit_detail", "CLIENT.VOIR"),
    GET("/{id_client}/donnees", "client.client_donnees", "ADMIN.SUPPRIMER", handler=data, costly=True),
    POST("/{id_client}/anonymiser", "client.client_anonymiser", "ADMIN.SUPPRIMER", "AnonymiserClientDto"),
    CREATE("/{id_client}/contacts-urgence", "client.contact_urgence_creer", "CLIENT.MODIFIER", "CreerContactDto"),
    CREATE("/{id_client}/pieces-identite", "client.piece_identite_creer", "CLIENT.MODIFIER", "CreerPieceDto"),
    GET("/{id_client}/pieces-identite/{id_piece}", "client.piece_identite_detail", "CLIENT.VOIR"),
    PATCH("/{id_client}/pieces-identite/{id_piece}", "client.piece_identite_modifier", "CLIENT.MODIFIER", "MajPieceDto", "client.piece_identite_champs"),
]
