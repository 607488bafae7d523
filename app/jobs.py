"""The clock: the jobs that procrastinate runs, and the worker that runs them.

A job is one SQL function. The queue lives in the database, so that a job deferred by SQL comes into being with the
transaction that wanted it. The worker acts as comptoir_travail: it may run the queue and call the operations of `jobs`.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec
import psycopg
from procrastinate import App, PsycopgConnector, RetryStrategy
from procrastinate.exceptions import ConnectorException
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from app.schema import QUEUE as SCHEMA

ROLE = "comptoir_travail"
QUEUE = "svc-jobs"
RETRY = RetryStrategy(max_attempts=2, wait=5)  # two more after the first: three attempts in all
POLL_SECONDS = 1.0  # a retry is noticed by polling alone
POOL_SECONDS = 5.0
RECOVERY_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Job:
    name: str
    cron: str  # five fields, UTC
    function: str  # an operation of the slice jobs, without arguments


JOBS = (
    Job("menage", "5 3 * * *", "jobs.menage"),
    Job("generer-echeances", "12 2 * * *", "jobs.generer_echeances"),
    Job("transition-contrats-expires", "30 2 * * *", "jobs.transition_contrats_expires"),
    Job("recalculer-paie", "41 4 1 * *", "jobs.recalculer_paie"),
    Job("reesolde-stock", "23 3 * * *", "jobs.reesolde_stock"),
    Job("resumer-paiements", "17 * * * *", "jobs.resumer_paiements"),
)


class JobsError(RuntimeError):
    """The worker cannot work; the message is French and says what to do."""


def build() -> App:
    """The procrastinate application, without its connections."""
    app = App(connector=PsycopgConnector())
    for job in JOBS:
        task = app.task(name=job.name, queue=QUEUE, retry=RETRY)(_runner(app, job))
        app.periodic(cron=job.cron)(task)
    return app


def _runner(app: App, job: Job) -> Callable[..., Awaitable[Any]]:
    statement = f"select * from {job.function}()"  # noqa: S608 - a constant of this module

    async def run(timestamp: int = 0) -> Any:
        return await app.connector.execute_query_one_async(statement)

    return run


async def work(url: str, patience: float) -> None:
    """Run jobs until SIGTERM or SIGINT; the one in flight is finished first. Outlives a database that goes away."""
    wish = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, wish.set)
    app = build()
    async with _pool(url) as pool:
        try:
            await pool.open(wait=True, timeout=max(patience, POOL_SECONDS))
        except PoolTimeout:
            raise JobsError(
                "PostgreSQL ne répond pas : vérifiez DATABASE_URL et les droits de son utilisateur."
            ) from None
        async with app.open_async(pool):
            if not await app.check_connection_async():
                raise JobsError("La base n'a pas la file des tâches : lancez « comptoir migrate ».")
            print(f"Le travailleur attend les tâches de la file {QUEUE}.", flush=True)
            while not wish.is_set():
                await _run_worker(app, wish)
    print("Le travailleur s'est arrêté.", flush=True)


def _pool(url: str) -> AsyncConnectionPool:
    options = {"options": f"-c role={ROLE} -c search_path={SCHEMA},pg_catalog,pg_temp"}
    return AsyncConnectionPool(
        url,
        kwargs={**options, "application_name": "comptoir worker"},
        min_size=2,
        max_size=4,
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
        if job := getattr(record, "job", None):
            line |= {"job": job["task_name"], "id": job["id"]}
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if error is not None:
            line["error"] = str(error.__cause__ or error).strip().partition("\n")[0]
        sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
        sys.stdout.buffer.flush()


def log_to_stdout() -> None:
    """What procrastinate does, as JSON lines."""
    logging.raiseExceptions = False
    logger = logging.getLogger("procrastinate")
    logger.addHandler(Lines())
    logger.setLevel(logging.INFO)
    logger.propagate = False
