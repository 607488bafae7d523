"""What feeds the sockets: NOTIFY wakes, and what was missed is found again by its id.

Who may see a notification is said in SQL (notification._visible), at the moment of its delivery. A right that is lost
stops deliveries at once; the socket itself is closed at the next review.
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
from app.http.services import Services
from app.live.audience import Audience
from app.live.link import Link

REVIEW = 10.0  # seconds between two looks at who may still be here, and at what NOTIFY may have missed
OVERLAP = 1000  # ids are given before they are committed: so many may still appear below the last one
BATCH = 100

CLOSED = "Session fermée ou expirée : reconnectez-vous."

log = logging.getLogger("comptoir.live")


class Feed:
    """The task that delivers, to the sockets of this process, each notification once."""

    def __init__(
        self, services: Services, audience: Audience, deliver: Callable[[Link, object], Awaitable[None]]
    ) -> None:
        self.ready = asyncio.Event()  # it knows where the past ends
        self._services = services
        self._audience = audience
        self._send = deliver
        self._told: set[int] = set()
        self._delivered: set[int] = set()
        self._last: int | None = None  # the greatest id known here
        self._catch_up = True
        self._wake = asyncio.Event()

    def notified(self, payload: str) -> None:
        """NOTIFY named an id."""
        if payload.isascii() and payload.isdigit() and len(payload) < 19:
            self._told.add(int(payload))
            self._wake.set()

    def listening(self) -> None:
        """Listening began, or began again: ids may have been missed before."""
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
            except Refusal:  # the database is away; what was told is found again by its id
                self._catch_up = True
            except Exception:
                log.exception("Notifications en direct : erreur imprévue")
                self._catch_up = True

    async def _review(self) -> None:
        """Close the sockets whose session is revoked, or whose user is gone or has other rights than at the start."""
        links = self._audience.links()
        if not links:
            return
        rows = await self._ask("notification.droits", self._audience.users())
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
        self.ready.set()
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
        users = self._audience.users()
        if not users:
            return
        for row in await self._ask("notification.livraison", [str(one) for one in ids], users):
            for link in await self._holding(self._audience.links(row["utilisateurs"])):
                if link.waiting is not None:
                    link.waiting.append(row["enveloppe"])
                else:
                    await self._send(link, row["enveloppe"])

    async def _ask(self, name: str, *values: object) -> Any:
        """What an operation answers to the process itself."""
        given = [
            value if isinstance(value, str) or value is None else msgspec.json.encode(value).decode()
            for value in values
        ]
        return await self._services.operation(name).ask(given)
