"""CSV files for spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from datetime import datetime
from typing import Any, TextIO

from app.documents.tables import Table, Value

BOM = b"\xef\xbb\xbf"  # by which French spreadsheets recognise UTF-8
FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # first characters of a text that a spreadsheet would compute
_DANGEROUS = re.compile(f"[ ']*[{re.escape(''.join(FORMULA))}]")


def to_csv(tables: list[Table]) -> bytes:
    """Write a byte order mark and `;` as separator. Each table after the first follows an empty line and its name."""
    out = io.StringIO(newline="")
    lines = writer(out)
    for position, table in enumerate(tables):
        if position:
            out.write("\r\n")
            lines.writerow([harmless(table.title)])
        lines.writerow([harmless(name) for name in table.columns])
        for row in table.rows:
            lines.writerow([_csv_value(row.get(name)) for name in table.columns])
    return BOM + out.getvalue().encode()


def writer(out: TextIO) -> Any:
    """A writer of lines as French spreadsheets read them."""
    return csv.writer(out, delimiter=";", lineterminator="\r\n")


def _csv_value(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, str):
        return harmless(value)
    return str(value)


def harmless(text: str) -> str:
    """Prefix a text that a spreadsheet would compute with an apostrophe, so it stays a text.

    A text that already has such a prefix gets another one, so that `original` is exact.
    """
    return f"'{text}" if _DANGEROUS.match(text) else text


def original(text: str) -> str:
    """The text before `harmless`."""
    return text[1:] if text.startswith("'") and _DANGEROUS.match(text) else text
