"""Tables to a workbook: typed cells, and the report's charts on a separate sheet."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from app.base.celltext import is_computed, printable
from app.database.words import label
from app.documents.charts import Series
from app.documents.tables import Table, Value
from app.documents.texts import is_money

_FORMATS = {"montant": "#,##0.00", "rond": "#,##0", "entier": "0"}
_FORMATS |= {"date": "dd/mm/yyyy", "instant": "dd/mm/yyyy hh:mm:ss"}
_WIDTH = 20  # characters: a narrower column shows an instant as ####


class Sheets:
    """The sheets of a workbook, each with a header. Amounts of a currency with cents always show them."""

    def __init__(self, cents: bool) -> None:
        self.cents = cents
        self.book = Workbook(write_only=True)
        self.names: set[str] = set()

    def open(self, title: str, columns: Sequence[str]) -> Cells:
        """Add a sheet with a frozen bold header."""
        sheet = self.book.create_sheet(_sheet_name(title, self.names))
        sheet.freeze_panes = "A2"
        words = [label(name) for name in columns]
        for position, word in enumerate(words, 1):
            sheet.column_dimensions[get_column_letter(position)].width = max(_WIDTH, min(len(word) + 2, 40))
        cells = Cells(sheet, [self.cents and is_money(name) for name in columns])
        cells.append(words, bold=True)
        return cells


def to_xlsx(tables: list[Table], charts: Sequence[Series] = (), cents: bool = False) -> bytes:
    """Write one sheet for each table, with typed cells and a frozen bold header, and one sheet for the charts."""
    sheets = Sheets(cents)
    for table in tables or [Table("vide")]:
        cells = sheets.open(label(table.title), table.columns)
        for line in table.lines():
            cells.append(line)
    if charts:
        _draw(sheets.book.create_sheet(_sheet_name("Graphiques", sheets.names)), charts)
    out = io.BytesIO()
    sheets.book.save(out)
    return out.getvalue()


def _draw(sheet: Any, charts: Sequence[Series]) -> None:
    """Write the values of each chart, and the chart beside them."""
    top, cells = 1, Cells(sheet, [])
    for series in charts:
        chart = LineChart() if series.lines else BarChart()
        chart.title, chart.width, chart.height = series.title, 24, 10
        names, last = list(series.values), top + len(series.labels)
        cells.append([series.title, *names], bold=True)
        for position, point in enumerate(series.labels):
            cells.append([point, *(series.values[name][position] for name in names)])
        data = Reference(sheet, min_col=2, max_col=1 + len(names), min_row=top, max_row=last)
        chart.add_data(data, titles_from_data=True)
        chart.set_categories(Reference(sheet, min_col=1, min_row=top + 1, max_row=last))
        chart.x_axis.delete = chart.y_axis.delete = False
        sheet.add_chart(chart, f"{get_column_letter(len(names) + 3)}{top}")
        height = 22  # rows that a chart covers
        for _ in range(max(height - len(series.labels), 1)):
            sheet.append([])
        top += 1 + len(series.labels) + max(height - len(series.labels), 1)


class Cells:
    """Appends rows to a sheet. A cell with a format serves a whole column: making one costs as much as writing it."""

    def __init__(self, sheet: Any, cents: Sequence[bool]) -> None:
        self._sheet = sheet
        self._cents = cents  # columns that always show them
        self._made: dict[tuple[int, str, bool], Any] = {}

    def append(self, values: Sequence[Value], bold: bool = False) -> None:
        self._sheet.append([self._cell(column, value, bold) for column, value in enumerate(values)])

    def styles(self) -> dict[str, int]:
        """The index of the style of each shape of cells."""
        styles = {}
        for shape in (*_FORMATS, "formule"):
            cell = WriteOnlyCell(self._sheet)
            cell.number_format = _FORMATS.get(shape, "General")
            cell.quotePrefix = shape == "formule"
            styles[shape] = cell.style_id
        return styles

    def _cell(self, column: int, value: Value, bold: bool) -> Any:
        if value is None:
            return None
        if isinstance(value, date) and value.year < 1900:
            value = value.isoformat()  # spreadsheets have no dates before 1900
        if isinstance(value, str):
            value = printable(value)
        shape = _shape(value, column < len(self._cents) and self._cents[column])
        if shape == "texte" and not bold:
            return value
        cell = self._made.get((column, shape, bold))
        if cell is None:
            cell = self._made[column, shape, bold] = WriteOnlyCell(self._sheet)
            cell.number_format = _FORMATS.get(shape, "General")
            cell.quotePrefix = shape == "formule"
            cell.font = Font(bold=bold)
        cell.value = value
        if isinstance(value, str):
            cell.data_type = "s"  # never a formula, never an error value
        return cell


def _shape(value: str | int | Decimal | date, cents: bool) -> str:
    if isinstance(value, str):
        return "formule" if is_computed(value) else "texte"
    if isinstance(value, bool):
        return "booleen"
    if isinstance(value, datetime):
        return "instant"
    if isinstance(value, date):
        return "date"
    if isinstance(value, int):
        return "entier"
    return "montant" if cents or value != value.to_integral_value() else "rond"


def _sheet_name(title: str, names: set[str]) -> str:
    base = re.sub(r"[\[\]:*?/\\']", "-", title)[:28] or "feuille"
    name, rank = base, 1
    while name.lower() in names:
        rank += 1
        name = f"{base}~{rank}"
    names.add(name.lower())
    return name
