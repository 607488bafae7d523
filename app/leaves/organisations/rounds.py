"""A worker for many organisations: it serves the queue of each in turn, and keeps no connection to idle ones.

A database in which no row was inserted since the last look has nothing new in its queue: one query of a server's
statistics tells this of all its databases, every second. The time of the periodic jobs, which depends on the zone of an
organisation, is looked at once a minute. An organisation with work gets a place for a bounded time, then waits again,
so that a long queue does not hold up the others. A job that lasts longer goes on beside the places.
"""

import argparse
import asyncio
import logging
import random
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import psycopg
from procrastinate import App
from procrastinate.exceptions import ConnectorException
from psycopg import AsyncConnection
from psycopg_pool import PoolTimeout

from app.base.failure import first_line
from app.base.settings import Settings
from app.commands.place import own_objects
from app.commands.service import prepare_worker
from app.database.pool import Pool
from app.database.release import HERE
from app.jobs import worker
from app.jobs.mailer import Mailer
from app.jobs.tasks import JOBS, build, catch_up
from app.jobs.webhooks import Sender
from app.leaves.organisations.directory import Directory
from app.leaves.organisations.organisation import Organisation, at, settings_of

PLACES = 4  # organisations whose queues run at once
SHIFT = 3.0  # seconds after which an organisation with more work lets others go first
OVERTIME = 12  # organisations whose last job of a shift may go on beside the places
LOOK_SECONDS = 1.0
MINUTE = 60.0
PATIENCE = 5.0  # seconds to read the statistics of a server
WAIT = 20.0  # seconds to check the queue of an organisation
# A worker of many organisations asks each one itself whether a backup is due, which takes no job.
CRONS = {job.name: job.cron for job in JOBS if job.name != "sauvegarde-auto"}
ROWS = "select datname, tup_inserted from pg_stat_database where datname = any(%s)"
LOST = (psycopg.Error, ConnectorException, PoolTimeout, OSError)

log = logging.getLogger("comptoir.jobs")


@dataclass(slots=True, eq=False)
class Turn:
    """The queue of one organisation, as this worker knows it."""

    organisation: Organisation
    due_at: float  # when it is looked after, even if nothing has changed
    minute_at: float  # when its periodic jobs are looked at
    inserted: int = -1  # rows ever inserted into its database, at the last check
    waiting: bool = False  # in the line, or looked after
    failures: int = 0  # in a row
    over: asyncio.Event = field(default_factory=asyncio.Event)  # no job of it may start any more


