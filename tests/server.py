"""The service and the worker as users run them, at the hour of the tests."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from app.base.server import free_port
from app.base.settings import DEVELOPMENT_PASSWORD
from app.jobs.worker import JOBS
from bench import service
from bench.service import BACKUP_KEY, PATIENCE, SECRET, Service, eventually
from tests import builders
from tests.heure import HOUR

__all__ = ["BACKUP_KEY", "PATIENCE", "SECRET", "Service", "eventually", "free_port"]  # beside what is defined here

ROOT = Path(__file__).parents[1]
# What procrastinate would put in at its own hours is not put in.
SILENT = """
create or replace function queue.essai_rien() returns trigger language plpgsql as 'begin return null; end';
alter function queue.essai_rien() owner to comptoir_owner;
create or replace trigger essai_rien before insert on queue.procrastinate_periodic_defers
  for each row execute function queue.essai_rien();
"""
NEVER = "insert into jobs.horloge select unnest(%s::text[]), 'infinity' on conflict do nothing"


async def until(check: Callable[[], Any], patience: float = 20.0) -> Any:
    """What the check answers, awaited if it has to be, once it is true; the others of this loop go on meanwhile."""
    async with asyncio.timeout(patience):
        while True:
            found = check()
            if inspect.isawaitable(found):
                found = await found
            if found:
                return found
            await asyncio.sleep(0.01)


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """A clean one: nothing of the developer's own settings."""
    return service.environment({**HOUR, **extra})


def running(directory: Path, **extra: str) -> AbstractContextManager[Service]:
    """Start the service with these settings; without a password, accounts of the builders sign in too."""
    passwords = (DEVELOPMENT_PASSWORD, builders.PASSWORD)
    return service.running(directory, passwords, **{**HOUR, **extra})


@contextmanager
def worker(directory: Path, *, periodic: bool = False, **extra: str) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """Start a worker, wait until it waits for jobs, and kill it if the test did not end it.

    Without `periodic`, whatever the hour of the test nothing comes of itself, and jobs of every hour or minute are out
    of the way: what a test counts is what it asked for.
    """
    with suppress(psycopg.OperationalError), psycopg.connect(extra["DATABASE_URL"]) as connection:
        if not periodic:
            connection.execute(SILENT)
            connection.execute(NEVER, [[job.name for job in JOBS if job.cron.split()[1] == "*"]])
    log = directory / f"travailleur-{len(list(directory.glob('travailleur-*')))}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "app", "worker"],
            env=environment({"TMPDIR": str(directory), **extra}),
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        eventually(lambda: process.poll() is not None or "attend les tâches" in log.read_text())
        yield process, log
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
