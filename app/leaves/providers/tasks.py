"""The tasks of the worker that ask the providers. The database says when a task runs again: no retry here."""

from functools import partial
from typing import Any

from procrastinate import App
from psycopg import sql
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from app.base.settings import Settings
from app.jobs.tasks import PROVIDERS
from app.leaves.providers import exchange


def add(app: App, pool: AsyncConnectionPool, settings: Settings) -> None:
    run = partial(_run, pool)

    @app.task(name="demande", queue=PROVIDERS)
    async def demand(id_demande: int) -> None:
        await exchange.demand(run, settings, str(id_demande))

    @app.task(name="avis", queue=PROVIDERS)
    async def notice(id_avis: int) -> None:
        await exchange.notice(run, settings, str(id_avis))


async def _run(pool: AsyncConnectionPool, name: str, values: list[str | None]) -> Any:
    """The answer of an operation, in its own transaction, as the API gives it: numbers and identifiers are texts."""
    call = sql.SQL("select * from {}({}) r").format(
        sql.Identifier(*name.split(".")), sql.SQL(", ").join([sql.Placeholder()] * len(values))
    )
    async with pool.connection() as connection, connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(call, values)
        row = await cursor.fetchone() or {}
    if list(row) == [name.partition(".")[2]] or list(row) == ["r"]:
        return next(iter(row.values()))
    return {key: value if value is None or isinstance(value, str) else str(value) for key, value in row.items()}
