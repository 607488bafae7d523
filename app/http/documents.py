"""Documents as answers: app/documents makes a file from the answer of an operation; this module adds the headers."""

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
from app.http.route import PDF, Route

# The page embeds everything it needs. The policy forbids injected text to load or run anything.
HTML_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; "
    "frame-ancestors 'none'; sandbox"
}


async def answer_document(route: Route, operation: Operation, request: Request, outside: Mapping[str, Any]) -> Answer:
    """The document of one row: a PDF, or a page or a picture where the route answers one."""
    kind = (route.media or PDF).rpartition("/")[2]
    document = await printed(str(route.template), operation, request, outside, kind)
    if kind == "html":
        return Answer(200, document.body, HTML_HEADERS, document.media_type)
    return _file("inline", document)


async def printed(
    template: str, operation: Operation, request: Request, outside: Mapping[str, Any], kind: str = "pdf"
) -> Document:
    """The document of one row. Handlers also send it by e-mail."""
    data, services = await operation.read(request, outside), request.services
    return await printing.document(services.renderer, kind, template, data, services.settings.public_url)


async def answer_report(
    route: Route, operation: Operation, request: Request, outside: Mapping[str, Any], file_format: str
) -> Answer:
    report = route.report
    if report is None:  # such a route has formats only with a report
        raise AssertionError(route.path)
    organisation = await request.call("core.organisation", [])
    data, sums, length = await _read_report(operation, request, outside, report.totals if file_format == "pdf" else ())
    title, returns, renderer = name(route, outside), operation.function.returns, request.services.renderer
    document = await exports.export(
        renderer, file_format, report, title, data, returns, sums, length, organisation, outside
    )
    return _file("attachment", document)


def _file(disposition: str, document: Document) -> Answer:
    return Answer(200, document.body, disposition_of(disposition, document.name), document.media_type)


def disposition_of(disposition: str, file: str) -> dict[str, str]:
    return {"Content-Disposition": f'{disposition}; filename="{file}"'}


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
