"""Handlers of the webhooks: the process knows which addresses it may reach, encrypts the keys, and sends the trial."""

from __future__ import annotations

import msgspec

from app.auth.encrypted import WEBHOOK
from app.base.refusal import Refusal
from app.http.answer import Answer
from app.http.request import Request
from app.http.write import write
from app.jobs.addresses import ForbiddenAddress
from app.jobs.webhooks import TRIAL, new_key

SUPPLIED = ("chiffre",)


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
    row, headers = await write(request, request.operation, "PATCH")
    return Answer(200, row["corps"], headers)


async def _give_key(request: Request, status: int) -> Answer:
    """Store a new key, encrypted, and show it. A repeated request shows the key of its first answer."""
    secrets = request.services.secrets
    supplied = {"chiffre": secrets.encrypt(new_key(), WEBHOOK)}
    row, headers = await write(request, request.operation, supplied=supplied)
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
    operation = request.operation
    row = await operation.run(request, operation.arguments.check(request.scope["path_params"], None))
    hook = msgspec.json.decode(row["corps"])
    sent = await request.services.sender.send(hook["url"], hook["cles"], 0, TRIAL)
    answered = sent.code is not None
    essai = Essai(sent.code, sent.milliseconds, sent.text if answered else "", None if answered else sent.text)
    return Answer(200, msgspec.json.encode(essai))
