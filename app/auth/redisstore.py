"""The key-value store of several processes: one Redis or Valkey server, and the fallback while it is down."""

import asyncio
import logging
import math
import time
from typing import Any

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError, ResponseError

from app.auth.kvstore import LONGEST_PAUSE, TRIES, TRIES_SECONDS, Clock, Hit, Store, paused, tries_left, verdict
from app.auth.revoked import Revoked
from app.base import tasks

CONNECTIONS = 32
PATIENCE = 0.5  # seconds for one operation, connecting included
PAUSE = 1.0  # seconds between two calls to a server that does not answer
SILENCE = 60.0  # seconds between two lines in the log
DENYLIST = "svc:auth:jti:"
WRITES = "svc:ecritures"

# A window begins with its first call. Later calls do not extend it.
WINDOW = """
local calls = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {calls, redis.call('PTTL', KEYS[1])}
"""

# The times of the tries are a sorted set, so that old tries can be removed. Both keys carry one hash tag, because a
# script in a cluster may use the keys of one slot only.
ATTEMPT = """
local waiting = redis.call('PTTL', KEYS[2])
if waiting > 0 then return {0, waiting, 0, 0} end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[1])
local tries = redis.call('ZCARD', KEYS[1]) + 1
redis.call('ZADD', KEYS[1], now, clock[1] .. '.' .. clock[2] .. '.' .. tries)
redis.call('PEXPIRE', KEYS[1], ARGV[1])
local pause = 0
if tries > tonumber(ARGV[2]) then
  pause = math.min(ARGV[3], 1000 * 2 ^ math.min(tries - ARGV[2] - 1, 10))
  redis.call('SET', KEYS[2], 1, 'PX', pause)
end
return {1, pause, tries, redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] + ARGV[1] - now}
"""

# The answer of ATTEMPT without a new try.
TRIED = """
local waiting = redis.call('PTTL', KEYS[2])
if waiting > 0 then return {0, waiting, 0, 0} end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local since = '(' .. string.format('%d', now - ARGV[1])
local oldest = redis.call('ZRANGEBYSCORE', KEYS[1], since, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)[2] or now
return {1, 0, redis.call('ZCOUNT', KEYS[1], since, '+inf'), oldest + ARGV[1] - now}
"""

# One sorted set holds the time of each user's last write. It does not expire, so a full server does not evict it before
# other keys, and it is lost only as a whole.
WROTE = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - ARGV[2])
return redis.call('ZADD', KEYS[1], now, ARGV[1])
"""

# The member '' has the time since which the set exists: a server that has restarted knows no earlier write. The time
# is negative, so WROTE does not remove it. A full server refuses the ZADD of WROTE, and for the same reason this one.
# Removing the set thus sends every user to the primary for a while.
WRITTEN = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZADD', KEYS[1], 'NX', -now, '')
local since = -redis.call('ZSCORE', KEYS[1], '')
local written = redis.call('ZSCORE', KEYS[1], ARGV[1]) or 0
return math.max(since, written) > now - ARGV[2] and 1 or 0
"""

logger = logging.getLogger("comptoir.kvstore")


