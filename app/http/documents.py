"""Documents as answers: app/documents makes a file from the answer of an operation; this module adds the headers."""

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

# The page embeds everything it needs. The policy forbids injected text to load or run anything.
HTML_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; "
    "frame-ancestors 'none'; sandbox"
}


async def answer_document(route: Route, operation: Operation, request: Request, outside: Mapping[str, Any]) -> Answer:
    """The document of one row: a PDF, or a page or a picture where the route answers one."""
    template, site = str(route.template), request.services.settings.public_url
    if route.media == "text/html":
        document = await printing.page(template, await _read(operation, request, outside), site)
        return Answer(200, document.body, HTML_HEADERS, document.media_type)
    if route.media == "image/png":
        data = await _read(operation, request, outside)
        return _file("inline", await printing.png(request.services.renderer, template, data, site))
    return _file("inline", await pdf(template, operation, request, outside))


async def pdf(template: str, operation: Operation, request: Request, outside: Mapping[str, Any]) -> Document:
    """The document of one row as a PDF. Handlers also send it by e-mail."""
    data, services = await _read(operation, request, outside), request.services
    return await printing.pdf(services.renderer, template, data, services.settings.public_url)


async def answer_report(
    route: Route, operation: Operation, request: Request, outside: Mapping[str, Any], file_format: str
) -> Answer:
    """The file of a report."""
    report = route.report
    if report is None:  # such a route has formats only with a report
        raise AssertionError(route.path)
    organisation = await request.call("core.organisation", [])
    data, sums, length = await _read_report(operation, request, outside, report.totals if file_format == "pdf" else ())
    document = await exports.export(
        request.services.renderer,
        file_format,
        report,
        name(route, outside),
        data,
        operation.function.returns,
        sums,
        length,
        organisation,
        outside,
    )
    return _file("attachment", document)


def _file(disposition: str, document: Document) -> Answer:
    return Answer(200, document.body, disposition_of(disposition, document.name), document.media_type)


def disposition_of(disposition: str, file: str) -> dict[str, str]:
    return {"Content-Disposition": f'{disposition}; filename="{file}"'}


async def _read(operation: Operation, request: Request, outside: Mapping[str, Any]) -> Any:
    row = await operation.run(request, operation.arguments.check(outside, None))
    return msgspec.json.decode(row["corps"])


async def _read_report(
    operation: Operation, request: Request, outside: Mapping[str, Any], names: tuple[str, ...]
) -> tuple[Any, dict[str, dict[str, Value]], str]:
    """The answer; for each list the sums of these columns, computed by the database; the length of a list by pages."""
    values = operation.arguments.check(outside, None)
    if not names:
        row = await operation.run(request, values)
        return await off_loop(msgspec.json.decode, row["corps"]), {}, row.get("total") or ""
    row = await operation.totalled(request, values, names)
    decoded = await off_loop(msgspec.json.decode, row["corps"])
    sums = {title: {n: v and _number(v) for n, v in total.items()} for title, total in decoded["totaux"].items()}
    return decoded["corps"], sums, ""


def _number(text: str) -> Value:
    return Decimal(text) if "." in text else int(text)


def name(route: Route, outside: Mapping[str, Any]) -> str:
    """The file name: the path, with the values of its keys. `tableau-de-bord` alone would name two reports."""
    words = [word for word in route.path.split("/")[3:] if word and word != "rapports"]
    return file_name("-".join(str(outside[word[1:-1]]) if word.startswith("{") else word for word in words))
