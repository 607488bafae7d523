"""Serves many organisations in one process: opens the services of an organisation at its first request.

Catalogue, routes and operations belong to the process. An organisation has its database, its permissions, its
tokens, its part of the key-value store and of the files.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass

from prometheus_client import Counter
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from app.base import tasks
from app.base.refusal import Refusal, not_found, unavailable
from app.database.database import Load
from app.database.pool import Pool, Usage
from app.http import metrics
from app.http.router import Paths
from app.http.services import Services, Serving
from app.leaves.organisations.directory import Directory
from app.leaves.organisations.organisation import Organisation

HEADER = b"x-organisation"
IDLE = 60.0  # seconds without a request after which the services of an organisation close
SWEEP = 5.0  # seconds between two searches for idle organisations
LINE = 4  # requests that wait for each place
PATIENCE = 1.0  # seconds in the line
READING = ("GET", "HEAD")
MOVING = "Cette organisation change de serveur : elle se lit, et s'écrira de nouveau dans un instant, réessayez."
BUSY = "ORGANISATION_OCCUPEE", "Trop de requêtes à la fois pour cette organisation, réessayez."
CALLS = Counter(
    "svc_organisation_calls_total", "Requêtes, par organisation de l'annuaire.", ["organisation"], registry=metrics.OWN
)
UNKNOWN = "Aucune organisation ne répond à ce nom : voyez l'adresse, ou l'en-tête X-Organisation."


class Places:
    """The places for connections of one process to all organisations. A pool takes one before it opens a connection."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._free = asyncio.Semaphore(size)
        self._waiting = 0
        self._holders: dict[Pool, None] = {}  # the pool that has waited longest for a place first

    async def take(self, holder: Pool) -> None:
        """Take a place. When none is free, another pool gives up an idle connection."""
        self._holders.pop(holder, None)
        self._holders[holder] = None
        self._waiting += 1
        try:
            if self._free.locked():
                any(other.give_up() for other in self._holders)
            await self._free.acquire()
        finally:
            self._waiting -= 1

    def leave(self) -> None:
        """Give a place back: its connection is closed."""
        self._free.release()

    def are_wanted(self) -> bool:
        """Whether a pool waits for a place, so that the next idle connection is better closed."""
        return self._waiting > 0

    def forget(self, holder: Pool) -> None:
        self._holders.pop(holder, None)


@dataclass(slots=True)
class Open:
    """The services of an organisation, opened for its first request."""

    organisation: Organisation
    services: Services
    places: asyncio.Semaphore  # of requests in progress
    used_at: float = 0.0
    calls: int = 0  # requests in progress or in the line
    sockets: int = 0
    current: bool = True  # false once the organisation has another place: it closes after its last request


