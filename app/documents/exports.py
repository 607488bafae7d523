"""?format=csv, pdf and xlsx: the JSON of an operation as tables, typed by its signature.

An object becomes a table of its values (name; value) and one table for each list in it; a list becomes one table.
What is nested in a row is flattened into columns named with dots.
"""

from __future__ import annotations

import asyncio
import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import msgspec
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter

from app.documents import charts, reports
from app.documents.charts import series

if TYPE_CHECKING:
    from app.catalogue import PgType
    from app.endpoint import Answer, Operation, Request
    from app.routes import Route

MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
PAGE, ROWS = 1000, 10_000  # a list is exported whole, as far as its count goes
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_TEXT_LIMIT = 32_767  # of a spreadsheet cell
_FORMATS = {"montant": "#,##0.00", "entier": "0", "date": "yyyy-mm-dd", "instant": "yyyy-mm-dd hh:mm:ss"}

Value = str | int | Decimal | bool | date | datetime | None


@dataclass(slots=True)
class Table:
    title: str
    columns: list[str] = field(default_factory=list)
    rows: list[dict[str, Value]] = field(default_factory=list)

    def add(self, row: dict[str, Value]) -> None:
        self.columns += [name for name in row if name not in self.columns]
        self.rows.append(row)


async def answer(route: Route, operation: Operation, request: Request, outside: Mapping[str, Any], kind: str) -> Answer:
    """The file of a GET."""
    from app.endpoint import Answer

    report = route.report
    if report is None:  # EXPORT gives each its own
        raise AssertionError(route.path)
    name = _name(route, outside)
    organisation = await _organisation(request)
    found = tables(await _json(operation, request, outside), operation.function.returns, name)
    localise(found, ZoneInfo(organisation["fuseau"]))
    # A large document takes seconds: other requests do not wait for it.
    if kind == "csv":
        body = await asyncio.to_thread(to_csv, found)
    elif kind == "xlsx":
        body = await asyncio.to_thread(to_xlsx, found, series(report.charts, found))
    else:
        html = await asyncio.to_thread(reports.page, found, report, organisation, outside)
        body = await request.services.renderer.pdf(html)
    headers = {"Content-Disposition": f'attachment; filename="{_dated(name, outside)}.{kind}"'}
    return Answer(200, body, headers, MEDIA[kind])


async def _organisation(request: Request) -> Any:
    """Whose report it is, and where: a second statement, for files alone."""
    operation = request.services.operation("core.organisation")
    return msgspec.json.decode((await operation.run(request, []))["corps"])


async def _json(operation: Operation, request: Request, outside: Mapping[str, Any]) -> Any:
    if "limit" not in operation.names or "limit" in outside:
        row = await operation.run(request, operation.arguments.check(outside, None))
        return msgspec.json.decode(row["corps"])
    rows: list[Any] = []
    while len(rows) < ROWS:
        page = {**outside, "limit": str(PAGE), "offset": str(len(rows))}
        row = await operation.run(request, operation.arguments.check(page, None))
        found = msgspec.json.decode(row["corps"])
        rows += found
        if len(found) < PAGE:
            break
    return rows


def _name(route: Route, outside: Mapping[str, Any]) -> str:
    """The report, and the activity or other key that its path names."""
    words = [part for part in route.path.split("/")[3:] if part]
    kept = [str(outside[part[1:-1]]) if part.startswith("{") else part for part in words[-2:]]
    if not words[-1].startswith("{"):
        kept = kept[-1:]
    return file_name("-".join(kept))


def file_name(text: str) -> str:
    """What may stand in a header and on every file system."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", text)


def _dated(name: str, outside: Mapping[str, Any]) -> str:
    return "-".join([name, *(outside[key] for key in ("du", "au") if outside.get(key))])


# ---- JSON to tables


def tables(found: Any, kind: PgType, title: str) -> list[Table]:
    """The tables of an answer, the one of its own values first."""
    if isinstance(found, list):
        table = Table(title, [attribute.name for attribute in kind.attributes if not _nested(attribute.type)])
        for item in found:
            table.add(dict(_flat("", item, kind)))
        return [table]
    head = Table(title, ["champ", "valeur"])
    lists: list[Table] = []
    _split("", found, kind, head, lists)
    return [head, *lists] if head.rows else lists


def localise(found: list[Table], zone: ZoneInfo) -> None:
    """Instants become what the organisation's clocks showed: people read files, and spreadsheets know no zones."""
    for table in found:
        for row in table.rows:
            for name, value in row.items():
                if isinstance(value, datetime):
                    row[name] = value.astimezone(zone).replace(tzinfo=None)


def _split(path: str, found: Any, kind: PgType | None, head: Table, lists: list[Table]) -> None:
    kinds = _kinds(kind)
    for name, value in found.items():
        inside, inner = f"{path}{name}", kinds.get(name)
        if isinstance(value, dict):
            _split(f"{inside}.", value, inner, head, lists)
        elif isinstance(value, list):
            element = inner.element if inner else None
            table = Table(inside, [a.name for a in element.attributes if not _nested(a.type)] if element else [])
            for item in value:
                table.add(dict(_flat("", item, element)))
            lists.append(table)
        else:
            head.rows.append({"champ": inside, "valeur": _typed(value, inner)})


