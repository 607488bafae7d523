"""The key-value store: which access tokens are revoked, and how often an address has called.

Nothing here may stop a request: when the server is away the denylist fails open except for what this process revoked
itself, throttling goes on in this process, and one request a second waits, half a second at most, to see whether it is
back.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

Clock = Callable[[], float]

TRIES = 5  # wrong passwords for one key that cost nothing, in TRIES_SECONDS
TRIES_SECONDS = 900
LONGEST_PAUSE = 60  # seconds; the pauses before it double from one
CAPACITY = 100_000  # keys of each kind in this process


class Hit(NamedTuple):
    allowed: bool
    retry_after: int  # seconds; 0 when allowed


class Store(Protocol):
    @property
    def mode(self) -> str: ...  # redis, in-memory

    # Revoke an access token for the seconds that it has left.
    async def deny(self, jti: str, seconds: int) -> None: ...

    # Whether the token is revoked; when the server is away, whether this process revoked it or has heard so.
    async def denied(self, jti: str) -> bool: ...

    # Count one call in the key's fixed window.
    async def hit(self, key: str, limit: int, seconds: int) -> Hit: ...

    # Count one try at the secret of this key, as if it were wrong, before it is checked. Refused while the pause after
    # an earlier one lasts; allowed, retry_after is the pause that begins if it is wrong.
    async def attempt(self, key: str) -> Hit: ...

    # The try was right: nothing counts any more.
    async def forgive(self, key: str) -> None: ...

    async def ping(self) -> bool: ...

    async def close(self) -> None: ...


class MemoryStore:
    """The store of one process, for development and for the time that Redis is away."""

    mode = "in-memory"

    def __init__(self, clock: Clock = time.monotonic, capacity: int = CAPACITY) -> None:
        self._denylist = _Counters(clock, capacity)
        self._windows = _Counters(clock, capacity)
        self._attempts = _Attempts(clock, capacity)

    async def deny(self, jti: str, seconds: int) -> None:
        if seconds > 0:
            self._denylist.add(jti, seconds)

    async def denied(self, jti: str) -> bool:
        return jti in self._denylist

    async def hit(self, key: str, limit: int, seconds: int) -> Hit:
        return verdict(*self._windows.add(key, seconds), limit)

    async def attempt(self, key: str) -> Hit:
        return self._attempts.add(key)

    async def forgive(self, key: str) -> None:
        self._attempts.remove(key)

    async def ping(self) -> bool:
        return True

    async def close(self) -> None:
        pass


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


class _Attempts:
    """Times of the tries at each key, and until when the next one waits; when full, the oldest key goes."""

    def __init__(self, clock: Clock, capacity: int) -> None:
        self._clock = clock
        self._capacity = capacity
        self._entries: dict[str, tuple[list[float], float]] = {}

    def add(self, key: str) -> Hit:
        now = self._clock()
        times, end = self._entries.pop(key, ([], now))
        if end > now:
            self._entries[key] = (times, end)
            return Hit(False, max(1, math.ceil(end - now)))
        times = [*(time for time in times if time > now - TRIES_SECONDS), now]
        seconds = pause(len(times))
        self._entries[key] = (times, now + seconds)
        if len(self._entries) > self._capacity:
            del self._entries[next(iter(self._entries))]
        return Hit(True, seconds)

    def remove(self, key: str) -> None:
        self._entries.pop(key, None)


def pause(tries: int) -> int:
    """Seconds to wait after so many wrong tries: 0 for the first five, then 1, 2, 4 and so on up to a minute."""
    return 0 if tries <= TRIES else int(min(LONGEST_PAUSE, 2 ** min(tries - TRIES - 1, 10)))


def verdict(calls: int, seconds_left: float, limit: int) -> Hit:
    if calls <= limit:
        return Hit(True, 0)
    return Hit(False, max(1, math.ceil(seconds_left)))