class Organisations(Serving):
    """The organisations that this process serves. Other processes may serve organisations of another version."""

    alone = False

    def __init__(
        self, process: Services, directory: Directory, version: str, calls: int, places: Places,
        opened: Callable[[Organisation], Services],
    ) -> None:  # fmt: skip
        """`calls` bounds the requests in progress of each organisation, `places` the connections to all of them."""
        super().__init__(process)
        self._directory, self._version, self._calls, self._places = directory, version, calls, places
        self._services_of = opened
        self._open: dict[str, Open] = {}
        self._sweeping: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self._directory.start()
        self._sweeping = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        await tasks.end(self._sweeping)
        await self._directory.close()
        await asyncio.gather(*(one.services.database.close() for one in self._open.values()))
        await super().close()

    def route(self, paths: Paths) -> BaseRoute:
        return OfOrganisation(paths, self)

    @asynccontextmanager
    async def calling(self, scope: Scope) -> AsyncIterator[None]:
        """Give the request the services of its organisation. Raises a refusal when it cannot be served now."""
        one = await self._entered(scope, scope["comptoir.headers"], reading=scope["method"] in READING)
        if one.calls >= self._calls * (1 + LINE):
            raise unavailable(*BUSY)
        one.calls += 1
        try:
            await self._place(one)
            try:
                yield
            finally:
                one.places.release()
        finally:
            one.calls -= 1
            await self._left(one)

    async def _place(self, one: Open) -> None:
        """Take a place of the organisation. A waiting request costs the others nothing; a refused one comes again."""
        try:
            async with asyncio.timeout(PATIENCE) if one.places.locked() else nullcontext():
                await one.places.acquire()
        except TimeoutError:
            raise unavailable(*BUSY) from None

    @asynccontextmanager
    async def connected(self, scope: Scope) -> AsyncIterator[Services]:
        one = await self._entered(scope, dict(scope["headers"]), reading=True)
        one.sockets += 1
        try:
            yield one.services
        finally:
            one.sockets -= 1
            await self._left(one)

    def current(self, services: Services) -> bool:
        """Whether the organisation of these services has not moved since they opened."""
        for one in self._open.values():
            if one.services is services:
                present = self._directory.by_code.get(one.organisation.code)
                return present is not None and present.place == one.organisation.place
        return False

    def load(self) -> Load:
        """The connections of this process to all organisations, in sum."""
        usages = [usage for one in self._open.values() for usage in one.services.database.load().usage.values()]
        opened, busy = sum(usage.open for usage in usages), sum(usage.busy for usage in usages)
        return Load({"organisations": Usage(opened, busy, self._places.size)})

    async def _entered(self, scope: Scope, headers: Mapping[bytes, bytes], *, reading: bool) -> Open:
        organisation = self._find(headers)
        scope["comptoir.organisation"] = organisation.code
        self._refuse(organisation, reading=reading)
        one = former = self._open.get(organisation.id)
        if one is None or one.organisation.place != organisation.place:  # it has moved, or has another name
            one = Open(organisation, self._services_of(organisation), asyncio.Semaphore(self._calls))
            self._open[organisation.id] = one
        one.used_at = asyncio.get_running_loop().time()
        scope["comptoir.services"] = one.services
        CALLS.labels(organisation.code).inc()
        if former is not None and former is not one:
            former.current = False
            await self._left(former)
        return one

    def _find(self, headers: Mapping[bytes, bytes]) -> Organisation:
        host = headers.get(b"host", b"").decode("latin-1").lower().partition(":")[0]
        code, by_name = headers.get(HEADER), self._directory.by_host.get(host)
        named = by_name if code is None else self._directory.by_code.get(code.decode("latin-1"))
        if by_name is not None and by_name is not named:
            raise Refusal(400, "ORGANISATION_DOUBLE", "L'adresse et X-Organisation nomment deux organisations.")
        if named is None or named.state == "SUPPRESSION":
            raise not_found(UNKNOWN)
        return named

    def _refuse(self, organisation: Organisation, *, reading: bool) -> None:
        reason = organisation.reason or "Cette organisation ne répond pas pour l'instant."
        if organisation.state == "CREATION":
            raise unavailable("ORGANISATION_EN_CREATION", "Cette organisation se prépare, réessayez.")
        if organisation.state == "SUSPENDUE":
            raise Refusal(403, "ORGANISATION_SUSPENDUE", reason)
        if organisation.version != self._version:
            raise unavailable("ORGANISATION_EN_RETARD", reason)
        if organisation.state == "DEPLACEMENT" and not reading:
            raise unavailable("ORGANISATION_EN_DEPLACEMENT", MOVING)

    async def _left(self, one: Open) -> None:
        """Close the services of a former place when no request or socket uses them."""
        if not one.current and not one.calls and not one.sockets:
            await one.services.database.close()

    async def _sweep(self) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(SWEEP)
            for key, one in list(self._open.items()):
                if not one.calls and not one.sockets and clock() - one.used_at > IDLE:
                    del self._open[key]
                    await one.services.database.close()


@dataclass(eq=False)
class OfOrganisation(BaseRoute):
    """All routes of the table, each called with the services of the organisation of the request."""

    paths: Paths
    organisations: Organisations

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        return self.paths.matches(scope)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self.organisations.calling(scope):
            await self.paths.handle(scope, receive, send)
