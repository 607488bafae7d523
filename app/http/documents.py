"""Documents as answers: what an operation answers goes to app/documents, and the file comes back with its headers."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import msgspec

from app.documents import exports, printing
from app.documents.document import Document, file_name
from app.documents.tables import Value
from app.documents.thread import off_loop
from app.http.answer import Answer
from app.http.operation import Operation
from app.http.request import Request
from app.http.route import Route

PAGE, ROWS = 1000, 10_000  # a list is exported whole, as far as its count goes
# The page brings everything with it: whatever a text in it tries, nothing is loaded and nothing runs.
HTML_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox"}


async def printed(route: Route, operation: Operation, request: Request, outside: Mapping[str, Any]) -> Answer:
    """A document of one row: the PDF, or the page itself where the route answers HTML."""
    template = str(route.template)
    if route.media == "text/html":
        found = await printing.page(template, await _read(operation, request, outside))
        return Answer(200, found.body, HTML_HEADERS, found.media_type)
    return _file("inline", await pdf(template, operation, request, outside))


async def pdf(template: str, operation: Operation, request: Request, outside: Mapping[str, Any]) -> Document:
    """A PDF, which may go elsewhere than into an answer."""
    return await printing.pdf(request.services.renderer, template, await _read(operation, request, outside))


async def exported(
    route: Route, operation: Operation, request: Request, outside: Mapping[str, Any], kind: str
) -> Answer:
    """The file of a report."""
    report = route.report
    if report is None:  # EXPORT gives each its own
        raise AssertionError(route.path)
    whose = request.services.operation("core.organisation")  # a second statement, for files alone
    organisation = msgspec.json.decode((await whose.run(request, []))["corps"])
    data, sums = await _read_report(operation, request, outside, report.totals if kind == "pdf" else ())
    found = await exports.export(
        request.services.renderer,
        kind,
        report,
        _name(route, outside),
        data,
        operation.function.returns,
        sums,
        organisation,
        outside,
    )
    return _file("attachment", found)


def _file(disposition: str, found: Document) -> Answer:
    headers = {"Content-Disposition": f'{disposition}; filename="{found.name}"'}
    return Answer(200, found.body, headers, found.media_type)


async def _read(operation: Operation, request: Request, outside: Mapping[str, Any]) -> Any:
    row = await operation.run(request, operation.arguments.check(outside, None))
    return msgspec.json.decode(row["corps"])


async def _read_report(
    operation: Operation, request: Request, outside: Mapping[str, Any], names: tuple[str, ...]
) -> tuple[Any, dict[str, dict[str, Value]]]:
    """The answer, and by list the sums of these columns: the database adds up what is printed."""
    if not names:
        return await _whole(operation, request, outside), {}
    row = await operation.totalled(request, operation.arguments.check(outside, None), names)
    found = await off_loop(msgspec.json.decode, row["corps"])
    sums = {title: {n: v and _number(v) for n, v in total.items()} for title, total in found["totaux"].items()}
    return found["corps"], sums


def _number(text: str) -> Value:
    return Decimal(text) if "." in text else int(text)


async def _whole(operation: Operation, request: Request, outside: Mapping[str, Any]) -> Any:
    """The whole answer; of a list page after page."""
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
