"""A CSV file that spreadsheets open as it is."""

from __future__ import annotations

import csv
import io
from datetime import datetime

from app.documents.tables import Table, Value

FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # what a text that a spreadsheet would compute begins with


def to_csv(found: list[Table]) -> bytes:
    """`;` and a byte order mark, for spreadsheets; tables are separated by an empty line and headed by their name."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    for position, table in enumerate(found):
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
    """A text that a spreadsheet would take for a formula gets the mark of a text."""
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text
