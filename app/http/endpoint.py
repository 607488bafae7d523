"""The steps of a request at one route: throttle, token, permission, arguments, one statement, answer."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from starlette.types import Receive, Scope, Send

from app.auth.throttle import throttle_key
from app.base.refusal import validation
from app.database.catalogue import Function
from app.http import documents, limits
from app.http.accept import weights
from app.http.answer import Answer, respond
from app.http.arguments import Arguments
from app.http.authorisation import authenticate, permit, refuse_keys, require_second_factor
from app.http.listfiles import ListFile, formats, is_listed
from app.http.mode import refuse_rehearsal, wants_rehearsal
from app.http.operation import Job, Operation
from app.http.pages import Pages
from app.http.request import Detail, Request
from app.http.route import Route
from app.http.services import Services
from app.http.versions import etag, is_known, memento
from app.http.write import write

BODY_LIMIT = 1024 * 1024
PUBLIC_BODY_LIMIT = 16 * 1024  # for public routes, which need no token
IGNORED = b"x-ignored-parameters"  # names the parameters of a query that the route does not know
ME = "/api/v1/auth/me"  # the only route of a person's account that an API key reaches


class Endpoint:
    """The ASGI application of one route."""

    def __init__(self, route: Route, services: Services) -> None:
        self.route = route
        self.services = services
        self.operation = self._operation(services.catalogue.functions[route.function]) if route.function else None
        self.detail = self._detail(services)
        self._fields = Arguments(route.declared(services.catalogue), None)
        self.document = services.operation(route.document) if route.document else None
        self.formats = formats(route, self.operation.function if self.operation else None)
        paged = self.operation if self.operation and self.operation.function.paged else None
        self.pages = Pages(paged, services.settings) if paged else None
        self._template = route.path
        self._quota = next(part for part in reversed(route.path.split("/")) if "{" not in part)
        self._changes_accounts = route.slice == "auth" and route.method != "GET" and not route.public
        self.personal = route.path.startswith("/api/v1/auth/") and route.path != ME
        self._known = self._parameters()
        self._body_limit = PUBLIC_BODY_LIMIT if route.public else BODY_LIMIT

    def _operation(self, function: Function) -> Operation:
        if self.route.job:
            return Job(function, self.services.catalogue, self.route.path.rpartition("/")[2])
        return Operation(
            function, self.services.catalogue, self.route.champs, stale=self.route.stale, waits=self.route.waits
        )

    def _parameters(self) -> set[str]:
        """The names that this route reads in its query."""
        if not self.route.reads_query:
            return set()
        named = self.operation.names if self.operation else [name for name, _ in self.route.fields]
        known = set(named) - set(self.route.supplied) - set(re.findall(r"{(\w+)}", self.route.path))
        return known | ({"apres"} if self.pages else set()) | ({"format"} if self.formats else set())

    def _detail(self, services: Services) -> Detail | None:
        """The reader of what this route writes, unless it reads a page of a list."""
        route = self.route.detail
        if route is None or route.function is None or services.catalogue.functions[route.function].paged:
            return None
        return Detail(services.operation(route.function), route.permission)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["comptoir.route"] = self._template
        services = scope.get("comptoir.services") or self.services  # the services of an organisation, or of the process
        request = Request(scope, receive, services, self.operation, self.detail, self._fields, self._body_limit)
        if (throttle := self.route.throttle) is not None:
            await limits.count(request, self._quota, throttle, throttle_key(self._template, request.address))
        if not self.route.public:
            await authenticate(request)
            if self.personal or (request.signed_in.device and not self.route.device):
                refuse_keys(request)
            elif self._template != ME:
                await require_second_factor(request.services, request)
            await permit(request, self.route.permission)
        if query := request.query():
            self.check_instant(query)
            self._check_format(query)
            if unknown := query.keys() - self._known:  # a refused parameter is not ignored
                names = ", ".join(quote(name[:60]) for name in sorted(unknown)[:20])
                scope["comptoir.ignored"] = (IGNORED, names.encode())
        if self.route.method != "GET" and not self.route.rehearses and wants_rehearsal(request):
            refuse_rehearsal(self.route)
        answer: Answer | None
        if self.route.handler is not None:
            if self.operation is not None:
                scope["path_params"] = self.operation.arguments.canonical(scope["path_params"])
            if self.route.method == "POST" and not self.route.public:
                request.repeat_key()  # a malformed key is refused even where it is not used
            if self.route.costly and self.route.form is None:  # a handler takes its turn after the form
                await request.raw_body()  # during the turn, only a disconnect is read
                work = self.route.handler(request)
                answer = await request.services.turns.take(request.user or "", request.receive, work, long=True)
            else:
                answer = await self.route.handler(request)
        else:
            answer = await self._call(request, query if self.route.reads_query else {}, send)
        if self._changes_accounts:
            await request.services.database.changed_accounts()
        if answer is not None:
            if self.route.cached is not None and answer.status in (200, 304):
                answer.headers["Cache-Control"] = f"public, max-age={self.route.cached}"
                if request.organisation:  # the same for everybody of one organisation
                    answer.headers["Vary"] = "X-Organisation"
            await respond(send, answer)

    async def _call(self, request: Request, query: dict[str, str], send: Send) -> Answer | None:
        """The answer, or None when it is already sent."""
        operation = request.operation
        named = {name: query[name] for name in operation.names if name in query}
        if self.route.method == "GET":
            outside = {**named, **request.scope["path_params"]}
            if self._printed(request, query):
                long, work = False, documents.answer_document(self.route, self.document or operation, request, outside)
            elif (file_format := query.get("format", "json")) != "json":
                if is_listed(self.route, operation.function, file_format):
                    listing = ListFile(self.route, operation, self.pages, request, query, outside)
                    await listing.send(send, file_format)
                    return None
                long, work = True, documents.answer_report(self.route, operation, request, outside, file_format)
            else:
                long, work = True, self._read(request, operation, query, outside)
                if not self.route.costly and "instant" not in named:
                    return await work
            return await request.services.turns.take(request.user or "", request.receive, work, long=long)
        row, headers = await write(request, self.route.method, query=named)
        if self.answers_nothing:
            return Answer(204, headers=headers)
        body = row["corps"] or b"{}"
        if self.detail is not None and operation.function.returns is self.detail.operation.function.returns:
            headers["ETag"] = etag(body)
        return Answer(self.route.status, body, headers)

    @property
    def answers_nothing(self) -> bool:
        """Whether a success is a 204."""
        void = self.operation is not None and self.operation.function.returns.name == "void"
        return void and self.route.method == "DELETE"

    def answers_json(self, query: Mapping[str, str]) -> bool:
        """Whether a GET with this query is one function that reads and answers JSON, as often as a user likes."""
        apart = self.route.waits or self.route.throttle is not None
        return self.route.plain and not apart and query.get("format", "json") == "json"

    def check_instant(self, query: Mapping[str, str]) -> None:
        """Raise 400 for an `instant` where only the present is read: the present must not pass for the past."""
        if "instant" in query and not (self.operation is not None and self.operation.function.instant):
            raise validation({"instant": ["Cette opération ne lit que le présent : elle n'a pas d'instant passé."]})

    async def _read(
        self, request: Request, operation: Operation, query: dict[str, str], outside: Mapping[str, Any]
    ) -> Answer:
        values = operation.arguments.check(outside, None)
        if self.pages is not None:
            row = await operation.run(request, values, cursor=self.pages.cursor(query, values, request.organisation))
            headers = self.pages.headers(request.path, query, values, row, request.organisation)
            return Answer(200, row["corps"] or b"", headers | memento(row))
        row = await operation.run(request, values)
        body = row["corps"] or b""
        if past := memento(row):
            return Answer(200, body, past)
        tag = etag(body)
        known = is_known(request.headers, tag)
        return Answer(304, headers={"ETag": tag}) if known else Answer(200, body, {"ETag": tag})

    def _printed(self, request: Request, query: Mapping[str, str]) -> bool:
        """Whether the answer is a document: on every request, or on demand where the route also answers JSON."""
        if self.route.document is None:
            return self.route.template is not None
        if "format" in query:
            return query["format"] == "pdf"
        return weights(request.header(b"accept")).get("application/pdf", 0) > 0

    def _check_format(self, query: Mapping[str, str]) -> None:
        """Raise 400 for a format that this route does not have. JSON must not pass for a file."""
        printed = self.route.template is not None and self.route.document is None
        known = ((self.route.media or "").rpartition("/")[2],) if printed else ("json", *self.formats)
        if query.get("format", known[0]) not in known:
            raise validation({"format": [f"Valeurs possibles : {', '.join(known)}."]})
