"""The jobs that procrastinate runs, and the worker that runs them.

A periodic job is one SQL function, or a Python function that connects as the owner of the tables. procrastinate defers
it at its cron. procrastinate supports only UTC and skips jobs that are more than ten minutes late. Therefore another
periodic task asks the database every minute which jobs are due by the organisation's time, and a job that is not due
ends at once. The queue is in the database, so a job deferred by SQL exists only if its transaction commits. The worker
acts as comptoir_travail, which may run the queue and call the operations of `jobs`.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, LiteralString

import msgspec
import psycopg
from procrastinate import App, JobContext, PsycopgConnector, RetryStrategy
from procrastinate.exceptions import ConnectorException
from psycopg import AsyncConnection
from psycopg.rows import class_row
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from app.base.failure import Failure
from app.base.settings import Settings
from app.database.months import keep_months
from app.database.release import QUEUE as SCHEMA
from app.files.storage import Storage
from app.jobs import letters
from app.jobs.mailer import Mailer
from app.jobs.roots import publish
from app.jobs.webhooks import Sender, deliver
from app.seals.signing import seal
from app.vault.vault import Vault

ROLE = "comptoir_travail"
QUEUE = "svc-jobs"
WEBHOOKS = "svc-webhooks"  # a queue of its own: a slow receiver delays no job
IMPORTS = "svc-imports"  # a queue of its own: a long import delays no other job
DELIVERIES = 8  # webhooks to which events are sent at once
MAIL = "courriel"
BACKUP = "sauvegarder"
DELIVER = "livrer"
IMPORT = "importer"
ERASE_FILES = "effacer-fichiers"
CATCH_UP = "rattraper"
CATCH_UP_CRON = "* * * * *"
ATTEMPTS = 3
RETRY = RetryStrategy(max_attempts=ATTEMPTS - 1, wait=5)  # procrastinate counts retries, not attempts
PATIENT = RetryStrategy(max_attempts=10, exponential_wait=4)  # 4 s, 16 s, 64 s …: the store may be away for days
POLL_SECONDS = 1.0  # only polling notices a retry
POOL_SECONDS = 5.0
RECOVERY_SECONDS = 2.0
SILENCE_SECONDS = 30  # after three missed heartbeats

logger = logging.getLogger("comptoir.jobs")


@dataclass(frozen=True, slots=True)
class Job:
    name: str
    cron: str  # five fields, in the organisation's time zone
    function: str | Callable[[Settings, Mailer], Awaitable[None]]  # an operation of the slice jobs, or Python


def owner(function: Callable[[str], None]) -> Callable[[Settings, Mailer], Awaitable[None]]:
    """A job of a blocking function that takes the address of the database for its owner."""

    async def run(settings: Settings, _: Mailer) -> None:
        await asyncio.to_thread(function, settings.owner_url or "")

    return run


JOBS = (
    Job("menage", "5 3 * * *", "jobs.menage"),
    Job("generer-echeances", "12 2 * * *", "jobs.generer_echeances"),
    Job("transition-contrats-expires", "30 2 * * *", "jobs.transition_contrats_expires"),
    Job("expirer-abonnements", "36 2 * * *", "jobs.expirer_abonnements"),
    Job("signaler-retards", "40 2 * * *", "jobs.signaler_retards"),
    Job("recalculer-paie", "41 4 1 * *", "jobs.recalculer_paie"),
    Job("reesolde-stock", "23 3 * * *", "jobs.reesolde_stock"),
    Job("sceller", "*/10 * * * *", owner(seal)),
    Job("publier-racine", "7 4 * * *", publish),
    Job("sauvegarde-auto", "* * * * *", "jobs.sauvegarde_auto"),
    Job("resumer-paiements", "17 * * * *", "jobs.resumer_paiements"),
    Job("resumer-applications", "16 * * * *", "jobs.resumer_applications"),
    Job("resumer-depenses", "18 * * * *", "jobs.resumer_depenses"),
    Job("resumer-factures", "19 * * * *", "jobs.resumer_factures"),
    Job("mois-du-journal", "47 * * * *", owner(keep_months)),
)


class JobsError(Failure):
    """The worker cannot run. Its message is French and says what to do."""


def build(
    pool: AsyncConnectionPool, settings: Settings, mailer: Mailer, sender: Sender, *, periodic: bool = True
) -> App:
    """The procrastinate application: a task for each job, the catch-up, the mail, the backup and the webhooks.

    With `periodic` false the caller catches up itself, and procrastinate defers nothing.
    """
    app = App(connector=PsycopgConnector())
    add = partial(app.task, queue=QUEUE, retry=RETRY, pass_context=True)
    for job in JOBS:
        task = add(name=job.name, lock=job.name, queueing_lock=job.name)(_runner(pool, job, settings, mailer))
        if periodic:
            app.periodic(cron=job.cron)(task)

    # No lock, because a lock held by a dead worker would block the task that recovers it. The task is registered after
    # the jobs, so that jobs of the same minute are deferred before it runs. No retry, because it runs every minute.
    @app.task(name=CATCH_UP, queue=QUEUE, queueing_lock=CATCH_UP)
    async def recover(timestamp: int | None = None) -> None:
        await catch_up(pool, {job.name: job.cron for job in JOBS})

    if periodic:
        app.periodic(cron=CATCH_UP_CRON)(recover)

    @add(name=MAIL)
    async def write(context: JobContext, modele: str, login: str) -> None:
        secret = letters.new_secret(modele)
        async with locked(pool, context):
            # Committed before the letter is sent, so that its link works.
            recipient = await _prepare(pool, login, secret)
            if recipient is not None:
                await letters.send(mailer, settings, modele, recipient, secret)

    # No retry: the list of backups shows the failure, and the schedule defers another backup.
    @app.task(name=BACKUP, queue=QUEUE, pass_context=True)
    async def save(context: JobContext, id_sauvegarde: int) -> None:
        vault = Vault(settings, settings.owner_url)
        async with locked(pool, context):
            await asyncio.to_thread(vault.save, id_sauvegarde)

    # One lot a job: its transaction queues the next one, so a stopping worker waits for one lot only.
    @app.task(name=IMPORT, queue=IMPORTS, retry=RETRY, pass_context=True)
    async def bring_in(context: JobContext, id_import: int) -> None:
        async with locked(pool, context) as connection:
            await connection.execute("select jobs.import_avancer(%s, true)", [id_import])

    # The files of an erased client. An object that is gone is no error, so the job may be repeated.
    @app.task(name=ERASE_FILES, queue=QUEUE, retry=PATIENT, pass_context=True)
    async def erase(context: JobContext, cles: list[str]) -> None:
        storage = Storage(settings)
        async with locked(pool, context):
            try:
                await storage.delete(*cles)
            finally:
                await storage.close()

    # No retry: the database says when the events of a webhook are sent again.
    @app.task(name=DELIVER, queue=WEBHOOKS, pass_context=True)
    async def send(context: JobContext, id_webhook: int) -> None:
        async with locked(pool, context) as connection:
            if await _value(connection, "select jobs.webhook_tenir(%s)", [id_webhook]):
                await deliver(pool, sender, id_webhook)

    return app


async def _value(connection: AsyncConnection, statement: LiteralString, values: Sequence[Any] = ()) -> Any:
    row = await (await connection.execute(statement, values)).fetchone()
    return row and row[0]


async def _prepare(pool: AsyncConnectionPool, login: str, secret: letters.Secret) -> letters.Recipient | None:
    statement = "select * from jobs.courriel_preparer(%s, %s, %s)"
    async with pool.connection() as connection, connection.cursor(row_factory=class_row(letters.Recipient)) as cursor:
        await cursor.execute(statement, [login, secret.hash, secret.seconds])
        return await cursor.fetchone()


async def catch_up(pool: AsyncConnectionPool, crons: Mapping[str, str]) -> None:
    """Recover the jobs of dead workers, then defer the jobs that are due by the organisation's time."""
    async with pool.connection() as connection:
        abandoned = await connection.execute(
            "select id, tache, issue from jobs.file_reprendre(%s, %s)", [SILENCE_SECONDS, ATTEMPTS]
        )
        for number, name, outcome in await abandoned.fetchall():
            _log(f"job_abandoned_{outcome}", number, name, logging.ERROR if outcome == "failed" else logging.WARNING)
    async with pool.connection() as connection:
        due = await connection.execute(
            "select * from jobs.tache_echoir(%s::text[], %s::text[])", [list(crons), list(crons.values())]
        )
        for (name,) in await due.fetchall():
            _log("job_due", None, name, logging.INFO)


