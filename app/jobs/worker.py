"""The worker: it runs the tasks of one database until a signal stops it.

It acts as comptoir_travail, which may run the queue and call the operations of `jobs`.
"""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psycopg
from procrastinate import App
from procrastinate.exceptions import ConnectorException
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from app.auth.encrypted import Secrets
from app.base.failure import Failure
from app.base.settings import Settings
from app.database.release import QUEUE as SCHEMA
from app.jobs.mailer import Mailer
from app.jobs.tasks import IMPORTS, PROVIDERS, QUEUE, SILENCE_SECONDS, WEBHOOKS, build
from app.jobs.webhooks import Sender

ROLE = "comptoir_travail"
DELIVERIES = 8  # webhooks to which events are sent at once
QUESTIONS = 4  # to providers of accounts at once
POLL_SECONDS = 1.0  # only polling notices a retry
POOL_SECONDS = 5.0
RECOVERY_SECONDS = 2.0


@asynccontextmanager
async def posted(settings: Settings) -> AsyncIterator[tuple[asyncio.Event, Mailer, Sender]]:
    """Every worker has the event that SIGTERM or SIGINT sets, a mailer and a sender of events."""
    stop = asyncio.Event()
    mailer = Mailer(settings.mailer_api_key, settings.mailer_url, settings.mailer_from)
    sender = Sender(settings.webhook_networks, Secrets.of(settings), encrypted=settings.production)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        yield stop, mailer, sender
    finally:
        await mailer.close()
        await sender.close()
    print("Le travailleur s'est arrêté.", flush=True)


async def work(settings: Settings, url: str) -> None:
    """Run jobs until SIGTERM or SIGINT. The running job is finished first. A lost database connection is reopened."""
    async with posted(settings) as (stop, mailer, sender), connection_pool(url) as pool:
        await open_pool(pool, settings.database_patience)
        app = build(pool, settings, mailer, sender)
        async with app.open_async(pool):
            if not await app.check_connection_async():
                raise Failure("La base n'a pas la file des tâches : lancez « comptoir migrate ».")
            print(f"Le travailleur attend les tâches de la file {QUEUE}.", flush=True)
            while not stop.is_set():
                await _run_worker(app, pool, stop)


async def open_pool(pool: AsyncConnectionPool, patience: float) -> None:
    try:
        await pool.open(wait=True, timeout=max(patience, POOL_SECONDS))
    except PoolTimeout:
        raise Failure("PostgreSQL ne répond pas : vérifiez DATABASE_URL et les droits de son utilisateur.") from None


def connection_pool(url: str, smallest: int = 2) -> AsyncConnectionPool:
    """The connections to one database."""
    options = {"options": f"-c role={ROLE} -c search_path={SCHEMA},pg_catalog,pg_temp"}
    return AsyncConnectionPool(
        url,
        kwargs={**options, "application_name": "comptoir worker"},
        min_size=smallest,
        # For each queue: LISTEN, heartbeat and fetching; periodic tasks, and the due webhooks; two for a job; for each
        # webhook one that holds its job, and some to read and record. Then the queue of imports, with its job, and the
        # queue of providers, whose jobs hold no connection while they wait for an answer.
        max_size=6 + 4 + DELIVERIES + 2 + 4 + 3 + 2,
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
    numbers = {QUEUE: 1, WEBHOOKS: DELIVERIES, IMPORTS: 1, PROVIDERS: QUESTIONS}
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
        # These queues have a job for each wake-up. Lists of deliveries, demands and notices keep the outcomes.
        delete_jobs="always" if queue in (WEBHOOKS, PROVIDERS) else "never",
    )


async def _find_deliveries(pool: AsyncConnectionPool) -> None:
    """Queue the webhooks that have events to send, every second. An event itself queues nothing: it stays cheap."""
    while True:
        async with pool.connection() as connection:
            await connection.execute("select jobs.webhook_differer()")
        await asyncio.sleep(POLL_SECONDS)
