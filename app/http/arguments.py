"""Checks arguments from JSON, query and path by the signature of an operation. PostgreSQL casts the resulting text.

Values stay text, so no decimal becomes a float. Problems are collected by property, up to twenty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

import msgspec

from app.base.refusal import Refusal, validation
from app.database.catalogue import Parameter, PgType
from app.http.values import InvalidValue, converter, encode, password

EXPONENT = 100  # largest absolute power of ten of a JSON number

_MISSING = "Ce champ est obligatoire."
_UNKNOWN = "Ce champ n'est pas attendu ici."

PROBLEMS = 20  # properties in one refusal, so that a body with a million wrong lines gets a short answer


class Problems(dict[str, list[str]]):
    """The messages by property. `add` raises the refusal at the twentieth property."""

    def add(self, path: str, message: str) -> None:
        self.setdefault(path, []).append(message)
        if len(self) >= PROBLEMS:
            raise validation(self)


Checker = Callable[[Any, str, Problems], Any]


def decode_body(body: bytes) -> dict[str, Any]:
    """Decode a JSON object with exact decimals. An empty body is an empty object."""
    if not body:
        return {}
    try:
        decoded = decode(body)
    except RecursionError:
        raise Refusal(400, "JSON_INVALIDE", "Le corps est trop imbriqué.") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, InvalidOperation):
        raise Refusal(400, "JSON_INVALIDE", "Le corps n'est pas du JSON valable.") from None
    if not isinstance(decoded, dict):
        raise Refusal(400, "JSON_INVALIDE", "Le corps doit être un objet JSON : { … }.")
    return decoded


def _number(text: str) -> Decimal:
    """An exact decimal. PostgreSQL expands 1e100000 to all its digits, so the exponent is bounded."""
    number = Decimal(text)
    if abs(number.adjusted()) > EXPONENT:
        raise ValueError(text)
    return number


decode = msgspec.json.Decoder(float_hook=_number).decode  # numbers stay exact


class Arguments:
    """The checker of one operation. `champs` is the composite type of p_champs for a PATCH."""

    def __init__(self, parameters: list[Parameter], champs: PgType | None) -> None:
        self._parameters = [
            (p.name, champs if champs and p.name == "champs" else p.type, p.required) for p in parameters
        ]
        self._checkers = [
            _composite(champs, partial=True) if pg_type is champs else _checker(pg_type)
            for _, pg_type, _ in self._parameters
        ]
        self._nested = [
            pg_type.kind in ("composite", "array") or pg_type.root.name == "jsonb" for _, pg_type, _ in self._parameters
        ]
        self._names = {name for name, _, _ in self._parameters}
        self._champs = champs is not None
        self.passwords = [i for i, (_, pg_type, _) in enumerate(self._parameters) if pg_type.clear is not None]

    def check(self, outside: Mapping[str, Any], body: Mapping[str, Any] | None) -> list[str | None]:
        """Return the values in order, as text or None. `outside` comes from path and query, `body` is checked whole."""
        problems = Problems()
        named = dict(outside)
        if body is not None:
            if self._champs:
                named["champs"] = body
            else:
                for name in sorted(body.keys() - (self._names - outside.keys())):
                    problems.add(name, _UNKNOWN)
                named = {**body, **outside}
        values: list[str | None] = []
        for (name, _, required), checker, nested in zip(self._parameters, self._checkers, self._nested, strict=True):
            value = named.get(name)
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


def _checker(pg_type: PgType) -> Checker:
    if pg_type.kind == "array" and pg_type.element is not None:
        return _array(_checker(pg_type.element))
    if pg_type.kind == "composite":
        return _composite(pg_type)
    if pg_type.clear is not None:
        return _scalar(password(pg_type.clear))
    return _scalar(converter(pg_type))


def _scalar(convert: Callable[[Any], Any]) -> Checker:
    def check(value: Any, path: str, problems: Problems) -> Any:
        try:
            return convert(value)
        except InvalidValue as error:
            problems.add(path, str(error))
            return None

    return check


def _array(element: Checker) -> Checker:
    def check(value: Any, path: str, problems: Problems) -> Any:
        if not isinstance(value, list):
            problems.add(path, "Ce champ doit être une liste.")
            return None
        return [element(item, f"{path}.{index}", problems) for index, item in enumerate(value)]

    return check


def record(pg_type: PgType) -> Checker:
    """The checker of one object of a composite type, such as a row of a sheet."""
    return _composite(pg_type)


def _composite(pg_type: PgType, partial: bool = False) -> Checker:
    """The checker of an object. A field that is not nullable is required, except in a partial object (PATCH)."""
    attributes = {a.name: (_checker(a.type), not (partial or a.nullable)) for a in pg_type.attributes}

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
