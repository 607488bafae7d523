"""A list of calls as one transaction: rehearsed together, or done together.

A later call may use the answer of an earlier one: `{0/id_client}` in its path or its query, `{"$ref": "0/id_client"}`
in its body.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import pairwise
from typing import Any, TypeAlias
from urllib.parse import unquote

import msgspec

from app.base.refusal import MISSING, Refusal, validation
from app.database.words import missing
from app.http.arguments import decode
from app.http.authorisation import refuse_keys
from app.http.endpoint import Endpoint
from app.http.mode import refuse_rehearsal
from app.http.operation import Operation
from app.http.request import Request, parse_query
from app.http.transaction import Transaction
from app.http.values import encode
from app.http.write import lacking

CALLS = 100
_NUMBER = re.compile(r"(\d{1,3})((?:/[^/{}?]+)+)")
_INDEX = re.compile(r"[0-9]{1,9}")
_IN_TEXT = re.compile(r"\{([^{}]*)\}")
DEPTH = 100  # of objects and lists in the body of a call
INSERTED = 1024 * 1024  # bytes that the references of a list may insert
ANSWERED = 8 * 1024 * 1024  # bytes of the answers of a list

Place: TypeAlias = "tuple[Place | None, str | int]"  # of a value in a body: the place of its object or list, its name
Names: TypeAlias = Callable[[str], str | None]  # the problem of a reference, None if it names an earlier answer


class Reponse(msgspec.Struct):
    """La réponse d'un appel : son statut, et son corps, null là où l'opération n'en a pas."""

    statut: int
    corps: dict[str, Any] | list[dict[str, Any] | str] | None


class Reponses(msgspec.Struct):
    """Les réponses, dans l'ordre des appels ; un refus est la dernière."""

    reponses: list[Reponse]


Played: TypeAlias = dict[str, Any]  # an answer: statut and corps, as JSON bytes


def _played(status: int, body: bytes | None) -> Played:
    return {"statut": status, "corps": None if body is None else msgspec.Raw(body)}


class RefusedCall(Refusal):
    """The refusal of a call in a list that was to be done: nothing is done. Its body also has the answers so far."""

    def __init__(self, refusal: Refusal, answers: list[Played]) -> None:
        super().__init__(refusal.status, refusal.code, refusal.message, refusal.details, refusal.headers)
        self._answers = answers

    def envelope(self, path: str, request_id: str) -> dict[str, Any]:
        return {**super().envelope(path, request_id), "reponses": self._answers}


@dataclass(slots=True)
class Call:
    """A call of the list, whose path, query and body may hold references."""

    endpoint: Endpoint
    operation: Operation
    path: str
    keys: dict[str, str]
    query: dict[str, str]
    body: dict[str, Any]
    refused: Refusal | None = None  # why the caller may not make it

    async def answer(self, request: Request, transaction: Transaction, references: "References") -> Played:
        route, operation = self.endpoint.route, self.operation
        keys = {name: references.in_text(value) for name, value in self.keys.items()}
        sent = {name: references.in_text(value) for name, value in self.query.items()}
        query = {name: value for name, value in sent.items() if name in operation.names}
        cursor = None
        try:
            if route.method == "GET":
                values = operation.arguments.check({**query, **keys}, None)
                if self.endpoint.pages is not None:
                    cursor = self.endpoint.pages.cursor(sent, values, request.organisation)
            else:
                body = references.in_body(self.body)
                extra = lacking(query, body) if route.reads_query else {}
                supplied = dict.fromkeys(route.supplied, "true")
                values = await operation.checked({**extra, **keys, **supplied}, body)
            row = await transaction.call(operation, values, cursor)
        except Refusal as error:
            if error.message == MISSING:
                error.message = missing(keys)
            raise
        if self.endpoint.answers_nothing:
            return _played(204, None)
        return _played(route.status, row["corps"] or b"{}")


def plan(request: Request, calls: Sequence[Mapping[str, Any]], *, keep: bool) -> list[Call]:
    """Find the route of each call. Raises 400 when a call is malformed, so that nothing runs."""
    if not 1 <= len(calls) <= CALLS:
        raise validation({"appels": [f"Une liste compte 1 à {CALLS} appels."]})
    planned = [
        planned_call(request, f"appels.{position}.", call, partial(_earlier, position), keep=keep)
        for position, call in enumerate(calls)
    ]
    methods = [call.endpoint.route.method for call in planned]
    for position, (former, method) in enumerate(pairwise(methods), 1):
        if method == "GET" != former:  # reading may take long, and the locks of a write are held until the end
            raise validation({f"appels.{position}.methode": ["Les lectures viennent avant la première écriture."]})
    return planned


def planned_call(request: Request, problem: str, call: Mapping[str, Any], names: Names, *, keep: bool) -> Call:
    """The call, its route found. `problem` begins the names of the fields in a refusal."""
    method, address, body = call["methode"], call["chemin"], call.get("corps") or {}
    path, _, query = address.partition("?")
    if not isinstance(body, dict):
        raise validation({problem + "corps": ["Ce champ doit être un objet."]})
    for text in _IN_TEXT.findall(unquote(address)):
        _check(text, names, (None, problem + "chemin"))
    _check_body(body, names, (None, problem + "corps"))
    segments = _segments(path)
    endpoint, keys = _endpoint(request, method, segments, problem)
    if method == "GET" and body:
        raise validation({problem + "corps": ["Un GET n'a pas de corps."]})
    parsed = parse_query(query.encode())
    endpoint.check_instant(parsed)
    route = endpoint.route
    # The function must do all that the route does: a handler may do more when the list is kept. A list counts no calls.
    undoable = route.rehearses and route.throttle is None and (route.handler is None or not keep)
    if endpoint.operation is None or not (endpoint.answers_json(parsed) if method == "GET" else undoable):
        refuse_rehearsal(route)
    return Call(endpoint, endpoint.operation, path, keys, parsed, body)