def _runner(pool: AsyncConnectionPool, job: Job, settings: Settings, mailer: Mailer) -> Callable[..., Awaitable[None]]:
    async def run(context: JobContext, timestamp: int | None = None, **_: Any) -> None:
        # A job deferred by a person has no timestamp and runs at once.
        if timestamp is not None and not await _due(pool, context, job):
            _log("job_not_due", context.job.id, job.name, logging.INFO)
            return
        async with locked(pool, context) as connection:
            if isinstance(job.function, str):
                await connection.execute(f"select * from {job.function}()")  # noqa: S608 - a constant of this module
            else:
                await job.function(settings, mailer)

    return run


async def _due(pool: AsyncConnectionPool, context: JobContext, job: Job) -> bool:
    """Whether the job is due. Committed before the job runs, so that no other run starts for the same due time."""
    async with pool.connection() as connection:
        values = [context.job.id, job.name, job.cron]
        return bool(await _value(connection, "select jobs.tache_commencer(%s, %s, %s)", values))


def _log(action: str, number: int | None, name: str, level: int) -> None:
    logger.log(level, action, extra={"action": action, "job": {"task_name": name, "id": number}})


@asynccontextmanager
async def locked(pool: AsyncConnectionPool, context: JobContext) -> AsyncIterator[AsyncConnection]:
    """A transaction that locks the job, so that no other worker considers the job abandoned."""
    async with pool.connection() as connection:
        await connection.execute("select jobs.tache_tenir(%s)", [context.job.id])
        yield connection


