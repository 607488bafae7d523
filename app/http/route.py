"""Routes as data: one line each, one module a slice, read in the order of SLICES, then WITHOUT_SCHEMA.

    GET("/paiements", "finances.paiement_lister", "FINANCES.VOIR")

names the path below the slice's PREFIX, the function that answers, and the permission it asks for (None: any
signed-in user; "A|B": either). CREATE is a POST that answers 201. What cannot be one function has a `handler` of its
own. Keywords after the body's name are the names of what is nested in it: lignes="LigneFacturationDto".
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from inspect import getdoc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import msgspec

    from app.http.endpoint import Answer, Request

Handler = Callable[["Request"], Awaitable["Answer"]]
Fields = tuple[tuple[str, str], ...]  # field and the PostgreSQL type that checks it
Shape = type["msgspec.Struct"] | None

STORED = "image/jpeg, image/png, image/webp, application/pdf"  # what may be in the store
WITHOUT_SCHEMA = ("uploads",)  # route modules of what has no tables, hence no slice of the database


@dataclass(frozen=True, slots=True)
class Chart:
    """Lists of a report, or parts of it, as a chart: a column of labels, and columns of values added up for each."""

    title: str
    tables: tuple[str, ...] = ("",)  # "" for the rows of a report that is one list
    label: str = "libelle"
    values: tuple[str, ...] = ("valeur",)
    lines: bool = False  # a course in time
    without: tuple[str, ...] = ()  # values of a part that are not of the same kind as the others


@dataclass(frozen=True, slots=True)
class Report:
    """What a report is as pages: its title, its charts, columns that are added up, and those that stay out."""

    title: str
    charts: tuple[Chart, ...] = ()
    totals: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    month: bool = False  # without a period it is of the current month, though its answer does not say so


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: str
    function: str | None
    permission: str | None  # "A.VOIR|B.VOIR": either; the function or handler then decides what each may see
    body: str | None = None
    champs: str | None = None
    status: int = 200
    public: bool = False
    handler: Handler | None = None
    fields: Fields = ()  # body of a handler
    answer: Shape = None  # JSON answer of a handler
    refuses: tuple[str, ...] = ()  # rules of a handler without `function`, which declares its own
    parts: tuple[tuple[str, str], ...] = ()  # names of the schemas nested in the body: field and name
    supplied: tuple[str, ...] = ()  # parameters of the function that the handler gives: no field of the body
    media: str | None = None  # media types of a file that is answered, after commas
    template: str | None = None  # of app/documents/templates/, which makes that file of the function's answer
    document: str | None = None  # another function, which says what that template prints where `function` answers JSON
    form: Fields | None = None  # multipart body: its `file`, and fields with the PostgreSQL type that checks them
    formats: tuple[str, ...] = ()  # what ?format= makes of the answer, besides JSON
    stale: bool = False  # a replica may answer, seconds late
    costly: bool = False  # takes turns, as documents and exports do (app/http/turns.py)
    report: Report | None = None  # of which `pdf` makes pages, and `xlsx` a sheet of charts
    slice: str = ""

    @property
    def reads_query(self) -> bool:
        """A GET, and a POST without a body of its own: its parameters may come from the query."""
        return self.method == "GET" or (self.method == "POST" and self.body is None)

    @property
    def text(self) -> str | None:
        """What a handler does, in its docstring; a function's own COMMENT says it otherwise."""
        return getdoc(self.handler) if self.handler else None


def GET(path: str, function: str, permission: str | None) -> Route:
    return Route("GET", path, function, permission)


def COSTLY(route: Route) -> Route:
    """A GET that computes for seconds: one at a time for each user."""
    return replace(route, costly=True)


def EXPORT(path: str, function: str, permission: str, formats: tuple[str, ...], report: Report) -> Route:
    """A report: a GET whose JSON is also had as a file, made by app/documents/exports.py; a replica may answer it."""
    return Route("GET", path, function, permission, formats=formats, stale=True, report=report)


