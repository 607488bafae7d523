"""Rehearses a write: it runs whole, the caller gets its true answer, and the transaction is rolled back.

A caller asks for it with `Prefer: tx=rollback` (RFC 7240).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias, TypeVar

from app.auth.throttle import Throttle, too_many_attempts
from app.base.refusal import Refusal, unavailable, validation
from app.database.database import Database, Run
from app.database.replicas import Reader
from app.http import limits
from app.http.request import Request
from app.http.route import Route

T = TypeVar("T")
Begin: TypeAlias = Callable[[], Awaitable[None]]
APPLIED = {"Preference-Applied": "tx=rollback"}
SECONDS = 5.0
# A rehearsal that writes holds locks that other writers need, such as the counter of invoice numbers.
WRITING = 2.0  # seconds from its first write to its end
PATIENCE = 0.4  # seconds before it gives way to a transaction that waits for it
RATE = Throttle(10, 60)  # rehearsals of a user


def wants_rehearsal(request: Request) -> bool:
    """Whether the request prefers tx=rollback. Another value of tx is refused, because a misspelt one would write."""
    if b"prefer" not in request.headers:
        return False
    values = {
        value.strip().strip('"').lower()
        for header, content in request.scope["headers"]
        if header == b"prefer"
        for preference in content.decode("latin-1").split(",")
        for name, _, value in [preference.partition(";")[0].partition("=")]
        if name.strip().lower() == "tx"
    }
    if values - {"commit", "rollback"} or len(values) > 1:
        raise validation({"Prefer": ["Préférences possibles : tx=rollback (répéter sans garder) ou tx=commit."]})
    return values == {"rollback"}


def refuse_rehearsal(route: Route) -> None:
    message = f"{route.method} {route.path} ne se répète pas : ses effets ne sont pas tous dans la base."
    raise Refusal(400, "REPETITION_IMPOSSIBLE", message)


async def count_rehearsal(request: Request) -> None:
    """Count a rehearsal of this user. Raises 429 after too many."""
    user = request.signed_in.sub
    counted = await request.services.store.hit(f"svc:repetition:{user}", RATE.limit, RATE.seconds)
    limits.announce(request.scope, "repetition", RATE, counted)
    if not counted.allowed:
        raise too_many_attempts(counted.retry_after)


class _Overdue(Exception):
    """The work of a transaction takes too long."""


class _Turn:
    """The writes of a rehearsal: one rehearsal of the database at a time, for WRITING seconds.

    It ends earlier when another transaction waits for it. Other transactions thus wait less than a second for it.
    """

    def __init__(self, database: Database, run: Run, deadline: asyncio.Timeout) -> None:
        self.yielded = False
        self._database = database
        self._run = run
        self._deadline = deadline
        self._watch: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Wait for the turn. Called before each write; only the first call waits."""
        if self._watch is None:
            await self._run("select core.repetition_tenir()", ())
            self._stop_at(asyncio.get_running_loop().time() + WRITING)
            self._watch = asyncio.create_task(self._give_way())

    async def _give_way(self) -> None:
        await asyncio.sleep(PATIENCE)
        while not await self._is_waited_for():  # noqa: ASYNC110 - another process may wait
            await asyncio.sleep(PATIENCE / 5)
        self.yielded = True
        self._stop_at(0.0)

    async def _is_waited_for(self) -> bool:
        """Whether another transaction waits for this one. True as well when the database does not say so in time."""
        with suppress(TimeoutError, Refusal):
            async with asyncio.timeout(PATIENCE):
                return bool(await self._database.value("select core.repetition_attendue()"))
        return True

    def _stop_at(self, when: float) -> None:
        if not self._deadline.expired():
            self._deadline.reschedule(min(when, self._deadline.when() or when))

    def end(self) -> None:
        if self._watch is not None:
            self._watch.cancel()


async def _kept() -> None:
    """A write that is kept takes no turn."""


async def limited(
    database: Database,
    work: Callable[[Run, Begin], Awaitable[T]],
    seconds: float,
    caller: Reader | None = None,
    *,
    keep: bool,
) -> T:
    """Run `work` as one transaction, as Database.within does. Raises 503 when it takes longer; nothing remains of it.

    `work` awaits its second argument before it writes. The commit may take longer. If it were interrupted, its rows
    could be there already.
    """
    end = asyncio.get_running_loop().time() + seconds

    async def in_time(run: Run) -> T:
        turn = None
        try:
            async with asyncio.timeout_at(end) as deadline:
                if keep:
                    return await work(run, _kept)
                turn = _Turn(database, run, deadline)
                return await work(run, turn.begin)
        except TimeoutError:
            raise _Overdue(turn is not None and turn.yielded) from None
        finally:
            if turn is not None:
                turn.end()

    try:
        return await database.within(in_time, caller, keep=keep)
    except _Overdue as overdue:
        [yielded] = overdue.args
        reason = "fait attendre une autre écriture" if yielded else "prend trop de temps"
        message = f"Cette opération {reason} : elle est arrêtée, rien n'en reste."
        raise unavailable("OPERATION_TROP_LONGUE", message) from None
