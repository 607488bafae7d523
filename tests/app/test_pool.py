"""The pool: who waits, who gives up, what is lost; always as many connections as it may have, and no more."""

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

NAP = "select pg_sleep($1)"
WHO = "select pg_backend_pid()"


@asynccontextmanager
async def opened(url: str, size: int = 2) -> AsyncIterator[Pool]:
    pool = Pool(url, size, 100)
    try:
        yield pool
    finally:
        await pool.close()


@asynccontextmanager
async def watching(url: str) -> AsyncIterator[asyncpg.Connection[Any]]:
    connection = await asyncpg.connect(url)
    try:
        yield connection
    finally:
        await connection.close()


async def backends(watcher: asyncpg.Connection[Any], state: str = "") -> int:
    """How many the service has in this database, those of a state if one is given."""
    return int(
        await watcher.fetchval(
            "select count(*) from pg_stat_activity where datname = current_database()"
            " and application_name = 'comptoir' and ($1 = '' or state = $1)",
            state,
        )
    )


async def naps(pool: Pool, watcher: asyncpg.Connection[Any], count: int = 1) -> list[asyncio.Task[Any]]:
    """Statements that hold a connection each."""
    tasks = [asyncio.create_task(pool.fetchrow(NAP, 60.0)) for _ in range(count)]

    async def all_run() -> bool:
        return await backends(watcher, "active") == count

    await until(all_run)
    return tasks


