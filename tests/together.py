"""Concurrent sessions: the same call on several connections at one moment."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import psycopg
from psycopg.rows import dict_row

from tests.conftest import Db


def together(url: str, count: int, act: Callable[[Db, int], Any]) -> list[Any]:
    """Run act(db, n) on `count` connections at once. A refused call answers its rule name or SQLSTATE."""
    start = Barrier(count)

    def run(n: int) -> Any:
        with psycopg.connect(url, row_factory=dict_row, autocommit=True) as connection:
            connection.execute("set deadlock_timeout = '50ms'")
            start.wait()
            try:
                return act(Db(connection), n)
            except psycopg.Error as error:
                return error.diag.constraint_name or error.sqlstate

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))
