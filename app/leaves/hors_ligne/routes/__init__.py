"""The routes of the devices of tills: inscription, what they sell from, their lots, and what could not be done."""

import re
from typing import Any

import msgspec

from app.base.refusal import validation
from app.http.answer import Answer
from app.http.arguments import decode
from app.http.authorisation import permit
from app.http.mode import Mode, keyed
from app.http.operation import Context, in_context
from app.http.request import Request
from app.http.route import ACTIVITY, CLIENT, CREATE, GET, POST, TILL
from app.http.transaction import Transaction, transact
from app.http.values import encode
from app.leaves.hors_ligne.lots import SECONDS, plan, send
from app.routes import shown_key

OPERATIONS = 200  # of a lot
NEEDED = ("sequence", "id")  # without them an operation cannot be kept


class AppareilFait(msgspec.Struct):
    """L'appareil inscrit. `cle` n'est montrée que cette fois : null quand une requête se répète."""

    id_appareil: str
    prefixe: str
    cle: str | None


class RaisonException(msgspec.Struct):
    """La règle qui refuse une opération."""

    code: str
    message: str


# Half of a character, where a device has cut a text. JSON has no such text, and the other operations must arrive.
# An escaped backslash and a whole character, the first alternative, stay.
_HALF = re.compile(rb"((?:\\\\)+|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


class OperationRendue(msgspec.Struct):
    """Ce qu'est devenue une opération : `etat` est ACCEPTEE, CONNUE ou EXCEPTION. CONNUE : elle était déjà faite, et
    `corps` a les octets de la première fois."""

    sequence: str
    id: str
    etat: str
    statut: int
    corps: dict[str, Any] | list[dict[str, Any] | str] | None
    exception: RaisonException | None


class LotRendu(msgspec.Struct):
    """Les opérations du lot, dans leur ordre."""

    operations: list[OperationRendue]


async def inscribe(request: Request) -> Answer:
    made, key, headers = await shown_key.make(request)
    return Answer(201, msgspec.json.encode(made | {"cle": key}), headers)


async def receive(request: Request) -> Answer:
    """Reçoit, dans leur ordre, les opérations qu'un appareil a faites sans réseau ; un lot vide annonce sa séquence.

    Une opération est faite une fois, pour toujours : renvoyée, elle a la réponse de la première fois. Celle qu'une
    règle refuse est une exception, gardée entière, et n'arrête pas les suivantes. Voir docs/hors-ligne.md.
    """
    body = request.parse(_HALF.sub(lambda match: match[1] or rb"\ufffd", await request.raw_body()))
    listed = body["operations"] if isinstance(body.get("operations"), list) else []
    if len(listed) > OPERATIONS:
        raise validation({"operations": [f"Un lot compte {OPERATIONS} opérations au plus."]})
    if listed:  # any other defect of an operation makes an exception of it
        needed = [{name: sent[name] for name in NEEDED if name in sent} if isinstance(sent, dict) else sent for sent in listed]
        body = body | {"operations": needed}
    device, identities, announced = await request.fields(body)
    operations = [sent | {name: one[name] for name in NEEDED} for sent, one in zip(listed, decode(identities), strict=True)]
    till = request.scope["path_params"]["id_caisse"]
    last = max([int(announced or 0), *(int(operation["sequence"]) for operation in operations)])
    await request.call("finances.lot_annoncer", [till, device, str(last)])
    async with request.services.database.one_wait() as waited:
        answers = [await send(request, till, device, operation, Mode(waited=waited)) for operation in operations]
    return Answer(200, msgspec.json.encode({"operations": answers}))


async def resume(request: Request) -> Answer:
    """Reprend une exception, une fois sa cause réparée, au jour et aux prix de l'appareil.

    `corps` et `instant` corrigent l'opération : un autre produit, une autre quantité, un autre jour. Qui reprend
    signe : le motif, les corrections et son nom restent avec l'exception. Il lui faut aussi la permission de
    l'opération.
    """
    path = request.scope["path_params"]
    detail = request.services.operation("finances.exception_detail")
    kept = decode((await detail.run(request, [path["id_caisse"], path["id_exception"]]))["corps"])  # its numbers are exact
    reason, body, instant = await request.fields()
    corrections = {name: value for name, value in (("corps", body and decode(body)), ("instant", instant)) if value}
    planned = await plan(request, kept["operation"] | corrections)
    if planned.refused is not None:
        raise planned.refused
    if planned.call is not None:
        await permit(request, planned.call.endpoint.route.permission)
        planned.call.refused = None
    mode = keyed(request, await request.raw_body())

    async def steps(transaction: Transaction) -> Answer:
        if (earlier := await transaction.earlier()) is not None:
            return Answer(200, earlier, {"Idempotency-Replayed": "true"})
        place = [path["id_caisse"], path["id_exception"]]
        named = encode(sorted(planned.names)).decode()
        take = request.services.operation("finances.exception_prendre")
        taken = msgspec.json.decode((await transaction.call(take, [*place, planned.function, named, instant or None]))["corps"])
        played = await planned.answer(request, transaction, taken["reponses"])
        answer = None if played["corps"] is None else bytes(played["corps"]).decode()
        signed = encode(corrections).decode() if corrections else None
        content = (await transaction.call(request.operation, [*place, answer, reason, signed]))["corps"]
        await transaction.keep(content)
        return Answer(200, content)

    async def run(context: Context) -> Answer:
        return await transact(context, request, mode, SECONDS, steps)

    return await in_context(request, run)


PREFIX = "/api/v1/finances/caisses/{id_caisse}"
BOUNDS = ACTIVITY + TILL
LOT = (("id_appareil", "pg_catalog.int8"), ("operations", "finances._operation_recue"), ("derniere_sequence", "pg_catalog.int8"))
RESUMED = (("motif", "core.texte"), ("corps", "pg_catalog.jsonb"), ("instant", "pg_catalog.timestamptz"))
ROUTES = [
    CREATE("/appareils", "finances.appareil_creer", "FINANCES.CREER", "CreerAppareilDto", handler=inscribe, answer=AppareilFait, supplied=("prefixe", "hash", "avis_en_file")),
    GET("/appareils", "finances.appareil_lister", "FINANCES.VOIR"),
    GET("/appareils/{id_appareil}", "finances.appareil_detail", "FINANCES.VOIR", device=True),
    POST("/appareils/{id_appareil}/revoquer", "finances.appareil_revoquer", "FINANCES.MODIFIER", "RevoquerAppareilDto"),
    GET("/fonds", "finances.caisse_fonds", "FINANCES.VOIR", waits=True, device=True),
    POST("/lots", "finances.lot_annoncer", "FINANCES.CREER", "LotDto", handler=receive, answer=LotRendu, device=True, fields=LOT, optional=("derniere_sequence",)),
    GET("/exceptions", "finances.exception_lister", "FINANCES.VOIR", device=True),
    GET("/exceptions/{id_exception}", "finances.exception_detail", "FINANCES.VOIR", device=True),
    # The operation is done again, so its client bounds the account too.
    POST("/exceptions/{id_exception}/reprendre", "finances.exception_garder", "FINANCES.MODIFIER", "ReprendreExceptionDto", handler=resume, fields=RESUMED, optional=("corps", "instant"), bounds=BOUNDS + CLIENT),
    POST("/exceptions/{id_exception}/abandonner", "finances.exception_abandonner", "FINANCES.MODIFIER", "AbandonnerExceptionDto"),
]
_CUSTOMER = {"nom": "Diop", "prenoms": "Awa", "tel_principal": "+221770000001", "type_client": "PASSAGE"}
EXAMPLES: dict[str, Any] = {
    "OperationRecue.sequence": "1",
    "OperationRecue.id": "3f0c8a52-6d1e-4b7a-9c55-0e7a2f4d1b90",
    "OperationRecue.instant": "2026-01-31T18:05:00Z",
    "OperationRecue.methode": "POST",
    "OperationRecue.chemin": "/api/v1/client/clients",
    "OperationRecue.corps": _CUSTOMER,
    "OperationRecue.refs": [],
    "OperationRecue.ticket": {"numero": "C1-000001", "version": "4211"},
    "ReprendreException.corps": _CUSTOMER,
    "ReprendreException.instant": "2026-01-31T18:05:00Z",
}
