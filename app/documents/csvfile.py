"""CSV files for spreadsheets."""

from __future__ import annotations

import csv
import io
from datetime import datetime

from app.documents.tables import Table, Value

FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # first characters of a text that a spreadsheet would compute


def to_csv(tables: list[Table]) -> bytes:
    """Write a byte order mark and `;` as separator. Each table after the first follows an empty line and its name."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    for position, table in enumerate(tables):
        if position:
            out.write("\r\n")
            writer.writerow([_harmless(table.title)])
        writer.writerow([_harmless(name) for name in table.columns])
        for row in table.rows:
            writer.writerow([_csv_value(row.get(name)) for name in table.columns])
    return b"\xef\xbb\xbf" + out.getvalue().encode()


def _csv_value(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, str):
        return _harmless(value)
    return str(value)


def _harmless(text: str) -> str:
    """Prefix a text that a spreadsheet would compute with an apostrophe, so it stays a text."""
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text