def PDF(path: str, function: str, permission: str, template: str) -> Route:
    """A GET that answers a document: the function says everything that is printed, the template says how."""
    return Route("GET", path, function, permission, media="application/pdf", template=template)


def HTML(path: str, function: str, permission: str, template: str) -> Route:
    """The same as a page, for a printer that takes pages."""
    return Route("GET", path, function, permission, media="text/html", template=template)


def PRINTED(path: str, function: str, permission: str, document: str, template: str) -> Route:
    """A GET whose JSON is also had as a PDF, by ?format=pdf or Accept: application/pdf."""
    return Route("GET", path, function, permission, formats=("pdf",), document=document, template=template)


def POST(path: str, function: str, permission: str | None, body: str | None = None, **parts: str) -> Route:
    return Route("POST", path, function, permission, body, parts=tuple(parts.items()))


def CREATE(path: str, function: str, permission: str | None, body: str | None = None, **parts: str) -> Route:
    return Route("POST", path, function, permission, body, status=201, parts=tuple(parts.items()))


def PUT(path: str, function: str, permission: str | None, body: str, **parts: str) -> Route:
    return Route("PUT", path, function, permission, body, parts=tuple(parts.items()))


def PATCH(
    path: str, function: str, permission: str | None, body: str | None = None, champs: str | None = None, **parts: str
) -> Route:
    return Route("PATCH", path, function, permission, body, champs, parts=tuple(parts.items()))


def DELETE(path: str, function: str, permission: str | None) -> Route:
    return Route("DELETE", path, function, permission)


def PUBLIC(
    path: str,
    handler: Handler,
    body: str,
    fields: Fields,
    answer: Shape,
    *,
    function: str | None = None,
    refuses: tuple[str, ...] = (),
    status: int = 200,
) -> Route:
    """A POST that asks for no token; either `fields` or the function's signature says what its body holds."""
    return Route(
        "POST",
        path,
        function,
        None,
        body,
        status=status,
        public=True,
        handler=handler,
        fields=fields,
        answer=answer,
        refuses=refuses,
    )


def HANDLED(
    path: str,
    handler: Handler,
    function: str | None,
    permission: str | None,
    body: str | None,
    answer: Shape,
    *,
    supplied: tuple[str, ...] = (),
    fields: Fields = (),
    refuses: tuple[str, ...] = (),
    status: int = 200,
) -> Route:
    """A POST whose function is not the whole of it: the handler calls it, and does what a database cannot. Its body is
    the function's arguments, or `fields` where the handler makes the arguments of them."""
    return Route(
        "POST",
        path,
        function,
        permission,
        body,
        status=status,
        handler=handler,
        answer=answer,
        supplied=supplied,
        fields=fields,
        refuses=refuses,
    )


def FILE(path: str, handler: Handler, function: str, permission: str, media: str) -> Route:
    """A GET that answers a file: the function says whether the caller may have it, and what is in it."""
    return Route("GET", path, function, permission, handler=handler, media=media)


def UPLOAD(
    path: str,
    handler: Handler,
    function: str | None,
    permission: str,
    answer: Shape,
    *,
    supplied: tuple[str, ...] = (),
    status: int = 200,
    **fields: str,
) -> Route:
    """A POST of a multipart form: a file, and fields with the PostgreSQL type that says their values."""
    form = tuple(fields.items())
    return Route(
        "POST", path, function, permission, status=status, handler=handler, answer=answer, supplied=supplied, form=form
    )


def DOWNLOAD(path: str, handler: Handler, permission: str, fields: Fields) -> Route:
    """A GET of a stored file that no function tells of; `fields` are those of its query."""
    return Route("GET", path, None, permission, handler=handler, fields=fields, media=STORED)


@dataclass(frozen=True, slots=True)
class RouteTable:
    routes: list[Route]
    plumbing: set[str]  # operations that no route names: handlers and the request path call them
