"""The middleware of every request: request id, log line, metrics, envelope of refusals, security headers."""

import logging
import re
from collections.abc import Iterable
from random import getrandbits
from time import perf_counter

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.auth.throttle import client_address
from app.base.refusal import MISSING, Refusal
from app.database.words import missing
from app.http import limits, metrics
from app.http.answer import Answer, respond
from app.http.compression import CONDITIONS
from app.http.services import Services

log = logging.getLogger("comptoir")

_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:-]{1,100}")
_UNROUTED = "(aucune)"
# For a browser that opens an answer as a page: it loads nothing, no page embeds it, and no site
# learns its address.
_PROTECTION = {
    b"x-content-type-options": b"nosniff",
    b"content-security-policy": b"default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    b"referrer-policy": b"no-referrer",
}
_SINGLE = (b"authorization", b"host", b"content-type", b"idempotency-key", b"x-organisation")


class RequestMiddleware:
    """Pure ASGI middleware, without buffering."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self.app = app
        self.services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = perf_counter()
        headers = dict(scope["headers"])
        repeated = None
        if len(headers) != len(scope["headers"]):
            repeated = _repeated(scope["headers"])
            for name in headers.keys() & CONDITIONS:  # one list may come in several lines
                headers[name] = b", ".join(value for header, value in scope["headers"] if header == name)
        sent_id = headers.get(b"x-request-id", b"")
        request_id = sent_id.decode() if _REQUEST_ID.fullmatch(sent_id) else f"{getrandbits(128):032x}"
        scope["comptoir.headers"] = headers
        scope["comptoir.id"] = request_id
        scope["comptoir.address"] = client_address(scope, self.services.settings.trusted_proxies)
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(header for header in _PROTECTION.items() if header[0] not in own),
                    *((ignored,) if (ignored := scope.get("comptoir.ignored")) else ()),
                    *limits.headers(scope),
                    (b"x-request-id", request_id.encode()),
                ]
            await send(message)

        try:
            if repeated:
                raise Refusal(400, "ENTETE_EN_DOUBLE", f"L'en-tête {repeated} est envoyé deux fois.")
            await self.app(scope, receive, send_with_headers)
        except Exception as error:
            if status:  # the answer has begun, so the connection must break
                raise
            await respond(send_with_headers, _refused(error, scope, request_id))
        finally:
            seconds = perf_counter() - started
            route = scope.get("comptoir.route", _UNROUTED)
            metrics.observe(scope["method"], route, status, seconds)
            self.services.log.add(scope, scope["method"], route, status, seconds)


def _repeated(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """The name of a repeated header of _SINGLE, or None. A proxy and the service could read different values of it."""
    names = [name for name, _ in headers]
    return next((name.decode().title() for name in _SINGLE if names.count(name) > 1), None)


def _refused(error: Exception, scope: Scope, request_id: str) -> Answer:
    if isinstance(error, HTTPException):  # a path or a method that the router does not know
        error = (
            Refusal(405, "METHODE_NON_PERMISE", "Cette route n'accepte pas cette méthode.", headers=error.headers)
            if error.status_code == 405
            else Refusal(404, "NOT_FOUND", "Cette route n'existe pas.")
        )
    elif not isinstance(error, Refusal):
        log.error("Erreur imprévue (requête %s)", request_id, exc_info=error)
        error = Refusal(500, "INTERNE", "Erreur interne : elle est consignée sous le numéro de cette requête.")
    if error.message == MISSING:
        error.message = missing(scope.get("path_params", {}))
    return Answer(error.status, error.body(scope["path"], request_id), error.headers)
