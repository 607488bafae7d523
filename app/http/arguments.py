"""From JSON, query and path to the text that PostgreSQL casts: the checker that a signature makes.

Values stay text, so no decimal ever becomes a float. Problems are gathered, each under its property, up to twenty.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date, datetime, time
from decimal import Context, Decimal, InvalidOperation
from typing import Any
from uuid import UUID

import msgspec

from app.auth.passwords import COMMON, is_common
from app.base.refusal import Refusal, validation
from app.database.catalogue import Check, Parameter, PgType

EXPONENT = 100  # powers of ten of a JSON number, either way

_MISSING = "Ce champ est obligatoire."
_FORBIDDEN = "Ce texte contient un caractère interdit."
_UNKNOWN = "Ce champ n'est pas attendu ici."

PROBLEMS = 20  # in one answer: a body with a million wrong lines gets a short refusal


class Problems(dict[str, list[str]]):
    """The messages by property. Adding the twentieth property ends the check with the refusal."""

    def add(self, path: str, message: str) -> None:
        self.setdefault(path, []).append(message)
        if len(self) >= PROBLEMS:
            raise validation(self)


Checker = Callable[[Any, str, Problems], Any]


class _Wrong(Exception):
    """One value is not what its type asks for; the message is for the user."""


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
_encode = msgspec.json.Encoder(decimal_format="number").encode


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
                clean = _encode(clean).decode()
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
        return _scalar(_password(kind.clear))
    return _scalar(_converter(kind))


def _scalar(convert: Callable[[Any], Any]) -> Checker:
    def check(value: Any, path: str, problems: Problems) -> Any:
        try:
            return convert(value)
        except _Wrong as wrong:
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


def _converter(kind: PgType) -> Callable[[Any], Any]:
    if kind.kind == "enum":
        return _enum(kind.labels)
    root = kind.root.name
    checks = kind.all_checks
    if root in ("int8", "int4", "int2"):
        return _integer({"int8": 64, "int4": 32, "int2": 16}[root], checks)
    if root == "numeric":
        return _decimal(kind.precision, checks)
    if root in ("text", "varchar"):
        return _text(checks)
    return _FIXED[root]


def _enum(labels: list[str]) -> Callable[[Any], str]:
    known = {label: label for label in labels}
    folded = {_fold(label): label for label in labels}
    expected = f"Valeurs possibles : {', '.join(labels)}."

    def convert(value: Any) -> str:
        found = (known.get(value) or folded.get(_fold(value))) if isinstance(value, str) and len(value) < 100 else None
        if found is None:
            raise _Wrong(expected)
        return found

    return convert


def _fold(text: str) -> str:
    """What people and clients write differently: case, accents, spaces for underscores."""
    bare = (c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return "_".join("".join(bare).casefold().replace("-", " ").replace("_", " ").split())


_WHOLE = re.compile(r"-?[0-9]{1,19}")


def _integer(bits: int, checks: list[Check]) -> Callable[[Any], str]:
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1

    def convert(value: Any) -> str:
        if isinstance(value, str) and _WHOLE.fullmatch(value):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise _Wrong("Ce champ doit être un nombre entier.")
        if not low <= value <= high:
            raise _Wrong("Ce nombre est trop grand.")
        _within(Decimal(value), checks)
        return str(value)

    return convert


_EXACT = Context(prec=60)  # as long as the text may be: nothing is rounded


def _decimal(precision: tuple[int, int] | None, checks: list[Check]) -> Callable[[Any], str]:
    digits, scale = precision or (100, 50)

    def convert(value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, (str, int, Decimal)):
            raise _Wrong("Ce champ doit être un nombre décimal (exemple : 25000.00).")
        text = str(value)
        try:
            number = Decimal(text) if len(text) <= 60 and text.isascii() and "_" not in text else None
        except InvalidOperation:
            number = None
        if number is None or not number.is_finite() or text != text.strip():
            raise _Wrong("Ce champ doit être un nombre décimal (exemple : 25000.00).")
        if number.adjusted() >= digits - scale and number != 0:
            raise _Wrong("Ce nombre est trop grand.")
        # The first digit tells too: `normalize` takes a number that is out of the context's reach for zero.
        if number and (number.adjusted() < -scale or -int(number.normalize(_EXACT).as_tuple().exponent) > scale):
            raise _Wrong(f"Ce nombre compte {scale} décimales au plus.")
        _within(number, checks)
        return format(number, "f") if number else "0"  # 0e-999999999 would be written with all its zeros

    return convert


def _within(number: Decimal, checks: list[Check]) -> None:
    for check in checks:
        if not _COMPARE[check.operator](number, check.bound):
            raise _Wrong(check.sentence)


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
}


_MEASURES: dict[str, Callable[[str], int]] = {
    "length": len,
    "size": lambda text: len(text.encode(errors="surrogatepass")),
}


def _length(check: Check) -> Callable[[str], bool]:
    measure, operator = check.operator.split()
    size, compare, bound = _MEASURES[measure], _COMPARE[operator], check.bound
    return lambda text: compare(size(text), bound)


def _text(checks: list[Check]) -> Callable[[Any], str]:
    patterns = [check for check in checks if check.pattern]
    lengths = [(_length(check), check.sentence) for check in checks if check.operator.startswith(("length ", "size "))]

    def convert(value: Any) -> str:
        if not isinstance(value, str):
            raise _Wrong("Ce champ doit être un texte.")
        if "\0" in value:
            raise _Wrong(_FORBIDDEN)
        for fits, sentence in lengths:
            if not fits(value):
                raise _Wrong(sentence)
        for check in patterns:
            if check.pattern and not check.pattern.search(value):
                raise _Wrong(check.sentence)
        return value

    return convert


def _password(clear: PgType) -> Callable[[Any], str]:
    """The checker of a password before it is hashed: the rule of its domain, and those that all try first."""
    text = _text(clear.all_checks)

    def convert(value: Any) -> str:
        found = text(value)
        if not found.isascii() and any("\ud800" <= char <= "\udfff" for char in found):
            raise _Wrong(_FORBIDDEN)
        if is_common(found):
            raise _Wrong(COMMON)
        return found

    return convert


def password_problem(plain: str, clear: PgType) -> str | None:
    """What is wrong with a new password, in French, or None."""
    try:
        _password(clear)(plain)
    except _Wrong as wrong:
        return str(wrong)
    return None


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return bool(value == "true")
    raise _Wrong("Ce champ doit être true ou false.")


def _parsed(parse: Callable[[str], Any], pattern: str, expected: str) -> Callable[[Any], str]:
    shape = re.compile(pattern)

    def convert(value: Any) -> str:
        if isinstance(value, str) and shape.fullmatch(value):
            try:
                parse(value)
            except ValueError:
                pass
            else:
                return value
        raise _Wrong(expected)

    return convert


def _json(value: Any) -> Any:
    if b"\\u0000" in _encode(value):
        raise _Wrong("Ce champ contient un caractère interdit.")
    return value


_DAY = r"[12][0-9]{3}-[0-9]{2}-[0-9]{2}"
_CLOCK = r"[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?"
_FIXED: dict[str, Callable[[Any], Any]] = {
    "bool": _boolean,
    "date": _parsed(date.fromisoformat, _DAY, "Ce champ doit être une date AAAA-MM-JJ."),
    "timestamptz": _parsed(
        datetime.fromisoformat,
        rf"{_DAY}([T ]{_CLOCK}(Z|[+-][0-9]{{2}}:?[0-9]{{2}})?)?",
        "Ce champ doit être une date et une heure (exemple : 2026-08-20T20:00:00Z).",
    ),
    "time": _parsed(time.fromisoformat, _CLOCK, "Ce champ doit être une heure HH:MM."),
    "uuid": _parsed(UUID, r"[0-9a-fA-F-]{36}", "Ce champ doit être un UUID."),
    "jsonb": _json,
}
