"""Concurrent sessions: the same call on several connections at once, or a statement that waits for a lock."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier, Event
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from tests.conftest import Db
from tests.server import eventually

AtOnce = Callable[[int, Callable[[Db, int], Any]], list[Any]]  # `together` on one database
SLEEPS = "wait_event = 'PgSleep'"
LOCKED = "wait_event_type = 'Lock'"


def connect(url: str) -> psycopg.Connection[Any]:
    """A session that commits each statement."""
    return psycopg.connect(url, row_factory=dict_row, autocommit=True)


def until_it_waits(watcher: Db, waiter: psycopg.Connection[Any], how: str = LOCKED) -> None:
    query = f"select {how} from pg_stat_activity where pid = %s"
    eventually(lambda: watcher.one(query, [waiter.info.backend_pid]))


def together(url: str, count: int, act: Callable[[Db, int], Any]) -> list[Any]:
    """Run act(db, n) on `count` connections at once. A refused call answers its rule name or SQLSTATE."""
    start = Barrier(count)

    def run(n: int) -> Any:
        with connect(url) as connection:
            connection.execute("set deadlock_timeout = '50ms'")
            start.wait()
            try:
                return act(Db(connection), n)
            except psycopg.Error as error:
                return error.diag.constraint_name or error.sqlstate

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def calling(function: str, **arguments: Any) -> Callable[[Db, int], str]:
    """An act of `together`: one call, which answers `done` if it is accepted."""

    def act(db: Db, _: int) -> str:
        db.call(function, **arguments)
        return "done"

    return act


@contextmanager
def repeated(*calls: Callable[[], object]) -> Iterator[list[float]]:
    """Repeat each call in a thread of its own, and begin the block when all have answered. Yield their seconds."""
    over = Event()
    seconds: list[float] = []

    def repeat(call: Callable[[], object]) -> None:
        while not over.is_set():
            began = time.monotonic()
            call()
            seconds.append(time.monotonic() - began)

    with ThreadPoolExecutor(len(calls)) as threads:
        repeating = [threads.submit(repeat, call) for call in calls]
        try:
            eventually(lambda: len(seconds) > 3 * len(calls) or any(each.done() for each in repeating))
            yield seconds
        finally:
            over.set()
    for each in repeating:
        each.result()


@contextmanager
def waiting(waiter: Db, holder: Db, act: Callable[[], Any]) -> Iterator[Future[Any]]:
    """Begin to act in the session of the waiter. The block begins when the act waits for the holder, or is done."""
    pids = [holder.connection.info.backend_pid, waiter.connection.info.backend_pid]
    with ThreadPoolExecutor(1) as pool:
        acting = pool.submit(act)
        try:
            eventually(lambda: acting.done() or holder.one("select %s = any (pg_blocking_pids(%s))", pids))
            yield acting
        except BaseException:
            waiter.connection.cancel()  # or the pool would wait for it
            raise


def assert_waits(waiter: Db, holder: Db, statement: str, parameters: Any = None) -> None:
    """Check that the statement waits for a lock that the other session holds, then cancel it and roll back."""
    with waiting(waiter, holder, lambda: waiter.execute(statement, parameters)) as acting:
        waiter.connection.cancel()
        with pytest.raises(psycopg.errors.QueryCanceled):
            acting.result()
    waiter.connection.rollback()
