"""Writers that go to each server of a cluster directly, past its proxies, and the checks of their acknowledged writes.

Each server has one writer, which commits a row whenever its server is not a standby. Two servers that acknowledge
commits at the same time, or an acknowledged row that is missing at the end, are a split brain.
"""

import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any, Self

import psycopg

from tests.conftest import execute

# A write that waits for its standby is never cancelled: PostgreSQL would commit it without the standby. TCP alone
# notices that the server has disappeared.
DEADLINES = "connect_timeout=2&keepalives_idle=2&keepalives_interval=1&keepalives_count=3"
TABLE = "create table essai_ecriture (serveur text, numero integer, primary key (serveur, numero))"
WRITE = """insert into essai_ecriture values (%s, %s)
 returning ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer"""
PACE = 0.1  # seconds between two writes
STOP_SECONDS = 30


@dataclass(frozen=True)
class Write:
    """An acknowledged commit: its server and row, the timeline of the server, when it began and when it ended."""

    server: str
    number: int
    timeline: int
    began: float
    ended: float


class Writers:
    """One thread for each server. `urls` names the servers."""

    def __init__(self, urls: Mapping[str, str]) -> None:
        self.writes: list[Write] = []
        self._over = threading.Event()
        # A thread that waits for a dead server must not keep a failing test from its end.
        self._threads = [threading.Thread(target=self._work, args=item, daemon=True) for item in urls.items()]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(STOP_SECONDS)

    def _work(self, server: str, url: str) -> None:
        numbers = count()
        while not self._over.wait(PACE):
            with suppress(psycopg.Error), psycopg.connect(f"{url}?{DEADLINES}", autocommit=True) as connection:
                # PostgreSQL warns of a commit that its standby has not confirmed. Such a commit is not acknowledged.
                warnings: list[Any] = []
                connection.add_notice_handler(warnings.append)
                while not self._over.wait(PACE) and not warnings:
                    self._write(connection, server, next(numbers), warnings)

    def _write(self, connection: psycopg.Connection, server: str, number: int, warnings: list[Any]) -> None:
        if connection.execute("select pg_is_in_recovery()").fetchone() == (True,):
            return
        began = time.monotonic()
        row = connection.execute(WRITE, [server, number]).fetchone()
        if row is not None and not warnings:
            self.writes.append(Write(server, number, row[0], began, time.monotonic()))


def wrong(writes: list[Write], url: str) -> list[str]:
    """Return a sentence for each sign of a split brain. The address is the last leader's."""
    timelines: dict[int, list[Write]] = {}
    for write in writes:
        timelines.setdefault(write.timeline, []).append(write)
    errors = []
    for timeline, here in timelines.items():
        servers = {write.server for write in here}
        if len(servers) > 1:
            errors.append(f"timeline {timeline} of several servers: {servers}")
        first = min(write.ended for write in here)
        errors += [f"{w} after timeline {timeline}" for w in writes if w.timeline < timeline and w.began > first]
    kept = set(execute(url, "select serveur, numero from essai_ecriture"))
    return errors + [f"{write} is missing" for write in writes if (write.server, write.number) not in kept]
