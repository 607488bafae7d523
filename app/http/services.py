"""The services of a process, created once and used by every request."""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.routing import BaseRoute
from starlette.types import Scope

from app.auth.encrypted import Secrets
from app.auth.keys import Keys
from app.auth.kvstore import Store
from app.auth.roles import Roles
from app.auth.tokens import AccessTokens
from app.base.settings import Settings
from app.database.catalogue import Catalogue
from app.database.database import Database, Load
from app.documents.renderer import Renderer
from app.files.storage import Storage
from app.http.operation import Operation
from app.http.requestlog import RequestLog
from app.http.router import Paths
from app.http.turns import Turns
from app.jobs.mailer import Mailer
from app.jobs.webhooks import Sender
from app.vault.vault import Vault

log = logging.getLogger("comptoir")


class Background:
    """Work of one process after its answers, so that the duration of the work reveals nothing to the caller."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def later(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)  # the event loop keeps only weak references: the task could be collected before it ends
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            log.error("Travail remis à plus tard : échec", exc_info=error)

    async def settle(self) -> None:
        """Wait for every task, including tasks that other tasks start."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)


@dataclass(slots=True)
class Services:
    # Of one database and its files:
    settings: Settings
    database: Database
    roles: Roles
    store: Store
    tokens: AccessTokens
    keys: Keys
    storage: Storage
    vault: Vault
    # Of the process:
    catalogue: Catalogue
    secrets: Secrets
    mailer: Mailer
    sender: Sender
    renderer: Renderer
    turns: Turns = field(default_factory=Turns)
    log: RequestLog = field(default_factory=RequestLog)
    background: Background = field(default_factory=Background)
    paths: Paths = field(default_factory=lambda: Paths([]))  # every route, for calls within a request
    _operations: dict[str, Operation] = field(default_factory=dict)

    def operation(self, name: str) -> Operation:
        """The operation with this name, for handlers and the request path."""
        operation = self._operations.get(name)
        if operation is None:
            operation = self._operations[name] = Operation(self.catalogue.functions[name], self.catalogue)
        return operation

    async def close(self) -> None:
        """Finish the work in the background, then close every connection."""
        async with AsyncExitStack() as stack:  # closes every service even when one fails to close
            stack.callback(self.log.write)
            for service in (self.renderer, self.storage, self.mailer, self.sender, self.store, self.database):
                stack.push_async_callback(service.close)
            await self.background.settle()


class Serving:
    """Whose services a request uses: the `services` of the process. A leaf may choose others for each request.
    `alone`: every request uses them."""

    alone = True

    def __init__(self, services: Services) -> None:
        self.services = services

    async def start(self) -> None:
        """Called before the first request."""

    async def close(self) -> None:
        await self.services.close()

    def route(self, paths: Paths) -> BaseRoute:
        """The routes of the table. `comptoir.services` in the scope of a request replaces `services`."""
        return paths

    @asynccontextmanager
    async def connected(self, _: Scope) -> AsyncIterator[Services]:
        """The services of a socket, for as long as it is open. Raises a refusal when it cannot be served now."""
        yield self.services

    def current(self, _: Services) -> bool:
        """Whether the database of these services is still the right one."""
        return True

    def load(self) -> Load:
        return self.services.database.load()
