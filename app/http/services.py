"""The services of a process, created once and used by every request."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from app.auth.encrypted import Secrets
from app.auth.keys import Keys
from app.auth.kvstore import Store
from app.auth.roles import Roles
from app.auth.tokens import AccessTokens
from app.base.settings import Settings
from app.database.catalogue import Catalogue
from app.database.database import Database
from app.documents.renderer import Renderer
from app.files.storage import Storage
from app.http.background import Background
from app.http.operation import Operation
from app.http.requestlog import RequestLog
from app.http.router import Paths
from app.http.turns import Turns
from app.jobs.mailer import Mailer
from app.jobs.webhooks import Sender
from app.vault.vault import Vault


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
