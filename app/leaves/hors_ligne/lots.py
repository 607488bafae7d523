"""The operations of a lot, one after the other: each with its answer, or as an exception, in a transaction of its own.

The database decides: which operation is new, which one is known, what a device may do without a network, and the money
of an exception (sql/finances/au_dessus/_operation.sql).
"""

import hashlib
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import asyncpg
import msgspec

from app.base.refusal import Refusal, validation
from app.database.errors import is_retryable
from app.http.authorisation import refusal_of
from app.http.mode import Mode
from app.http.operation import Context, in_context
from app.http.request import Request
from app.http.transaction import Transaction, transact
from app.http.values import encode
from app.leaves.repetition.calls import Call, References, planned_call

SECONDS = 10.0  # of an operation
IDENTITY = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})((?:/[^/{}?]+)+)")
_TARGET = re.compile(r"\{([0-9a-f-]{36})/[^{}]*\}")  # a key of a path that an earlier answer gives
FIELDS = {"sequence", "id", "instant", "methode", "chemin", "corps", "refs", "ticket"}
NEXT_TIME = (401, 429, 503)  # the device sends the operation again: nothing of it is kept
_canonical = msgspec.json.Encoder(decimal_format="number", order="sorted").encode

log = logging.getLogger("comptoir")


@dataclass(slots=True)
class Planned:
    """An operation whose route is found, or why it has none."""

    operation: Mapping[str, Any]
    call: Call | None = None
    refused: Refusal | None = None
    names: set[str] = field(default_factory=set)  # the operations that it names

    @property
    def function(self) -> str | None:
        return self.call.operation.function.qualified if self.call else None

    @property
    def target(self) -> str | None:
        """The operation whose answer gives a key of the path."""
        keys = self.call.keys.values() if self.call else ()
        return next((match[1] for key in keys if (match := _TARGET.fullmatch(key))), None)

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(_canonical(self.operation)).hexdigest()

    @property
    def whole(self) -> str:
        """The operation as it is kept: without its number, its identity, and characters that PostgreSQL refuses."""
        kept = {name: value for name, value in self.operation.items() if name not in ("sequence", "id")}
        return encode(kept).replace(b"\\u0000", b"\\ufffd").decode()

    async def answer(self, request: Request, transaction: Transaction, answers: Mapping[str, str] | None) -> Any:
        """The answer of the real operation. Raises its refusal."""
        if self.call is None:
            raise AssertionError(self.operation)
        if self.call.refused is not None:
            raise self.call.refused
        known = answers or {}
        references = References(lambda name: known[name].encode() if name in known else None)
        return await self.call.answer(request, transaction, references)


async def plan(request: Request, operation: Mapping[str, Any]) -> Planned:
    """Find the route of an operation, the operations that it names, and whether the caller may make it."""
    planned = Planned(operation)

    def named(reference: str) -> str | None:
        match = IDENTITY.fullmatch(reference)
        if match is None:
            return "n'est pas une référence : écrivez l'identité d'une opération, une barre oblique et un champ"
        planned.names.add(match[1])
        return None

    if unknown := operation.keys() - FIELDS:
        planned.refused = validation({name: ["Ce champ n'est pas attendu ici."] for name in sorted(unknown)})
    listed = operation.get("refs") or []
    if not isinstance(listed, list) or [name for name in listed if named(f"{name}/id")]:
        planned.refused = Refusal(400, "REFERENCE_INVALIDE", "refs est une liste d'identités d'opérations.")
    try:
        if all(isinstance(operation.get(name), str) for name in ("methode", "chemin")):
            planned.call = planned_call(request, "", operation, named, keep=True)
            planned.call.refused = await refusal_of(request, planned.call.endpoint.route.permission)
    except Refusal as refusal:  # an unknown route needs no other reason: the database refuses what no till does
        if refusal.code == "VALIDATION_ERROR" and refusal.details[0]["property"].startswith("corps"):
            planned.refused = refusal
    return planned


async def send(request: Request, till: str, device: str, operation: Mapping[str, Any], mode: Mode) -> dict[str, Any]:
    """Do one operation of a lot once, and return its answer. Raises a refusal that concerns the whole lot."""
    planned = await plan(request, operation)
    return await in_context(request, _send, request, till, device, planned, mode)


async def _send(
    context: Context, request: Request, till: str, device: str, planned: Planned, mode: Mode
) -> dict[str, Any]:
    take = request.services.operation("finances.operation_prendre")
    keep = request.services.operation("finances.operation_garder")
    operation, refused = planned.operation, planned.refused
    identity = [device, operation["sequence"], operation["id"], planned.fingerprint, planned.function, planned.whole]
    named = encode(sorted(planned.names)).decode()
    problem = [None, None] if refused is None else [refused.code, sentence(refused)]

    async def steps(transaction: Transaction) -> dict[str, Any]:
        taken = msgspec.json.decode(
            (await transaction.call(take, [till, *identity, named, planned.target, *problem]))["corps"]
        )
        if taken["etat"] is not None:
            return _shown(operation, taken, "CONNUE")
        await transaction.run("savepoint operation", None)
        try:
            played = await planned.answer(request, transaction, taken["reponses"])
            body = played["corps"]
            outcome = [str(played["statut"]), None if body is None else bytes(body).decode()]
        except (Refusal, asyncpg.PostgresError) as error:
            await transaction.run("rollback to savepoint operation", None)
            outcome = [*_exception(request, error)]
        kept = await transaction.call(keep, [*identity, *outcome, *[None] * (4 - len(outcome))])
        return _shown(operation, msgspec.json.decode(kept["corps"]), "ACCEPTEE")

    return await transact(context, request, mode, SECONDS, steps)


def _exception(request: Request, error: Exception) -> tuple[str, None, str, str]:
    """The status, the rule and the sentence of an exception. Raises an error that may pass by itself."""
    if isinstance(error, Refusal):
        if error.status in NEXT_TIME:
            raise error
        return str(error.status), None, error.code, sentence(error)
    if is_retryable(error):
        raise error
    log.error("Une opération d'appareil a échoué (requête %s)", request.id, exc_info=error)
    return "500", None, "ERREUR_INTERNE", "Cette opération a échoué sans qu'une règle le dise."


def sentence(refusal: Refusal) -> str:
    """The sentence of a refusal, with the wrong fields, without a character that PostgreSQL refuses."""
    text = refusal.message
    if refusal.code == "VALIDATION_ERROR":
        text += "." + "".join(
            f" {problem['property']} : {' '.join(problem['messages'])}" for problem in refusal.details
        )
    return text.replace("\0", "\ufffd")


def _shown(operation: Mapping[str, Any], kept: Mapping[str, Any], done: str) -> dict[str, Any]:
    """The answer of an operation: `done`, unless it is an exception."""
    body = kept["reponse"]
    return {
        "sequence": operation["sequence"],
        "id": operation["id"],
        "etat": "EXCEPTION" if kept["etat"] == "EXCEPTION" else done,
        "statut": kept["statut"],
        "corps": None if body is None else msgspec.Raw(body.encode()),
        "exception": kept["code"] and {"code": kept["code"], "message": kept["message"]},
    }
