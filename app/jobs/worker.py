"""The jobs that procrastinate runs, and the worker that runs them.

A periodic job is one SQL function, which procrastinate puts in at its cron. procrastinate knows UTC alone and forgets
what it missed by more than ten minutes: another periodic task asks the database every minute what else is due by the
organisation's own hour, and a job that is not due ends without doing anything. The queue lives in the database, so that
a job deferred by SQL comes into being with the transaction that wanted it. The worker acts as comptoir_travail: it may
run the queue and call the operations of `jobs`.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec
import psycopg
from procrastinate import App, JobContext, PsycopgConnector, RetryStrategy
from procrastinate.exceptions import ConnectorException
from psycopg import AsyncConnection
from psycopg.rows import class_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from app.base.failure import Failure
from app.base.settings import Settings
from app.database.release import QUEUE as SCHEMA
from app.jobs import letters
from app.jobs.mailer import Mailer
from app.vault.vault import Vault

ROLE = "comptoir_travail"
QUEUE = "svc-jobs"
MAIL = "courriel"
BACKUP = "sauvegarder"
CATCH_UP = "rattraper"
CATCH_UP_CRON = "* * * * *"
ATTEMPTS = 3
RETRY = RetryStrategy(max_attempts=ATTEMPTS - 1, wait=5)  # procrastinate counts those after the first
POLL_SECONDS = 1.0  # a retry is noticed by polling alone
POOL_SECONDS = 5.0
RECOVERY_SECONDS = 2.0
SILENCE_SECONDS = 30  # after three missed heartbeats

logger = logging.getLogger("comptoir.jobs")


@dataclass(frozen=True, slots=True)
class Job:
    name: str
    cron: str  # five fields, in the organisation's time zone
    function: str  # an operation of the slice jobs, without arguments


JOBS = (
    Job("menage", "5 3 * * *", "jobs.menage"),
    Job("generer-echeances", "12 2 * * *", "jobs.generer_echeances"),
    Job("transition-contrats-expires", "30 2 * * *", "jobs.transition_contrats_expires"),
    Job("expirer-abonnements", "36 2 * * *", "jobs.expirer_abonnements"),
    Job("recalculer-paie", "41 4 1 * *", "jobs.recalculer_paie"),
    Job("reesolde-stock", "23 3 * * *", "jobs.reesolde_stock"),
    Job("sceller", "*/10 * * * *", "jobs.sceller"),
    Job("sauvegarde-auto", "* * * * *", "jobs.sauvegarde_auto"),
    Job("resumer-paiements", "17 * * * *", "jobs.resumer_paiements"),
)


class JobsError(Failure):
    """The worker cannot work; the message is French and says what to do."""


def build(pool: AsyncConnectionPool, settings: Settings, mailer: Mailer) -> App:
    """The procrastinate application: a task for each job, and the mail."""
    app = App(connector=PsycopgConnector())
    add = partial(app.task, queue=QUEUE, retry=RETRY, pass_context=True)
    for job in JOBS:
        task = add(name=job.name, lock=job.name, queueing_lock=job.name)(_runner(pool, job))
        app.periodic(cron=job.cron)(task)

    # Without a lock: the one that a dead worker held must not keep the next from taking it back. It comes after the
    # jobs, so that those of the same minute are in before it looks. Not tried again: the next minute brings another.
    @app.periodic(cron=CATCH_UP_CRON)
    @app.task(name=CATCH_UP, queue=QUEUE, queueing_lock=CATCH_UP)
    async def see_to_it(timestamp: int | None = None) -> None:
        await catch_up(pool, {job.name: job.cron for job in JOBS})

    @add(name=MAIL)
    async def write(context: JobContext, modele: str, login: str) -> None:
        secret = letters.new_secret(modele)
        async with held(pool, context):
            # Committed before the letter leaves: whoever gets it has a link that works.
            recipient = await _prepare(pool, login, secret)
            if recipient is not None:
                await letters.send(mailer, settings, modele, recipient, secret)

    # Not tried again: the list of backups tells of a failure, and the schedule asks for another.
    @app.task(name=BACKUP, queue=QUEUE, pass_context=True)
    async def save(context: JobContext, id_sauvegarde: int) -> None:
        vault = Vault(settings, settings.owner_url)
        async with held(pool, context):
            await asyncio.to_thread(vault.save, id_sauvegarde)

    return app


async def _prepare(pool: AsyncConnectionPool, login: str, secret: letters.Secret) -> letters.Recipient | None:
    statement = "select * from jobs.courriel_preparer(%s, %s, %s)"
    async with pool.connection() as connection, connection.cursor(row_factory=class_row(letters.Recipient)) as cursor:
        await cursor.execute(statement, [login, secret.hash, secret.seconds])
        return await cursor.fetchone()


async def catch_up(pool: AsyncConnectionPool, crons: Mapping[str, str]) -> None:
    """Take back what dead workers held, then put in what is due by the organisation's hour and is not in yet."""
    async with pool.connection() as connection:
        abandoned = await connection.execute(
            "select id, tache, issue from jobs.file_reprendre(%s, %s)", [SILENCE_SECONDS, ATTEMPTS]
        )
        for number, name, outcome in await abandoned.fetchall():
            _tell(f"job_abandoned_{outcome}", number, name, logging.ERROR if outcome == "failed" else logging.WARNING)
    async with pool.connection() as connection:
        due = await connection.execute(
            "select * from jobs.tache_echoir(%s::text[], %s::text[])", [list(crons), list(crons.values())]
        )
        for (name,) in await due.fetchall():
            _tell("job_due", None, name, logging.INFO)


