"""Workbooks, made in parts: neither the memory nor the disk that this needs grows with the rows.

openpyxl makes every part of the file but the rows. It would write the rows of a sheet to the disk before it packs them,
ten times as many bytes, and in nine times the processor time, so this module packs them as they come.
"""

import io
import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile
from zoneinfo import ZoneInfo

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel

from app.base.celltext import is_computed, printable
from app.database.catalogue import PgType
from app.database.words import label
from app.documents import lists
from app.documents.charts import Series
from app.documents.tables import Table, Value, local, typed
from app.documents.texts import is_money

_FORMATS = {"montant": "#,##0.00", "rond": "#,##0", "entier": "0"}
_FORMATS |= {"date": "dd/mm/yyyy", "instant": "dd/mm/yyyy hh:mm:ss"}
# A value of each style, and whether it is bold. Every workbook has these styles in this order.
_STYLES: dict[str, tuple[Value, bool]] = {
    "montant": (Decimal("0.5"), False),
    "rond": (Decimal(), False),
    "entier": (0, False),
    "date": (date.min, False),
    "instant": (datetime.min, False),
    "formule": ("=", False),
    "titre": ("a", True),
    "titre formule": ("=", True),
}
ROWS = 1_000_000  # of a sheet; spreadsheets accept 1,048,576
LARGEST = 1_900_000_000  # bytes of a sheet; spreadsheets refuse the form of a zip file that allows 2 GiB and more
_WIDTH = 20  # characters: a narrower column shows an instant as ####


class Book:
    """A workbook with typed cells, in sheets with a frozen bold header. `take` returns the bytes so far.

    Amounts of a currency with cents always show them.
    """

    def __init__(self, cents: bool) -> None:
        self._cents = cents
        self._out = _Out()
        archive: Any = self._out  # ZipFile only writes here, so _Out implements only what writing needs
        self._archive = ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=1)
        self._sheets: dict[str, Sequence[str]] = {}

    def open(self, title: str, columns: Sequence[str]) -> None:
        """Begin a sheet, after the end of the one before."""
        self._end_sheet()
        name = _sheet_name(title, self._sheets)
        self._sheets[name] = [label(column) for column in columns]
        files, self._styles = _frame({name: self._sheets[name]})
        head, end, tail = files["xl/worksheets/sheet1.xml"].partition(b"</sheetData>")
        self._tail = end + tail
        self._columns = [
            (get_column_letter(position), self._cents and is_money(name)) for position, name in enumerate(columns, 1)
        ]
        self._sheet = self._archive.open(f"xl/worksheets/sheet{len(self._sheets)}.xml", "w")
        self._sheet.write(head)
        self.rows, self.size = 0, 0

    def append(self, values: Iterable[Value]) -> None:
        self.rows += 1
        number = self.rows + 1
        cells = [
            self._cell(f"{letter}{number}", value, cents)
            for (letter, cents), value in zip(self._columns, values, strict=True)
            if value is not None
        ]
        line = f'<row r="{number}">{"".join(cells)}</row>'.encode()
        self.size += len(line)
        self._sheet.write(line)

    def end(self, charts: Sequence[Series] = ()) -> bytes:
        """End the workbook, with one more sheet for the charts, and return its last bytes."""
        self._end_sheet()
        for name, body in _frame(self._sheets, charts)[0].items():
            if name not in self._archive.namelist():
                self._archive.writestr(name, body)
        self._archive.close()
        return self.take()

    def drop(self) -> None:
        """Close an unfinished workbook."""
        self._sheet.close()
        self._archive.close()

    def take(self) -> bytes:
        taken = bytes(self._out)
        self._out.clear()
        return taken

    def _end_sheet(self) -> None:
        if self._sheets:
            self._sheet.write(self._tail)
            self._sheet.close()

    def _cell(self, place: str, value: Value, cents: bool) -> str:
        if isinstance(value, date) and value.year < 1900:
            value = value.isoformat()  # spreadsheets have no dates before 1900
        shape = _shape(value, cents)
        style = f' s="{self._styles[shape]}"' if shape in self._styles else ""
        if isinstance(value, str):
            text = escape(printable(value))
            return f'<c r="{place}"{style} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
        if isinstance(value, bool):
            return f'<c r="{place}" t="b"><v>{value:d}</v></c>'
        return f'<c r="{place}"{style}><v>{to_excel(value) if isinstance(value, date) else value}</v></c>'


