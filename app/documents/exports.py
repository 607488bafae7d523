"""?format=csv, pdf and xlsx: the JSON of an operation as tables, typed by its signature.

An object becomes a table of its values (name; value) and one table for each list in it; a list becomes one table.
What is nested in a row is flattened into columns named with dots.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import msgspec

from app.http.turns import off_loop

if TYPE_CHECKING:
    from app.database.catalogue import PgType
    from app.http.endpoint import Answer, Operation, Request
    from app.http.route import Report, Route

MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
PAGE, ROWS = 1000, 10_000  # a list is exported whole, as far as its count goes
TAGGED = 500  # rows; the tags that a screen reader follows are nine tenths of a longer file, and a third of its time
FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # what a text that a spreadsheet would compute begins with

Value = str | int | Decimal | bool | date | datetime | None


@dataclass(slots=True)
class Table:
    title: str
    columns: list[str] = field(default_factory=list)
    rows: list[dict[str, Value]] = field(default_factory=list)
    totals: dict[str, Value] = field(default_factory=dict)  # sums that the database made

    def add(self, row: dict[str, Value]) -> None:
        self.columns += [name for name in row if name not in self.columns]
        self.rows.append(row)


async def answer(route: Route, operation: Operation, request: Request, outside: Mapping[str, Any], kind: str) -> Answer:
    """The file of a GET."""
    from app.http.endpoint import Answer

    report = route.report
    if report is None:  # EXPORT gives each its own
        raise AssertionError(route.path)
    name = _name(route, outside)
    organisation = await _organisation(request)
    # A large document takes seconds: other requests do not wait for it.
    data, sums = await _read(operation, request, outside, report.totals if kind == "pdf" else ())
    found = await off_loop(_tables, data, operation.function.returns, name, organisation["fuseau"])
    for table in found:
        table.totals = sums.get("" if isinstance(data, list) else table.title, {})
    if kind == "csv":
        body = await off_loop(to_csv, found)
    elif kind == "xlsx":
        body = await off_loop(_workbook, found, report)
    else:
        html = await off_loop(_page, found, report, organisation, outside)
        body = await request.services.renderer.pdf(html, tagged=sum(len(table.rows) for table in found) <= TAGGED)
    headers = {"Content-Disposition": f'attachment; filename="{_dated(name, outside)}.{kind}"'}
    return Answer(200, body, headers, MEDIA[kind])


def _tables(data: Any, kind: PgType, name: str, zone: str) -> list[Table]:
    found = tables(data, kind, name)
    localise(found, ZoneInfo(zone))
    return found


# What draws and writes files is read by the first of them, in its thread: a service starts without.


def _workbook(found: list[Table], report: Report) -> bytes:
    from app.documents import charts, workbook

    return workbook.to_xlsx(found, charts.series(report.charts, found))


def _page(found: list[Table], report: Report, organisation: Any, asked: Mapping[str, Any]) -> str:
    from app.documents import reports

    return reports.page(found, report, organisation, asked)


async def _organisation(request: Request) -> Any:
    """Whose report it is, and where: a second statement, for files alone."""
    operation = request.services.operation("core.organisation")
    return msgspec.json.decode((await operation.run(request, []))["corps"])


async def _read(
    operation: Operation, request: Request, outside: Mapping[str, Any], names: tuple[str, ...]
) -> tuple[Any, dict[str, dict[str, Value]]]:
    """The answer, and by list the sums of these columns: the database adds up what is printed."""
    if not names:
        return await _json(operation, request, outside), {}
    row = await operation.totalled(request, operation.arguments.check(outside, None), names)
    found = await off_loop(msgspec.json.decode, row["corps"])
    sums = {title: {n: v and _number(v) for n, v in total.items()} for title, total in found["totaux"].items()}
    return found["corps"], sums


def _number(text: str) -> Value:
    return Decimal(text) if "." in text else int(text)


async def _json(operation: Operation, request: Request, outside: Mapping[str, Any]) -> Any:
    if "limit" not in operation.names or "limit" in outside:
        row = await operation.run(request, operation.arguments.check(outside, None))
        return await off_loop(msgspec.json.decode, row["corps"])
    rows: list[Any] = []
    while len(rows) < ROWS:
        page = {**outside, "limit": str(PAGE), "offset": str(len(rows))}
        row = await operation.run(request, operation.arguments.check(page, None))
        found = await off_loop(msgspec.json.decode, row["corps"])
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
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text
