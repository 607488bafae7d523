"""Delivers notifications to the sockets. NOTIFY wakes the task; missed notifications are read again by id.

SQL (notification._visible) decides at delivery which users may see a notification. A lost right stops deliveries at
once; the socket itself is closed at the next review.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec

from app.base.refusal import Refusal
from app.http.authorisation import revoked
from app.http.services import Services
from app.live.audience import Audience
from app.live.link import Link

REVIEW = 10.0  # seconds between two checks of the users' rights and of notifications missed by NOTIFY
OVERLAP = 1000  # ids are drawn before commit, so this many ids below the last one may still appear
BATCH = 100  # ids delivered by one query

CLOSED = "Session fermée ou expirée : reconnectez-vous."

log = logging.getLogger("comptoir.live")


class Feed:
    """The task that delivers each notification once to the sockets of this process."""

    def __init__(
        self,
        services: Services,
        audience: Audience,
        deliver: Callable[[Link, object], Awaitable[None]],
        current: Callable[[], bool],
    ) -> None:
        self.ready = asyncio.Event()  # the last id before this start is known
        self._services = services
        self._audience = audience
        self._send = deliver
        self._current = current
        self._announced: set[int] = set()
        self._delivered: set[int] = set()
        self._last: int | None = None  # the greatest id that this process has seen
        self._catch_up = True
        self._wake = asyncio.Event()

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
        links = self._audience.links()
        if not links:
            return
        if not self._current():
            for link in links:
                link.end("Le service a changé de serveur : reconnectez-vous.")
            return
        rows = await self._ask("notification.droits", self._audience.users())
        rights = {row["id_utilisateur"]: row["empreinte"] for row in rows}
        for link in links:
            if link.claims and rights.get(link.claims.sub) != link.rights:
                link.end("Vos droits ont changé : reconnectez-vous.")
        await self._valid(links)

    async def _valid(self, links: list[Link]) -> list[Link]:
        """Return the sockets with a valid session, and close the others."""
        sessions = [(link, link.claims) for link in links if link.claims]
        denied = await asyncio.gather(*(revoked(self._services, claims) for _, claims in sessions))
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
        users = self._audience.users()
        if not users:
            return
        for row in await self._ask("notification.livraison", [str(number) for number in ids], users):
            for link in await self._valid(self._audience.links(row["utilisateurs"])):
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
        return await self._services.operation(name).ask(self._services, arguments)
