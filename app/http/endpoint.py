"""The request path: bearer, permission, arguments, one statement, bytes out."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

import msgspec

from app.auth.passwords import hash_password
from app.auth.throttle import THROTTLES, braked, hit
from app.base.refusal import Refusal, forbidden, unauthorized, validation
from app.database import wire
from app.database.catalogue import Catalogue, Function
from app.database.errors import RoleChanged
from app.documents import answer as documents
from app.documents import exports
from app.http.arguments import Arguments, decode_body

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from app.application import Services
    from app.auth.tokens import Claims
    from app.files.storage import Stored
    from app.http.route import Route

BODY_LIMIT = 1024 * 1024
PUBLIC_BODY_LIMIT = 16 * 1024  # on public routes, which anybody may call
PAGE = 1000  # of a list that is asked for without `limit`
ALIASES = {"search": "recherche"}  # query keys of an older client


@dataclass(slots=True)
class Answer:
    """Status, JSON bytes (or another media type, or what is still to be read from the store), and headers."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    media_type: str = "application/json"
    stream: Stored | None = None


class Request:
    """One request, read once."""

    __slots__ = ("_body", "_operation", "body_limit", "claims", "headers", "id", "receive", "scope", "services")

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        services: Services,
        operation: Operation | None = None,
        body_limit: int = BODY_LIMIT,
    ) -> None:
        self.scope = scope
        self.receive = receive
        self.services = services
        self.headers: Mapping[bytes, bytes] = scope["comptoir.headers"]
        self.id: str = scope["comptoir.id"]
        self.claims: Claims | None = None
        self._operation = operation
        self._body: bytes | None = None
        self.body_limit = body_limit

    @property
    def operation(self) -> Operation:
        """The operation that the route names."""
        if self._operation is None:  # the route table was checked at start
            raise AssertionError(self.path)
        return self._operation

    @property
    def address(self) -> str:
        return str(self.scope["comptoir.address"])

    @property
    def signed_in(self) -> Claims:
        """Who calls a route that is not public."""
        if self.claims is None:
            raise AssertionError(self.path)
        return self.claims

    @property
    def path(self) -> str:
        return str(self.scope["path"])

    def header(self, name: bytes) -> str | None:
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")

    async def authenticate(self) -> Claims:
        """The claims of a bearer token that is valid and not revoked."""
        claims = self.services.claims(self.header(b"authorization"))
        if claims is None or await self.services.store.denied(claims.jti):
            raise unauthorized()
        self.claims = claims
        self.scope["comptoir.user"] = claims.sub
        return claims

    async def permit(self, permission: str | None) -> None:
        """Refuse a caller whose present role lacks the permission. A role that holds it costs no round trip: the
        operation checks that it is still the caller's. Before a refusal the database says which role the caller has."""
        self.scope["comptoir.permission"] = permission
        claims = self.known()
        if not await self.services.allows(self.services.role(claims), permission):
            account = self.services.operation("auth.moi")
            await account.run(self, account.arguments.check({}, None))
            if not await self.services.allows(self.services.role(claims), permission):
                raise forbidden(permission)

    def known(self) -> Claims:
        """The claims of a request that has authenticated."""
        if self.claims is None:
            raise unauthorized()
        return self.claims

    async def chunks(self, limit: int) -> AsyncGenerator[bytes, None]:
        """The body piece by piece, refused as soon as it is known to be too large."""
        announced = self.headers.get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > limit:
            raise too_large(limit)
        size = 0
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise Refusal(400, "REQUETE_INTERROMPUE", "La requête s'est interrompue.")
            chunk = message.get("body", b"")
            size += len(chunk)
            if size > limit:
                raise too_large(limit)
            yield chunk
            if not message.get("more_body"):
                return

    async def raw_body(self) -> bytes:
        """The whole body, which may be asked for again."""
        if self._body is None:
            self._body = b"".join([chunk async for chunk in self.chunks(self.body_limit)])
        return self._body

    async def json(self) -> dict[str, Any]:
        return self.parse(await self.raw_body())

    def parse(self, body: bytes) -> dict[str, Any]:
        if body and not _is_json(self.headers.get(b"content-type", b"")):
            raise Refusal(415, "TYPE_DE_CONTENU", "Envoyez du JSON : Content-Type: application/json.")
        return decode_body(body)


def too_large(limit: int) -> Refusal:
    size = f"{limit // 1024 // 1024} Mio" if limit >= 1024 * 1024 else f"{limit // 1024} Kio"
    return Refusal(413, "CORPS_TROP_GRAND", f"L'envoi dépasse {size}.")


def _is_json(content_type: bytes) -> bool:
    kind = content_type.split(b";", 1)[0].strip().lower()
    return kind == b"application/json" or (kind.startswith(b"application/") and kind.endswith(b"+json"))


