"""Socket.IO namespace /notifications: handshake, events of clients, delivery.

Each process serves its own sockets independently. app/live/feed.py delivers to them.
"""

import asyncio
import logging
import time
from contextlib import suppress
from time import perf_counter
from typing import Any, NoReturn
from urllib.parse import urlsplit
from uuid import uuid4

import msgspec
from starlette.types import Receive, Scope, Send

from app.auth.throttle import client_address
from app.auth.tokens import Claims, InvalidToken
from app.base.refusal import Refusal, unauthorized, unavailable
from app.http.authorisation import require_second_factor, revoked
from app.http.caller import Caller
from app.http.services import Services, Serving
from app.live.feed import CLOSED, Feed
from app.live.link import Link

PATH = "/socket.io/"
NAMESPACE = "/notifications"
MESSAGE_LIMIT = 8 * 1024  # bytes; the largest message of a client holds a token
SOCKETS = 5000  # most open sockets of this process
HISTORY_PAUSE = 1.0

log = logging.getLogger("comptoir.live")


def _refuse() -> NoReturn:
    """Refuse a handshake without a payload. With one, the JavaScript client reports a parse error and tries again."""
    from socketio.exceptions import ConnectionRefusedError as Refused

    refused = Refused()
    refused.error_args = None
    raise refused from None


