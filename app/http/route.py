"""A route is one line of app/routes/<slice>.py, which declares everything about the route.

    GET("/paiements", "finances.paiement_lister", "FINANCES.VOIR")

names the path below the slice's PREFIX, the function that answers, and the required permission (None: any signed-in
user; "A|B": either). CREATE is a POST that answers 201. A route that needs more than one function has a `handler`.
Keywords after the name of the body name the schemas of its nested fields: lignes="LigneFacturationDto".

Three more names of the module apply to all its routes: PREFIX, BOUNDS (a line may set its own `bounds`), and EXAMPLES,
values by "Entity.field" where name and type of the field do not give an example (app/openapi/examples.py).
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from inspect import getdoc
from typing import Any

import msgspec

from app.auth.throttle import Throttle
from app.documents.report import Report
from app.http.answer import Answer
from app.http.request import Request

Handler = Callable[[Request], Coroutine[Any, Any, Answer]]
Fields = tuple[tuple[str, str], ...]  # pairs of a field and the PostgreSQL type that checks it
Shape = type[msgspec.Struct] | None
Bounds = tuple[str, ...]

STORED = "image/jpeg, image/png, image/webp, application/pdf"  # media types of stored files
SHEETS = "text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"  # of sheets to import
# Bounds: an account bound to an activity, a till or a client sees only rows of its own; for other rows it gets 404.
# A COMPANY route shows the same rows to every account. tests/security compares the bounds with the answers.
ACTIVITY, TILL, CLIENT = ("activité",), ("caisse",), ("client",)
COMPANY: Bounds = ()


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: str
    function: str | None
    permission: str | None  # "A.VOIR|B.VOIR": either; the function or handler decides which rows each permission shows
    body: str | None = None
    champs: str | None = None
    status: int = 200
    public: bool = False
    handler: Handler | None = None
    fields: Fields = ()  # body of a handler
    optional: tuple[str, ...] = ()  # of these fields, or of the form
    answer: Shape = None  # JSON answer of a handler
    refuses: tuple[str, ...] = ()  # rules that a handler without `function` may raise
    parts: tuple[tuple[str, str], ...] = ()  # fields of the body with a nested schema: field and schema name
    supplied: tuple[str, ...] = ()  # parameters of the function that the handler supplies: not in the body
    media: str | None = None  # media types of a file answer, separated by commas
    template: str | None = None  # of app/documents/templates/: it renders the function's answer
    document: str | None = None  # another function that returns the template's data, where `function` answers JSON
    form: Fields | None = None  # multipart body: `file` and these fields
    accepts: str = STORED  # media types of its file
    later: bool = False  # may answer 202: the work goes on after the answer
    formats: tuple[str, ...] = ()  # values of ?format= besides json
    stale: bool = False  # a replica may answer, with data some seconds old
    waits: bool = False  # its function waits for writers, then reads what they committed: it is volatile
    costly: bool = False  # takes turns, as documents and exports do (app/http/turns.py)
    report: Report | None = None  # layout of `pdf` and `xlsx`
    columns: tuple[str, ...] = ()  # of the file of a list, where it has not all of the JSON
    throttle: Throttle | None = None  # bound on the calls of one address
    cached: int | None = None  # seconds for which any cache may keep the answer: it is the same for everybody
    tries_password: bool = False  # answers 429 after too many wrong passwords
    job: bool = False  # counts its runs under the last part of its path
    rehearsable: bool = False  # its handler writes by app/http/write.py, and does nothing else when it is rehearsed
    bounds: Bounds | None = None  # None until load() sets those of its slice
    slice: str = ""
    detail: Route | None = None  # the GET that reads what this route writes; load() finds it

    @property
    def reads_query(self) -> bool:
        """Whether parameters may come from the query: a GET, or a POST without a declared body."""
        return self.method == "GET" or (self.method == "POST" and self.body is None)

    @property
    def plain(self) -> bool:
        """Whether the route is one function that answers JSON."""
        return self.function is not None and self.handler is None and self.media is None

    @property
    def rehearses(self) -> bool:
        """Whether `Prefer: tx=rollback` undoes all that a call does: it writes by one function, and only there."""
        outside = self.public or self.job or self.path.startswith("/api/v1/auth/")
        return self.method != "GET" and not outside and (self.handler is None or self.rehearsable)

    @property
    def text(self) -> str | None:
        """The French docstring of a handler, which replaces the COMMENT of the function in the documentation."""
        return getdoc(self.handler) if self.handler else None


def GET(path: str, function: str, permission: str | None, bounds: Bounds | None = None) -> Route:
    return Route("GET", path, function, permission, bounds=bounds)


def STALE(route: Route) -> Route:
    """A list of the past, or sums: a replica may answer, because rows some seconds old mislead no decision."""
    return replace(route, stale=True)


def COSTLY(route: Route) -> Route:
    """A route that takes seconds to compute: one at a time for each user."""
    return replace(route, costly=True)


def REHEARSABLE(route: Route) -> Route:
    """A write whose handler does nothing but write when it is rehearsed."""
    return replace(route, rehearsable=True)


def FILED(route: Route, columns: tuple[str, ...]) -> Route:
    """A list whose file has a layout that another program expects: these columns, in this order."""
    return replace(route, columns=columns)


def WAITING(route: Route) -> Route:
    """A GET whose function waits for writers and reads with a new snapshot. Such a function is volatile."""
    return replace(route, waits=True)


def EXPORT(
    path: str,
    function: str,
    permission: str,
    formats: tuple[str, ...],
    report: Report,
    bounds: Bounds | None = None,
) -> Route:
    """A report: a GET of JSON or of a file made by app/documents/exports.py. A replica may answer it."""
    return Route("GET", path, function, permission, formats=formats, stale=True, report=report, bounds=bounds)


def PDF(path: str, function: str, permission: str, template: str, bounds: Bounds | None = None) -> Route:
    """A GET of a PDF document: the function returns the data, the template lays it out."""
    return Route("GET", path, function, permission, media="application/pdf", template=template, bounds=bounds)


def HTML(path: str, function: str, permission: str, template: str) -> Route:
    """A GET of a document as an HTML page."""
    return Route("GET", path, function, permission, media="text/html", template=template)


def PNG(path: str, function: str, permission: str, template: str) -> Route:
    """A GET of a document as a picture."""
    return Route("GET", path, function, permission, media="image/png", template=template)


def PRINTED(path: str, function: str, permission: str, document: str, template: str) -> Route:
    """A GET of JSON, or of a PDF with ?format=pdf or Accept: application/pdf."""
    return Route("GET", path, function, permission, formats=("pdf",), document=document, template=template)


def POST(
    path: str,
    function: str,
    permission: str | None,
    body: str | None = None,
    bounds: Bounds | None = None,
    **parts: str,
) -> Route:
    return Route("POST", path, function, permission, body, bounds=bounds, parts=tuple(parts.items()))


def CREATE(
    path: str,
    function: str,
    permission: str | None,
    body: str | None = None,
    bounds: Bounds | None = None,
    **parts: str,
) -> Route:
    return replace(POST(path, function, permission, body, bounds, **parts), status=201)


def JOB(path: str, function: str, permission: str, body: str | None = None) -> Route:
    """A POST that runs a job of the worker on demand."""
    return replace(POST(path, function, permission, body), job=True)


def PUT(path: str, function: str, permission: str | None, body: str) -> Route:
    return Route("PUT", path, function, permission, body)


def PATCH(
    path: str,
    function: str,
    permission: str | None,
    body: str | None = None,
    champs: str | None = None,
    bounds: Bounds | None = None,
    handler: Handler | None = None,
    **parts: str,
) -> Route:
    """A change. `champs` is the composite type of the fields that may be sent; every field is optional."""
    nested = tuple(parts.items())
    return Route("PATCH", path, function, permission, body, champs, handler=handler, parts=nested, bounds=bounds)


def DELETE(path: str, function: str, permission: str | None, bounds: Bounds | None = None) -> Route:
    return Route("DELETE", path, function, permission, bounds=bounds)


def WINDOW(path: str, listing: str, picture: str, key: str, handler: Handler) -> list[Route]:
    """Two GETs without a token, for a landing page: a catalogue, and the picture of each of its rows."""
    image = FILE(f"{path}/{{{key}}}/image", handler, picture, "", STORED)
    return [
        replace(GET(path, listing, None, COMPANY), public=True, cached=60, throttle=Throttle(60, 60)),
        replace(image, permission=None, public=True, bounds=COMPANY, cached=3600, throttle=Throttle(600, 60)),
    ]


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
    throttle: Throttle | None = None,
    tries_password: bool = False,
    optional: tuple[str, ...] = (),
) -> Route:
    """A POST without a token. Its body has `fields`, or the parameters of the function."""
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
        throttle=throttle,
        tries_password=tries_password,
        refuses=refuses,
        optional=optional,
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
    optional: tuple[str, ...] = (),
    refuses: tuple[str, ...] = (),
    status: int = 200,
    tries_password: bool = False,
    job: bool = False,
) -> Route:
    """A POST with a handler, which calls the function and does work outside the database.

    Its body has the parameters of the function, or `fields` where the handler derives the arguments from them.
    """
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
        optional=optional,
        tries_password=tries_password,
        job=job,
        refuses=refuses,
    )


def FILE(path: str, handler: Handler, function: str, permission: str, media: str) -> Route:
    """A GET of a file. The function checks that the caller may read it and returns its content or its key."""
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
    optional: tuple[str, ...] = (),
    accepts: str = STORED,
    **fields: str,
) -> Route:
    """A POST of a multipart form: a file, and fields with the PostgreSQL type that checks them."""
    return Route(
        "POST",
        path,
        function,
        permission,
        status=status,
        handler=handler,
        answer=answer,
        supplied=supplied,
        form=tuple(fields.items()),
        optional=optional,
        accepts=accepts,
    )


def LATER(route: Route) -> Route:
    """A POST that answers 202 when its work goes on after the answer."""
    return replace(route, later=True)


def DOWNLOAD(path: str, handler: Handler, permission: str, fields: Fields) -> Route:
    """A GET of a stored file without a function. `fields` are the parameters of its query."""
    return Route("GET", path, None, permission, handler=handler, fields=fields, media=STORED)


@dataclass(frozen=True, slots=True)
class RouteTable:
    routes: list[Route]
    plumbing: set[str]  # operations without a route, called by handlers and the request path
    examples: dict[str, Any]  # by "Entity.field"
