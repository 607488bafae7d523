"""CSV files for spreadsheets."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from typing import Any, TextIO

from app.base.formulas import harmless
from app.database.words import label
from app.documents.tables import Table, Value

BOM = b"\xef\xbb\xbf"  # by which French spreadsheets recognise UTF-8


def to_csv(tables: list[Table]) -> bytes:
    """Write a byte order mark and `;` as separator. Each table after the first follows an empty line and its name."""
    out = io.StringIO(newline="")
    lines = writer(out)
    for position, table in enumerate(tables):
        if position:
            out.write("\r\n")
            lines.writerow([harmless(label(table.title))])
        lines.writerow([harmless(label(name)) for name in table.columns])
        lines.writerows([_csv_value(value) for value in line] for line in table.lines())
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
