"""Socket.IO namespace /notifications: who is connected here, and what reaches them.

Who may see a notification is said in SQL (notification._visible), at the moment of its delivery. NOTIFY only wakes: it
carries an id, and what was missed is found again by its id. Each process serves its own sockets, so none has to know of
another. A right that is lost stops deliveries at once; the socket itself is closed at the next review.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import uuid4

import msgspec

from app.auth.throttle import client_address
from app.auth.tokens import Claims, InvalidToken
from app.base.refusal import Refusal, unauthorized, unavailable
from app.http import metrics
from app.http.endpoint import Request
from app.live.link import Link
from app.live.listener import listen

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from app.application import Services

PATH = "/socket.io/"
NAMESPACE = "/notifications"
MESSAGE_LIMIT = 8 * 1024  # bytes; a token is the largest thing that a client has to say
SOCKETS = 5000  # of this process
SOCKETS_OF_A_USER = 10
REVIEW = 10.0  # seconds between two looks at who may still be here, and at what NOTIFY may have missed
OVERLAP = 1000  # ids are given before they are committed: so many may still appear below the last one
BATCH = 100
HISTORY_PAUSE = 1.0

CLOSED = "Session fermée ou expirée : reconnectez-vous."

log = logging.getLogger("comptoir.live")


class Notifications:
    """The ASGI application of the sockets, and the task that feeds them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._io: Any = None  # from the start of the service on
        self._open: set[Link] = set()
        self._links: dict[str, dict[str, Link]] = {}  # by user, then by socket
        self._told: set[int] = set()
        self._delivered: set[int] = set()
        self._last: int | None = None  # the greatest id known here
        self._catch_up = True
        self._wake = asyncio.Event()
        self._ready = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    # ---- life

    def start(self) -> None:
        import socketio  # it reads the clients of Redis and of HTTP too: only who serves waits for that

        # It logs whatever a client sends that is no packet, with a trace: anybody could fill the disk.
        logging.getLogger("engineio.server").setLevel(logging.CRITICAL)
        self._io = socketio.AsyncServer(
            async_mode="asgi",
            transports=["websocket"],
            namespaces=[NAMESPACE],
            always_connect=True,  # a refused client is told why, then closed
            async_handlers=False,  # one message of a client at a time
            cors_allowed_origins=[],  # _origin_allowed decides
            max_http_buffer_size=MESSAGE_LIMIT,
        )
        handlers = {
            "connect": self._connect,
            "disconnect": self._disconnect,
            "notifications:get_history": self._get_history,
            "*": self._unknown,
        }
        for event, handler in handlers.items():
            self._io.on(event, handler, namespace=NAMESPACE)
        url = self._services.settings.database_url
        if url is not None:
            self._tasks = [
                asyncio.create_task(listen(url, self._notified, self._listening)),
                asyncio.create_task(self._feed()),
            ]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._io.shutdown()

    # ---- sockets

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One WebSocket, from its first byte to its last."""
        headers = dict(scope["headers"])
        scope["comptoir.headers"], scope["comptoir.id"] = headers, uuid4().hex
        scope["comptoir.permission"] = None
        scope["comptoir.address"] = client_address(scope, self._services.settings.trusted_proxies)
        refusal = 403 if not self._origin_allowed(headers) else 503 if len(self._open) >= SOCKETS else 0
        if refusal:
            await receive()
            await send({"type": "websocket.close"})
            self._log(scope, refusal, perf_counter())
            return
        link = scope["comptoir.link"] = Link(
            Request(scope, receive, self._services), receive, send, farewell=self._farewell
        )
        self._open.add(link)
        try:
            await self._io.handle_request(scope, link.receive, link.send)
        finally:
            self._open.discard(link)
            self._forget(link)

    def _origin_allowed(self, headers: dict[bytes, bytes]) -> bool:
        """A page of this host or of CORS_ORIGINES; who is no browser says no origin."""
        origin = headers.get(b"origin", b"").decode("latin-1")
        if not origin or origin in self._services.settings.cors_origines:
            return True
        try:
            return urlsplit(origin).netloc == headers.get(b"host", b"").decode("latin-1")
        except ValueError:
            return False

    async def _connect(self, sid: str, environ: object = None, auth: object = None, *_: object) -> bool | None:
        """Somebody says who they are. A client may send an event of this name too: it has no environ of ours."""
        began = perf_counter()
        link = self._link(sid)
        if link is None or environ is not self._io.get_environ(sid, NAMESPACE) or link.claims is not None:
            return False
        scope = link.request.scope
        try:
            claims = await self._authenticate(auth)
            scope["comptoir.user"] = claims.sub
            await self._welcome(link, sid, claims)
        except Refusal as refused:
            self._log(scope, refused.status, began)
            await self._error(sid, refused.message)
            link.end(refused.message)
            return False
        except Exception:
            log.exception("Connexion au canal en direct : erreur imprévue (requête %s)", link.request.id)
            link.end("Erreur interne.")
            return False
        self._log(scope, 101, began)
        return None

    async def _authenticate(self, auth: object) -> Claims:
        token = auth.get("token") if isinstance(auth, dict) else None
        try:
            claims = self._services.tokens.verify(token if isinstance(token, str) else "")
        except InvalidToken:
            raise unauthorized() from None
        if await self._services.store.denied(claims.jti):
            raise unauthorized()
        return claims

    async def _welcome(self, link: Link, sid: str, claims: Claims) -> None:
        try:
            async with asyncio.timeout(5):
                await self._ready.wait()
        except TimeoutError:
            raise unavailable() from None
        link.request.claims = link.claims = claims
        known = await self._read(link, "notification.connexion")
        link.rights = known.pop("empreinte")
        # Known before the history is read, so that what is written meanwhile is in one or comes after it.
        own = self._links.setdefault(claims.sub, {})
        for oldest in list(own.values())[: max(0, len(own) + 1 - SOCKETS_OF_A_USER)]:
            oldest.end("Trop de connexions ouvertes : la plus ancienne se ferme.")
        link.sid = sid
        own[sid] = link
        metrics.sockets.inc()
        left = claims.exp - time.time()
        link.end_at(asyncio.get_running_loop().time() + left, CLOSED)
        history = await self._read(link, "notification.historique")
        await self._emit(sid, "connection:ok", known)
        await self._emit(sid, "notifications:history", history)
        read = {envelope["id"] for envelope in history}
        for envelope in link.waiting or ():
            if envelope["id"] not in read:
                await self._emit(sid, "notification", envelope)
        link.waiting = None

    def _disconnect(self, sid: str, *_: object) -> None:
        """It is gone; or a client says so in an event of this name, and is taken at its word."""
        link = self._link(sid)
        if link is not None:
            self._forget(link)
            link.end(CLOSED)

    def _forget(self, link: Link) -> None:
        own = self._links.get(link.claims.sub, {}) if link.claims else {}
        if own.pop(link.sid, None) is not None:
            metrics.sockets.dec()
        if link.claims and not own:
            self._links.pop(link.claims.sub, None)

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
            if link.claims is None or await self._services.store.denied(link.claims.jti):
                raise unauthorized(CLOSED)
            await self._emit(sid, "notifications:history", await self._read(link, "notification.historique"))
        except Refusal as refused:
            if refused.status == 401:
                link.end(refused.message)
            else:
                await self._error(sid, refused.message)

    async def _unknown(self, _event: str, sid: str, *_: object) -> None:
        await self._error(sid, "Message inconnu : ce canal ne connaît que notifications:get_history.")

    def _link(self, sid: str) -> Link | None:
        environ = self._io.get_environ(sid, NAMESPACE)
        return environ["asgi.scope"]["comptoir.link"] if environ else None

    async def _farewell(self, link: Link) -> None:
        """Say why, before the socket closes."""
        from engineio.exceptions import EngineIOError

        if link.sid:
            with suppress(EngineIOError):
                await self._error(link.sid, link.reason)
                await self._io.disconnect(link.sid, namespace=NAMESPACE)

    async def _read(self, link: Link, operation: str) -> Any:
        """What an operation answers in the context of the socket's user."""
        row = await self._services.operation(operation).run(link.request, [])
        return msgspec.json.decode(row["corps"])

    async def _emit(self, sid: str, event: str, data: object) -> None:
        await self._io.emit(event, data, namespace=NAMESPACE, to=sid)

    async def _error(self, sid: str, message: str) -> None:
        await self._emit(sid, "notifications:error", {"message": message})

    # ---- what feeds them

    def _notified(self, payload: str) -> None:
        if payload.isascii() and payload.isdigit() and len(payload) < 19:
            self._told.add(int(payload))
            self._wake.set()

    def _listening(self) -> None:
        self._catch_up = True
        self._wake.set()

    async def _feed(self) -> None:
        clock = asyncio.get_running_loop().time
        review_at = clock()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(review_at):
                    await self._wake.wait()
            self._wake.clear()
            try:
                if clock() >= review_at:
                    review_at = clock() + REVIEW
                    self._catch_up = True
                    await self._review()
                await self._deliver_new()
            except Refusal:  # the database is away; what was told is found again by its id
                self._catch_up = True
            except Exception:
                log.exception("Notifications en direct : erreur imprévue")
                self._catch_up = True

    async def _review(self) -> None:
        """Close the sockets whose session is revoked, or whose user is gone or has other rights than at the start."""
        links = self._all()
        if not links:
            return
        rows = await self._ask("notification.droits", list(self._links))
        rights = {row["id_utilisateur"]: row["empreinte"] for row in rows}
        for link in links:
            if link.claims and rights.get(link.claims.sub) != link.rights:
                link.end("Vos droits ont changé : reconnectez-vous.")
        await self._holding(links)

    async def _holding(self, links: list[Link]) -> list[Link]:
        """Those whose session still holds; the others are closed."""
        sessions = [(link, link.claims) for link in links if link.claims]
        denied = await asyncio.gather(*(self._services.store.denied(claims.jti) for _, claims in sessions))
        now = time.time()
        holding = []
        for (link, claims), revoked in zip(sessions, denied, strict=True):
            if revoked or claims.exp <= now:
                link.end(CLOSED)
            elif not link.ended:
                holding.append(link)
        return holding

    async def _deliver_new(self) -> None:
        """What NOTIFY told of, and after a silence whatever else has appeared."""
        told, self._told = self._told, set()
        if self._catch_up:
            found = await self._recent(None if self._last is None else self._last - OVERLAP)
            if self._last is None or max(found, default=0) < self._last:  # the start, or a database of before
                found = await self._recent(None)
                self._delivered, self._last = found - told, max(found, default=0)
            self._catch_up = False
            told |= found
        self._ready.set()
        new = sorted(told - self._delivered)
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            await self._deliver(batch)
            self._delivered.update(batch)
            self._last = max(self._last or 0, batch[-1])
        if len(self._delivered) > 4 * OVERLAP:
            self._delivered = {one for one in self._delivered if one > (self._last or 0) - 2 * OVERLAP}

    async def _recent(self, after: int | None) -> set[int]:
        answer = await self._ask("notification.recentes", None if after is None else str(after))
        return {int(found) for found in answer}

    async def _deliver(self, ids: list[int]) -> None:
        users = list(self._links)
        if not users:
            return
        for row in await self._ask("notification.livraison", [str(one) for one in ids], users):
            links = [link for user in row["utilisateurs"] for link in self._links.get(user, {}).values()]
            for link in await self._holding(links):
                if link.waiting is not None:
                    link.waiting.append(row["enveloppe"])
                else:
                    await self._emit(link.sid, "notification", row["enveloppe"])

    def _all(self) -> list[Link]:
        return [link for own in self._links.values() for link in own.values()]

    async def _ask(self, name: str, *values: object) -> Any:
        """What an operation answers to the process itself."""
        given = [
            value if isinstance(value, str) or value is None else msgspec.json.encode(value).decode()
            for value in values
        ]
        return await self._services.operation(name).ask(self._services, given)

    def _log(self, scope: Scope, status: int, began: float) -> None:
        seconds = perf_counter() - began
        self._services.log.add(scope, "WS", PATH, status, seconds)