@dataclass(frozen=True, slots=True)
class Post:
    """The signal to stop, and the ways out to receivers of letters and events: every worker has them."""

    stop: asyncio.Event  # set by SIGTERM or SIGINT
    mailer: Mailer
    sender: Sender


@asynccontextmanager
async def posted(settings: Settings) -> AsyncIterator[Post]:
    post = Post(
        asyncio.Event(),
        Mailer(settings.mailer_api_key, settings.mailer_url, settings.mailer_from),
        Sender(settings.webhook_networks, encrypted=settings.production),
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, post.stop.set)
    try:
        yield post
    finally:
        await post.mailer.close()
        await post.sender.close()
    print("Le travailleur s'est arrêté.", flush=True)


async def work(settings: Settings, url: str) -> None:
    """Run jobs until SIGTERM or SIGINT. The running job is finished first. A lost database connection is reopened."""
    async with posted(settings) as post, connection_pool(url) as pool:
        await open_pool(pool, settings.database_patience)
        app = build(pool, settings, post.mailer, post.sender)
        async with app.open_async(pool):
            await _work(app, pool, post.stop)


async def open_pool(pool: AsyncConnectionPool, patience: float) -> None:
    try:
        await pool.open(wait=True, timeout=max(patience, POOL_SECONDS))
    except PoolTimeout:
        raise JobsError("PostgreSQL ne répond pas : vérifiez DATABASE_URL et les droits de son utilisateur.") from None


async def _work(app: App, pool: AsyncConnectionPool, stop: asyncio.Event) -> None:
    if not await app.check_connection_async():
        raise JobsError("La base n'a pas la file des tâches : lancez « comptoir migrate ».")
    print(f"Le travailleur attend les tâches de la file {QUEUE}.", flush=True)
    while not stop.is_set():
        await _run_worker(app, pool, stop)


def connection_pool(url: str, smallest: int = 2) -> AsyncConnectionPool:
    """The connections to one database."""
    options = {"options": f"-c role={ROLE} -c search_path={SCHEMA},pg_catalog,pg_temp"}
    return AsyncConnectionPool(
        url,
        kwargs={**options, "application_name": "comptoir worker"},
        min_size=smallest,
        # For each queue: LISTEN, heartbeat and fetching; periodic tasks, and the due webhooks; two for a job; for each
        # webhook one that holds its job, and some to read and record. Then the queue of imports, with its job.
        max_size=6 + 4 + DELIVERIES + 2 + 4,
        timeout=POOL_SECONDS,
        open=False,
        check=AsyncConnectionPool.check_connection,
    )


async def _run_worker(app: App, pool: AsyncConnectionPool, stop: asyncio.Event) -> None:
    """Run procrastinate's workers, one for each queue, until `stop` is set or the database connection is lost."""
    workers = [*serve_queues(app), asyncio.create_task(_find_deliveries(pool))]
    waiting = asyncio.create_task(stop.wait())
    await asyncio.wait((*workers, waiting), return_when=asyncio.FIRST_COMPLETED)
    for worker in workers:
        worker.cancel()  # procrastinate finishes the running jobs and stops
    for worker in workers:
        with suppress(asyncio.CancelledError, ConnectorException, psycopg.Error, PoolTimeout):
            await worker
    if not stop.is_set():
        logging.getLogger("procrastinate").warning("La base ne répond plus ; nouvel essai.")
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), RECOVERY_SECONDS)
    waiting.cancel()


def serve_queues(app: App, *, wait: bool = True) -> list[asyncio.Task[None]]:
    """Start procrastinate's workers, one for each queue. Without `wait` each ends when its queue is empty."""
    numbers = {QUEUE: 1, WEBHOOKS: DELIVERIES, IMPORTS: 1}
    return [asyncio.create_task(_serve(app, queue, number, wait)) for queue, number in numbers.items()]


async def _serve(app: App, queue: str, concurrency: int, wait: bool) -> None:
    await app.run_worker_async(
        queues=[queue],
        name=queue,
        concurrency=concurrency,
        fetch_job_polling_interval=POLL_SECONDS,
        update_heartbeat_interval=SILENCE_SECONDS / 3,
        stalled_worker_timeout=SILENCE_SECONDS,
        install_signal_handlers=False,
        wait=wait,
        listen_notify=wait,
        # A queue of deliveries has a job for each wake-up. The list of deliveries keeps their outcome.
        delete_jobs="always" if queue == WEBHOOKS else "never",
    )


async def _find_deliveries(pool: AsyncConnectionPool) -> None:
    """Queue the webhooks that have events to send, every second. An event itself queues nothing: it stays cheap."""
    while True:
        async with pool.connection() as connection:
            await connection.execute("select jobs.webhook_differer()")
        await asyncio.sleep(POLL_SECONDS)


class JsonLines(logging.Handler):
    """One JSON line for each event, without arguments of jobs: those of a mail may hold a secret."""

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
    """Write the logs of procrastinate and of the service to standard output as JSON lines."""
    logging.raiseExceptions = False
    for name in ("procrastinate", "comptoir"):
        logger = logging.getLogger(name)
        logger.addHandler(JsonLines())
        logger.setLevel(logging.INFO)
        logger.propagate = False
