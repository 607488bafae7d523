"""The connection pool: waiting callers, timeouts and lost connections; it never opens more than its size."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from app.database import pool as pool_module
from app.database.pool import WAITING_ROOM, Pool, Usage
from tests.server import until

pytestmark = pytest.mark.anyio
NAP = "select pg_sleep($1)"
BACKEND = "select pg_backend_pid()"


@asynccontextmanager
async def opened(url: str, size: int = 2) -> AsyncIterator[Pool]:
    pool = Pool(url, size, 100)
    try:
        yield pool
    finally:
        await pool.close()


@pytest.fixture
async def watcher(worker_url: str) -> AsyncIterator[asyncpg.Connection[Any]]:
    connection = await asyncpg.connect(worker_url)
    yield connection
    await connection.close()


async def backends(watcher: asyncpg.Connection[Any], state: str = "") -> int:
    """Count the connections of the service in this database, of one state if a state is given."""
    query = """select count(*) from pg_stat_activity where datname = current_database()
                  and application_name = 'comptoir' and ($1 = '' or state = $1)"""
    return int(await watcher.fetchval(query, state))


async def until_backends(watcher: asyncpg.Connection[Any], count: int, state: str = "") -> None:
    async def reached() -> bool:
        return await backends(watcher, state) == count

    await until(reached)


async def naps(pool: Pool, watcher: asyncpg.Connection[Any], count: int = 1) -> list[asyncio.Task[Any]]:
    """Start long statements that each hold a connection, and wait until all run."""
    tasks = [asyncio.create_task(pool.fetchrow(NAP, 60.0)) for _ in range(count)]
    await until_backends(watcher, count, "active")
    return tasks


async def cancel(tasks: list[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    for answer in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(answer, asyncio.CancelledError)


async def test_many_callers_share_the_connections(worker_url: str, watcher: Any) -> None:
    async with opened(worker_url) as pool:
        assert pool.usage() == Usage(0, 0, 2)
        answers = await asyncio.gather(*(pool.fetchrow(BACKEND) for _ in range(2 + 2 * WAITING_ROOM)))
        assert len({row[0] for row in answers}) == 2
        assert (pool.usage(), await backends(watcher)) == (Usage(2, 0, 2), 2)


async def test_a_single_caller_always_gets_the_same_connection(worker_url: str) -> None:
    async with opened(worker_url) as pool:
        await asyncio.gather(pool.fetchrow(BACKEND), pool.fetchrow(BACKEND))
        assert len({(await pool.fetchrow(BACKEND))[0] for _ in range(20)}) == 1


async def test_waiting_callers_are_served_in_order(worker_url: str) -> None:
    async with opened(worker_url, 1) as pool:
        order: list[int] = []

        async def call(number: int) -> None:
            await pool.fetchrow("select 1")
            order.append(number)

        await asyncio.gather(*(call(number) for number in range(40)))
        assert order == list(range(40))


async def test_a_caller_is_refused_at_once_when_the_queue_is_full(worker_url: str, watcher: Any) -> None:
    async with opened(worker_url, 1) as pool:
        tasks = await naps(pool, watcher)
        waiting = [asyncio.create_task(pool.fetchrow(BACKEND)) for _ in range(WAITING_ROOM)]
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            await pool.fetchrow(BACKEND)
        await cancel(tasks)
        assert len({row[0] for row in await asyncio.gather(*waiting)}) == 1


async def test_a_caller_that_times_out_takes_no_connection(worker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(worker_url, 1) as pool:
        await pool.fetchrow(BACKEND)  # the time to open a connection has the same bound
        monkeypatch.setattr(pool_module, "ACQUIRE_TIMEOUT", 0.05)
        nap = asyncio.create_task(pool.fetchrow(NAP, 0.5))
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            await pool.fetchrow(BACKEND)
        await nap
        assert pool.usage() == Usage(1, 0, 1)


async def test_a_caller_cancelled_at_its_turn_passes_the_connection_on(worker_url: str) -> None:
    async with opened(worker_url, 1) as pool:
        for turn in range(60):
            first, second, third = (asyncio.create_task(pool.fetchrow(BACKEND)) for _ in range(3))
            if turn % 2:
                # The pool has given the connection to the second task, which has not run yet.
                first.add_done_callback(lambda _, task=second: task.cancel())
            else:
                for _ in range(turn // 2):
                    await asyncio.sleep(0)
                second.cancel()
            await asyncio.gather(first, second, third, return_exceptions=True)
            assert third.exception() is None
            await _assert_all_free(pool, 1)


async def _assert_all_free(pool: Pool, size: int) -> None:
    """Every connection is free again, and the pool has at most `size` of them."""
    await until(lambda: not pool._closing)
    assert not pool._opening and not pool._waiting
    assert pool.usage().busy == 0 and pool.usage().open <= size


async def test_a_cancelled_caller_stops_its_statement_in_the_server(worker_url: str, watcher: Any) -> None:
    async with opened(worker_url) as pool:
        await cancel(await naps(pool, watcher, 2))
        await until_backends(watcher, 0)
        await _assert_all_free(pool, 2)
        await pool.fetchrow(BACKEND)


async def test_a_statement_that_takes_too_long_is_stopped_in_the_server(
    worker_url: str, watcher: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "STATEMENT_TIMEOUT", 0.1)
    async with opened(worker_url, 1) as pool:
        waiting = asyncio.create_task(pool.fetchrow(NAP, 60.0))
        await asyncio.sleep(0)
        other = asyncio.create_task(pool.fetchrow("select 1"))
        with pytest.raises(TimeoutError):
            await waiting
        assert (await other)[0] == 1  # on a new connection, in place of the stopped one
        await until_backends(watcher, 0, "active")
        await _assert_all_free(pool, 1)


async def test_a_database_error_keeps_the_connection(worker_url: str) -> None:
    async with opened(worker_url, 1) as pool:
        before = (await pool.fetchrow(BACKEND))[0]
        with pytest.raises(asyncpg.DivisionByZeroError):
            await pool.fetchrow("select 1 / 0")
        assert (await pool.fetchrow(BACKEND))[0] == before


CUT = """
select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and application_name = 'comptoir'
"""


async def test_connections_cut_while_idle_are_replaced(worker_url: str, watcher: Any) -> None:
    async with opened(worker_url) as pool:
        await asyncio.gather(pool.fetchrow(BACKEND), pool.fetchrow(BACKEND))
        await watcher.fetch(CUT)
        await until(lambda: all(connection.is_closed() for connection in pool._free))
        assert await asyncio.gather(*(pool.fetchrow(BACKEND) for _ in range(10)))
        await _assert_all_free(pool, 2)


async def test_connections_cut_while_busy_are_replaced_for_waiting_callers(worker_url: str, watcher: Any) -> None:
    async with opened(worker_url) as pool:
        tasks = await naps(pool, watcher, 2)
        others = [asyncio.create_task(pool.fetchrow(BACKEND)) for _ in range(10)]
        await watcher.fetch(CUT)
        for answer in await asyncio.gather(*tasks, return_exceptions=True):
            assert isinstance(answer, asyncpg.PostgresConnectionError | asyncpg.AdminShutdownError)
        await asyncio.gather(*others)
        await _assert_all_free(pool, 2)


async def test_a_failed_connect_is_retried_for_the_next_caller(
    worker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, tries = asyncpg.connect, 0

    async def down_at_first(*arguments: Any, **options: Any) -> Any:
        nonlocal tries
        tries += 1
        await asyncio.sleep(0)
        if tries <= 3:
            raise ConnectionRefusedError
        return await connect(*arguments, **options)

    monkeypatch.setattr(asyncpg, "connect", down_at_first)
    async with opened(worker_url, 1) as pool:
        answers = await asyncio.gather(*(pool.fetchrow("select 1") for _ in range(8)), return_exceptions=True)
        assert [isinstance(answer, ConnectionRefusedError) for answer in answers] == [True] * 3 + [False] * 5
        await _assert_all_free(pool, 1)


async def test_close_waits_for_connections_that_are_closing(worker_url: str, watcher: Any) -> None:
    async with opened(worker_url) as pool:
        await cancel(await naps(pool, watcher, 2))
    assert not pool._closing and pool.usage() == Usage(0, 0, 2)
    await until_backends(watcher, 0)
