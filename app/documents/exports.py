"""Reports as files: CSV, PDF and XLSX of the tables that an operation's answer makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from app.database.catalogue import PgType
from app.documents.csvfile import to_csv
from app.documents.document import MEDIA, Document
from app.documents.renderer import Renderer
from app.documents.report import Report
from app.documents.tables import Table, Value, localise, tables
from app.documents.thread import off_loop

TAGGED = 500  # rows; the tags that a screen reader follows are nine tenths of a longer file, and a third of its time


async def export(
    renderer: Renderer,
    kind: str,
    report: Report,
    name: str,
    data: Any,
    returns: PgType,
    sums: Mapping[str, dict[str, Value]],
    organisation: Any,
    asked: Mapping[str, Any],
) -> Document:
    """The file of a report. `sums` are the totals of its lists by name, `asked` what it was asked for."""
    # A large document takes seconds: other requests do not wait for it.
    found = await off_loop(_tables, data, returns, name, organisation["fuseau"])
    for table in found:
        table.totals = sums.get("" if isinstance(data, list) else table.title, {})
    if kind == "csv":
        body = await off_loop(to_csv, found)
    elif kind == "xlsx":
        body = await off_loop(_workbook, found, report)
    else:
        html = await off_loop(_page, found, report, organisation, asked)
        body = await renderer.pdf(html, tagged=sum(len(table.rows) for table in found) <= TAGGED)
    return Document(f"{_dated(name, asked)}.{kind}", MEDIA[kind], body)


def _tables(data: Any, kind: PgType, name: str, zone: str) -> list[Table]:
    found = tables(data, kind, name)
    localise(found, ZoneInfo(zone))
    return found


# The libraries that draw and write files are read by the first export, in its thread: a service starts without them.


def _workbook(found: list[Table], report: Report) -> bytes:
    from app.documents import charts, workbook

    return workbook.to_xlsx(found, charts.series(report.charts, found))


def _page(found: list[Table], report: Report, organisation: Any, asked: Mapping[str, Any]) -> str:
    from app.documents import reports

    return reports.page(found, report, organisation, asked)


def _dated(name: str, asked: Mapping[str, Any]) -> str:
    return "-".join([name, *(asked[key] for key in ("du", "au") if asked.get(key))])