class Sockets:
    """The ASGI application of the live channel."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self._services = serving.services
        self._io: Any = None  # set by start()
        self._open: set[Link] = set()
        self._feeds: dict[int, Feed] = {}  # by the identity of their services

    def start(self) -> None:
        import socketio  # slow: it also imports clients of Redis and HTTP, and only `serve` needs it

        # Engine.IO logs every malformed packet with a traceback, so a client could fill the disk.
        logging.getLogger("engineio.server").setLevel(logging.CRITICAL)
        self._io = socketio.AsyncServer(
            async_mode="asgi",
            transports=["websocket"],
            namespaces=[NAMESPACE],
            always_connect=True,  # a refused client receives the reason before it is closed
            async_handlers=False,  # one message of a client at a time
            cors_allowed_origins=[],  # _origin_allowed decides
            max_http_buffer_size=MESSAGE_LIMIT,
        )
        self._io.on("connect", self._connect, NAMESPACE)
        self._io.on("disconnect", self._disconnect, NAMESPACE)
        self._io.on("notifications:get_history", self._get_history, NAMESPACE)
        self._io.on("*", self._unknown, NAMESPACE)
        if self._serving.alone:
            self._opened(self._services).users += 1  # open as long as the process

    async def stop(self) -> None:
        await asyncio.gather(*(feed.stop() for feed in self._feeds.values()))
        await self._io.shutdown()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one WebSocket until it closes."""
        headers = dict(scope["headers"])
        scope["comptoir.id"] = uuid4().hex
        scope["comptoir.address"] = client_address(scope, self._services.settings.trusted_proxies)
        refusal = 403 if not self._origin_allowed(headers) else 503 if len(self._open) >= SOCKETS else 0
        if not refusal:
            try:
                async with self._serving.connected(scope) as services:
                    await self._serve(services, scope, receive, send)
                return
            except Refusal as refused:
                refusal = refused.status
        await receive()
        await send({"type": "websocket.close"})
        self._log(scope, refusal, perf_counter())

    async def _serve(self, services: Services, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a socket. The feed of its services starts with the first socket and stops with the last."""
        caller = Caller(services, scope["comptoir.id"], scope["comptoir.address"])
        link = scope["comptoir.link"] = Link(caller, receive, send, self._farewell)
        feed = self._opened(services)
        feed.users += 1
        self._open.add(link)
        try:
            await self._io.handle_request(scope, link.receive, link.send)
        finally:
            self._open.discard(link)
            feed.audience.remove(link)
            feed.users -= 1
            if not feed.users:
                del self._feeds[id(services)]
                await feed.stop()

    def _opened(self, services: Services) -> Feed:
        """The feed of these services. The first socket starts it."""
        feed = self._feeds.get(id(services))
        if feed is None:
            feed = self._feeds[id(services)] = Feed(services, self._deliver, self._serving.current)
            feed.start()
        return feed

    def _feed(self, link: Link) -> Feed:
        return self._feeds[id(link.caller.services)]

    def _origin_allowed(self, headers: dict[bytes, bytes]) -> bool:
        """Whether the page is of this host or of CORS_ORIGINES. A client that is no browser sends no origin."""
        origin = headers.get(b"origin", b"").decode("latin-1")
        if not origin or origin in self._services.settings.cors_origines:
            return True
        try:
            return urlsplit(origin).netloc == headers.get(b"host", b"").decode("latin-1")
        except ValueError:
            return False

    async def _connect(self, sid: str, environ: object = None, auth: object = None, *_: object) -> bool | None:
        """The handshake. An event named `connect` is ignored: its environ comes from the client."""
        started = perf_counter()
        link = self._link(sid)
        if link is None or environ is not self._io.get_environ(sid, NAMESPACE):
            return False
        if link.caller.claims is not None:
            _refuse()
        scope = self._io.get_environ(sid, NAMESPACE)["asgi.scope"]
        try:
            claims = await self._authenticate(self._feed(link).services, auth)
            scope["comptoir.user"] = claims.sub
            await self._welcome(link, sid, claims)
        except Refusal as refusal:
            self._log(scope, refusal.status, started)
            await self._error(sid, refusal.message)
            link.end(refusal.message)
            _refuse()
        except Exception:
            log.exception("Connexion au canal en direct : erreur imprévue (requête %s)", link.caller.id)
            link.end("Erreur interne.")
            _refuse()
        self._log(scope, 101, started)
        return None

    async def _authenticate(self, services: Services, auth: object) -> Claims:
        token = auth.get("token") if isinstance(auth, dict) else None
        try:
            claims = services.tokens.verify(token if isinstance(token, str) else "")
        except InvalidToken:
            raise unauthorized() from None
        if await revoked(services, claims):
            raise unauthorized()
        return claims

    async def _welcome(self, link: Link, sid: str, claims: Claims) -> None:
        feed = self._feed(link)
        try:
            async with asyncio.timeout(5):
                await feed.ready.wait()
        except TimeoutError:
            raise unavailable() from None
        link.caller.claims = claims
        await require_second_factor(feed.services, link.caller)
        user = await self._read(link, "notification.connexion")
        link.rights = user.pop("empreinte")
        # Added before the history is read, so a notification written meanwhile is in the history or in `waiting`.
        link.sid = sid
        feed.audience.add(claims.sub, link)
        link.end(CLOSED, asyncio.get_running_loop().time() + claims.exp - time.time())
        history = await self._read(link, "notification.historique")
        await self._emit(sid, "connection:ok", user)
        await self._emit(sid, "notifications:history", history)
        read = {envelope["id"] for envelope in history}
        for envelope in link.waiting or ():
            if envelope["id"] not in read:
                await self._deliver(link, envelope)
        link.waiting = None

    def _disconnect(self, sid: str, *_: object) -> None:
        """The socket is closed, or the client sent an event named `disconnect`, which ends the link too."""
        link = self._link(sid)
        if link is not None:
            self._feed(link).audience.remove(link)
            link.end(CLOSED)

    async def _get_history(self, sid: str, *_: object) -> None:
        link = self._link(sid)
        if link is None or link.sid != sid:
            return
        now = asyncio.get_running_loop().time()
        if now - link.history_at < HISTORY_PAUSE:
            await self._error(sid, "Patientez une seconde avant de redemander l'historique.")
            return
        link.history_at = now
        try:
            if link.caller.claims is None or await revoked(self._feed(link).services, link.caller.claims):
                raise unauthorized(CLOSED)
            await self._emit(sid, "notifications:history", await self._read(link, "notification.historique"))
        except Refusal as refusal:
            if refusal.status == 401:
                link.end(refusal.message)
            else:
                await self._error(sid, refusal.message)

    async def _unknown(self, _event: str, sid: str, *_: object) -> None:
        await self._error(sid, "Message inconnu : ce canal ne connaît que notifications:get_history.")

    def _link(self, sid: str) -> Link | None:
        environ = self._io.get_environ(sid, NAMESPACE)
        return environ["asgi.scope"]["comptoir.link"] if environ else None

    async def _farewell(self, link: Link) -> None:
        """Send the reason before the socket closes."""
        from engineio.exceptions import EngineIOError

        if link.sid:
            with suppress(EngineIOError):
                await self._error(link.sid, link.reason)
                await self._io.disconnect(link.sid, namespace=NAMESPACE)

    async def _read(self, link: Link, operation: str) -> Any:
        """The answer of an operation in the context of the socket's user."""
        row = await self._services.operation(operation).run(link.caller, [])
        return msgspec.json.decode(row["corps"])

    async def _deliver(self, link: Link, envelope: object) -> None:
        await self._emit(link.sid, "notification", envelope)

    async def _emit(self, sid: str, event: str, data: object) -> None:
        await self._io.emit(event, data, namespace=NAMESPACE, to=sid)

    async def _error(self, sid: str, message: str) -> None:
        await self._emit(sid, "notifications:error", {"message": message})

    def _log(self, scope: Scope, status: int, started: float) -> None:
        self._services.log.add(scope, "WS", PATH, status, perf_counter() - started)
