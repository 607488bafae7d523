"""From JSON, query and path to the text that PostgreSQL casts: the checker that a signature makes.

Values stay text, so no decimal ever becomes a float. Problems are gathered, each under its property, up to twenty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from app.base.refusal import Refusal, validation
from app.database.catalogue import Parameter, PgType
from app.http.values import Wrong, converter, encode, password

EXPONENT = 100  # powers of ten of a JSON number, either way

_MISSING = "Ce champ est obligatoire."
_UNKNOWN = "Ce champ n'est pas attendu ici."

PROBLEMS = 20  # in one answer: a body with a million wrong lines gets a short refusal


class Problems(dict[str, list[str]]):
    """The messages by property. Adding the twentieth property ends the check with the refusal."""

    def add(self, path: str, message: str) -> None:
        self.setdefault(path, []).append(message)
        if len(self) >= PROBLEMS:
            raise validation(self)


Checker = Callable[[Any, str, Problems], Any]


def decode_body(body: bytes) -> dict[str, Any]:
    """A JSON object, its decimals kept exactly; an empty body counts as an empty object."""
    if not body:
        return {}
    try:
        found = _decode(body)
    except RecursionError:
        raise Refusal(400, "JSON_INVALIDE", "Le corps est trop imbriqué.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, InvalidOperation):
        raise Refusal(400, "JSON_INVALIDE", "Le corps n'est pas du JSON valable.") from None
    if not isinstance(found, dict):
        raise Refusal(400, "JSON_INVALIDE", "Le corps doit être un objet JSON : { … }.")
    return found


def _number(text: str) -> Decimal:
    """A decimal as it was written. PostgreSQL writes 1e100000 out in full, so a short body could become a huge one."""
    number = Decimal(text)
    if abs(number.adjusted()) > EXPONENT:
        raise ValueError(text)
    return number


_decode = msgspec.json.Decoder(float_hook=_number).decode


class Arguments:
    """The checker of one operation: its parameters, and the shape of `p_champs` for a PATCH."""

    def __init__(self, parameters: list[Parameter], champs: PgType | None) -> None:
        self._parameters = [
            (p.name, champs if champs and p.name == "champs" else p.type, p.required) for p in parameters
        ]
        self._checkers = [
            _composite(champs, partial=True) if kind is champs else _checker(kind) for _, kind, _ in self._parameters
        ]
        self._nested = [
            kind.kind in ("composite", "array") or kind.root.name == "jsonb" for _, kind, _ in self._parameters
        ]
        self._names = {name for name, _, _ in self._parameters}
        self._champs = champs is not None
        self.passwords = [i for i, (_, kind, _) in enumerate(self._parameters) if kind.clear is not None]

    def check(self, outside: Mapping[str, Any], body: Mapping[str, Any] | None) -> list[str | None]:
        """The values in order, as text or null. `outside` comes from path and query, `body` is refused unknown keys."""
        problems = Problems()
        given = dict(outside)
        if body is not None:
            if self._champs:
                given["champs"] = body
            else:
                for name in sorted(body.keys() - (self._names - outside.keys())):
                    problems.add(name, _UNKNOWN)
                given = {**body, **outside}
        values: list[str | None] = []
        for (name, _, required), checker, nested in zip(self._parameters, self._checkers, self._nested, strict=True):
            value = given.get(name)
            if value is None:
                if required:
                    problems.add(name, _MISSING)
                values.append(None)
                continue
            path = "" if self._champs and name == "champs" else name
            clean = checker(value, path, problems)
            if nested:
                clean = encode(clean).decode()
            values.append(("true" if clean else "false") if isinstance(clean, bool) else clean)
        if problems:
            raise validation(problems)
        return values


def _checker(kind: PgType) -> Checker:
    if kind.kind == "array" and kind.element is not None:
        return _array(_checker(kind.element))
    if kind.kind == "composite":
        return _composite(kind)
    if kind.clear is not None:
        return _scalar(password(kind.clear))
    return _scalar(converter(kind))


def _scalar(convert: Callable[[Any], Any]) -> Checker:
    def check(value: Any, path: str, problems: Problems) -> Any:
        try:
            return convert(value)
        except Wrong as wrong:
            problems.add(path, str(wrong))
            return None

    return check


def _array(element: Checker) -> Checker:
    def check(value: Any, path: str, problems: Problems) -> Any:
        if not isinstance(value, list):
            problems.add(path, "Ce champ doit être une liste.")
            return None
        return [element(item, f"{path}.{index}", problems) for index, item in enumerate(value)]

    return check


def _composite(kind: PgType, partial: bool = False) -> Checker:
    """Every field has to be sent that cannot be null; none has to be in the changes of a PATCH, which are partial."""
    attributes = {a.name: (_checker(a.type), not (partial or a.nullable)) for a in kind.attributes}

    def check(value: Any, path: str, problems: Problems) -> Any:
        if not isinstance(value, dict):
            problems.add(path, "Ce champ doit être un objet.")
            return None
        inside = f"{path}." if path else ""
        for name in sorted(value.keys() - attributes.keys()):
            problems.add(inside + name, _UNKNOWN)
        clean = {}
        for name, (checker, required) in attributes.items():
            item = value.get(name)
            if item is not None:
                clean[name] = checker(item, inside + name, problems)
            elif required:
                problems.add(inside + name, _MISSING)
            elif name in value:
                clean[name] = None
        return clean

    return check
