"""Handlers of the webhooks: the process knows which addresses it may reach, and it sends the trial."""

from __future__ import annotations

import msgspec

from app.base.refusal import Refusal
from app.http.answer import Answer
from app.http.request import Request
from app.http.write import write
from app.jobs.addresses import ForbiddenAddress
from app.jobs.webhooks import TRIAL


class Essai(msgspec.Struct):
    """Un envoi d'essai : le statut de la réponse et ses 500 premiers octets, ou ce qui a manqué."""

    code: int | None
    duree_ms: int
    reponse: str
    erreur: str | None


async def create(request: Request) -> Answer:
    """Of an operation that stores an address."""
    await _check_address(request)
    row, headers = await write(request, request.operation)
    return Answer(201, row["corps"], headers)


async def modify(request: Request) -> Answer:
    await _check_address(request)
    row, headers = await write(request, request.operation, "PATCH")
    return Answer(200, row["corps"], headers)


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
