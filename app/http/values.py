"""Checks one scalar value from JSON or text, and converts it to the text that PostgreSQL casts."""

import re
import unicodedata
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Context, Decimal, InvalidOperation
from operator import ge, gt, le, lt
from typing import Any
from uuid import UUID

import msgspec

from app.auth.passwords import COMMON, common_passwords, normal
from app.database.catalogue import Check, PgType

_FORBIDDEN = "Ce texte contient un caractère interdit."

encode = msgspec.json.Encoder(decimal_format="number").encode


class InvalidValue(Exception):
    """A value does not fit its type. The message is for the user."""


def converter(pg_type: PgType) -> Callable[[Any], Any]:
    if pg_type.kind == "enum":
        return _enum(pg_type.labels)
    root = pg_type.root.name
    checks = pg_type.all_checks
    if root in ("int8", "int4", "int2"):
        return _integer({"int8": 64, "int4": 32, "int2": 16}[root], checks)
    if root == "numeric":
        return _decimal(pg_type.precision, checks)
    if root in ("text", "varchar"):
        return _text(checks)
    return _FIXED[root]


def _enum(labels: list[str]) -> Callable[[Any], str]:
    exact = {label: label for label in labels}
    folded = {_fold(label): label for label in labels}
    expected = f"Valeurs possibles : {', '.join(labels)}."

    def convert(value: Any) -> str:
        match = (exact.get(value) or folded.get(_fold(value))) if isinstance(value, str) and len(value) < 100 else None
        if match is None:
            raise InvalidValue(expected)
        return match

    return convert


def _fold(text: str) -> str:
    """Fold differences in case, accents, spaces and hyphens. Other signs count."""
    bare = (c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return "_".join("".join(bare).casefold().replace("-", " ").replace("_", " ").split())


_WHOLE = re.compile(r"-?[0-9]+")


def _integer(bits: int, checks: list[Check]) -> Callable[[Any], str]:
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1

    def convert(value: Any) -> str:
        if isinstance(value, str) and _WHOLE.fullmatch(value):
            value = int(value) if len(value) <= 20 else high + 1  # a longer text is not read
        elif isinstance(value, Decimal) and value == value.to_integral_value():
            value = int(value)  # 1.0 is an integer in JSON Schema
        if not isinstance(value, int) or isinstance(value, bool):
            raise InvalidValue("Ce champ doit être un nombre entier.")
        if not low <= value <= high:
            raise InvalidValue("Ce nombre est trop grand.")
        _within(Decimal(value), checks)
        return str(value)

    return convert


_EXACT = Context(prec=60)  # the longest accepted text has 60 characters, so nothing is rounded


def _decimal(precision: tuple[int, int] | None, checks: list[Check]) -> Callable[[Any], str]:
    digits, scale = precision or (100, 50)

    def convert(value: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, (str, int, Decimal)):
            raise InvalidValue("Ce champ doit être un nombre décimal (exemple : 25000.00).")
        text = str(value)
        try:
            number = Decimal(text) if len(text) <= 60 and text.isascii() and "_" not in text else None
        except InvalidOperation:
            number = None
        if number is None or not number.is_finite() or text != text.strip():
            raise InvalidValue("Ce champ doit être un nombre décimal (exemple : 25000.00).")
        if number.adjusted() >= digits - scale and number != 0:
            raise InvalidValue("Ce nombre est trop grand.")
        # The position of the first digit is checked too: `normalize` turns a number below the context's range into 0.
        if number and (number.adjusted() < -scale or -int(number.normalize(_EXACT).as_tuple().exponent) > scale):
            raise InvalidValue(f"Ce nombre compte {scale} décimales au plus.")
        _within(number, checks)
        return format(number, "f") if number else "0"  # `format` would expand 0e-999999999 to all its zeros

    return convert


def _within(number: Decimal, checks: list[Check]) -> None:
    for check in checks:
        if not _COMPARE[check.operator](number, check.bound):
            raise InvalidValue(check.sentence)


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {">=": ge, ">": gt, "<=": le, "<": lt}
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
            raise InvalidValue("Ce champ doit être un texte.")
        if "\0" in value:
            raise InvalidValue(_FORBIDDEN)
        for fits, sentence in lengths:
            if not fits(value):
                raise InvalidValue(sentence)
        for check in patterns:
            if check.pattern and not check.pattern.search(value):
                raise InvalidValue(check.sentence)
        return value

    return convert


def password(clear: PgType) -> Callable[[Any], str]:
    """The checker of a plain password: the rules of its domain, and no common password."""
    text = _text(clear.all_checks)

    def convert(value: Any) -> str:
        plain = text(normal(value) if isinstance(value, str) else value)
        if not plain.isascii() and any("\ud800" <= char <= "\udfff" for char in plain):
            raise InvalidValue(_FORBIDDEN)
        if plain.strip().lower() in common_passwords():
            raise InvalidValue(COMMON)
        return plain

    return convert


def password_problem(plain: str, clear: PgType) -> str | None:
    """The problem of a new password as a French sentence, or None."""
    try:
        password(clear)(plain)
    except InvalidValue as error:
        return str(error)
    return None


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return bool(value == "true")
    raise InvalidValue("Ce champ doit être true ou false.")


def _parsed(parse: Callable[[str], Any], shape: re.Pattern[str], expected: str) -> Callable[[Any], str]:
    def convert(value: Any) -> str:
        if isinstance(value, str) and shape.fullmatch(value):
            try:
                parse(value)
            except ValueError:
                pass
            else:
                return value
        raise InvalidValue(expected)

    return convert


def _json(value: Any) -> Any:
    if b"\\u0000" in encode(value):
        raise InvalidValue("Ce champ contient un caractère interdit.")
    return value


_DAY = r"[12][0-9]{3}-[0-9]{2}-[0-9]{2}"
_CLOCK = r"[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?"
_UUID = _parsed(UUID, re.compile(r"[0-9a-fA-F-]{36}"), "Ce champ doit être un UUID.")
_FIXED: dict[str, Callable[[Any], Any]] = {
    "bool": _boolean,
    "date": _parsed(date.fromisoformat, re.compile(_DAY), "Ce champ doit être une date AAAA-MM-JJ."),
    "timestamptz": _parsed(
        datetime.fromisoformat,
        re.compile(rf"{_DAY}([T ]{_CLOCK}(Z|[+-][0-9]{{2}}:?[0-9]{{2}})?)?"),
        "Ce champ doit être une date et une heure (exemple : 2026-08-20T20:00:00Z).",
    ),
    "time": _parsed(time.fromisoformat, re.compile(_CLOCK), "Ce champ doit être une heure HH:MM."),
    "uuid": lambda value: str(UUID(_UUID(value))),
    "jsonb": _json,
}
