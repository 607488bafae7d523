"""A worker for many organisations: it looks after the queue of each in turn, and keeps no connection to idle ones.

A database in which no row was inserted since the last look has nothing new in its queue. One query of a server's
statistics tells this of all its databases, every second. The time of the periodic jobs, which depends on the zone of an
organisation, is looked at once a minute. An organisation with work gets a place for a bounded time, then waits again at
the end of the line, so that one with a long queue does not hold up the others.
"""

from __future__ import annotations

import asyncio
import logging
import random
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

import psycopg
from procrastinate import App
from procrastinate.exceptions import ConnectorException
from psycopg import AsyncConnection
from psycopg_pool import PoolTimeout

from app.base.settings import Settings
from app.database.pool import Pool
from app.database.release import HERE
from app.jobs import worker
from app.jobs.mailer import Mailer
from app.jobs.webhooks import Sender
from app.organisations.directory import Directory
from app.organisations.organisation import Organisation, settings_of

PLACES = 4  # organisations whose queues run at once
SHIFT = 10.0  # seconds after which an organisation with more work lets others go first
LOOK_SECONDS = 1.0
MINUTE = 60.0
ROWS = "select datname, tup_inserted from pg_stat_database where datname = any(%s)"
LOST = (psycopg.Error, ConnectorException, PoolTimeout, OSError)

log = logging.getLogger("comptoir.jobs")


@dataclass(slots=True)
class Turn:
    """The queue of one organisation, as this worker knows it."""

    organisation: Organisation
    due_at: float  # when it is looked after, even if nothing has changed
    minute_at: float  # when its periodic jobs are looked at
    inserted: int = -1  # rows ever inserted into its database, at the last look
    waiting: bool = False  # in the line, or in a place


class Rounds:
    def __init__(self, settings: Settings, directory: Directory, mailer: Mailer, sender: Sender) -> None:
        self._settings = settings
        self._directory = directory
        self._mailer = mailer
        self._sender = sender
        self._version = HERE.version()
        self._turns: dict[str, Turn] = {}
        self._line: asyncio.Queue[Turn] = asyncio.Queue()
        self._servers: dict[str, AsyncConnection] = {}
        self._stopping = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Look after all organisations until `stop` is set. The running jobs are finished first."""
        places = [asyncio.create_task(self._place()) for _ in range(PLACES)]
        try:
            while not stop.is_set():
                self._keep_turns()
                await self._look()
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), LOOK_SECONDS)
        finally:
            self._stopping.set()
            for place in places:
                place.cancel()
            await asyncio.gather(*places, return_exceptions=True)
            for connection in self._servers.values():
                await connection.close()

    def _keep_turns(self) -> None:
        """Follow the registry: new organisations enter, and those that this release does not serve leave."""
        now = time.monotonic()
        served = {
            one.id: one for one in self._directory.all() if one.state == "ACTIVE" and one.version == self._version
        }
        for key in self._turns.keys() - served.keys():
            del self._turns[key]
        for key, organisation in served.items():
            turn = self._turns.get(key)
            if turn is None:  # the first looks are spread over a minute
                first = now + random.uniform(0, MINUTE)  # noqa: S311 - no secret
                self._turns[key] = Turn(organisation, first, first)
            else:
                turn.organisation = organisation

    async def _look(self) -> None:
        """Put in the line every organisation that is due, or whose database has new rows."""
        by_server: dict[str, list[Turn]] = {}
        for turn in self._turns.values():
            by_server.setdefault(turn.organisation.address, []).append(turn)
        for address, turns in by_server.items():
            try:
                inserted = await self._inserted(address, turns)
            except LOST as error:
                log.warning("Le serveur %s ne répond pas : %s", address, str(error).partition("\n")[0])
                continue
            self._enter(turns, inserted)

    def _enter(self, turns: Iterable[Turn], inserted: dict[str, int]) -> None:
        now = time.monotonic()
        for turn in turns:
            if turn.waiting:
                continue
            rows = inserted.get(turn.organisation.database, turn.inserted)
            if rows != turn.inserted or now >= turn.due_at:
                turn.inserted = rows
                turn.waiting = True
                self._line.put_nowait(turn)

    async def _inserted(self, address: str, turns: list[Turn]) -> dict[str, int]:
        """The rows ever inserted into each database of a server."""
        connection = self._servers.get(address)
        if connection is None or connection.closed:
            url = settings_of(self._settings, turns[0].organisation).owner_url or ""
            connection = self._servers[address] = await AsyncConnection.connect(
                url, autocommit=True, connect_timeout=5, application_name="comptoir worker"
            )
        try:
            rows = await (await connection.execute(ROWS, [[t.organisation.database for t in turns]])).fetchall()
        except LOST:
            await self._servers.pop(address).close()
            raise
        return {name: int(number) for name, number in rows}

    async def _place(self) -> None:
        while True:
            turn = await self._line.get()
            try:
                await self._look_after(turn)
            except LOST as error:
                log.warning("%s : %s", turn.organisation.code, str(error).partition("\n")[0])
                turn.due_at = time.monotonic() + worker.RECOVERY_SECONDS
            finally:
                turn.waiting = False

    async def _look_after(self, turn: Turn) -> None:
        """Defer the periodic jobs that are due, and run the jobs of the queue."""
        settings = settings_of(self._settings, turn.organisation)
        async with worker.connection_pool(settings.owner_url or "", smallest=1) as pool:
            await worker.open_pool(pool, 0)
            if time.monotonic() >= turn.minute_at:
                turn.minute_at = time.monotonic() + MINUTE
                await worker.catch_up(pool, worker.CRONS_OF_MANY)
                async with pool.connection() as connection:
                    await connection.execute("select * from jobs.sauvegarde_auto()")
            async with pool.connection() as connection:
                row = await (await connection.execute("select jobs.file_attendre()")).fetchone()
            seconds = row[0] if row else None
            if seconds == 0:
                app = worker.build(pool, settings, self._mailer, self._sender, periodic=False)
                async with app.open_async(pool):
                    await self._run_queues(app)
                seconds = 0.0
        next_job = turn.minute_at if seconds is None else time.monotonic() + seconds
        turn.due_at = min(turn.minute_at, next_job)

    async def _run_queues(self, app: App) -> None:
        """Run the queues until they are empty, or the shift is over."""
        tasks = worker.serve_queues(app, wait=False)
        await asyncio.wait(tasks, timeout=SHIFT)
        for task in tasks:
            task.cancel()  # procrastinate finishes the running jobs and stops
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


async def work(settings: Settings, registry: str) -> None:
    """Run the jobs of all organisations of the registry until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    pool = Pool(registry, 1, settings.prepared_statements)
    directory = Directory(registry, pool)
    mailer = Mailer(settings.mailer_api_key, settings.mailer_url, settings.mailer_from)
    sender = Sender(settings.webhook_networks, encrypted=settings.production)
    try:
        await directory.start()
        print(f"Le travailleur attend les tâches de {len(directory.all())} organisations.", flush=True)
        await Rounds(settings, directory, mailer, sender).run(stop)
    finally:
        await directory.close()
        await pool.close()
        await mailer.close()
        await sender.close()
    print("Le travailleur s'est arrêté.", flush=True)
