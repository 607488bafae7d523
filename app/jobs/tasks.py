"""The tasks of the queue: the periodic jobs, e-mails, backups, webhooks, imports.

A periodic job is one SQL function, or a Python function that connects as the owner of the tables. procrastinate defers
it at its cron. procrastinate supports only UTC and skips jobs that are more than ten minutes late. Therefore another
periodic task asks the database every minute which jobs are due by the organisation's time, and a job that is not due
ends at once. The queue is in the database, so a job deferred by SQL exists only if its transaction commits.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, LiteralString

from procrastinate import App, JobContext, PsycopgConnector, RetryStrategy
from psycopg import AsyncConnection
from psycopg.rows import class_row
from psycopg_pool import AsyncConnectionPool

from app.base.leaf import leaves
from app.base.settings import Settings
from app.database.months import keep_months
from app.files.storage import Storage
from app.jobs import letters
from app.jobs.mailer import Mailer
from app.jobs.roots import publish
from app.jobs.webhooks import Sender, deliver
from app.seals.signing import seal
from app.vault.vault import Vault

QUEUE = "svc-jobs"
WEBHOOKS = "svc-webhooks"  # a queue of its own: a slow receiver delays no job
IMPORTS = "svc-imports"  # a queue of its own: a long import delays no other job
PROVIDERS = "svc-tresorerie"  # a queue of its own: a slow provider delays no job
CATCH_UP = "rattraper"
CATCH_UP_CRON = "* * * * *"
ATTEMPTS = 3
RETRY = RetryStrategy(max_attempts=ATTEMPTS - 1, wait=5)  # procrastinate counts retries, not attempts
PATIENT = RetryStrategy(max_attempts=10, exponential_wait=4)  # 4 s, 16 s, 64 s …: a service may be away for days
SILENCE_SECONDS = 30  # after three missed heartbeats

log = logging.getLogger("comptoir.jobs")


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
    Job("resumer-impayes", "*/10 * * * *", "jobs.resumer_impayes"),
    Job("suivre-demandes", "*/5 * * * *", "jobs.suivre_demandes"),
    Job("mois-du-journal", "47 * * * *", owner(keep_months)),
)


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

    @add(name="courriel")
    async def write(context: JobContext, modele: str, login: str) -> None:
        secret = letters.new_secret(modele)
        async with locked(pool, context):
            # Committed before the letter is sent, so that its link works.
            recipient = await _prepare(pool, login, secret)
            if recipient is not None:
                await letters.send(mailer, settings, modele, recipient, secret)

    # The address of an erased client is missing.
    @app.task(name="avertir", queue=QUEUE, retry=PATIENT, pass_context=True)
    async def warn(
        context: JobContext, modele: str, login: str, organisation: str | None, email: str | None = None,
        nom: str = "", faits: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        async with locked(pool, context):
            if email is not None:
                await letters.warn(mailer, modele, letters.Recipient(email, login, nom, organisation), faits or {})

    # No retry: the list of backups shows the failure, and the schedule defers another backup.
    @app.task(name="sauvegarder", queue=QUEUE, pass_context=True)
    async def save(context: JobContext, id_sauvegarde: int) -> None:
        vault = Vault(settings, settings.owner_url)
        async with locked(pool, context):
            await asyncio.to_thread(vault.save, id_sauvegarde)

    # One lot a job: its transaction queues the next one, so a stopping worker waits for one lot only.
    @app.task(name="importer", queue=IMPORTS, retry=RETRY, pass_context=True)
    async def bring_in(context: JobContext, id_import: int) -> None:
        async with locked(pool, context) as connection:
            await connection.execute("select jobs.import_avancer(%s, true)", [id_import])

    # The files of an erased client. An object that is gone is no error, so the job may be repeated.
    @app.task(name="effacer-fichiers", queue=QUEUE, retry=PATIENT, pass_context=True)
    async def erase(context: JobContext, cles: list[str]) -> None:
        async with Storage(settings) as storage, locked(pool, context):
            await storage.delete(*cles)

    # No retry: the database says when the events of a webhook are sent again.
    @app.task(name="livrer", queue=WEBHOOKS, pass_context=True)
    async def send(context: JobContext, id_webhook: int) -> None:
        async with locked(pool, context) as connection:
            if await _value(connection, "select jobs.webhook_tenir(%s)", [id_webhook]):
                await deliver(pool, sender, id_webhook)

    for leaf in leaves():
        if leaf.tasks:
            import_module(leaf.tasks).add(app, pool, settings)
    return app


async def _value(connection: AsyncConnection, statement: LiteralString, values: Sequence[Any]) -> Any:
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
        if timestamp is not None:
            async with pool.connection() as connection:  # a commit, so that no other run starts for the same due time
                values = [context.job.id, job.name, job.cron]
                due = await _value(connection, "select jobs.tache_commencer(%s, %s, %s)", values)
            if not due:
                _log("job_not_due", context.job.id, job.name, logging.INFO)
                return
        async with locked(pool, context) as connection:
            if isinstance(job.function, str):
                await connection.execute(f"select * from {job.function}()")  # noqa: S608 - a constant of this module
            else:
                await job.function(settings, mailer)

    return run


def _log(action: str, number: int | None, name: str, level: int) -> None:
    log.log(level, action, extra={"action": action, "job": {"task_name": name, "id": number}})


@asynccontextmanager
async def locked(pool: AsyncConnectionPool, context: JobContext) -> AsyncIterator[AsyncConnection]:
    """A transaction that locks the job, so that no other worker considers the job abandoned."""
    async with pool.connection() as connection:
        await connection.execute("select jobs.tache_tenir(%s)", [context.job.id])
        yield connection
