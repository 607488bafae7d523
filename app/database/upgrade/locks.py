"""Takes the strong locks of an upgrade together, within half a second, and names the sessions that block them.

When a session waits for a strong lock, every later session queues behind it, readers too. An upgrade therefore waits
for a fraction of a second, releases everything, and retries after a pause.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg import sql

from app.base.progress import Say, during
from app.database.release import QUEUE, SLICES

ADVISORY_LOCK = 0x636F6D70746F6972  # "comptoir"
STRONG_SECONDS = 0.5  # the longest wait for strong locks: readers queue behind it
WEAK_SECONDS = 3.0  # time for PostgreSQL to interrupt an autovacuum, which it does after deadlock_timeout
POLL_SECONDS = 0.1
SHOWN = 160  # characters of a blocking statement to show

_RELATIONS = """
select format('%%I.%%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
 where c.relkind = any(%s) and not c.relispartition and n.nspname = any(%s) order by c.oid
"""
# The wait may begin or end between the two looks at the locks: a row needs both.
_BLOCKERS = """
with attendu as (
  select coalesce(string_agg(distinct l.relation::regclass::text, ', '), 'un verrou') as quoi
    from pg_locks l where l.pid = %(pid)s and not l.granted having count(*) > 0)
select w.quoi, b.pid, a.usename, nullif(a.application_name, ''), a.backend_type,
       extract(epoch from clock_timestamp() - a.xact_start)::integer, a.query
  from attendu w cross join unnest(pg_blocking_pids(%(pid)s)) b(pid) left join pg_stat_activity a on a.pid = b.pid
"""


def wait_for_others(connection: psycopg.Connection[Any], say: Say) -> None:
    """Take the advisory lock of upgrades, and keep it until the session ends.

    It polls: a session that waits for a lock keeps a snapshot, and `create index concurrently` of the other upgrade
    would wait for that snapshot.
    """
    with during("Attente d'une autre mise à jour", say):
        while connection.execute("select pg_try_advisory_lock(%s)", [ADVISORY_LOCK]).fetchone() != (True,):
            time.sleep(POLL_SECONDS)


def take_locks(connection: psycopg.Connection[Any]) -> None:
    """Drop the views and lock every table in this transaction. Raises the error of psycopg when a lock is not free."""
    schemas = [*SLICES, QUEUE]
    tables, views = (_names(connection, kinds, schemas) for kinds in (["r", "p"], ["v"]))
    if not tables:
        return
    # This mode permits reads and writes. It waits for vacuum and for changes of tables, and blocks new ones.
    connection.execute(sql.SQL("set local lock_timeout = {}").format(milliseconds(WEAK_SECONDS)))
    connection.execute(sql.SQL("lock table {} in share update exclusive mode").format(tables))
    deadline = time.monotonic() + STRONG_SECONDS
    # A reader locks a view before its tables. The opposite order here would deadlock with it.
    for statement, names in (("drop view {} cascade", views), ("lock table {} in access exclusive mode", tables)):
        if names:
            seconds = max(0.001, deadline - time.monotonic())
            connection.execute(sql.SQL("set local statement_timeout = {}").format(milliseconds(seconds)))
            connection.execute(sql.SQL(statement).format(names))
    connection.execute("set local statement_timeout = 0")
    connection.execute(sql.SQL("set local lock_timeout = {}").format(milliseconds(STRONG_SECONDS)))


def _names(connection: psycopg.Connection[Any], kinds: list[str], schemas: list[str]) -> sql.Composed | None:
    rows = connection.execute(_RELATIONS, [kinds, schemas]).fetchall()
    return sql.SQL(", ").join(sql.SQL(name) for (name,) in rows) if rows else None


def milliseconds(seconds: float) -> sql.Literal:
    return sql.Literal(f"{round(seconds * 1000)}ms")


@contextmanager
def blockers(url: str, watched: psycopg.ConnectionInfo) -> Iterator[list[str]]:
    """Find, from another session, the sessions that block the watched one while the context lasts.

    The list keeps the sessions of the last wait. The other session is there before the context begins.
    """
    sessions: list[str] = []
    connected, over = threading.Event(), threading.Event()

    def look() -> None:
        try:
            # When the server refuses a connection or goes down, no blocker is named. The address may name several
            # servers.
            with (
                suppress(psycopg.OperationalError),
                psycopg.connect(url, autocommit=True, host=watched.host, port=watched.port) as connection,
            ):
                connected.set()
                while not over.wait(POLL_SECONDS):
                    if rows := connection.execute(_BLOCKERS, {"pid": pid}).fetchall():
                        sessions[:] = [_describe(*row) for row in rows]
        finally:
            connected.set()

    pid, thread = watched.backend_pid, threading.Thread(target=look, daemon=True)
    thread.start()
    connected.wait()
    try:
        yield sessions
    finally:
        over.set()
        thread.join()


def _describe(
    lock: str, pid: int, account: str | None, program: str | None, kind: str | None, seconds: int | None, query: str
) -> str:
    if pid == 0:
        return f"{lock} : une transaction préparée (pg_prepared_xacts)"
    session = f"session {pid} de {account}" if account else f"session {pid} ({kind or 'terminée'})"
    since = f", transaction ouverte depuis {seconds} s" if seconds is not None else ""
    text = " ".join((query or "").split())
    shown_query = f", « {text[:SHOWN]} »" if text and not text.startswith("<") else ""
    return f"{lock} : {session}{f' ({program})' if program else ''}{since}{shown_query}"