class RedisStore(Store):
    """Redis or Valkey, shared by every process. In memory it has the counters while the server is down, the tokens that
    this process revoked, and the users whose writes it took."""

    mode = "redis"

    def __init__(self, url: str, patience: float = PATIENCE, clock: Clock = time.monotonic) -> None:
        super().__init__(clock)
        # One immediate retry covers a connection that was closed while idle. _ask bounds the time.
        options = {"retry": Retry(NoBackoff(), 1), "socket_timeout": None, "socket_connect_timeout": patience}
        self._redis: Redis = Redis.from_pool(ConnectionPool.from_url(url, **options))
        self._turns = asyncio.Semaphore(CONNECTIONS)
        self._patience = patience
        self._clock = clock
        self._revoked = Revoked(url, DENYLIST, patience, clock)
        self._retry_at: float | None = None  # set while the server is considered down
        self._silent_until = -math.inf
        self._lacks_write_until = -math.inf
        self._warning: asyncio.Task[None] | None = None

    async def deny(self, jti: str, seconds: int) -> None:
        if seconds > 0:
            await super().deny(jti, seconds)
            await self._ask("SET", DENYLIST + jti, 1, "EX", seconds)
            # The server notifies every listener before it answers the next command, so no process accepts the token
            # after this PING.
            await self._ask("PING")

    async def denied(self, jti: str) -> bool:
        if await super().denied(jti):
            return True
        key = DENYLIST + jti
        if self._revoked.certainly_lacks(key):
            return False
        answer = await self._ask("EXISTS", key)
        return self._revoked.has_seen(key) if answer is None else bool(answer)

    async def hit(self, key: str, limit: int, seconds: int) -> Hit:
        answer = await self._ask("EVAL", WINDOW, 1, key, seconds * 1000)
        if answer is None:
            return await super().hit(key, limit, seconds)
        calls, milliseconds_left = answer
        return verdict(calls, milliseconds_left / 1000, limit)

    async def attempt(self, key: str) -> Hit:
        answer = await self._ask(
            "EVAL", ATTEMPT, 2, *_attempt_keys(key), TRIES_SECONDS * 1000, TRIES, LONGEST_PAUSE * 1000
        )
        return await super().attempt(key) if answer is None else _tries(*answer)

    async def tried(self, key: str) -> Hit:
        answer = await self._ask("EVAL", TRIED, 2, *_attempt_keys(key), TRIES_SECONDS * 1000)
        return await super().tried(key) if answer is None else _tries(*answer)

    async def forgive(self, key: str) -> None:
        await super().forgive(key)
        await self._ask("DEL", *_attempt_keys(key))

    async def note_write(self, user: str, seconds: float) -> None:
        await super().note_write(user, seconds)
        if await self._ask("EVAL", WROTE, 1, WRITES, user, math.ceil(seconds * 1000)) is None:
            self._warn_later(seconds)

    async def note_every_user(self, seconds: float) -> None:
        await super().note_every_user(seconds)
        if await self._ask("DEL", WRITES) is None:
            self._warn_later(seconds)

    async def may_have_written(self, user: str, seconds: float) -> bool:
        if await super().may_have_written(user, seconds):
            return True
        answer = await self._ask("EVAL", WRITTEN, 1, WRITES, user, math.ceil(seconds * 1000))
        if answer is None:  # another process may not have reached the server either, and may warn this one later
            await super().note_every_user(seconds)
        return answer is None or bool(answer)

    async def ping(self) -> bool:
        return await self._ask("PING") is not None

    async def close(self) -> None:
        await tasks.end(self._warning)
        await self._revoked.close()
        await self._redis.aclose()

    def _warn_later(self, seconds: float) -> None:
        self._lacks_write_until = self._clock() + seconds
        if self._warning is None or self._warning.done():
            self._warning = asyncio.create_task(self._warn())

    async def _warn(self) -> None:
        """Once the server answers, remove the set, because it lacks a write: every process then doubts every user."""
        while self._clock() < self._lacks_write_until:
            if await self._ask("DEL", WRITES) is not None:
                return
            await asyncio.sleep(PAUSE)

    async def _ask(self, *command: str | int) -> Any:
        """Return the server's answer, or None without one. While the server is down, one caller a second tries it."""
        if self._retry_at is not None:
            if self._clock() < self._retry_at:
                return None
            self._retry_at = self._clock() + PAUSE  # other callers do not wait for this attempt
        try:
            async with asyncio.timeout(self._patience), self._turns:
                answer = await self._redis.execute_command(*command)  # type: ignore[no-untyped-call]
        except ResponseError as error:  # the server is up but refuses (full, or a replica): other commands may succeed
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


def _tries(allowed: int, pause: int, tries: int, milliseconds_left: int) -> Hit:
    """The verdict of ATTEMPT or TRIED. `pause` is in milliseconds too."""
    if not allowed:
        return paused(pause / 1000)
    return tries_left(math.ceil(pause / 1000), tries, milliseconds_left / 1000)


def _attempt_keys(key: str) -> tuple[str, str]:
    return f"svc:auth:essais:{{{key}}}", f"svc:auth:pause:{{{key}}}"
