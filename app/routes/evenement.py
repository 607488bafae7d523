"""Routes of evenement: what happened, for other systems, and the webhooks.

The process knows which addresses a webhook may have, encrypts its key, and sends the trial.
"""

from dataclasses import replace

import msgspec

from app.auth.encrypted import WEBHOOK
from app.base.refusal import Refusal
from app.http.answer import Answer
from app.http.request import Request
from app.http.route import ACTIVITY, CLIENT, COMPANY, CREATE, DELETE, GET, PATCH, POST, TILL
from app.http.write import write
from app.jobs.addresses import ForbiddenAddress
from app.jobs.webhooks import TRIAL, new_key


class Essai(msgspec.Struct):
    """Un envoi d'essai : le statut de la réponse et ses 500 premiers octets, ou ce qui a manqué."""

    code: int | None
    duree_ms: int
    reponse: str
    erreur: str | None


async def create(request: Request) -> Answer:
    await _check_address(request)
    return await _give_key(request, 201)


async def change_key(request: Request) -> Answer:
    return await _give_key(request, 200)


async def modify(request: Request) -> Answer:
    await _check_address(request)
    row, headers = await write(request, "PATCH")
    return Answer(200, row["corps"], headers)


async def _give_key(request: Request, status: int) -> Answer:
    """Store a new key, encrypted, and show it. A repeated request shows the key of its first answer."""
    secrets = request.services.secrets
    supplied = {"chiffre": secrets.encrypt(new_key(), WEBHOOK)}
    row, headers = await write(request, supplied=supplied)
    body: bytes = row["corps"]
    stored = msgspec.json.decode(body).get("secret")
    if stored is not None:  # a first answer of an earlier release has none left
        body = body.replace(stored.encode(), secrets.decrypt(stored, WEBHOOK).encode())
    return Answer(status, body, headers)


async def _check_address(request: Request) -> None:
    """Refuse a forbidden literal address. A name is checked at each delivery, when it is resolved."""
    url = (await request.json()).get("url")
    try:
        if isinstance(url, str):
            request.services.sender.refuse(url)
    except ForbiddenAddress as error:
        raise Refusal(400, "ADRESSE_INTERDITE", str(error)) from None


async def try_once(request: Request) -> Answer:
    """Envoie maintenant un événement d'essai, `evenement.essai`, signé comme les autres, et dit ce que le destinataire a répondu."""
    await request.raw_body()
    hook = await request.operation.read(request, request.scope["path_params"])
    sent = await request.services.sender.send(hook["url"], hook["cles"], 0, TRIAL)
    answered = sent.code is not None
    essai = Essai(sent.code, sent.milliseconds, sent.text if answered else "", None if answered else sent.text)
    return Answer(200, msgspec.json.encode(essai))


PREFIX = "/api/v1/evenements"
BOUNDS = COMPANY
HOOKS = "/api/v1/admin/webhooks"
HOOK = f"{HOOKS}/{{id_webhook}}"
# An account reaches the webhooks that it could own: its limits are theirs.
HOOK_ROUTES = [
    GET(HOOK, "evenement.webhook_detail", "ADMIN.VOIR"),
    PATCH(HOOK, "evenement.webhook_modifier", "ADMIN.MODIFIER", "MajWebhookDto", "evenement.webhook_champs", handler=modify, rehearsable=True),
    DELETE(HOOK, "evenement.webhook_supprimer", "ADMIN.SUPPRIMER"),
    POST(f"{HOOK}/secret", "evenement.webhook_secret_changer", "ADMIN.MODIFIER", handler=change_key, supplied=("chiffre",), rehearsable=True),
    POST(f"{HOOK}/essayer", "evenement.webhook_cles", "ADMIN.MODIFIER", handler=try_once, answer=Essai),
    POST(f"{HOOK}/rejouer", "evenement.webhook_rejouer", "ADMIN.MODIFIER", "RejouerWebhookDto"),
    GET(f"{HOOK}/livraisons", "evenement.livraison_lister", "ADMIN.VOIR", stale=True),
]
ROUTES = [
    GET("", "evenement.evenement_lister", None, bounds=ACTIVITY + TILL, waits=True),
    GET("/types", "evenement.type_lister", None),
    CREATE(HOOKS, "evenement.webhook_creer", "ADMIN.CREER", "CreerWebhookDto", handler=create, supplied=("chiffre",), rehearsable=True),
    GET(HOOKS, "evenement.webhook_lister", "ADMIN.VOIR"),
    *(replace(route, bounds=ACTIVITY + TILL + CLIENT) for route in HOOK_ROUTES),
]
