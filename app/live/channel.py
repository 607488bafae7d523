"""The live channel of one database in this process: its sockets, and the tasks that follow its notifications."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from app.database.listener import listen
from app.http.services import Services
from app.live.audience import Audience
from app.live.feed import Feed
from app.live.link import Link

CHANNEL = "comptoir_notification"


class Channel:
    """The tasks run from `start` to `stop`."""

    def __init__(
        self,
        services: Services,
        deliver: Callable[[Link, object], Awaitable[None]],
        current: Callable[[Services], bool],
    ) -> None:
        """`current` says whether the database of the services is still the right one."""
        self.services = services
        self.audience = Audience()
        self.feed = Feed(services, self.audience, deliver, lambda: current(services))
        self.users = 0  # sockets that use it
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        url = self.services.settings.listening_url
        if url is not None:
            self._tasks = [
                asyncio.create_task(listen(url, CHANNEL, self.feed.notified, self.feed.listening)),
                asyncio.create_task(self.feed.run()),
            ]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