class Rounds:
    def __init__(self, settings: Settings, directory: Directory, mailer: Mailer, sender: Sender) -> None:
        self._settings, self._directory, self._mailer, self._sender = settings, directory, mailer, sender
        self._version = HERE.version()
        self._turns: dict[str, Turn] = {}
        self._line: asyncio.Queue[Turn] = asyncio.Queue()
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._servers: dict[str, AsyncConnection] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._overtime: set[asyncio.Task[None]] = set()

    async def run(self, stop: asyncio.Event) -> None:
        """Serve all organisations until `stop` is set. The running jobs are finished first."""
        places = [asyncio.create_task(self._place()) for _ in range(PLACES)]
        try:
            while not stop.is_set():
                self._keep_turns()
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), LOOK_SECONDS)
        finally:
            for turn in self._turns.values():
                turn.over.set()
            for task in (*places, *self._watches.values()):
                task.cancel()
            await asyncio.gather(*places, *self._watches.values(), *self._running, return_exceptions=True)
            for connection in self._servers.values():
                await connection.close()

    # ---- which organisations have work

    def _keep_turns(self) -> None:
        """Follow the registry: new organisations enter, and organisations that this release does not serve leave."""
        now = time.monotonic()
        active = (one for one in self._directory.by_code.values() if one.state == "ACTIVE")
        served = {one.id: one for one in active if one.version == self._version}
        for key in self._turns.keys() - served.keys():
            self._turns.pop(key).over.set()
        for key, organisation in served.items():
            if key not in self._turns:  # the checks at the time of the periodic jobs are spread over a minute
                first = now + random.uniform(0, MINUTE)  # noqa: S311 - no secret
                self._turns[key] = Turn(organisation, first, first)
            self._turns[key].organisation = organisation
        for address in {one.address for one in served.values()}:
            if address not in self._watches or self._watches[address].done():
                self._watches[address] = asyncio.create_task(self._watch(address))

    async def _watch(self, address: str) -> None:
        """Put in the line, every second, each organisation of a server that is due, or whose database has new rows.

        A server that does not answer delays only its own organisations.
        """
        down = False
        while turns := [turn for turn in self._turns.values() if turn.organisation.address == address]:
            try:
                async with asyncio.timeout(PATIENCE):
                    inserted = await self._inserted(address, turns)
            except LOST as error:
                if not down:
                    log.warning("Le serveur %s ne répond pas : %s", address, first_line(error))
                down = True
                await asyncio.sleep(worker.RECOVERY_SECONDS)
                continue
            if down:
                log.warning("Le serveur %s répond de nouveau.", address)
            down = False
            self._put_in_line(turns, inserted)
            await asyncio.sleep(LOOK_SECONDS)

    def _put_in_line(self, turns: Sequence[Turn], inserted: Mapping[str, int]) -> None:
        now = time.monotonic()
        for turn in turns:
            if turn.waiting or (turn.failures and now < turn.due_at):
                continue
            rows = inserted.get(turn.organisation.database, turn.inserted)
            if rows != turn.inserted or now >= turn.due_at:
                turn.inserted = rows
                turn.waiting = True
                self._line.put_nowait(turn)

    async def _inserted(self, address: str, turns: Sequence[Turn]) -> dict[str, int]:
        """The rows ever inserted into each database of a server."""
        connection = self._servers.get(address)
        if connection is None or connection.closed:
            # A session in the database of an organisation would be in the way of its move.
            url = at(self._settings.registry_owner_url or "", address, "postgres")
            connection = self._servers[address] = await AsyncConnection.connect(
                url, autocommit=True, application_name="comptoir worker"
            )
        try:
            rows = await (await connection.execute(ROWS, [[t.organisation.database for t in turns]])).fetchall()
        except BaseException:
            await self._servers.pop(address).close()
            raise
        return {name: int(number) for name, number in rows}

    # ---- the work of one organisation

    async def _place(self) -> None:
        while True:
            turn = await self._line.get()
            task = asyncio.create_task(self._serve(turn))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            await asyncio.wait([task], timeout=SHIFT + 1)
            while not task.done() and len(self._overtime) >= OVERTIME:
                await asyncio.wait([task, *self._overtime], return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                self._overtime.add(task)
                task.add_done_callback(self._overtime.discard)

    async def _serve(self, turn: Turn) -> None:
        """Serve an organisation. Its failure, of whatever kind, delays no other organisation."""
        try:
            if not turn.over.is_set():
                await self._look_after(turn)
            turn.failures = 0
        except Exception as error:
            log.warning("%s : %s", turn.organisation.code, first_line(error))
            pause = min(worker.RECOVERY_SECONDS * 2 ** min(turn.failures, 10), MINUTE)
            turn.due_at = time.monotonic() + pause
            turn.failures += 1
        finally:
            turn.waiting = False

    async def _look_after(self, turn: Turn) -> None:
        """Defer the periodic jobs that are due, and run the jobs of the queue."""
        settings = settings_of(self._settings, turn.organisation)
        async with worker.connection_pool(settings.owner_url or "", smallest=1) as pool:
            async with asyncio.timeout(WAIT):
                await worker.open_pool(pool, 0)
                if time.monotonic() >= turn.minute_at:
                    turn.minute_at = time.monotonic() + MINUTE
                    await catch_up(pool, CRONS)
                    async with pool.connection() as connection:
                        await connection.execute("select * from jobs.sauvegarde_auto()")
                async with pool.connection() as connection:
                    [(seconds,)] = await (await connection.execute("select jobs.file_attendre()")).fetchall()
            if seconds == 0:
                app = build(pool, settings, self._mailer, self._sender, periodic=False)
                async with app.open_async(pool):
                    await self._run_queues(app, turn)
        next_job = turn.minute_at if seconds is None else time.monotonic() + seconds
        turn.due_at = min(turn.minute_at, next_job)

    async def _run_queues(self, app: App, turn: Turn) -> None:
        """Run the queues until they are empty, the shift is over or the organisation is not served any more."""
        queues = worker.serve_queues(app, wait=False)
        ended = asyncio.ensure_future(asyncio.wait(queues))
        over = asyncio.ensure_future(turn.over.wait())
        await asyncio.wait([ended, over], timeout=SHIFT, return_when=asyncio.FIRST_COMPLETED)
        over.cancel()
        for task in queues:
            task.cancel()  # procrastinate finishes the running jobs and stops
        await ended
        for task in queues:
            with suppress(asyncio.CancelledError):
                await task


def work(settings: Settings, _: argparse.Namespace) -> int:
    """Run the jobs of all organisations of the registry until SIGTERM or SIGINT."""
    prepare_worker(settings)
    with own_objects(settings):
        asyncio.run(_work(settings, settings.registry_url or ""))
    return 0


async def _work(settings: Settings, registry: str) -> None:
    pool = Pool(registry, 1, settings.prepared_statements)
    directory = Directory(registry, pool)
    async with worker.posted(settings) as (stop, mailer, sender):
        try:
            await directory.start()
            print(f"Le travailleur attend les tâches de {len(directory.by_code)} organisations.", flush=True)
            await Rounds(settings, directory, mailer, sender).run(stop)
        finally:
            await directory.close()
            await pool.close()
