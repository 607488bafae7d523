"""The route of a list of calls, rehearsed or done as one transaction."""

from functools import partial

import msgspec

from app.http.answer import Answer
from app.http.arguments import decode
from app.http.authorisation import permit, refusal_of
from app.http.mode import Mode, count_rehearsal, keyed
from app.http.operation import Context, in_context
from app.http.request import Request
from app.http.route import COMPANY, POST
from app.http.transaction import Transaction, transact
from app.leaves.repetition.calls import Call, Reponses, plan, play, without_passwords

SECONDS = 10.0
KEEPING = "ADMIN.MODIFIER"


async def repeat(request: Request) -> Answer:
    """Répète une liste d'appels en une transaction, puis l'annule : chaque réponse est la vraie, et rien n'en reste.

    Un appel se sert d'une réponse d'avant par `{0/id_client}` dans son chemin, `{"$ref": "0/id_client"}` dans son
    corps. Le premier refus clôt la liste ; les lectures viennent avant la première écriture. Avec `valider`, la
    même liste est faite pour de bon, toute ou rien ; il y faut ADMIN.MODIFIER, et la permission de chaque appel.
    """
    listed, kept = await request.fields()
    keep = kept == "true"
    calls = plan(request, decode(listed), keep=keep)
    if keep:
        await permit(request, KEEPING)
        mode = keyed(request, without_passwords(await request.raw_body(), calls))
    else:
        await count_rehearsal(request)
        mode = Mode(rehearsed=True)
    answer = await in_context(request, _run, request, mode, calls)
    if keep:  # a call may have been one to accounts
        await request.services.database.changed_accounts()
    return answer


async def _run(context: Context, request: Request, mode: Mode, calls: list[Call]) -> Answer:
    for call in calls:  # before the transaction, which holds a connection
        call.refused = await refusal_of(request, call.endpoint.route.permission)
    return await transact(context, request, mode, SECONDS, partial(_steps, request, calls))


async def _steps(request: Request, calls: list[Call], transaction: Transaction) -> Answer:
    if (earlier := await transaction.earlier()) is not None:
        return Answer(200, earlier, {"Idempotency-Replayed": "true"})
    content = msgspec.json.encode({"reponses": await play(request, calls, transaction)})
    await transaction.keep(content)
    return Answer(200, content)


REFUSES = (
    "REPETITION_IMPOSSIBLE", "REFERENCE_SANS_VALEUR", "REFERENCES_TROP_LONGUES", "REPONSES_TROP_LONGUES",
    "OPERATION_TROP_LONGUE",
)  # fmt: skip
PREFIX = "/api/v1/repetition"
BOUNDS = COMPANY  # each call keeps its own
ROUTES = [
    POST(
        "", None, None, "RepetitionDto", handler=repeat, answer=Reponses, refuses=REFUSES, costly=True,
        fields=(("appels", "core._appel"), ("valider", "pg_catalog.bool")), optional=("valider",),
    )
]  # fmt: skip
EXAMPLES = {"Appel.methode": "GET", "Appel.chemin": "/api/v1/core/parametres", "Appel.corps": {}}
