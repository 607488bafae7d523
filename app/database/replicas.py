"""The replicas of a process: the choice of one for a statement, and the users who read the primary for a while.

A user reads back their own writes. A replica in use lacks at most the last `bound` seconds, so for that time after a
write, and a margin, the stale statements of its user run on the primary. Every process reads in the notes who has
written.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

from app.base.refusal import Refusal
from app.database.replica import Replica

MARGIN_SECONDS = 1.0  # more than the clocks of two machines drift apart in `bound` seconds


class Notes(Protocol):
    """The users who have just written, known to every process: app/auth/kvstore.py."""

    async def note_write(self, user: str, seconds: float) -> None: ...
    async def note_every_user(self, seconds: float) -> None: ...
    async def may_have_written(self, user: str, seconds: float) -> bool: ...


class Reader(Protocol):
    """The caller of statements: app/http/caller.py."""

    replica: Replica | None  # it has answered the last stale statement of this caller

    @property
    def user(self) -> str | None: ...


class Replicas:
    """The replicas, in the order of their addresses."""

    def __init__(self, replicas: Sequence[Replica], notes: Notes, bound: float) -> None:
        names = ["replica"] if len(replicas) == 1 else [f"replica-{n}" for n in range(1, len(replicas) + 1)]
        self.named = dict(zip(names, replicas, strict=True))
        self._notes = notes
        self._seconds = bound + MARGIN_SECONDS

    async def choose(self, reader: Reader, *, follows: bool) -> list[Replica]:
        """The replicas that may answer, the best one first. A page that follows another one comes from the same server
        or from the primary, which is never older: no row comes twice, and none is missing, because of another replica.
        """
        if follows:
            return [reader.replica] if reader.replica is not None and reader.replica.usable() else []
        # The note is read before the ages, so that an age is at most the bound after the reading.
        if not self._usable():
            return []
        if reader.user is not None and await self._notes.may_have_written(reader.user, self._seconds):
            return []
        return sorted(self._usable(), key=lambda replica: (replica.running, replica.age()))

    def _usable(self) -> list[Replica]:
        return [replica for replica in self.named.values() if replica.usable()]

    @asynccontextmanager
    async def noting(self, writer: Reader) -> AsyncIterator[None]:
        """Note the write of a user before its answer leaves. A write that broke off may be committed, so it counts."""
        refused = False
        try:
            yield
        except Refusal as refusal:
            refused = refusal.status < 500
            raise
        finally:
            if not refused and writer.user is not None:
                await self.note(writer.user)

    async def note(self, user: str) -> None:
        await self._notes.note_write(user, self._seconds)

    async def note_every_user(self) -> None:
        await self._notes.note_every_user(self._seconds)

    async def close(self) -> None:
        for replica in self.named.values():
            await replica.close()