class Operation:
    """A function of the catalogue, callable with checked arguments in the context of a request."""

    def __init__(
        self, function: Function, catalogue: Catalogue, champs: str | None = None, *, stale: bool = False
    ) -> None:
        self.function = function
        self._stale = stale
        self._reading = function.volatility != "v"  # PostgreSQL refuses a write in it
        self.arguments = Arguments(function.parameters, catalogue.named(champs) if champs else None)
        self.names = [parameter.name for parameter in function.parameters]
        self._plain = wire.statement(function)
        self._idempotent = wire.idempotent_statement(function)
        self._totalled: dict[tuple[str, ...], str] = {}

    async def hashed(self, values: list[str | None]) -> list[str | None]:
        """Passwords become their hash before they leave this process."""
        for position in self.arguments.passwords:
            if (plain := values[position]) is not None:
                values[position] = await hash_password(plain)
        return values

    async def run(self, request: Request, values: list[str | None], key: tuple[str, str] | None = None) -> Any:
        """One statement. When the user's role is no longer the one checked, the present one is checked instead."""
        return await self._run(request, self._plain, values, key)

    async def totalled(self, request: Request, values: list[str | None], names: tuple[str, ...]) -> Any:
        """The answer, and the sums of these columns of its lists."""
        if names not in self._totalled:
            self._totalled[names] = wire.totalled_statement(self.function, names)
        return await self._run(request, self._totalled[names], values)

    async def _run(
        self, request: Request, plain: str, values: list[str | None], key: tuple[str, str] | None = None
    ) -> Any:
        services, claims = request.services, request.claims
        for _ in range(3):
            user, role = (int(claims.sub), services.role(claims)) if claims else (None, None)
            context = (user, role, request.address, request.id, claims.epoque if claims else None)
            try:
                if key is None:
                    return await services.database.row(plain, (*context, *values), self._stale, reading=self._reading)
                return await services.database.row(self._idempotent, (*context, *key, *values))
            except RoleChanged as changed:
                services.moved(request.known().sub, changed.role)
                permission = request.scope["comptoir.permission"]
                if not await services.allows(changed.role, permission):
                    raise forbidden(permission) from None
        raise unauthorized()

    async def ask(self, services: Services, values: list[str | None]) -> Any:
        """What it answers to the process itself, outside any request: nobody is signed in."""
        row = await services.database.row(self._plain, (None, None, None, None, None, *values), reading=self._reading)
        return msgspec.json.decode(row["corps"])


class Job(Operation):
    """An operation that counts how its runs end; a replay is no run."""

    def __init__(self, function: Function, catalogue: Catalogue, name: str) -> None:
        super().__init__(function, catalogue)
        self._name = name

    async def run(self, request: Request, values: list[str | None], key: tuple[str, str] | None = None) -> Any:
        try:
            row = await super().run(request, values, key)
        except Exception:
            await self._count(request, "failed")
            raise
        if key is None or not row["rejoue"]:
            await self._count(request, "succeeded")
        return row

    async def _count(self, request: Request, outcome: str) -> None:
        with suppress(Refusal):  # without the database there is nowhere to count
            await request.services.database.row("select jobs.tache_compter($1, $2)", [self._name, outcome])


class Endpoint:
    """The ASGI application of one route."""

    def __init__(self, route: Route, services: Services) -> None:
        self.route = route
        self.services = services
        function = services.catalogue.functions[route.function] if route.function else None
        self.operation = self._operation(function) if function else None
        self.document = services.operation(route.document) if route.document else None
        self._template = route.path

    def _operation(self, function: Function) -> Operation:
        if self.route.path.startswith("/api/v1/jobs/"):
            return Job(function, self.services.catalogue, self.route.path.rpartition("/")[2])
        return Operation(function, self.services.catalogue, self.route.champs, stale=self.route.stale)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["comptoir.route"] = self._template
        scope["comptoir.permission"] = None
        limit = PUBLIC_BODY_LIMIT if self.route.public else BODY_LIMIT
        request = Request(scope, receive, self.services, self.operation, limit)
        if self._template in THROTTLES:
            await _throttle(request, self._template)
        if not self.route.public:
            await request.authenticate()
            await request.permit(self.route.permission)
        if self.route.handler is not None:
            if self.route.method == "POST" and not self.route.public:
                repeat_key(request)  # refused whole, also where nothing is kept under it
            answer = await self.route.handler(request)
        else:
            answer = await self._call(request)
        await respond(send, answer)

    async def _call(self, request: Request) -> Answer:
        operation = request.operation
        found = query(request.scope["query_string"]) if self.route.reads_query else {}
        asked = {name: found[name] for name in operation.names if name in found}
        if self.route.method == "GET":
            outside = {**asked, **request.scope["path_params"]}
            if self._printed(request, found):
                long, work = False, documents.answer(self.route, self.document or operation, request, outside)
            elif (kind := self._format(found)) is not None:
                long, work = True, exports.answer(self.route, operation, request, outside, kind)
            else:
                long, work = True, self._read(request, operation, found, outside)
                if not self.route.costly:
                    return await work
            user = request.claims.sub if request.claims else ""
            return await self.services.turns.take(user, request.receive, work, long=long)
        row, headers = await write(request, operation, self.route.method, asked=asked)
        if self.route.method == "DELETE" and operation.function.returns.name == "void":
            return Answer(204)
        return Answer(self.route.status, row["corps"] or b"{}", headers)

    async def _read(
        self, request: Request, operation: Operation, found: dict[str, str], outside: Mapping[str, Any]
    ) -> Answer:
        row = await operation.run(request, operation.arguments.check(outside, None))
        headers = _page_headers(request, row["total"], found) if operation.function.returns_set else {}
        return Answer(200, row["corps"] or b"", headers)

    def _printed(self, request: Request, query: Mapping[str, str]) -> bool:
        """Whether a template makes the answer: always, or as asked where the route answers JSON too."""
        if self.route.document is None:
            return self.route.template is not None
        if "format" in query:
            return query["format"] == "pdf"
        accepted = (request.header(b"accept") or "").split(",")
        return any(kind.split(";")[0].strip().lower() == "application/pdf" for kind in accepted)

    def _format(self, query: Mapping[str, str]) -> str | None:
        """The file that ?format= asks for; None is JSON."""
        kind = query.get("format", "json") if self.route.formats else "json"
        if kind == "json":
            return None
        if kind not in self.route.formats:
            raise validation({"format": [f"Valeurs possibles : {', '.join(('json', *self.route.formats))}."]})
        return kind


