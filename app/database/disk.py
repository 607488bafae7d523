"""Waits until committed transactions are on disk, once for many requests.

A transaction that waits for the disk at its commit holds its locks meanwhile: the counter of invoice numbers, an
invoice, a till. A statement of this process commits without that wait, and the process waits here before it answers.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

import asyncpg

from app.database.pool import ACQUIRE_TIMEOUT, STATEMENT_TIMEOUT, Connection

# A transaction that writes only an empty message to the WAL. Its commit waits until all WAL before it is on disk.
FLUSH = "select pg_logical_emit_message(true, 'comptoir', '')"


@dataclass(eq=False)
class Watch:
    """A connection that a crash of the server closes.

    A caller takes the watch before its statement. If the watch still answers after the statement, the server has not
    crashed in between and the transaction is not lost.
    """

    connection: Connection
    direct: bool  # no connection pooler in between: it would hide a crash, so each commit waits then
    _waiting: list[asyncio.Future[None]] = field(default_factory=list)
    _flushing: asyncio.Task[None] | None = None

    async def on_disk(self) -> None:
        """Return when everything committed before the call is on disk. Raises the errors of the connection."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        await turn

    async def _flush(self) -> None:
        while self._waiting:
            turns, self._waiting = self._waiting, []
            try:
                await self.connection.execute(FLUSH)
                error = None
            except Exception as failure:
                error = failure
            for turn in turns:
                if turn.done():  # its request was cancelled
                    continue
                if error is None:
                    turn.set_result(None)
                else:
                    turn.set_exception(error)
        self._flushing = None


class Disk:
    """Opens the watch when it is needed, so the service starts and recovers with the database down."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._watch: Watch | None = None
        self._opening = asyncio.Lock()

    async def watch(self) -> Watch:
        if self._watch is not None and not self._watch.connection.is_closed():
            return self._watch
        async with self._opening:
            if self._watch is None or self._watch.connection.is_closed():
                connection: Connection = await asyncpg.connect(
                    self.url,
                    timeout=ACQUIRE_TIMEOUT,
                    command_timeout=STATEMENT_TIMEOUT,
                    statement_cache_size=0,  # PgBouncer would lose a prepared statement
                    server_settings={"application_name": "comptoir"},
                )
                process = await connection.fetchval("select pg_backend_pid()")
                self._watch = Watch(connection, direct=process == connection.get_server_pid())
            return self._watch

    async def close(self) -> None:
        if self._watch is not None:
            with suppress(Exception):
                await self._watch.connection.close(timeout=ACQUIRE_TIMEOUT)
