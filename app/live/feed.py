"""Delivers the notifications of one database to its sockets. NOTIFY wakes the task; missed ones are read again by id.

SQL (notification._visible) decides at delivery which users may see a notification. A lost right stops deliveries at
once; the socket itself is closed at the next review.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any

import msgspec

from app.base.refusal import Refusal
from app.database.listener import listen
from app.http import metrics
from app.http.authorisation import revoked
from app.http.services import Services
from app.live.link import Link

CHANNEL = "comptoir_notification"
REVIEW = 10.0  # seconds between two checks of the users' rights and of notifications missed by NOTIFY
OVERLAP = 1000  # ids are drawn before commit, so this many ids below the last one may still appear
BATCH = 100  # ids delivered by one query
SOCKETS_OF_A_USER = 10
CLOSED = "Session fermée ou expirée : reconnectez-vous."

log = logging.getLogger("comptoir.live")


class Audience:
    """The open sockets of this process, by user and by Socket.IO id."""

    def __init__(self) -> None:
        self._links: dict[str, dict[str, Link]] = {}

    def add(self, user: str, link: Link) -> None:
        """Add a socket of this user. Beyond the limit the oldest socket is closed."""
        links = self._links.setdefault(user, {})
        for oldest in list(links.values())[: max(0, len(links) + 1 - SOCKETS_OF_A_USER)]:
            oldest.end("Trop de connexions ouvertes : la plus ancienne se ferme.")
        links[link.sid] = link
        metrics.sockets.inc()

    def remove(self, link: Link) -> None:
        claims = link.caller.claims
        if claims is not None and self._links.get(claims.sub, {}).pop(link.sid, None) is not None:
            metrics.sockets.dec()
            if not self._links[claims.sub]:
                del self._links[claims.sub]

    def users(self) -> list[str]:
        return list(self._links)

    def links(self, users: Iterable[str] | None = None) -> list[Link]:
        """The sockets of these users, or of all users."""
        chosen = self._links if users is None else users
        return [link for user in chosen for link in self._links.get(user, {}).values()]


class Feed:
    """Delivers each notification once to the sockets of this process. Its tasks run from `start` to `stop`."""

    def __init__(
        self,
        services: Services,
        deliver: Callable[[Link, object], Awaitable[None]],
        current: Callable[[Services], bool],
    ) -> None:
        """`current` says whether the database of the services is still the right one."""
        self.services = services
        self.audience = Audience()
        self.users = 0  # sockets that use it
        self.ready = asyncio.Event()  # the last id before this start is known
        self._send = deliver
        self._current = current
        self._tasks: list[asyncio.Task[None]] = []
        self._announced: set[int] = set()
        self._delivered: set[int] = set()
        self._last: int | None = None  # the greatest id that this process has seen
        self._catch_up = True
        self._wake = asyncio.Event()

    def start(self) -> None:
        url = self.services.settings.listening_url
        if url is not None:
            self._tasks = [
                asyncio.create_task(listen(url, CHANNEL, self.notified, self.listening)),
                asyncio.create_task(self.run()),
            ]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def notified(self, payload: str) -> None:
        """NOTIFY announces an id."""
        if payload.isascii() and payload.isdigit() and len(payload) < 19:
            self._announced.add(int(payload))
            self._wake.set()

    def listening(self) -> None:
        """LISTEN started or restarted. Earlier ids may have been missed."""
        self._catch_up = True
        self._wake.set()

    async def run(self) -> None:
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
            except Refusal:  # the database is unreachable: missed notifications are read again by id
                self._catch_up = True
            except Exception:
                log.exception("Notifications en direct : erreur imprévue")
                self._catch_up = True

    async def _review(self) -> None:
        """Close the sockets of revoked sessions, and of users who are gone or whose rights have changed. Close all
        when the data is in another database now."""
        links = self.audience.links()
        if not links:
            return
        if not self._current(self.services):
            for link in links:
                link.end("Le service a changé de serveur : reconnectez-vous.")
            return
        rows = await self._ask("notification.droits", self.audience.users())
        rights = {row["id_utilisateur"]: row["empreinte"] for row in rows}
        for link in links:
            if link.caller.claims and rights.get(link.caller.claims.sub) != link.rights:
                link.end("Vos droits ont changé : reconnectez-vous.")
        await self._valid(links)

    async def _valid(self, links: list[Link]) -> list[Link]:
        """Return the sockets with a valid session, and close the others."""
        sessions = [(link, link.caller.claims) for link in links if link.caller.claims]
        denied = await asyncio.gather(*(revoked(self.services, claims) for _, claims in sessions))
        now = time.time()
        valid = []
        for (link, claims), ended in zip(sessions, denied, strict=True):
            if ended or claims.exp <= now:
                link.end(CLOSED)
            elif not link.ended:
                valid.append(link)
        return valid

    async def _deliver_new(self) -> None:
        """Deliver the ids announced by NOTIFY and, after a gap, all recent ids."""
        announced, self._announced = self._announced, set()
        if self._catch_up:
            recent = await self._recent(None if self._last is None else self._last - OVERLAP)
            if self._last is None or max(recent, default=0) < self._last:  # first run, or a restored older database
                recent = await self._recent(None)
                self._delivered, self._last = recent - announced, max(recent, default=0)
            self._catch_up = False
            announced |= recent
        self.ready.set()
        new = sorted(announced - self._delivered)
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            await self._deliver(batch)
            self._delivered.update(batch)
            self._last = max(self._last or 0, batch[-1])
        if len(self._delivered) > 4 * OVERLAP:
            self._delivered = {number for number in self._delivered if number > (self._last or 0) - 2 * OVERLAP}

    async def _recent(self, after: int | None) -> set[int]:
        answer = await self._ask("notification.recentes", None if after is None else str(after))
        return {int(number) for number in answer}

    async def _deliver(self, ids: list[int]) -> None:
        users = self.audience.users()
        if not users:
            return
        for row in await self._ask("notification.livraison", [str(number) for number in ids], users):
            for link in await self._valid(self.audience.links(row["utilisateurs"])):
                if link.waiting is not None:
                    link.waiting.append(row["enveloppe"])
                else:
                    await self._send(link, row["enveloppe"])

    async def _ask(self, name: str, *values: object) -> Any:
        """The answer of an operation called by the process itself."""
        arguments = [
            value if isinstance(value, str) or value is None else msgspec.json.encode(value).decode()
            for value in values
        ]
        return await self.services.operation(name).ask(self.services, arguments)
