"""Follows the database of an organisation from its copy on another server, by PostgreSQL's logical replication.

The copy is made of a snapshot while writes go on. A slot keeps what is written after the snapshot, a subscription
brings it to the copy. Triggers do not run there: their writes come from the source too.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psycopg
import psycopg.errors as pg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from app.base.failure import Failure
from app.database import schema

PATIENCE = 5.0
# Above this limit PostgreSQL 18 drops the changes of aborted transactions, of any database, and announces the end of
# their subtransactions, whose beginning it never sent: the worker of the subscriber crashes, or the session that makes
# the slot, and its server restarts.
DECODING_MEMORY = "-c logical_decoding_work_mem=1GB"
POLL_SECONDS = 0.02
SNAPSHOT_TRIES = 1000
PUBLICATION = sql.Identifier("comptoir_deplacement")
# Keeps the password in the address of the source out of the log of the server.
QUIET = "set log_statement = none; set log_min_error_statement = panic; set log_min_duration_statement = -1"


class MoveError(Failure):
    """The organisation cannot move. The message is French and says why."""


@dataclass(frozen=True, slots=True)
class Follower:
    """The copy `name` at the address `target`, of the database at the address `source`.

    The subscription and its slot have this name too. `leaving` and `arriving` are sessions outside both databases.
    """

    name: str
    source: str
    target: str
    leaving: schema.Session
    arriving: schema.Session

    def obstacle(self) -> str | None:
        """Why PostgreSQL cannot replicate between these servers, in French."""
        if self.leaving.execute("show wal_level").fetchone() != ("logical",):
            return "wal_level n'est pas logical sur le serveur qu'elle quitte"
        query = "select rolsuper from pg_roles where rolname = current_user"
        if any(server.execute(query).fetchone() != (True,) for server in (self.leaving, self.arriving)):
            return "le compte propriétaire n'est pas superutilisateur"
        try:
            with self.arriving.transaction(force_rollback=True):
                self._subscribe(self.arriving, "enabled = false, slot_name = none")
        except psycopg.OperationalError:
            return "le serveur où elle arrive ne joint pas celui qu'elle quitte"
        return None

    @contextmanager
    def snapshot(self) -> Iterator[tuple[schema.Session, str]]:
        """Publish all tables and keep what is written from now on. Yield a session and the name of its snapshot.

        The snapshot lasts until the next statement of this session, the slot as long as the session.
        """
        with psycopg.connect(self.source, autocommit=True, replication="database", options=DECODING_MEMORY) as session:
            session.execute(sql.SQL("create publication {} for all tables").format(PUBLICATION))
            slot = sql.SQL("CREATE_REPLICATION_SLOT {} TEMPORARY LOGICAL pgoutput (SNAPSHOT 'export')")
            # PostgreSQL refuses a snapshot while open transactions have more subtransactions than it has connections.
            for _ in range(SNAPSHOT_TRIES):
                with suppress(pg.SerializationFailure):
                    [row] = session.execute(slot.format(sql.Identifier(f"{self.name}_instant"))).fetchall()
                    break
                time.sleep(POLL_SECONDS)
            else:
                raise MoveError("Trop d'opérations longues sont en cours : recommencez plus tard. Rien n'a changé.")
            yield session, row[2]

    def follow(self, session: schema.Session) -> None:
        """Subscribe the filled copy to all that was written since the snapshot of this session."""
        slot = sql.SQL("select pg_copy_logical_replication_slot({}, {}, false)")
        session.execute(slot.format(f"{self.name}_instant", self.name))
        with schema.connect(self.target, PATIENCE) as copy:
            self._subscribe(copy, "copy_data = false, disable_on_error = true")

    def _subscribe(self, connection: schema.Session, options: str) -> None:
        statement = sql.SQL("create subscription {} connection {} publication {} with (create_slot = false, {})")
        name, settings = sql.Identifier(self.name), sql.SQL(options)
        source = make_conninfo(self.source, connect_timeout=5, options=DECODING_MEMORY)
        connection.execute(QUIET)
        connection.execute(statement.format(name, source, PUBLICATION, settings))

    def catch_up(self) -> None:
        """Wait until the copy has all that was committed before this call."""
        # The commit of this message brings all earlier ones to the disk, where the replication reads.
        self.leaving.execute("set synchronous_commit = local")
        self.leaving.execute("select pg_logical_emit_message(true, 'comptoir', '')")
        [(end,)] = self.leaving.execute("select pg_current_wal_flush_lsn()").fetchall()
        arrived = "select confirmed_flush_lsn >= %s from pg_replication_slots where slot_name = %s"
        while self.leaving.execute(arrived, [end, self.name]).fetchone() != (True,):
            if self._subscription() != (True,):
                raise MoveError(
                    "La copie ne suit plus : le journal du serveur où elle arrive dit pourquoi. Rien n'a changé."
                )
            time.sleep(POLL_SECONDS)

    def copy_sequences(self, present: schema.Session) -> None:
        """Give each sequence of the copy the value that it has in the source: replication does not carry them."""
        query = """select format('%I.%I', schemaname, sequencename), last_value from pg_sequences
                    where last_value is not null"""
        with schema.connect(self.target, PATIENCE) as copy, copy.transaction():
            copy.cursor().executemany("select setval(%s::regclass, %s)", present.execute(query).fetchall())

    def end(self) -> None:
        """Remove the subscription, the slot and the publication, also after a move that was killed."""
        try:
            self.unsubscribe()
        finally:  # an unread slot fills the disk of its server
            self.unpublish()

    def unsubscribe(self) -> None:
        if self._subscription() is not None:
            name = sql.Identifier(self.name)
            with schema.connect(self.target, PATIENCE) as copy:
                copy.execute(sql.SQL("alter subscription {} disable").format(name))
                copy.execute(sql.SQL("alter subscription {} set (slot_name = none)").format(name))
                copy.execute(sql.SQL("drop subscription {}").format(name))

    def unpublish(self) -> None:
        slot = "select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = %s"
        while self.leaving.execute(slot, [self.name]).fetchone() is not None:
            with suppress(pg.ObjectInUse):  # its reader has not ended yet
                self.leaving.execute("select pg_drop_replication_slot(%s)", [self.name])
            time.sleep(POLL_SECONDS)
        with schema.connect(self.source, PATIENCE) as connection:
            connection.execute(sql.SQL("drop publication if exists {}").format(PUBLICATION))

    def _subscription(self) -> tuple[bool] | None:
        """Whether the subscription of the copy is enabled. None means that there is none."""
        query = """select s.subenabled from pg_subscription s join pg_database d on d.oid = s.subdbid
                    where d.datname = %s and s.subname = %s"""
        return self.arriving.execute(query, [self.name, self.name]).fetchone()
