"""A route is one line of app/routes/<slice>.py, and the one record of everything that is known of it.

    GET("/paiements", "finances.paiement_lister", "FINANCES.VOIR")

names the path below the slice's PREFIX, the function that answers, and the permission it asks for (None: any
signed-in user; "A|B": either). CREATE is a POST that answers 201. What cannot be one function has a `handler` of its
own. Keywords after the body's name are the names of what is nested in it: lignes="LigneFacturationDto".

Three names beside a slice's ROUTES are of all its routes: PREFIX, BOUNDS (a line may have `bounds` of its own), and
EXAMPLES, values by "Entity.field" where the field's name or type does not give one (app/openapi/examples.py).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from inspect import getdoc
from typing import Any

import msgspec

from app.auth.throttle import Throttle
from app.documents.report import Report
from app.http.answer import Answer
from app.http.request import Request

Handler = Callable[[Request], Awaitable[Answer]]
Fields = tuple[tuple[str, str], ...]  # field and the PostgreSQL type that checks it
Shape = type[msgspec.Struct] | None
Bounds = tuple[str, ...]

STORED = "image/jpeg, image/png, image/webp, application/pdf"  # what may be in the store
# What a route shows to an account bound to an activity, a till or a client: its own, and another's does not exist.
# COMPANY is of everybody. tests/security holds this against the answers.
ACTIVITY, TILL, CLIENT = ("activité",), ("caisse",), ("client",)
COMPANY: Bounds = ()


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
    throttle: Throttle | None = None  # how often an address may call it
    tries_password: bool = False  # after too many wrong ones it answers 429
    job: bool = False  # each run is counted under the last part of its path
    bounds: Bounds | None = None  # those of its slice
    slice: str = ""

    @property
    def reads_query(self) -> bool:
        """A GET, and a POST without a body of its own: its parameters may come from the query."""
        return self.method == "GET" or (self.method == "POST" and self.body is None)

    @property
    def text(self) -> str | None:
        """What a handler does, in its docstring; a function's own COMMENT says it otherwise."""
        return getdoc(self.handler) if self.handler else None


def GET(path: str, function: str, permission: str | None, bounds: Bounds | None = None) -> Route:
    return Route("GET", path, function, permission, bounds=bounds)


def COSTLY(route: Route) -> Route:
    """A GET that computes for seconds: one at a time for each user."""
    return replace(route, costly=True)


def EXPORT(
    path: str,
    function: str,
    permission: str,
    formats: tuple[str, ...],
    report: Report,
    bounds: Bounds | None = None,
) -> Route:
    """A report: a GET whose JSON is also had as a file, made by app/documents/exports.py; a replica may answer it."""
    return Route("GET", path, function, permission, formats=formats, stale=True, report=report, bounds=bounds)


def PDF(path: str, function: str, permission: str, template: str, bounds: Bounds | None = None) -> Route:
    """A GET that answers a document: the function says everything that is printed, the template says how."""
    return Route("GET", path, function, permission, media="application/pdf", template=template, bounds=bounds)


def HTML(path: str, function: str, permission: str, template: str) -> Route:
    """The same as a page, for a printer that takes pages."""
    return Route("GET", path, function, permission, media="text/html", template=template)


def PRINTED(path: str, function: str, permission: str, document: str, template: str) -> Route:
    """A GET whose JSON is also had as a PDF, by ?format=pdf or Accept: application/pdf."""
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
    """A POST that runs by hand what the worker runs at its hours."""
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
    """A change: `champs` is the composite type of the fields that may be sent, each of them or none."""
    nested = tuple(parts.items())
    return Route("PATCH", path, function, permission, body, champs, handler=handler, parts=nested, bounds=bounds)


def DELETE(path: str, function: str, permission: str | None, bounds: Bounds | None = None) -> Route:
    return Route("DELETE", path, function, permission, bounds=bounds)


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
        throttle=throttle,
        tries_password=tries_password,
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
    tries_password: bool = False,
    job: bool = False,
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
        tries_password=tries_password,
        job=job,
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
    examples: dict[str, Any]  # by "Entity.field"
