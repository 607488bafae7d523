"""The key-value store: which access tokens are revoked, and how often an address has called.

Nothing here may stop a request: when the server is away the denylist fails open, throttling goes on in this
process, and one request a second waits, half a second at most, to see whether it is back.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError

from app.revoked import Revoked
from app.settings import SettingsError

Clock = Callable[[], float]

CONNECTIONS = 32
PATIENCE = 0.5  # seconds for one operation, connecting included
PAUSE = 1.0  # seconds without a call to a server that did not answer
SILENCE = 60.0  # seconds between two lines in the log
CAPACITY = 100_000  # keys of each kind in this process
DENYLIST = "svc:auth:jti:"

# A window begins with its first call and is not prolonged by the others.
WINDOW = """
local calls = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {calls, redis.call('PTTL', KEYS[1])}
"""

logger = logging.getLogger("comptoir.kvstore")


class Hit(NamedTuple):
    allowed: bool
    retry_after: int  # seconds; 0 when allowed


class Store(Protocol):
    @property
    def mode(self) -> str: ...  # redis, in-memory

    # Revoke an access token for the seconds that it has left.
    async def deny(self, jti: str, seconds: int) -> None: ...

    # Whether the token is revoked; when the server is away, whether this process has heard so.
    async def denied(self, jti: str) -> bool: ...

    # Count one call in the key's fixed window.
    async def hit(self, key: str, limit: int, seconds: int) -> Hit: ...

    async def ping(self) -> bool: ...

    async def close(self) -> None: ...


class MemoryStore:
    """The store of one process, for development and for the time that Redis is away."""

    mode = "in-memory"

    def __init__(self, clock: Clock = time.monotonic, capacity: int = CAPACITY) -> None:
        self._denylist = _Counters(clock, capacity)
        self._windows = _Counters(clock, capacity)

    async def deny(self, jti: str, seconds: int) -> None:
        if seconds > 0:
            self._denylist.add(jti, seconds)

    async def denied(self, jti: str) -> bool:
        return jti in self._denylist

    async def hit(self, key: str, limit: int, seconds: int) -> Hit:
        return _verdict(*self._windows.add(key, seconds), limit)

    async def ping(self) -> bool:
        return True

    async def close(self) -> None:
        pass


class RedisStore:
    """Redis or Valkey, shared by every process."""

    mode = "redis"

    def __init__(self, url: str, patience: float = PATIENCE, clock: Clock = time.monotonic) -> None:
        # The second try, at once, is for a connection that was cut while idle. Waiting is bounded in _ask.
        options = {"retry": Retry(NoBackoff(), 1), "socket_timeout": None, "socket_connect_timeout": patience}
        self._redis: Redis = Redis.from_pool(ConnectionPool.from_url(url, **options))
        self._turns = asyncio.Semaphore(CONNECTIONS)
        self._patience = patience
        self._clock = clock
        self._revoked = Revoked(url, DENYLIST, patience, clock)
        self._own_windows = MemoryStore(clock)
        self._retry_at: float | None = None  # set while the server is taken for dead
        self._silent_until = -math.inf

    async def deny(self, jti: str, seconds: int) -> None:
        if seconds > 0:
            await self._ask("SET", _denylist_key(jti), 1, "EX", seconds)
            # Who listens is told before the next question is answered: then nobody lets the token pass any more.
            await self._ask("PING")

    async def denied(self, jti: str) -> bool:
        key = _denylist_key(jti)
        if self._revoked.unheard_of(key):
            return False
        answer = await self._ask("EXISTS", key)
        return self._revoked.heard_of(key) if answer is None else bool(answer)

    async def hit(self, key: str, limit: int, seconds: int) -> Hit:
        answer = await self._ask("EVAL", WINDOW, 1, key, seconds * 1000)
        if answer is None:
            return await self._own_windows.hit(key, limit, seconds)
        calls, milliseconds_left = answer
        return _verdict(calls, milliseconds_left / 1000, limit)

    async def ping(self) -> bool:
        return await self._ask("PING") is not None

    async def close(self) -> None:
        await self._revoked.close()
        await self._redis.aclose()

    async def _ask(self, *command: str | int) -> Any:
        """The server's answer, or None without one. While it is away, one caller a second tries again."""
        if self._retry_at is not None:
            if self._clock() < self._retry_at:
                return None
            self._retry_at = self._clock() + PAUSE  # the others do not wait with this one
        try:
            async with asyncio.timeout(self._patience), self._turns:
                answer = await self._redis.execute_command(*command)  # type: ignore[no-untyped-call]
        except ResponseError as error:  # it lives and refuses: full, or a replica; others may still pass
            self._report(error)
            return None
        except (RedisError, OSError) as error:
            self._retry_at = self._clock() + PAUSE
            self._report(error)
            return None
        self._retry_at = None
        return answer

    def _report(self, error: Exception) -> None:
        if self._clock() >= self._silent_until:
            self._silent_until = self._clock() + SILENCE
            logger.warning("Le magasin clé-valeur fait défaut (KVSTORE_URL) : %s", str(error) or repr(error))


class _Counters:
    """Counts that expire. They stand in the order of their first call: when full, the oldest goes."""

    def __init__(self, clock: Clock, capacity: int) -> None:
        self._clock = clock
        self._capacity = capacity
        self._entries: dict[str, tuple[int, float]] = {}

    def __contains__(self, key: str) -> bool:
        return self._entries.get(key, (0, 0.0))[1] > self._clock()

    def add(self, key: str, seconds: int) -> tuple[int, float]:
        """Count one more; answer the count and the seconds that the key has left."""
        now = self._clock()
        count, end = self._entries.get(key, (0, now))
        if end <= now:
            self._entries.pop(key, None)  # to the end of the order
            count, end = 0, now + seconds
            self._make_room(now)
        self._entries[key] = (count + 1, end)
        return count + 1, end - now

    def _make_room(self, now: float) -> None:
        while self._entries:
            oldest, (_, end) = next(iter(self._entries.items()))
            if len(self._entries) < self._capacity and end > now:
                return
            del self._entries[oldest]


def open_store(url: str | None) -> Store:
    """The store at this address, or this process without one. Connects at the first call."""
    if url is None:
        return MemoryStore()
    try:
        return RedisStore(url)
    except ValueError:
        raise SettingsError("KVSTORE_URL n'est pas une adresse : écrivez redis://hôte:6379/0.") from None


def _denylist_key(jti: str) -> str:
    return DENYLIST + jti


def _verdict(calls: int, seconds_left: float, limit: int) -> Hit:
    if calls <= limit:
        return Hit(True, 0)
    return Hit(False, max(1, math.ceil(seconds_left)))