def _runner(pool: AsyncConnectionPool, job: Job) -> Callable[..., Awaitable[None]]:
    async def run(context: JobContext, timestamp: int | None = None, **_: Any) -> None:
        # A job that a person deferred has no due hour and runs at once.
        if timestamp is not None and not await _due(pool, context, job):
            _tell("job_not_due", context.job.id, job.name, logging.INFO)
            return
        async with held(pool, context) as connection:
            await connection.execute(f"select * from {job.function}()")  # noqa: S608 - a constant of this module

    return run


async def _due(pool: AsyncConnectionPool, context: JobContext, job: Job) -> bool:
    """Committed before the job runs: whatever becomes of this run, no other job begins for the same hour."""
    async with pool.connection() as connection:
        found = await connection.execute(
            "select jobs.tache_commencer(%s, %s, %s)", [context.job.id, job.name, job.cron]
        )
        row = await found.fetchone()
    return bool(row and row[0])


def _tell(action: str, number: int | None, name: str, level: int) -> None:
    logger.log(level, action, extra={"action": action, "job": {"task_name": name, "id": number}})


@asynccontextmanager
async def held(pool: AsyncConnectionPool, context: JobContext) -> AsyncIterator[AsyncConnection]:
    """A transaction that holds the job: while it lasts no other worker takes the job for abandoned."""
    async with pool.connection() as connection:
        await connection.execute("select jobs.tache_tenir(%s)", [context.job.id])
        yield connection


async def work(settings: Settings, url: str) -> None:
    """Run jobs until SIGTERM or SIGINT; the one in flight is finished first. Outlives a database that goes away."""
    wish = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, wish.set)
    mailer = Mailer(settings.mailer_api_key, settings.mailer_url, settings.mailer_from)
    try:
        async with _pool(url) as pool:
            await _open(pool, settings.database_patience)
            app = build(pool, settings, mailer)
            async with app.open_async(pool):
                await _work(app, pool, wish)
    finally:
        await mailer.close()
    print("Le travailleur s'est arrêté.", flush=True)


async def _open(pool: AsyncConnectionPool, patience: float) -> None:
    try:
        await pool.open(wait=True, timeout=max(patience, POOL_SECONDS))
    except PoolTimeout:
        raise JobsError("PostgreSQL ne répond pas : vérifiez DATABASE_URL et les droits de son utilisateur.") from None


async def _work(app: App, pool: AsyncConnectionPool, wish: asyncio.Event) -> None:
    if not await app.check_connection_async():
        raise JobsError("La base n'a pas la file des tâches : lancez « comptoir migrate ».")
    print(f"Le travailleur attend les tâches de la file {QUEUE}.", flush=True)
    while not wish.is_set():
        await _run_worker(app, wish)


def _pool(url: str) -> AsyncConnectionPool:
    options = {"options": f"-c role={ROLE} -c search_path={SCHEMA},pg_catalog,pg_temp"}
    return AsyncConnectionPool(
        url,
        kwargs={**options, "application_name": "comptoir worker"},
        min_size=2,
        max_size=6,  # listening, periodic tasks, heartbeat and queue, and two for a job
        timeout=POOL_SECONDS,
        open=False,
        check=AsyncConnectionPool.check_connection,
    )


async def _run_worker(app: App, wish: asyncio.Event) -> None:
    """One run of procrastinate's worker: until the wish to stop, or until it loses the database."""
    worker = asyncio.create_task(
        app.run_worker_async(
            queues=[QUEUE],
            concurrency=1,
            fetch_job_polling_interval=POLL_SECONDS,
            update_heartbeat_interval=SILENCE_SECONDS / 3,
            stalled_worker_timeout=SILENCE_SECONDS,
            install_signal_handlers=False,
        )
    )
    waiting = asyncio.create_task(wish.wait())
    await asyncio.wait((worker, waiting), return_when=asyncio.FIRST_COMPLETED)
    worker.cancel()  # asks it to finish the job in flight, and nothing more
    with suppress(asyncio.CancelledError, ConnectorException, psycopg.Error, PoolTimeout):
        await worker
    if not wish.is_set():
        logging.getLogger("procrastinate").warning("La base ne répond plus ; nouvel essai.")
        with suppress(TimeoutError):
            await asyncio.wait_for(wish.wait(), RECOVERY_SECONDS)
    waiting.cancel()


class Lines(logging.Handler):
    """One JSON line an event. Arguments of jobs are left out: those of a mail may hold a secret."""

    def emit(self, record: logging.LogRecord) -> None:
        line: dict[str, Any] = {"time": datetime.now(UTC), "level": record.levelname.lower()}
        action = getattr(record, "action", None)
        line |= {"action": action} if action else {"message": record.getMessage()}
        if cron := getattr(record, "cron", None):
            line |= {"job": getattr(record, "task", None), "cron": cron}
        if job := getattr(record, "job", None):
            line |= {"job": job["task_name"], "id": job["id"]}
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if error is not None:
            cause = error.__cause__ if isinstance(error, ConnectorException) else None
            line["error"] = str(cause or error).strip().partition("\n")[0]
        sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
        sys.stdout.buffer.flush()


def log_to_stdout() -> None:
    """What procrastinate and the service itself say, as JSON lines."""
    logging.raiseExceptions = False
    for name in ("procrastinate", "comptoir"):
        logger = logging.getLogger(name)
        logger.addHandler(Lines())
        logger.setLevel(logging.INFO)
        logger.propagate = False
