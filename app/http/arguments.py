"""Checks arguments from JSON, query and path by the signature of an operation. PostgreSQL casts the resulting text.

Values stay text, so no decimal becomes a float. Problems are collected by property, up to twenty.
"""

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
        self._parameters: list[tuple[str, str, bool, Checker, bool]] = []
        for p in parameters:
            whole = champs if p.name == "champs" else None  # the body itself, so its problems have paths without a head
            checker = composite(whole, partial=True) if whole else _checker(p.type)
            nested = whole is not None or p.type.kind in ("composite", "array") or p.type.root.name == "jsonb"
            self._parameters.append((p.name, "" if whole else p.name, p.required, checker, nested))
        self._names = {p.name for p in parameters}
        self._checkers = {name: checker for name, _, _, checker, _ in self._parameters}
        self._champs = champs is not None
        self.passwords = [i for i, p in enumerate(parameters) if p.type.clear is not None]

    def canonical(self, keys: Mapping[str, str]) -> dict[str, str]:
        """Return the keys of a path as the database writes them: 1 for 01, a UUID in small letters.

        Handlers name stored things by these texts. An invalid key stays as it is, and `check` refuses it.
        """
        clean = {
            name: self._checkers[name](key, "", Problems()) for name, key in keys.items() if name in self._checkers
        }
        return {**keys, **{name: value for name, value in clean.items() if isinstance(value, str)}}

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
        for name, path, required, checker, nested in self._parameters:
            value = named.get(name)
            if value is None:
                if required:
                    problems.add(name, _MISSING)
                values.append(None)
                continue
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
        return composite(pg_type)
    return _scalar(password(pg_type.clear) if pg_type.clear else converter(pg_type))


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


def composite(pg_type: PgType, partial: bool = False) -> Checker:
    """The checker of an object. A field that is not nullable is not null; only a partial object (PATCH) may lack it."""
    attributes = {a.name: (_checker(a.type), not a.nullable) for a in pg_type.attributes}

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
            elif required and (name in value or not partial):
                problems.add(inside + name, _MISSING)
            elif name in value:
                clean[name] = None
        return clean

    return check