async def write(
    request: Request,
    operation: Operation,
    method: str = "POST",
    supplied: Mapping[str, str] | None = None,
    asked: Mapping[str, str] | None = None,
    sent: str | None = None,
) -> tuple[Any, dict[str, str]]:
    """The row and headers of a writing call: arguments of path and body, those that the server itself supplies, and
    of the query those that the body does not give. `sent` is the digest of a body that was read already."""
    raw = await request.raw_body() if sent is None else sent.encode()
    body = request.parse(raw) if sent is None else {}
    extra = {name: value for name, value in (asked or {}).items() if name not in body}
    outside = {**extra, **request.scope["path_params"], **(supplied or {})}
    values = await operation.hashed(operation.arguments.check(outside, body))
    key = _idempotency_key(request, raw + urlencode(extra).encode()) if method == "POST" else None
    row = await operation.run(request, values, key)
    return row, {"Idempotency-Replayed": "true"} if key and row["rejoue"] else {}


async def _throttle(request: Request, route: str) -> None:
    result = await hit(request.services.store, route, request.address)
    if not result.allowed:
        raise braked(result.retry_after)


async def respond(send: Send, answer: Answer) -> None:
    """Send status, headers and body; an answer with data is never cached, unless it says so itself."""
    stream = answer.stream
    headers = []
    if answer.status != 304:
        headers.append((b"content-length", str(stream.size if stream else len(answer.body)).encode()))
    if "Cache-Control" not in answer.headers:
        headers.append((b"cache-control", b"no-store"))
    if answer.body or stream:
        headers.append((b"content-type", answer.media_type.encode()))
    headers += [(name.lower().encode(), value.encode("latin-1")) for name, value in answer.headers.items()]
    start = {"type": "http.response.start", "status": answer.status, "headers": headers}
    if stream is None:
        await send(start)
        await send({"type": "http.response.body", "body": answer.body})
        return
    try:
        await send(start)
        async for chunk in stream:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body"})
    finally:
        await stream.aclose()


def query(raw: bytes) -> dict[str, str]:
    """The query, its older names made today's; an empty value counts as absent."""
    if not raw:
        return {}
    try:
        pairs = parse_qsl(raw.decode("ascii"), errors="strict", max_num_fields=200)
    except (UnicodeDecodeError, ValueError):
        raise Refusal(400, "REQUETE_INVALIDE", "Les paramètres de la requête ne sont pas lisibles.") from None
    return {ALIASES.get(name, name): value for name, value in pairs}


def _page_headers(request: Request, total: str | None, query: dict[str, str]) -> dict[str, str]:
    """X-Total-Count and, when there is more, Link to the next page."""
    if total is None:
        return {}
    capped = total.endswith("+")
    count = total.removesuffix("+")
    headers = {"X-Total-Count": count}
    if capped:
        headers["X-Total-Capped"] = "true"
    limit, offset = int(query.get("limit", PAGE)), int(query.get("offset", 0))
    if capped or offset + limit < int(count):
        following = urlencode({**query, "limit": limit, "offset": offset + limit})
        headers["Link"] = f'<{request.path}?{following}>; rel="next"'
    return headers


def repeat_key(request: Request) -> str | None:
    """The Idempotency-Key that was sent."""
    key = request.header(b"idempotency-key")
    if key is not None and (not 1 <= len(key) <= 200 or not key.isprintable()):
        raise validation({"Idempotency-Key": ["Une clé d'idempotence compte 1 à 200 caractères imprimables."]})
    return key


def _idempotency_key(request: Request, body: bytes) -> tuple[str, str] | None:
    """The key and the fingerprint of what came under it."""
    key = repeat_key(request)
    return None if key is None else (key, hashlib.sha256(request.path.encode() + b"\0" + body).hexdigest())
