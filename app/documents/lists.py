"""A list as a CSV file, made in parts: the memory that this needs does not grow with the list.

Columns and values are the same as in the JSON.
"""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from app.base.formulas import harmless
from app.database.catalogue import PgType

BOM = b"\xef\xbb\xbf"  # by which French spreadsheets recognise UTF-8
SCALAR = "valeur"  # the column of a list of values without names
# A text of these types is never a formula. A minus sign of an amount stays.
_PLAIN = {"int2", "int4", "int8", "numeric", "float8", "bool", "date", "time", "timestamptz", "uuid"}

_encode = msgspec.json.Encoder(decimal_format="number").encode
_decode = msgspec.json.Decoder(list[Any], float_hook=Decimal).decode


def rows(body: bytes, returns: PgType) -> list[dict[str, Any]]:
    """Decode a page. Decimals keep their zeros."""
    decoded = _decode(body)
    return decoded if returns.kind == "composite" else [{SCALAR: value} for value in decoded]


def columns(returns: PgType) -> list[tuple[str, PgType]]:
    """Name and type of each column."""
    if returns.kind != "composite":
        return [(SCALAR, returns)]
    return [(attribute.name, attribute.type) for attribute in returns.attributes]


class CsvList:
    """The parts of a CSV file."""

    def __init__(self, returns: PgType) -> None:
        self._columns: list[tuple[str, Callable[[Any], str]]] = [
            (name, plain if pg_type.root.name in _PLAIN else _text) for name, pg_type in columns(returns)
        ]

    def head(self) -> bytes:
        return BOM + csv_lines([[name for name, _ in self._columns]])

    def part(self, page: Sequence[dict[str, Any]]) -> bytes:
        return csv_lines([convert(row[name]) for name, convert in self._columns] for row in page)

    def end(self) -> bytes:
        return b""

    def drop(self) -> None:
        pass


def csv_lines(lines: Iterable[Sequence[str]]) -> bytes:
    """Lines as French spreadsheets read them."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=";", lineterminator="\r\n").writerows(lines)
    return out.getvalue().encode()


def plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return harmless(value)
    return nested(value) if isinstance(value, dict | list) else plain(value)


def nested(value: Any) -> str:
    """An object or a list as compact JSON."""
    return _encode(value).decode()
