"""The clock of the worker: puts in what is due, and takes back what a dead worker held.

procrastinate's own clock knows UTC alone and forgets what it missed by more than ten minutes. This one asks the
database what time it is for the organisation, and whether the last due hour of each job was seen to.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import psycopg
from croniter import croniter
from psycopg_pool import AsyncConnectionPool, PoolTimeout

PERIOD_SECONDS = 5.0
SILENCE_SECONDS = 30  # after three missed heartbeats

logger = logging.getLogger("comptoir.clock")


class Clock:
    """One of these runs beside each worker; two of them do no more than one."""

    def __init__(self, pool: AsyncConnectionPool, crons: Mapping[str, str], attempts: int) -> None:
        self._pool = pool
        self._crons = crons
        self._attempts = attempts

    async def run(self) -> None:
        while True:
            try:
                await self.tick()
            except (psycopg.Error, PoolTimeout) as error:
                logger.warning("L'horloge n'atteint pas la base ; nouvel essai.", exc_info=error)
            await asyncio.sleep(PERIOD_SECONDS)

    async def tick(self) -> None:
        """One look: abandoned jobs first, so that what is due does not wait behind them."""
        async with self._pool.connection() as connection:
            abandoned = await connection.execute(
                "select id, tache, issue from jobs.file_reprendre(%s, %s)", [SILENCE_SECONDS, self._attempts]
            )
            for number, name, outcome in await abandoned.fetchall():
                level = logging.ERROR if outcome == "failed" else logging.WARNING
                _tell(f"job_abandoned_{outcome}", number, name, level)
        async with self._pool.connection() as connection:
            row = await (await connection.execute("select jobs.heure_locale()")).fetchone()
            hours = {name: last_hour(cron, row[0]) for name, cron in self._crons.items()} if row else {}
            due = await connection.execute(
                "select d.tache from unnest(%s::text[], %s::timestamp[]) d (tache, heure)"
                " where jobs.tache_echoir(d.tache, d.heure)",
                [list(hours), list(hours.values())],
            )
            for (name,) in await due.fetchall():
                _tell("job_due", None, name, logging.INFO)


def last_hour(cron: str, now: datetime) -> datetime:
    """When the job was last due."""
    found: datetime = croniter(cron, now).get_prev(datetime)
    return found


def _tell(action: str, number: int | None, name: str, level: int) -> None:
    job: dict[str, Any] = {"task_name": name, "id": number}
    logger.log(level, action, extra={"action": action, "job": job})
