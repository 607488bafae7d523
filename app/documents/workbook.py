"""Tables to a workbook: typed cells, and the report's charts on a separate sheet."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from xlsxwriter import Workbook

from app.documents.charts import Series
from app.documents.csvfile import FORMULA
from app.documents.tables import Table, Value

_TEXT_LIMIT = 32_767  # of a spreadsheet cell
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")  # characters that XML forbids
_CHART_WIDTH, _CHART_HEIGHT, _CHART_ROWS = 907, 378, 22  # pixels, and rows that a chart covers
_FORMATS: dict[str, dict[str, Any]] = {
    "texte": {},
    "formule": {"quote_prefix": True},  # never computed, also after an edit of the cell
    "montant": {"num_format": "#,##0.00"},
    "entier": {"num_format": "0"},
    "date": {"num_format": "yyyy-mm-dd"},
    "instant": {"num_format": "yyyy-mm-dd hh:mm:ss"},
}

Write = Callable[..., None]


def to_xlsx(tables: list[Table], charts: Sequence[Series] = ()) -> bytes:
    """Write one sheet for each table, with typed cells and a frozen bold header, and one sheet for the charts."""
    out = io.BytesIO()
    with Workbook(out) as book:
        write = _writer(book)
        names: set[str] = set()
        for table in tables or [Table("vide")]:
            sheet = book.add_worksheet(_sheet_name(table.title, names))
            sheet.freeze_panes(1, 0)
            for column, name in enumerate(table.columns):
                sheet.set_column(column, column, max(14, min(len(name) + 2, 40)))
                write(sheet, 0, column, name, bold=True)
            for line, row in enumerate(table.rows, 1):
                for column, name in enumerate(table.columns):
                    write(sheet, line, column, row.get(name))
        if charts:
            _draw(book, book.add_worksheet(_sheet_name("graphiques", names)), charts, write)
    return out.getvalue()


def _draw(book: Workbook, sheet: Any, charts: Sequence[Series], write: Write) -> None:
    """Write the values of each chart, and the chart beside them."""
    top = 0
    for series in charts:
        chart = book.add_chart({"type": "line" if series.lines else "column"})
        chart.set_title({"name": series.title})
        chart.set_size({"width": _CHART_WIDTH, "height": _CHART_HEIGHT})
        last = top + len(series.labels)
        write(sheet, top, 0, series.title, bold=True)
        for line, point in enumerate(series.labels, top + 1):
            write(sheet, line, 0, point)
        for column, (name, values) in enumerate(series.values.items(), 1):
            write(sheet, top, column, name, bold=True)
            for line, value in enumerate(values, top + 1):
                write(sheet, line, column, value)
            cells = {
                "categories": [sheet.name, top + 1, 0, last, 0],
                "values": [sheet.name, top + 1, column, last, column],
            }
            chart.add_series({"name": [sheet.name, top, column], **cells})
        sheet.insert_chart(top, len(series.values) + 2, chart)
        top = 1 + max(last, top + _CHART_ROWS)


def _writer(book: Workbook) -> Write:
    """The function that writes a cell of this workbook: sheet, row, column, value."""
    formats = {
        (name, bold): book.add_format({**options, "bold": bold})
        for name, options in _FORMATS.items()
        for bold in (False, True)
    }

    def write(sheet: Any, line: int, column: int, value: Value, bold: bool = False) -> None:
        if isinstance(value, date) and value.year < 1900:
            value = value.isoformat()  # spreadsheets have no dates before 1900
        if isinstance(value, str):
            text = _CONTROL.sub("", value)[:_TEXT_LIMIT]
            name = "formule" if text.startswith(FORMULA) else "texte"
            sheet.write_string(line, column, text, formats[name, bold])
        elif isinstance(value, bool):
            sheet.write_boolean(line, column, value)
        elif isinstance(value, int | Decimal):
            sheet.write_number(line, column, value, formats["entier" if isinstance(value, int) else "montant", bold])
        elif value is not None:
            name = "instant" if isinstance(value, datetime) else "date"
            sheet.write_datetime(line, column, value, formats[name, bold])

    return write


def _sheet_name(title: str, names: set[str]) -> str:
    base = re.sub(r"[\[\]:*?/\\']", "-", title)[:28] or "feuille"
    name, rank = base, 1
    while name.lower() in names:
        rank += 1
        name = f"{base}~{rank}"
    names.add(name.lower())
    return name
