"""A request: headers, query and body. The body is read once, up to its limit."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope

from app.base.refusal import Refusal, validation
from app.http.arguments import Arguments, decode_body
from app.http.caller import Caller
from app.http.operation import Operation
from app.http.services import Services

Fields = tuple[tuple[str, str], ...]  # pairs of a field and the PostgreSQL type that checks it
ALIASES = {"search": "recherche"}  # query keys of an older client


@dataclass(frozen=True, slots=True)
class Detail:
    """The operation that reads what a route writes, and the permission that it requires."""

    operation: Operation
    permission: str | None


class Request(Caller):
    services: Services
    __slots__ = ("_body", "_fields", "_operation", "body_limit", "detail", "headers", "receive", "scope")

    def __init__(
        self,
        scope: Scope,
        receive: Receive,
        services: Services,
        operation: Operation | None,
        detail: Detail | None,
        fields: Arguments,
        body_limit: int,
    ) -> None:
        super().__init__(services, scope["comptoir.id"], scope["comptoir.address"])
        self.scope = scope
        self.receive = receive
        self.headers: Mapping[bytes, bytes] = scope["comptoir.headers"]
        self._operation = operation
        self.detail = detail  # reads what the operation writes
        self._fields = fields
        self._body: bytes | None = None
        self.body_limit = body_limit

    @property
    def operation(self) -> Operation:
        if self._operation is None:  # check_routes refuses such a route at start
            raise AssertionError(self.path)
        return self._operation

    @property
    def path(self) -> str:
        return str(self.scope["path"])

    @property
    def organisation(self) -> str:
        """The code of the organisation, empty where the process serves only one."""
        return str(self.scope.get("comptoir.organisation", ""))

    async def call(self, name: str, values: list[str | None]) -> Any:
        """The answer of an operation that is not the operation of the route."""
        return await self.services.operation(name).answer(self, values)

    def query(self) -> dict[str, str]:
        """The keys and values of the query, with former names replaced. An empty value counts as absent."""
        return parse_query(self.scope["query_string"])

    def header(self, name: bytes) -> str | None:
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")

    def repeat_key(self) -> str | None:
        """The Idempotency-Key of the request, or None. Raises a refusal when it is malformed."""
        key = self.header(b"idempotency-key")
        if key is not None and (not 1 <= len(key) <= 200 or not key.isprintable()):
            raise validation({"Idempotency-Key": ["Une clé d'idempotence compte 1 à 200 caractères imprimables."]})
        return key

    async def chunks(self, limit: int) -> AsyncGenerator[bytes, None]:
        """The body in chunks. Raises 413 as soon as it exceeds the limit."""
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
        """The whole body. It is cached for later calls."""
        if self._body is None:
            self._body = b"".join([chunk async for chunk in self.chunks(self.body_limit)])
        return self._body

    async def json(self) -> dict[str, Any]:
        return self.parse(await self.raw_body())

    async def fields(self, body: dict[str, Any] | None = None) -> list[str]:
        """The values of the fields that the route declares, of a body or the body. An absent optional one is empty."""
        return [value or "" for value in self._fields.check({}, await self.json() if body is None else body)]

    def parse(self, body: bytes) -> dict[str, Any]:
        if body and not _is_json(self.headers.get(b"content-type", b"")):
            raise Refusal(415, "TYPE_DE_CONTENU", "Envoyez du JSON : Content-Type: application/json.")
        return decode_body(body)


def parse_query(raw: bytes) -> dict[str, str]:
    if not raw:
        return {}
    try:
        pairs = parse_qsl(raw.decode("ascii"), errors="strict", max_num_fields=200)
    except (UnicodeDecodeError, ValueError):
        raise Refusal(400, "REQUETE_INVALIDE", "Les paramètres de la requête ne sont pas lisibles.") from None
    return {ALIASES.get(name, name): value for name, value in pairs}


def too_large(limit: int) -> Refusal:
    size = f"{limit // 1024 // 1024} Mio" if limit >= 1024 * 1024 else f"{limit // 1024} Kio"
    return Refusal(413, "CORPS_TROP_GRAND", f"L'envoi dépasse {size}.")


def _is_json(content_type: bytes) -> bool:
    media_type = content_type.split(b";", 1)[0].strip().lower()
    return media_type == b"application/json" or (
        media_type.startswith(b"application/") and media_type.endswith(b"+json")
    )
