"""Whose services a request uses: the services of the process. A leaf may choose others for each request."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.routing import BaseRoute
from starlette.types import Scope

from app.database.database import Load
from app.http.router import Paths
from app.http.services import Services


class Serving:
    """`services` belong to the process. `alone`: every request uses them."""

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
