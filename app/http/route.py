"""A route is one line of app/routes/<slice>.py, which declares everything about the route.

    GET("/paiements", "finances.paiement_lister", "FINANCES.VOIR")

names the path below the slice's PREFIX, the function that answers, and the required permission (None: any signed-in
user; "A|B": either). A write then names its body, a PATCH also the composite type of its fields. CREATE is a POST that
answers 201. Every other fact is a keyword: a field of Route.

Two more names of the module apply to all its routes: PREFIX and BOUNDS (a line may set its own `bounds`). EXAMPLES, if
there is one, has values by "Entity.field" that app/openapi/examples.json does not give.
"""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from inspect import getdoc
from typing import Any

import msgspec

from app.auth.throttle import Throttle
from app.database.catalogue import Catalogue, Parameter
from app.documents.document import Report
from app.http.answer import Answer
from app.http.request import Fields, Request

Handler = Callable[[Request], Coroutine[Any, Any, Answer]]
Bounds = tuple[str, ...]

STORED = "image/jpeg, image/png, image/webp, application/pdf"  # media types of stored files
PDF, HTML, PNG = "application/pdf", "text/html", "image/png"
SHEETS = "text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"  # of sheets to import
STATEMENTS = f"{SHEETS}, application/xml, application/x-ofx, text/plain"  # of bank accounts
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
    champs: str | None = None  # composite type of the fields that a PATCH may change; every field is optional
    _: KW_ONLY
    status: int = 200
    public: bool = False
    handler: Handler | None = None
    fields: Fields = ()  # body of a handler
    optional: tuple[str, ...] = ()  # of these fields, or of the form
    answer: type[msgspec.Struct] | None = None  # JSON answer of a handler
    refuses: tuple[str, ...] = ()  # rules that a handler without `function` may raise
    parts: Mapping[str, str] = field(default_factory=dict)  # the schemas of nested fields of the body
    supplied: tuple[str, ...] = ()  # parameters of the function that the handler supplies: not in the body
    media: str | None = None  # media types of a file answer, separated by commas
    template: str | None = None  # of app/documents/templates/: it renders the function's answer
    document: str | None = None  # another function that returns the template's data, where `function` answers JSON
    form: Fields | None = None  # multipart body: `file` and these fields
    accepts: str = STORED  # media types of its file
    later: bool = False  # may answer 202: the work goes on after the answer
    formats: tuple[str, ...] = ()  # values of ?format= besides json
    stale: bool = False  # a replica may answer: rows some seconds old mislead no decision
    waits: bool = False  # its function waits for writers, then reads what they committed: it is volatile
    costly: bool = False  # takes seconds to compute, so it takes turns as documents and exports do (app/http/turns.py)
    report: Report | None = None  # layout of `pdf` and `xlsx`
    columns: tuple[str, ...] = ()  # of the file of a list, where another program expects this layout
    throttle: Throttle | None = None  # bound on the calls of one address
    cached: int | None = None  # seconds for which any cache may keep the answer: it is the same for everybody
    tries_password: bool = False  # answers 429 after too many wrong passwords
    job: bool = False  # counts its runs under the last part of its path
    rehearsable: bool = False  # its handler writes by app/http/write.py, and does nothing else when it is rehearsed
    device: bool = False  # the key of a device of a till reaches only such routes
    bounds: Bounds | None = None  # None until load() sets the bounds of its slice
    slice: str = ""
    detail: "Route | None" = None  # the GET that reads what this route writes; load() finds it

    def declared(self, catalogue: Catalogue) -> list[Parameter]:
        """The fields of a handler as parameters."""
        return [Parameter(name, catalogue.named(kind), name not in self.optional, None) for name, kind in self.fields]

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


GET = partial(Route, "GET")
POST = partial(Route, "POST")
CREATE = partial(Route, "POST", status=201)
PUT = partial(Route, "PUT")
PATCH = partial(Route, "PATCH")
DELETE = partial(Route, "DELETE")


@dataclass(frozen=True, slots=True)
class RouteTable:
    routes: list[Route]
    examples: dict[str, Any]  # by "Entity.field"
