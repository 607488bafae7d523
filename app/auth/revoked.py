"""What this process knows of the denylist without asking: the server tells it of each key as it is written.

A token of which nothing was heard is not revoked, as long as the server is heard every second; of any other the store
is asked. So nearly every request is spared a round trip, which cost it more than all of its other checks.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

BEAT = 1.0  # seconds between two questions whether the server lives
TRUST = 2.5  # seconds after the last one that it answered, before the store is asked again
READING = 30.0  # seconds for all keys that are there
PAUSE = 1.0  # seconds before another try
LIFE = 3600.0  # seconds after which everything is read again, and what has expired is forgotten
INVALIDATIONS = "__redis__:invalidate"


class Revoked:
    """The keys below a prefix, followed by CLIENT TRACKING (Redis 6 and later, Valkey)."""

    def __init__(self, url: str, prefix: str, patience: float, clock: Callable[[], float]) -> None:
        # RESP2, where a connection that subscribes may be told of keys too; a lost one must not come back by itself,
        # for it would no longer be told.
        self._redis: Redis = Redis.from_url(
            url, protocol=2, retry=Retry(NoBackoff(), 0), socket_connect_timeout=patience, socket_timeout=None
        )
        self._prefix = prefix
        self._clock = clock
        self._keys: set[bytes] = set()  # written since we listen, and those that were there
        self._heard = -math.inf
        self._following: asyncio.Task[None] | None = None

    def unheard_of(self, key: str) -> bool:
        """Whether the key is certainly not there. The first to ask makes it listen, and is answered no."""
        if self._following is None:
            self._following = asyncio.create_task(self._follow())
        return key.encode() not in self._keys and self._clock() - self._heard < TRUST

    def heard_of(self, key: str) -> bool:
        """Whether the key was there, or has been written since. It may have expired, and its token with it."""
        return key.encode() in self._keys

    async def close(self) -> None:
        if self._following is not None:
            self._following.cancel()
            with suppress(asyncio.CancelledError):
                await self._following
        await self._redis.aclose()

    async def _follow(self) -> None:
        while True:
            with suppress(RedisError, OSError):  # the store is then asked, and tells of its trouble itself
                async with self._redis.pubsub() as channel:
                    await self._listen(channel)
            self._heard = -math.inf
            await asyncio.sleep(PAUSE)

    async def _listen(self, channel: PubSub) -> None:
        async with asyncio.timeout(READING):
            await channel.connect()  # type: ignore[no-untyped-call]
            own = await _answer(channel, "CLIENT", "ID")
            await _answer(channel, "CLIENT", "TRACKING", "ON", "REDIRECT", own, "BCAST", "PREFIX", self._prefix)
            await channel.subscribe(INVALIDATIONS)
            self._keys = set()
            async for key in self._redis.scan_iter(match=f"{self._prefix}*", count=1000):
                self._keys.add(key)
            begun = asked = self._clock()
            await channel.ping()
        while self._clock() - begun < LIFE:
            message = await channel.get_message(ignore_subscribe_messages=True, timeout=BEAT)
            if message is not None and message["type"] == "message":
                self._keys.update(message["data"] or ())
            elif message is not None:  # pong: all that was written before the question has been told, the keys included
                self._heard = asked
            if self._heard == asked and self._clock() - asked >= BEAT:  # one at a time: which was answered is known
                asked = self._clock()
                await channel.ping()


async def _answer(channel: PubSub, *command: str | int) -> Any:
    await channel.execute_command(*command)
    return await channel.parse_response()
