"""Several statements as one transaction: a rehearsal, a write to a version, a list of calls, an import."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias, TypeVar

from app.base.refusal import Refusal, unavailable
from app.database import wire
from app.database.database import Database, Run
from app.http.caller import Caller
from app.http.mode import Mode
from app.http.operation import Context, Operation

T = TypeVar("T")

# A rehearsal that writes holds locks that other writers need, such as the counter of invoice numbers.
WRITING = 2.0  # seconds from its first write to its end
PATIENCE = 0.4  # seconds before it gives way to a transaction that waits for it
# A list that is kept does not give way: on a busy service it would never end. It holds its locks for less time than
# another write waits for them (LOCK_TIMEOUT of app/database/pool.py).
KEEPING = 3.0  # seconds from its first write to its end


class Turn:
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
            _stop_in(self._deadline, WRITING)
            self._watch = asyncio.create_task(self._give_way())

    async def _give_way(self) -> None:
        await asyncio.sleep(PATIENCE)
        while not await self._is_waited_for():  # noqa: ASYNC110 - another process may wait
            await asyncio.sleep(PATIENCE / 5)
        self.yielded = True
        _stop_in(self._deadline, 0.0)

    async def _is_waited_for(self) -> bool:
        """Whether another transaction waits for this one. True as well when the database does not say so in time."""
        with suppress(TimeoutError, Refusal):
            async with asyncio.timeout(PATIENCE):
                return bool(await self._database.value("select core.repetition_attendue()"))
        return True

    def end(self) -> None:
        if self._watch is not None:
            self._watch.cancel()


def _stop_in(deadline: asyncio.Timeout, seconds: float) -> None:
    """Let the deadline be in so many seconds, unless it is earlier."""
    when = asyncio.get_running_loop().time() + seconds
    if not deadline.expired():
        deadline.reschedule(min(when, deadline.when() or when))


@dataclass(slots=True)
class Transaction:
    """A transaction that has begun, in the context of its caller."""

    run: Run
    context: Context
    mode: Mode
    deadline: asyncio.Timeout
    turn: Turn | None  # of a rehearsal

    async def begin(self) -> None:
        """Called before each write: a rehearsal waits for its turn, and the time of a list that is kept begins."""
        if self.turn is not None:
            await self.turn.begin()
        elif not self.mode.conditional:
            _stop_in(self.deadline, KEEPING)

    async def call(self, operation: Operation, values: list[str | None], cursor: str | None = None) -> Any:
        statement, values = operation.statement(values, cursor)
        return await self.run(statement, (self.mode.waited, *self.context, *values))

    async def earlier(self) -> Any:
        """The stored answer to an earlier request with the same Idempotency-Key, or None. Called before all else."""
        if self.mode.key is not None:
            return (await self.run(wire.OPEN_IDEMPOTENT, (False, *self.context, *self.mode.key)))["rejeu"]

    async def keep(self, answer: bytes) -> None:
        """Store the answer if the request has an Idempotency-Key."""
        if self.mode.key is not None:
            await self.run(wire.KEEP_ANSWER, (self.mode.key[0], answer))


Steps: TypeAlias = Callable[[Transaction], Awaitable[T]]


class _Overdue(Exception):
    """The steps of a transaction take too long."""


async def transact(context: Context, caller: Caller, mode: Mode, seconds: float | None, steps: Steps[T]) -> T:
    """Run `steps` as one transaction, as Database.within does. Roll it back if it is rehearsed.

    Raises 503 when the steps take longer than `seconds`; nothing remains of them. The commit may take longer. If it
    were interrupted, its rows could be there already.
    """
    end = None if seconds is None else asyncio.get_running_loop().time() + seconds
    database = caller.services.database
    attempt = partial(_in_time, steps, end, database, context, mode)
    try:
        return await database.within(attempt, caller, keep=not mode.rehearsed)
    except _Overdue as overdue:
        [yielded] = overdue.args
        reason = "fait attendre une autre écriture" if yielded else "prend trop de temps"
        message = f"Cette opération {reason} : elle est arrêtée, rien n'en reste."
        raise unavailable("OPERATION_TROP_LONGUE", message) from None


async def _in_time(steps: Steps[T], end: float | None, database: Database, context: Context, mode: Mode, run: Run) -> T:
    turn = None
    try:
        async with asyncio.timeout_at(end) as deadline:
            turn = Turn(database, run, deadline) if mode.rehearsed else None
            return await steps(Transaction(run, context, mode, deadline, turn))
    except TimeoutError:
        if end is None:
            raise
        raise _Overdue(turn is not None and turn.yielded) from None
    finally:
        if turn is not None:
            turn.end()