async def cancelled(tasks: list[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    for answer in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(answer, asyncio.CancelledError)


def test_a_crowd_shares_the_connections(worker_url: str) -> None:
    async def calls() -> None:
        async with opened(worker_url) as pool, watching(worker_url) as watcher:
            assert pool.usage() == Usage(0, 0, 2)
            answers = await asyncio.gather(*(pool.fetchrow(WHO) for _ in range(2 + 2 * WAITING_ROOM)))
            assert len({row[0] for row in answers}) == 2
            assert (pool.usage(), await backends(watcher)) == (Usage(2, 0, 2), 2)

    asyncio.run(calls())


def test_alone_it_is_always_the_same_connection(worker_url: str) -> None:
    async def calls() -> None:
        async with opened(worker_url) as pool:
            await asyncio.gather(pool.fetchrow(WHO), pool.fetchrow(WHO))
            assert len({(await pool.fetchrow(WHO))[0] for _ in range(20)}) == 1

    asyncio.run(calls())


def test_they_are_served_in_the_order_of_their_coming(worker_url: str) -> None:
    async def calls() -> None:
        async with opened(worker_url, 1) as pool:
            order: list[int] = []

            async def call(number: int) -> None:
                await pool.fetchrow("select 1")
                order.append(number)

            await asyncio.gather(*(call(number) for number in range(40)))
            assert order == list(range(40))

    asyncio.run(calls())


def test_more_than_can_be_served_are_told_at_once(worker_url: str) -> None:
    async def calls() -> None:
        async with opened(worker_url, 1) as pool, watching(worker_url) as watcher:
            tasks = await naps(pool, watcher)
            waiting = [asyncio.create_task(pool.fetchrow(WHO)) for _ in range(WAITING_ROOM)]
            await asyncio.sleep(0)
            with pytest.raises(TimeoutError):
                await pool.fetchrow(WHO)
            await cancelled(tasks)
            assert len({row[0] for row in await asyncio.gather(*waiting)}) == 1

    asyncio.run(calls())


def test_who_has_waited_too_long_is_told_and_takes_no_turn(worker_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "ACQUIRE_TIMEOUT", 0.05)

    async def calls() -> None:
        async with opened(worker_url, 1) as pool:
            await pool.fetchrow(WHO)
            nap = asyncio.create_task(pool.fetchrow(NAP, 0.5))
            await asyncio.sleep(0)
            with pytest.raises(TimeoutError):
                await pool.fetchrow(WHO)
            await nap
            assert pool.usage() == Usage(1, 0, 1)

    asyncio.run(calls())


def test_who_goes_away_at_the_moment_of_its_turn_passes_it_on(worker_url: str) -> None:
    async def calls() -> None:
        async with opened(worker_url, 1) as pool:
            for turn in range(60):
                first = asyncio.create_task(pool.fetchrow(WHO))
                second = asyncio.create_task(pool.fetchrow(WHO))
                third = asyncio.create_task(pool.fetchrow(WHO))
                if turn % 2:
                    first.add_done_callback(lambda _, task=second: task.cancel())  # its turn is set, and it has not run
                else:
                    for _ in range(turn // 2):
                        await asyncio.sleep(0)
                    second.cancel()
                await asyncio.gather(first, second, third, return_exceptions=True)
                assert third.exception() is None
                await _whole(pool, 1)

    asyncio.run(calls())


async def _whole(pool: Pool, size: int) -> None:
    """Every place is free again, none is lost and none was made twice."""

    async def calm() -> bool:
        return not pool._closing

    await until(calm)
    assert not pool._opening and not pool._waiting
    assert pool.usage().busy == 0 and pool.usage().open <= size


def test_who_goes_away_stops_its_statement_in_the_server(worker_url: str) -> None:
    async def calls() -> None:
        async with opened(worker_url) as pool, watching(worker_url) as watcher:
            await cancelled(await naps(pool, watcher, 2))

            async def stopped() -> bool:
                return await backends(watcher) == 0

            await until(stopped)
            await _whole(pool, 2)
            await pool.fetchrow(WHO)

    asyncio.run(calls())


def test_a_statement_that_takes_too_long_is_stopped_in_the_server(
    worker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_module, "STATEMENT_TIMEOUT", 0.1)

    async def calls() -> None:
        async with opened(worker_url, 1) as pool, watching(worker_url) as watcher:
            waiting = asyncio.create_task(pool.fetchrow(NAP, 60.0))
            await asyncio.sleep(0)
            other = asyncio.create_task(pool.fetchrow("select 1"))
            with pytest.raises(TimeoutError):
                await waiting
            assert (await other)[0] == 1  # in the place of the one that was stopped
            assert await backends(watcher, "active") == 0
            await _whole(pool, 1)

    asyncio.run(calls())


def test_a_refusal_of_the_database_costs_no_connection(worker_url: str) -> None:
    async def calls() -> None:
        async with opened(worker_url, 1) as pool:
            before = (await pool.fetchrow(WHO))[0]
            with pytest.raises(asyncpg.DivisionByZeroError):
                await pool.fetchrow("select 1 / 0")
            assert (await pool.fetchrow(WHO))[0] == before

    asyncio.run(calls())


CUT = """
select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and application_name = 'comptoir'
"""


def test_connections_cut_while_idle_are_replaced(worker_url: str) -> None:
    async def calls() -> None:
        async with opened(worker_url) as pool, watching(worker_url) as watcher:
            await asyncio.gather(pool.fetchrow(WHO), pool.fetchrow(WHO))

            async def noticed() -> bool:
                return all(connection.is_closed() for connection in pool._free)

            await watcher.fetch(CUT)
            await until(noticed)
            assert await asyncio.gather(*(pool.fetchrow(WHO) for _ in range(10)))
            await _whole(pool, 2)

    asyncio.run(calls())


def test_connections_cut_at_work_leave_their_places_to_those_who_wait(worker_url: str) -> None:
    async def calls() -> None:
        async with opened(worker_url) as pool, watching(worker_url) as watcher:
            tasks = await naps(pool, watcher, 2)
            others = [asyncio.create_task(pool.fetchrow(WHO)) for _ in range(10)]
            await watcher.fetch(CUT)
            for answer in await asyncio.gather(*tasks, return_exceptions=True):
                assert isinstance(answer, asyncpg.PostgresConnectionError | asyncpg.AdminShutdownError)
            await asyncio.gather(*others)
            await _whole(pool, 2)

    asyncio.run(calls())


def test_a_place_that_could_not_be_opened_is_tried_by_the_next(
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

    async def calls() -> None:
        async with opened(worker_url, 1) as pool:
            found = await asyncio.gather(*(pool.fetchrow("select 1") for _ in range(8)), return_exceptions=True)
            assert [isinstance(answer, ConnectionRefusedError) for answer in found] == [True] * 3 + [False] * 5
            await _whole(pool, 1)

    asyncio.run(calls())


def test_closing_waits_for_the_connections_that_part(worker_url: str) -> None:
    async def calls() -> None:
        async with watching(worker_url) as watcher:
            async with opened(worker_url) as pool:
                await cancelled(await naps(pool, watcher, 2))
            assert not pool._closing and pool.usage() == Usage(0, 0, 2)

            async def gone() -> bool:
                return await backends(watcher) == 0

            await until(gone)

    asyncio.run(calls())
