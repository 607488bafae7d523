"""Runs the statement of a request: one statement, one round trip."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import asyncpg

from app.base.refusal import Refusal, unavailable
from app.database.disk import Disk, Watch
from app.database.errors import RoleChanged, from_database, is_retryable
from app.database.pool import Connection, Pool, Usage, Writers
from app.database.replicas import Reader, Replicas

T = TypeVar("T")
Run: TypeAlias = Callable[[str, Sequence[Any] | None], Awaitable[Any]]  # runs a statement and returns its first row

# Triggers and constraints that PostgreSQL defers to the commit.
DEFERRED = "set constraints all immediate; set constraints all deferred"
# If this process stops in the middle of a transaction, PostgreSQL ends the transaction and frees its locks.
OPENING = "begin isolation level read committed; set local idle_in_transaction_session_timeout = '5s'"

ATTEMPTS = 5  # for a transaction that failed because of another transaction or an upgrade


@dataclass(frozen=True, slots=True)
class Load:
    """Connections, stale statements answered, and ages in seconds, by the name of a pool: primary, replica…"""

    usage: Mapping[str, Usage]
    answers: Mapping[str, int] = field(default_factory=dict)
    ages: Mapping[str, float] = field(default_factory=dict)


@dataclass(eq=False)
class Database:
    """Runs statements, retries them after a conflict with another transaction, and translates errors."""

    connections: Pool
    sentences: Mapping[str, str]
    replicas: Replicas | None = None
    writers: Writers | None = None
    disk: Disk | None = None
    _stale_answers: int = field(default=0, init=False)  # of the primary
    _writing: int = field(default=0, init=False)  # statements that write, with their wait for the disk

    async def row(
        self, statement: str, arguments: Sequence[Any], caller: Reader | None = None, *, reading: bool = False
    ) -> Any:
        """Run the statement of an operation (app/database/wire.py) as its own transaction and return its row.

        A `reading` statement may use any connection of the pool. Other statements share the places of writers, and the
        user of the caller reads back what they wrote.
        When this method returns a row or refuses a write, everything that the statement saw or wrote is on disk.
        """
        if self.replicas is not None and caller is not None and not reading:
            async with self.replicas.noting(caller):
                return await self.row(statement, arguments)
        if self.disk is None:
            return await self._retried(statement, (False, *arguments), reading)
        with self._refusals():
            watch = await self.disk.watch()
        if not reading:
            return await self._write(watch, statement, arguments)
        row = await self._retried(statement, (False, *arguments), reading)
        if not row["sur_disque"]:
            await self._wait(watch)
        return row

    async def stale_row(
        self, statement: str, arguments: Sequence[Any], caller: Reader, *, follows: bool = False
    ) -> Any:
        """Run a statement that reads, on a replica when one is fresh enough, else on the primary, and return its row.

        It `follows` when it reads the next page of a list: app/database/replicas.py.
        """
        if self.replicas is not None:
            for replica in await self.replicas.choose(caller, follows=follows):
                try:
                    with self._refusals():
                        row = await replica.fetchrow(statement, False, *arguments)
                except RoleChanged:
                    break  # the primary has the present role
                except asyncpg.PostgresError as error:  # the replica cancelled it because the primary changed rows
                    if not is_retryable(error):
                        raise
                except Refusal as refusal:
                    if refusal.status == 503:
                        replica.distrust()
                    elif refusal.status in (401, 404):  # the replica does not have the account, or the row, yet
                        break
                    else:
                        raise
                else:
                    caller.replica = replica
                    return row
            caller.replica = None
            self._stale_answers += 1
        return await self.row(statement, arguments, reading=True)

    async def _write(self, watch: Watch, statement: str, arguments: Sequence[Any]) -> Any:
        # The only write of this process waits at its commit: one round trip.
        together = self._writing > 0 and watch.direct
        self._writing += 1
        try:
            row = await self._retried(statement, (together, *arguments), reading=False)
            if together or not row["sur_disque"]:
                await self._wait(watch)
        except Refusal as refusal:
            if refusal.status < 500:
                await self._wait(watch)
            raise
        finally:
            self._writing -= 1
        return row

    @asynccontextmanager
    async def one_wait(self) -> AsyncIterator[bool]:
        """Wait for the disk once, after the transactions of the block. Gives whether they commit without that wait."""
        if self.disk is None:
            yield False
            return
        with self._refusals():
            watch = await self.disk.watch()
        try:
            yield watch.direct
        except Refusal as refusal:
            if refusal.status < 500:
                await self._wait(watch)
            raise
        await self._wait(watch)

    async def _wait(self, watch: Watch) -> None:
        with self._refusals():
            await watch.on_disk()

    async def value(self, statement: str, arguments: Sequence[Any] = (), *, reading: bool = True) -> Any:
        """Run any statement and return the first column of its first row, or None. Its commit waits for the disk."""
        row = await self._retried(statement, arguments, reading)
        return None if row is None else row[0]

    async def within(self, work: Callable[[Run], Awaitable[T]], caller: Reader | None = None, *, keep: bool) -> T:
        """Run `work` as one transaction and return its result. Roll the transaction back if `keep` is false.

        The user of the caller reads back the writes of a transaction that is kept.

        `work` gets a function that runs a statement, or without arguments a command such as a savepoint. Deferred
        triggers and constraints run at the end of each statement, as at a commit of its own. After a conflict with
        another transaction `work` runs again.
        """

        if self.replicas is not None and caller is not None and keep:
            async with self.replicas.noting(caller):
                return await self.within(work, keep=keep)

        async def transaction(connection: Connection) -> T:
            async def run(statement: str, arguments: Sequence[Any] | None) -> Any:
                if arguments is None:
                    return await connection.execute(statement)
                try:
                    row = await connection.fetchrow(statement, *arguments)
                    await connection.execute(DEFERRED)
                except asyncpg.PostgresError:
                    with self._refusals():
                        raise
                return row

            return await work(run)

        watch = None
        if self.disk is not None and not keep:  # a commit waits for the disk by itself
            with self._refusals():
                watch = await self.disk.watch()
        result = await self._attempts(lambda: self.connections.within(OPENING, transaction, keep=keep), reading=False)
        if watch is not None:
            await self._wait(watch)
        return result

    async def _retried(self, statement: str, arguments: Sequence[Any], reading: bool) -> Any:
        return await self._attempts(lambda: self.connections.fetchrow(statement, *arguments), reading)

    async def _attempts(self, work: Callable[[], Awaitable[T]], reading: bool) -> T:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                with self._refusals():
                    if reading or self.writers is None:
                        return await work()
                    async with self.writers:
                        return await work()
            except asyncpg.PostgresError as error:
                if not is_retryable(error):
                    raise
                if attempt == ATTEMPTS:
                    raise (from_database(error, self.sentences) or unavailable()) from None
                await asyncio.sleep(random.uniform(0.002, 0.01) * 2**attempt)  # noqa: S311 - jitter
        raise AssertionError("unreachable")

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Raise the driver's errors as refusals. An error that a retry may mend stays as it is."""
        try:
            yield
        except Exception as error:
            translated = None if is_retryable(error) else from_database(error, self.sentences)
            if translated is None:
                raise
            raise translated from error

    async def wrote(self, user: str) -> None:
        """Note a write of a user who was not the caller of its statement: a sign-in."""
        if self.replicas is not None:
            await self.replicas.note(user)

    async def changed_accounts(self) -> None:
        """After a write to accounts, roles or keys, let the primary check every caller until the replicas have it."""
        if self.replicas is not None:
            await self.replicas.note_every_user()

    def load(self) -> Load:
        """The use of this process's connections, and the share of each replica in the stale statements."""
        primary = {"primary": self.connections.usage()}
        if self.replicas is None:
            return Load(primary)
        named = self.replicas.named
        return Load(
            primary | {name: replica.pool.usage() for name, replica in named.items()},
            {"primary": self._stale_answers} | {name: replica.answers for name, replica in named.items()},
            {name: replica.age() for name, replica in named.items() if replica.watched},
        )

    async def close(self) -> None:
        if self.replicas is not None:
            await self.replicas.close()
        if self.disk is not None:
            await self.disk.close()
        await self.connections.close()
