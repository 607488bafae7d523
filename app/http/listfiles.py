"""Lists as files: each page is read, written and sent before the next one, so the memory does not grow with the list.

The pages follow a cursor, so each row that does not change meanwhile comes once. They are separate statements: a row
that is added, changed or deleted meanwhile may come or not.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from starlette.types import Message, Send

from app.base.refusal import Refusal
from app.database.catalogue import Function, PgType
from app.documents import lists
from app.documents.document import MEDIA
from app.documents.exports import dated
from app.documents.ledgers import Ledger
from app.documents.thread import off_loop
from app.http.answer import Answer, respond
from app.http.documents import disposition_of, name
from app.http.operation import Operation
from app.http.pages import Pages
from app.http.request import Request
from app.http.route import Route
from app.http.versions import memento

FORMATS = ("csv", "xlsx")
LEDGERS = ("beancount", "hledger")  # of a route that names them
PAGE = 1000  # rows read at once

Rows = AsyncGenerator[list[dict[str, Any]], None]


def formats(route: Route, function: Function | None) -> tuple[str, ...]:
    """The values of ?format= besides json: the formats of the route, and CSV and XLSX for each list of a user."""
    listed = route.method == "GET" and route.handler is None and route.media is None and not route.public
    if listed and function is not None and function.returns_set:
        return tuple(sorted({*route.formats, *FORMATS}))
    return route.formats


def is_listed(route: Route, function: Function, file_format: str) -> bool:
    """Whether this module writes the file. A report without pages has its own layout (app/documents/exports.py)."""
    return file_format in FORMATS + LEDGERS and function.returns_set and (route.report is None or function.paged)


class Writer(Protocol):
    """Writes a file in parts."""

    def head(self) -> bytes: ...
    def part(self, page: Sequence[dict[str, Any]]) -> bytes: ...
    def end(self) -> bytes: ...
    def drop(self) -> None:
        """Close what an interrupted file left open. After `end` it does nothing."""


@dataclass(slots=True)
class ListFile:
    route: Route
    operation: Operation
    pages: Pages | None
    request: Request
    query: Mapping[str, str]
    outside: Mapping[str, Any]
    memento: dict[str, str] = field(default_factory=dict)

    async def send(self, send: Send, file_format: str) -> None:
        """Write the file in its turn and send it. A disconnect ends the work."""
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        request, work = self.request, self._send(sending, file_format)
        try:
            await request.services.turns.take(request.user or "", request.receive, work, long=True, parts=True)
        except Refusal as refusal:
            if not begun or refusal.code != "REQUETE_INTERROMPUE":
                raise

    async def _send(self, send: Send, file_format: str) -> None:
        async with aclosing(self._rows()) as rows:
            first = await anext(rows)  # a refusal comes before the head of the answer
            title = name(self.route, self.outside)
            returns = _layout(self.route, self.operation.function.returns)
            writer: Writer
            if file_format == "csv":
                writer = lists.CsvList(returns)
            else:
                organisation = await self.request.call("core.organisation", [])
                if file_format in LEDGERS:
                    writer = Ledger(file_format, organisation["devise"])
                else:
                    writer = await off_loop(_book, title, returns, organisation)
            headers = disposition_of("attachment", f"{dated(title, self.outside)}.{file_format}") | self.memento
            stream = _Parts(writer, first, rows)
            await respond(send, Answer(200, headers=headers, media_type=MEDIA[file_format], stream=stream))

    async def _rows(self) -> Rows:
        """All pages, or one page with `limit`. A list without pages is one page."""
        operation, names = self.operation, self.operation.names
        values = operation.arguments.check(self.outside, None)
        cursor = self.pages.cursor(self.query, values, self.request.organisation) if self.pages else None
        whole = "limit" in names and "limit" not in self.outside and (self.pages is not None or "apres" in names)
        if whole:
            values[names.index("limit")] = str(PAGE)
        while True:
            async with self.request.services.turns.place():
                row = await operation.run(self.request, values, cursor=cursor)
                self.memento = memento(row)
                rows = await off_loop(lists.rows, row["corps"], operation.function.returns)
            yield rows
            if not whole or not rows:
                return
            if self.pages is not None:
                if (cursor := row["suite"]) is None:
                    return
                values[names.index("offset")] = None
            else:  # a feed continues after the first column of its last row
                values[names.index("apres")] = next(iter(rows[-1].values()))


def _layout(route: Route, returns: PgType) -> PgType:
    """The row of the file: the columns of the route, or all of the JSON."""
    if not route.columns:
        return returns
    by_name = {attribute.name: attribute for attribute in returns.attributes}
    return replace(returns, attributes=[by_name[name] for name in route.columns])


def _book(title: str, returns: PgType, organisation: Mapping[str, Any]) -> Writer:
    from app.documents.workbook import XlsxList  # here, so the service starts faster

    return XlsxList(title, returns, organisation["fuseau"], organisation["decimales"] > 0)


@dataclass(slots=True)
class _Parts:
    """The file, a part for each page."""

    writer: Writer
    first: list[dict[str, Any]]
    rows: Rows
    size: None = None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self.writer.head() + await off_loop(self.writer.part, self.first)
        async for page in self.rows:
            yield await off_loop(self.writer.part, page)
        if end := await off_loop(self.writer.end):
            yield end

    async def aclose(self) -> None:
        await off_loop(self.writer.drop)
