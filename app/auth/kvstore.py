"""The key-value store: revoked access tokens, counters of calls by address, and the users who have just written.

A store that is down never stops a request. The denylist then fails open, except for the tokens that this process
revoked itself; throttling goes on inside this process; replicas are not read. One request a second probes the store,
for at most half a second.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

Clock = Callable[[], float]

TRIES = 5  # wrong passwords for one key without a pause, in TRIES_SECONDS
TRIES_SECONDS = 900
LONGEST_PAUSE = 60  # seconds; pauses double from one second up to it
CAPACITY = 100_000  # keys of each sort in this process
EVERY_USER = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """The verdict on one call or one try, and the rest of its quota."""

    allowed: bool
    retry_after: int  # seconds; 0 when allowed
    left: int = field(default=0, compare=False)  # further calls or tries
    reset: int = field(default=0, compare=False)  # seconds until the quota grows again


class Store:
    """The store inside one process, for development. RedisStore extends it: it counts while the server is down."""

    mode = "in-memory"

    def __init__(self, clock: Clock = time.monotonic, capacity: int = CAPACITY) -> None:
        self._denylist = _Counters(clock, capacity)
        self._windows = _Counters(clock, capacity)
        self._attempts = _Attempts(clock, capacity)
        self._writes = _Writes(clock)

    async def deny(self, jti: str, seconds: int) -> None:
        """Revoke an access token for the rest of its life, in seconds."""
        if seconds > 0:
            self._denylist.add(jti, seconds)

    async def denied(self, jti: str) -> bool:
        """Whether the token is revoked. When the server is down: whether this process knows that it is."""
        return jti in self._denylist

    async def hit(self, key: str, limit: int, seconds: int) -> Hit:
        """Count one call in the key's fixed window."""
        return verdict(*self._windows.add(key, seconds), limit)

    async def attempt(self, key: str) -> Hit:
        """Count one try as wrong, before the secret is checked. The try is refused during the pause after an earlier
        one. When it is allowed, retry_after is the pause that follows if the secret is wrong."""
        return self._attempts.add(key)

    async def tried(self, key: str) -> Hit:
        """The rest of the quota of tries at this key, without counting one."""
        return self._attempts.look(key)

    async def forgive(self, key: str) -> None:
        """The try was right: forget the earlier ones of this key."""
        self._attempts.remove(key)

    async def note_write(self, user: str, seconds: float) -> None:
        """Remember for some seconds that the user has written."""
        self._writes.add(user, seconds)

    async def note_every_user(self, seconds: float) -> None:
        """Treat every user as a writer for some seconds."""
        self._writes.add(EVERY_USER, seconds)

    async def may_have_written(self, user: str, seconds: float) -> bool:
        """Whether the user may have written in the last seconds. True when the server is down, or has lost its memory
        since."""
        return user in self._writes or EVERY_USER in self._writes

    async def ping(self) -> bool:
        return True

    async def close(self) -> None:
        pass


class _Counters:
    """Counters that expire, in the order of their first call. When full, the oldest is removed."""

    def __init__(self, clock: Clock, capacity: int) -> None:
        self._clock = clock
        self._capacity = capacity
        self._entries: dict[str, tuple[int, float]] = {}

    def __contains__(self, key: str) -> bool:
        return self._entries.get(key, (0, 0.0))[1] > self._clock()

    def add(self, key: str, seconds: int) -> tuple[int, float]:
        """Add one. Return the count and the seconds until the key expires."""
        now = self._clock()
        count, end = self._entries.get(key, (0, now))
        if end <= now:
            self._entries.pop(key, None)  # so that the key is inserted again at the end
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
    """Times of the tries at each key, and the end of its pause. When full, the oldest key is removed."""

    def __init__(self, clock: Clock, capacity: int) -> None:
        self._clock = clock
        self._capacity = capacity
        self._entries: dict[str, tuple[list[float], float]] = {}

    def add(self, key: str) -> Hit:
        now = self._clock()
        times, end = self._entries.pop(key, ([], now))
        if end > now:
            self._entries[key] = (times, end)
            return paused(end - now)
        times = [*_recent(times, now), now]
        seconds = pause(len(times))
        self._entries[key] = (times, now + seconds)
        if len(self._entries) > self._capacity:
            del self._entries[next(iter(self._entries))]
        return tries_left(seconds, len(times), times[0] + TRIES_SECONDS - now)

    def look(self, key: str) -> Hit:
        now = self._clock()
        times, end = self._entries.get(key, ([], now))
        if end > now:
            return paused(end - now)
        times = _recent(times, now)
        return tries_left(0, len(times), (times[0] if times else now) + TRIES_SECONDS - now)

    def remove(self, key: str) -> None:
        self._entries.pop(key, None)


class _Writes:
    """The end of the note of each user, in the order of their last writes. It holds the users of some seconds only."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ends: dict[str, float] = {}

    def __contains__(self, user: str) -> bool:
        return self._ends.get(user, -math.inf) > self._clock()

    def add(self, user: str, seconds: float) -> None:
        now = self._clock()
        self._ends.pop(user, None)  # so that the user is inserted again at the end
        self._ends[user] = now + seconds
        while self._ends[first := next(iter(self._ends))] <= now:
            del self._ends[first]


def pause(tries: int) -> int:
    """Seconds to wait after this number of wrong tries: 0 for the first five, then 1, 2, 4 and so on up to a minute."""
    return 0 if tries <= TRIES else int(min(LONGEST_PAUSE, 2 ** min(tries - TRIES - 1, 10)))


def _recent(times: list[float], now: float) -> list[float]:
    return [time for time in times if time > now - TRIES_SECONDS]


def verdict(calls: int, seconds_left: float, limit: int) -> Hit:
    """The verdict on a call of a fixed window."""
    reset = _whole(seconds_left)
    return Hit(True, 0, limit - calls, reset) if calls <= limit else Hit(False, reset, 0, reset)


def tries_left(retry_after: int, tries: int, seconds_left: float) -> Hit:
    """The verdict on an allowed try. The quota grows when the oldest try leaves the window."""
    return Hit(True, retry_after, max(0, TRIES - tries), _whole(seconds_left))


def paused(seconds_left: float) -> Hit:
    """The verdict on a try during a pause."""
    wait = _whole(seconds_left)
    return Hit(False, wait, 0, wait)


def _whole(seconds: float) -> int:
    """Whole seconds of a wait, at least one. A sum with the clock may be longer by the error of its last digit."""
    return max(1, math.ceil(round(seconds, 6)))
