"""A copy of the denylist in this process. The server notifies it of each key as the key is written.

While the server answers a ping every second, a token outside the copy is not revoked. Otherwise the store is asked.
This saves nearly every request a round trip that would cost more than all its other checks.
"""

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

from app.base import tasks

BEAT = 1.0  # seconds between two pings
TRUST = 2.5  # seconds after the last answered ping during which the copy is trusted
READING = 30.0  # seconds to read all existing keys
PAUSE = 1.0  # seconds before another attempt
LIFE = 3600.0  # seconds after which all keys are read again, so that expired keys leave the copy
INVALIDATIONS = "__redis__:invalidate"


class Revoked:
    """The keys with a prefix, kept up to date by CLIENT TRACKING (Redis 6 and later, Valkey)."""

    def __init__(self, url: str, prefix: str, patience: float, clock: Callable[[], float]) -> None:
        # In RESP2 a subscribing connection can receive invalidations. The client must not reconnect by itself: the new
        # connection would receive none.
        self._redis: Redis = Redis.from_url(
            url, protocol=2, retry=Retry(NoBackoff(), 0), socket_connect_timeout=patience, socket_timeout=None
        )
        self._prefix = prefix
        self._clock = clock
        self._keys: set[bytes] = set()  # keys read at the start, and keys written since
        self._confirmed_at = -math.inf
        self._task: asyncio.Task[None] | None = None

    def certainly_lacks(self, key: str) -> bool:
        """Whether the key certainly does not exist. The first call starts the listener and returns False."""
        if self._task is None:
            self._task = asyncio.create_task(self._follow())
        return key.encode() not in self._keys and self._clock() - self._confirmed_at < TRUST

    def has_seen(self, key: str) -> bool:
        """Whether the key has existed since the listener started. It may have expired, and its token with it."""
        return key.encode() in self._keys

    async def close(self) -> None:
        await tasks.end(self._task)
        await self._redis.aclose()

    async def _follow(self) -> None:
        while True:
            with suppress(RedisError, OSError):  # requests then ask the store, which logs its failures
                async with self._redis.pubsub() as channel:
                    await self._listen(channel)
            self._confirmed_at = -math.inf
            await asyncio.sleep(PAUSE)

    async def _listen(self, channel: PubSub) -> None:
        async with asyncio.timeout(READING):
            await channel.connect()  # type: ignore[no-untyped-call]
            connection_id = await _answer(channel, "CLIENT", "ID")
            await _answer(
                channel, "CLIENT", "TRACKING", "ON", "REDIRECT", connection_id, "BCAST", "PREFIX", self._prefix
            )
            await channel.subscribe(INVALIDATIONS)
            self._keys = set()
            async for key in self._redis.scan_iter(match=f"{self._prefix}*", count=1000):
                self._keys.add(key)
            started = pinged_at = self._clock()
            await channel.ping()
        while self._clock() - started < LIFE:
            message = await channel.get_message(ignore_subscribe_messages=True, timeout=BEAT)
            if message is not None and message["type"] == "message":
                self._keys.update(message["data"] or ())
            elif message is not None:  # pong: every key written before the ping has been received
                self._confirmed_at = pinged_at
            # One ping at a time, so that a pong belongs to a known ping.
            if self._confirmed_at == pinged_at and self._clock() - pinged_at >= BEAT:
                pinged_at = self._clock()
                await channel.ping()


async def _answer(channel: PubSub, *command: str | int) -> Any:
    await channel.execute_command(*command)
    return await channel.parse_response()