def _flat(path: str, found: Any, kind: PgType | None) -> Iterator[tuple[str, Value]]:
    if isinstance(found, dict):
        kinds = _kinds(kind)
        for name, value in found.items():
            yield from _flat(f"{path}.{name}" if path else name, value, kinds.get(name))
    elif isinstance(found, list):
        element = kind.element if kind else None
        for position, value in enumerate(found):
            yield from _flat(f"{path}.{position}" if path else str(position), value, element)
    elif found is not None or kind is None or not _nested(kind):
        yield path or "valeur", _typed(found, kind)


def _kinds(kind: PgType | None) -> dict[str, PgType]:
    return {attribute.name: attribute.type for attribute in kind.attributes} if kind else {}


def _nested(kind: PgType) -> bool:
    return kind.kind in ("composite", "array") or kind.root.name == "jsonb"


def _typed(value: Any, kind: PgType | None) -> Value:
    """A value as its PostgreSQL type has it; in free JSON, amounts are recognised by their two decimals."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return Decimal(str(value))
    root = kind.root.name if kind else ""
    if root == "numeric" or (not root and re.fullmatch(r"-?\d{1,15}\.\d\d", value)):
        return Decimal(value)
    if root == "int8":
        return int(value) if len(value) < 16 else value  # a spreadsheet keeps fifteen digits
    if root == "date" and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return date.fromisoformat(value)
    if root == "timestamptz" and re.fullmatch(r"\d{4}-.*Z", value):
        return datetime.fromisoformat(value)
    return str(value)


# ---- tables to files


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
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def to_xlsx(found: list[Table], drawn: Sequence[charts.Series] = ()) -> bytes:
    """One sheet for each table: typed cells, a bold header that stays in sight; and one for the charts."""
    book = Workbook(write_only=True)
    taken: set[str] = set()
    for table in found or [Table("vide")]:
        sheet = book.create_sheet(_sheet_name(table.title, taken))
        sheet.freeze_panes = "A2"
        for position, name in enumerate(table.columns, 1):
            sheet.column_dimensions[get_column_letter(position)].width = max(14, min(len(name) + 2, 40))
        sheet.append([_cell(sheet, name, bold=True) for name in table.columns])
        for row in table.rows:
            sheet.append([_cell(sheet, row.get(name)) for name in table.columns])
    if drawn:
        _draw(book.create_sheet(_sheet_name("graphiques", taken)), drawn)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _draw(sheet: Any, drawn: Sequence[charts.Series]) -> None:
    """The values of each chart, and the chart beside them."""
    top = 1
    for one in drawn:
        chart = LineChart() if one.lines else BarChart()
        chart.title, chart.width, chart.height = one.title, 24, 10
        names, last = list(one.values), top + len(one.labels)
        sheet.append([_cell(sheet, text, bold=True) for text in (one.title, *names)])
        for position, point in enumerate(one.labels):
            values = [_cell(sheet, one.values[name][position]) for name in names]
            sheet.append([_cell(sheet, point), *values])
        data = Reference(sheet, min_col=2, max_col=1 + len(names), min_row=top, max_row=last)
        chart.add_data(data, titles_from_data=True)
        chart.set_categories(Reference(sheet, min_col=1, min_row=top + 1, max_row=last))
        chart.x_axis.delete = chart.y_axis.delete = False
        sheet.add_chart(chart, f"{get_column_letter(len(names) + 3)}{top}")
        height = 22  # rows that a chart covers
        for _ in range(max(height - len(one.labels), 1)):
            sheet.append([])
        top += 1 + len(one.labels) + max(height - len(one.labels), 1)


def _cell(sheet: Any, value: Value, bold: bool = False) -> Any:
    if value is None:
        return None
    if isinstance(value, date) and value.year < 1900:
        value = value.isoformat()  # before the first day that a spreadsheet knows
    if isinstance(value, str):
        text = ILLEGAL_CHARACTERS_RE.sub("", value)[:_TEXT_LIMIT]
        cell = WriteOnlyCell(sheet, text)
        cell.data_type = "s"  # never a formula, never an error value
        if text.startswith(_FORMULA):
            cell.quotePrefix = True
    else:
        cell = WriteOnlyCell(sheet, value)
        if not isinstance(value, bool):
            cell.number_format = _FORMATS[_shape(value)]
    if bold:
        cell.font = Font(bold=True)
    return cell


def _shape(value: int | Decimal | date) -> str:
    if isinstance(value, datetime):
        return "instant"
    if isinstance(value, date):
        return "date"
    return "entier" if isinstance(value, int) else "montant"


def _sheet_name(title: str, taken: set[str]) -> str:
    base = re.sub(r"[\[\]:*?/\\']", "-", title)[:28] or "feuille"
    name, rank = base, 1
    while name.lower() in taken:
        rank += 1
        name = f"{base}~{rank}"
    taken.add(name.lower())
    return name