def _segments(path: str) -> list[str]:
    """The segments of a path. A slash in a reference separates none; a path holds no null character."""
    hidden = _IN_TEXT.sub(lambda match: match[0].replace("/", "\0"), path)
    return [unquote(segment.replace("\0", "/")) for segment in hidden.split("/")]


def _endpoint(request: Request, method: str, segments: list[str], problem: str) -> tuple[Endpoint, dict[str, str]]:
    allowed: set[str] = set()
    match = request.services.paths.find(segments, method, allowed)
    if match is None:
        if allowed:
            raise validation({problem + "methode": ["Cette route n'accepte pas cette méthode."]})
        raise validation({problem + "chemin": ["Cette route n'existe pas ; un chemin commence par /api/v1/."]})
    endpoint, keys = match
    if not isinstance(endpoint, Endpoint):
        raise AssertionError(segments)
    if endpoint.personal:
        refuse_keys(request)
    return endpoint, keys


def _earlier(position: int, reference: str) -> str | None:
    match = _NUMBER.fullmatch(reference)
    if match is None:
        return "n'est pas une référence : écrivez 0/id_client"
    return "ne désigne pas un appel qui précède" if int(match[1]) >= position else None


def _check(reference: str, names: Names, place: Place) -> None:
    if problem := names(reference):
        raise validation({_joined(place): [f"« {reference[:60]} » {problem}."]})


def _check_body(value: Any, names: Names, place: Place, depth: int = 0) -> None:
    if depth > DEPTH:
        raise validation({_joined(place): ["Ce corps est trop imbriqué."]})
    if isinstance(value, dict) and "$ref" in value:
        reference = value["$ref"]
        if len(value) > 1 or not isinstance(reference, str):
            raise validation({_joined(place): ['Une référence s\'écrit {"$ref": "0/id_client"}.']})
        _check(reference, names, place)
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in items:
        _check_body(item, names, (place, name), depth + 1)


def _joined(place: Place) -> str:
    """The name of a place. It is joined for a refusal only: a long name would be copied for each value below it."""
    parent, name = place
    return str(name) if parent is None else f"{_joined(parent)}.{name}"


class References:
    """Puts the values of earlier answers in the place of references."""

    def __init__(self, answer: Callable[[str], bytes | None]) -> None:
        self._answer = answer
        self._decoded: dict[str, Any] = {}
        self._inserted = 0

    def in_text(self, text: str) -> str:
        return _IN_TEXT.sub(lambda match: self._scalar(match[1]), text)

    def in_body(self, value: Any) -> Any:
        if isinstance(value, dict):
            if "$ref" in value:
                return self._value(value["$ref"])
            return {name: self.in_body(item) for name, item in value.items()}
        return [self.in_body(item) for item in value] if isinstance(value, list) else value

    def _scalar(self, reference: str) -> str:
        value = self._value(reference)
        if not isinstance(value, str | int | Decimal) or isinstance(value, bool):
            raise _unresolved(reference)
        return str(value)

    def _value(self, reference: str) -> Any:
        named, *names = reference.split("/")
        if named not in self._decoded:
            self._decoded[named] = decode(self._answer(named) or b"null")
        value = self._decoded[named]
        for name in names:
            if isinstance(value, dict) and name in value:
                value = value[name]
            elif isinstance(value, list) and _INDEX.fullmatch(name) and int(name) < len(value):
                value = value[int(name)]
            else:
                raise _unresolved(reference)
        self._inserted += len(encode(value))
        if self._inserted > INSERTED:
            raise Refusal(400, "REFERENCES_TROP_LONGUES", "Les références d'une liste insèrent 1 Mio au plus.")
        return value


def without_passwords(raw: bytes, calls: list[Call]) -> bytes:
    """The body of the request, or its calls without their passwords if one has a password."""
    if not any(call.operation.arguments.passwords for call in calls):
        return raw
    return msgspec.json.encode(
        [(c.endpoint.route.method, c.path, c.query, c.operation.without_passwords(c.body)) for c in calls]
    )


async def play(request: Request, calls: list[Call], transaction: Transaction) -> list[Played]:
    """Run the calls in their order and return their answers. A refusal ends the list.

    Raises RefusedCall if the list is to be kept, so that its transaction is rolled back.
    """
    answers: list[Played] = []
    references = References(lambda number: answers[int(number)]["corps"])
    size = 0
    for call in calls:
        try:
            if call.refused is not None:
                raise call.refused
            if call.endpoint.route.method != "GET":
                await transaction.begin()
            answer = await call.answer(request, transaction, references)
            size += len(answer["corps"] or b"")
            if size > ANSWERED:
                raise Refusal(400, "REPONSES_TROP_LONGUES", "Les réponses d'une liste font 8 Mio au plus, ensemble.")
            answers.append(answer)
        except Refusal as error:
            answers.append(_played(error.status, error.body(call.path, request.id)))
            if not transaction.mode.rehearsed:
                raise RefusedCall(error, answers) from error
            break
    return answers


def _unresolved(reference: str) -> Refusal:
    message = f"La réponse que désigne « {reference[:60]} » n'a pas cette valeur."
    return Refusal(400, "REFERENCE_SANS_VALEUR", message)