class XlsxList(Book):
    """A list as a workbook, in parts. A long list continues on the next sheet."""

    def __init__(self, title: str, returns: PgType, zone: str, cents: bool) -> None:
        super().__init__(cents)
        self._title, self._types, self._zone = title, lists.columns(returns), ZoneInfo(zone)
        self._begin_sheet()

    head = Book.take

    def part(self, page: Sequence[dict[str, Any]]) -> bytes:
        for row in page:
            if self.rows == ROWS or self.size > LARGEST:
                self._begin_sheet()
            self.append(self._value(row[name], pg_type) for name, pg_type in self._types)
        return self.take()

    def _begin_sheet(self) -> None:
        self.open(self._title, [name for name, _ in self._types])

    def _value(self, value: Any, pg_type: PgType) -> Value:
        return lists.nested(value) if isinstance(value, dict | list) else local(typed(value, pg_type), self._zone)


def to_xlsx(tables: list[Table], charts: Sequence[Series] = (), cents: bool = False) -> bytes:
    """Write one sheet for each table, and one for the charts."""
    book = Book(cents)
    for table in tables or [Table("vide")]:
        book.open(label(table.title), table.columns)
        for line in table.lines():
            book.append(line)
    return book.end(charts)


def _frame(sheets: dict[str, Sequence[str]], charts: Sequence[Series] = ()) -> tuple[dict[str, bytes], dict[str, int]]:
    """The files of a workbook of these sheets without rows, and the styles of cells by shape."""
    book = Workbook(write_only=True)
    for name, columns in sheets.items():
        sheet = book.create_sheet(name)
        sheet.freeze_panes = "A2"
        for position, column in enumerate(columns, 1):
            sheet.column_dimensions[get_column_letter(position)].width = max(_WIDTH, min(len(column) + 2, 40))
        styles = {shape: _styled(sheet, *example).style_id for shape, example in _STYLES.items()}
        sheet.append([_styled(sheet, column, bold=True) for column in columns])
    if charts:
        _draw(book.create_sheet(_sheet_name("Graphiques", sheets)), charts)
    out = io.BytesIO()
    book.save(out)
    with ZipFile(out) as archive:
        return {name: archive.read(name) for name in archive.namelist()}, styles


def _draw(sheet: Any, charts: Sequence[Series]) -> None:
    """Write the values of each chart, and the chart beside them."""
    top = 1
    for series in charts:
        chart = LineChart() if series.lines else BarChart()
        chart.title, chart.width, chart.height = series.title, 24, 10
        names, last = list(series.values), top + len(series.labels)
        sheet.append([_styled(sheet, text, bold=True) for text in (series.title, *names)])
        for position, point in enumerate(series.labels):
            values: list[Value] = [point, *(series.values[name][position] for name in names)]
            sheet.append([_styled(sheet, value) for value in values])
        data = Reference(sheet, min_col=2, max_col=1 + len(names), min_row=top, max_row=last)
        chart.add_data(data, titles_from_data=True)
        chart.set_categories(Reference(sheet, min_col=1, min_row=top + 1, max_row=last))
        chart.x_axis.delete = chart.y_axis.delete = False
        sheet.add_chart(chart, f"{get_column_letter(len(names) + 3)}{top}")
        height = 22  # rows that a chart covers
        for _ in range(max(height - len(series.labels), 1)):
            sheet.append([])
        top += 1 + len(series.labels) + max(height - len(series.labels), 1)


def _styled(sheet: Any, value: Value, bold: bool = False) -> Any:
    """A cell of openpyxl."""
    shape = _shape(value)
    cell = WriteOnlyCell(sheet, printable(value) if isinstance(value, str) else value)
    if isinstance(value, str):
        cell.data_type = "s"  # never a formula, never an error value
    cell.number_format = _FORMATS.get(shape, "General")
    cell.quotePrefix = shape == "formule"
    if bold:
        cell.font = Font(bold=True)
    return cell


def _shape(value: Value, cents: bool = False) -> str:
    if isinstance(value, str):
        return "formule" if is_computed(value) else "texte"
    if value is None or isinstance(value, bool):
        return "texte"
    if isinstance(value, datetime):
        return "instant"
    if isinstance(value, date):
        return "date"
    if isinstance(value, int):
        return "entier"
    return "montant" if cents or value != value.to_integral_value() else "rond"


def _sheet_name(title: str, names: Iterable[str]) -> str:
    base = re.sub(r"[\[\]:*?/\\']", "-", title)[:28] or "feuille"
    taken = {name.lower() for name in names}
    name, rank = base, 1
    while name.lower() in taken:
        rank += 1
        name = f"{base}~{rank}"
    return name


class _Out(bytearray):
    """The bytes of the archive until they are sent. It cannot go back, as a connection cannot."""

    def write(self, data: bytes) -> int:
        self += data
        return len(data)

    def flush(self) -> None:
        pass
