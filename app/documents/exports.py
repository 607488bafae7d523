"""Reports as files: the tables of an operation's answer as CSV, PDF or XLSX."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from app.base.formulas import harmless
from app.database.catalogue import PgType
from app.database.words import label
from app.documents.document import MEDIA, Document, Report
from app.documents.lists import BOM, csv_lines, plain
from app.documents.renderer import Renderer
from app.documents.tables import Table, Value, local, tables
from app.documents.thread import off_loop

TAGGED = 500  # rows; in a longer PDF, tags for screen readers are nine tenths of the size and a third of the time


async def export(
    renderer: Renderer,
    file_format: str,
    report: Report,
    name: str,
    data: Any,
    returns: PgType,
    sums: Mapping[str, dict[str, Value]],
    length: str,
    organisation: Any,
    query: Mapping[str, Any],
) -> Document:
    """Make the file of a report.

    `sums` are the totals of its lists by name. `length` counts a list of which `data` is a page, such as "310", or
    "2000+" where the count has stopped. `query` holds the parameters of the request.
    """
    # A large document takes seconds, so it is made outside the event loop.
    sheets = await off_loop(_tables, data, returns, report.title, organisation["fuseau"])
    for table in sheets:
        table.totals = sums.get("" if isinstance(data, list) else table.title, {})
        table.length = length
    if file_format == "csv":
        body = await off_loop(to_csv, sheets)
    elif file_format == "xlsx":
        body = await off_loop(_workbook, sheets, report, organisation["decimales"] > 0)
    else:
        html = await off_loop(_page, sheets, report, organisation, query)
        body = await renderer.pdf(html, tagged=sum(len(table.rows) for table in sheets) <= TAGGED)
    days = _days(data, report, organisation["fuseau"], query)
    return Document(f"{dated(name, days)}.{file_format}", MEDIA[file_format], body)


def _tables(data: Any, pg_type: PgType, title: str, zone: str) -> list[Table]:
    sheets = tables(data, pg_type, title)
    zone_info = ZoneInfo(zone)
    for table in sheets:
        for row in table.rows:
            row.update({name: local(value, zone_info) for name, value in row.items()})
    return sheets


def to_csv(tables: list[Table]) -> bytes:
    """Write a byte order mark and `;` as separator. Each table after the first follows an empty line and its name."""
    return BOM + csv_lines(_lines(tables))


def _lines(tables: list[Table]) -> Iterator[list[str]]:
    for position, table in enumerate(tables):
        if position:
            yield from ([], [harmless(label(table.title))])
        yield [harmless(label(name)) for name in table.columns]
        yield from ([_csv_value(value) for value in line] for line in table.lines())


def _csv_value(value: Value) -> str:
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    return harmless(value) if isinstance(value, str) else plain(value)


# The first export imports the libraries for charts and workbooks, in its thread: the service starts faster.


def _workbook(sheets: list[Table], report: Report, cents: bool) -> bytes:
    from app.documents import charts, workbook

    return workbook.to_xlsx(sheets, charts.series(report.charts, sheets), cents)


def _page(sheets: list[Table], report: Report, organisation: Any, query: Mapping[str, Any]) -> str:
    from app.documents import reports

    return reports.page(sheets, report, organisation, query)


def _days(data: Any, report: Report, zone: str, query: Mapping[str, Any]) -> dict[str, str]:
    """The period of a report: a month, or a first and a last day. Without a last day the report ends today."""
    if query.get("periode"):
        return {"periode": query["periode"]}
    answered = data.get("periode") if isinstance(data, dict) else None
    days = {key: str((answered or query).get(key) or "") for key in ("du", "au")}
    days["au"] = days["au"] or f"{datetime.now(ZoneInfo(zone)):%Y-%m-%d}"
    if report.month and not days["du"]:
        days["du"] = f"{days['au'][:7]}-01"
    return {"periodo": str(query.get("periodo") or ""), **days}


def dated(name: str, query: Mapping[str, Any]) -> str:
    """The name of a file with its period."""
    return "-".join([name, *(query[key] for key in ("periode", "periodo", "du", "au") if query.get(key))])
