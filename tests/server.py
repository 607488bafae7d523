"""Starts the service and the worker as processes, with the clock of the tests."""

import asyncio
import functools
import inspect
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from app.auth.encrypted import Secrets
from app.base.settings import DEVELOPMENT_PASSWORD
from app.jobs.tasks import JOBS
from app.leaves.embarque.postgres import Postgres
from app.leaves.embarque.server import free_port
from bench import service
from bench.service import BACKUP_KEY, PATIENCE, SECRET, Service, eventually
from tests import builders
from tests.heure import HOUR

# with the functions below
__all__ = ["BACKUP_KEY", "PATIENCE", "SECRET", "SECRETS", "Service", "eventually", "free_port"]

ROOT = Path(__file__).parents[1]
SECRETS = Secrets(SECRET)  # encrypts as the services of the tests do
# Stops procrastinate from deferring periodic jobs.
SILENT = """
create or replace function queue.essai_rien() returns trigger language plpgsql as 'begin return null; end';
alter function queue.essai_rien() owner to comptoir_owner;
create or replace trigger essai_rien before insert on queue.procrastinate_periodic_defers
  for each row execute function queue.essai_rien();
"""
RETRY_NOW = """
set search_path = queue, pg_catalog;
update queue.procrastinate_jobs set scheduled_at = now() where scheduled_at > now()
"""
NEVER = "insert into jobs.horloge select unnest(%s::text[]), 'infinity' on conflict do nothing"


def quiet(_: str) -> None:
    """Print nothing."""


async def until(check: Callable[[], Any]) -> Any:
    """Repeat the check until its result is true, and return it. Other tasks of the event loop run meanwhile."""
    async with asyncio.timeout(PATIENCE):
        while True:
            result = check()
            if inspect.isawaitable(result):
                result = await result
            if result:
                return result
            await asyncio.sleep(0.01)


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:

    @functools.wraps(test)
    def run(**fixtures: Any) -> None:
        asyncio.run(test(**fixtures))

    return run


def blocks(holder: psycopg.Connection[Any], watcher: psycopg.Connection[Any]) -> bool:
    """Whether the service or the worker waits for a lock of the holder.

    Sessions of other databases, and waits for other locks, do not count. The watcher commits each statement: one
    transaction sees one state of the sessions.
    """
    waiting = (
        "select from pg_stat_activity where application_name like 'comptoir%%' and %s = any (pg_blocking_pids(pid))"
    )
    return watcher.execute(waiting, [holder.info.backend_pid]).fetchone() is not None


def kill(process: subprocess.Popen[Any]) -> None:
    process.kill()
    process.wait()


def start_again(server: Postgres, port: int) -> None:
    """Start a stopped PostgreSQL on the port that it had."""
    server._child = server._run(server._command(port))
    eventually(lambda: _accepts(server))


def crash(server: Postgres) -> None:
    """Stop PostgreSQL at once, without a checkpoint, and start it again on its port."""
    port, child = server.port, server._child
    assert child is not None
    child.send_signal(signal.SIGQUIT)
    child.wait()
    start_again(server, port)


def _accepts(server: Postgres) -> bool:
    try:
        psycopg.connect(server.url()).close()
    except (psycopg.OperationalError, RuntimeError):
        return False
    return True


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without the settings and the state folder of the developer."""
    return service.environment(_settings(extra))


def running(directory: Path, module: Sequence[str] = ("app", "serve"), **extra: str) -> AbstractContextManager[Service]:
    """Start the service with these settings. `login` without a password also works for accounts of the builders."""
    passwords = (DEVELOPMENT_PASSWORD, builders.PASSWORD)
    return service.running(directory, passwords, module, **_settings(extra))


def _settings(extra: Mapping[str, str]) -> dict[str, str]:
    return {**HOUR, "COMPTOIR_ETAT": os.environ["ESSAIS_PROCESSUS"], **extra}


@contextmanager
def worker(
    directory: Path, *, periodic: bool = False, program: Sequence[str] = ("-m", "app"), **extra: str
) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """Start a worker, wait until it is ready for jobs, and kill it at the end if it still runs.

    Without `periodic`, the worker runs no periodic job at any hour, so the test counts only the jobs that it deferred.
    `program` starts it another way.
    """
    if not periodic:
        with suppress(psycopg.OperationalError), psycopg.connect(extra["DATABASE_URL"]) as connection:
            connection.execute(SILENT)
            connection.execute(NEVER, [[job.name for job in JOBS if job.cron.split()[1] == "*"]])
    log = directory / f"travailleur-{len(list(directory.glob('travailleur-*')))}.log"
    with log.open("wb") as output:
        command, settings = [sys.executable, *program, "worker"], environment({"TMPDIR": str(directory), **extra})
        process = subprocess.Popen(command, env=settings, stdout=output, stderr=output, start_new_session=True)
    try:
        eventually(lambda: process.poll() is not None or "attend les tâches" in log.read_text())
        yield process, log
    finally:
        kill(process)
