"""Takes the strong locks of an upgrade together, within half a second, and names the sessions that may block them.

When a session waits for a strong lock, every later session queues behind it, readers too. An upgrade therefore waits
for a fraction of a second, releases everything, and retries after a pause.
"""

import time
from datetime import datetime
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
# A session that has a snapshot and no lock delays `create index concurrently`.
_OLDER = """
with verrou as (
  select l.pid, array_to_string((array_agg(distinct c.oid::regclass::text))[1:3], ', ') as tables
    from pg_locks l join pg_class c on c.oid = l.relation
   where l.granted and l.database = (select oid from pg_database where datname = current_database())
     and c.relkind in ('r', 'p', 'v') and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
   group by l.pid)
select coalesce(v.tables, 'un verrou'), pid, a.usename, nullif(a.application_name, ''), a.backend_type,
       extract(epoch from clock_timestamp() - a.xact_start)::integer, a.query
  from verrou v full join pg_stat_activity a using (pid)
 where (v.tables is not null or a.backend_xmin is not null)
   and (pid is null or a.datname = current_database() and a.xact_start < %s and a.leader_pid is null)
   and pid is distinct from pg_backend_pid()
 order by a.xact_start
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


def older_sessions(connection: psycopg.Connection[Any], began: datetime) -> list[str]:
    """The sessions whose transaction is older than `began` and may block an attempt that began then, oldest first.

    A prepared transaction may be younger.
    """
    return [_describe(*row) for row in connection.execute(_OLDER, [began])]


def _describe(
    lock: str, pid: int | None, user: str | None, program: str | None, kind: str | None, seconds: int | None, query: str
) -> str:
    if pid is None:
        return f"{lock} : une transaction préparée (pg_prepared_xacts)"
    by = f"de {user}" if user else f"({kind})"
    since = f"transaction ouverte depuis {seconds} s"
    text = " ".join((query or "").split())
    shown_query = f", « {text[:SHOWN]} »" if text and not text.startswith("<") else ""
    return f"{lock} : session {pid} {by}{f' ({program})' if program else ''}, {since}{shown_query}"
