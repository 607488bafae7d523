"""Migrates tables: yoyo reads migrations/ and applies them on the caller's connection.

yoyo's own back end opens a connection for each migration and commits each migration. This back end stays on the
caller's connection and in its transaction, so a failed upgrade rolls back the migrations and yoyo's records of them.
"""

import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Self

import psycopg
from psycopg import sql
from yoyo import internalmigrations, read_migrations
from yoyo.backends.core.postgresql import PostgresqlPsycopgBackend
from yoyo.connections import default_migration_table, parse_uri

from app.base.failure import first_line
from app.database.release import Release, SchemaError
from app.database.upgrade.loading import is_of_statement

# yoyo leaves its cursors to the garbage collector, which Python reports as ResourceWarning.
warnings.filterwarnings("ignore", category=ResourceWarning, module="yoyo")


class _Backend(PostgresqlPsycopgBackend):  # type: ignore[misc]
    """A yoyo back end over the caller's connection, which it neither opens, nor commits, nor closes."""

    _internal_schema_updated: bool

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection
        super().__init__(parse_uri("postgresql+psycopg:///"), default_migration_table)

    def connect(self, dburi: Any) -> psycopg.Connection[Any]:
        return self._connection

    def copy(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def transaction(self, rollback_on_exit: bool = False) -> AbstractContextManager[Any]:
        return self._connection.transaction(force_rollback=rollback_on_exit)

    def disable_transactions(self) -> AbstractContextManager[None]:
        return nullcontext()  # the connection is in autocommit mode outside a transaction

    def ensure_internal_schema_updated(self) -> None:
        if not self._internal_schema_updated:
            if internalmigrations.needs_upgrading(self):
                internalmigrations.upgrade(self)
            self._internal_schema_updated = True


class Tables:
    """The migrations of a release, and their state in one database."""

    def __init__(self, connection: psycopg.Connection[Any], release: Release) -> None:
        self._connection = connection
        self._backend = _Backend(connection)
        self._migrations = read_migrations(str(release.migrations))

    def pending(self) -> list[Any]:
        """The migrations to apply, in order. Raises SchemaError when the database belongs to a later release."""
        with self._as_owner():
            pending = list(self._backend.to_apply(self._migrations))
            ids = {migration.id for migration in self._migrations}
            applied = self._connection.execute(
                sql.SQL("select migration_id from {}").format(sql.Identifier(self._backend.migration_table))
            ).fetchall()
        if unknown := sorted({name for (name,) in applied} - ids):
            raise SchemaError(
                f"La base est d'une version plus récente que ce programme, qui ne connaît pas la migration "
                f"{unknown[-1]} : lancez la version qui a mis la base à jour, ou restaurez une sauvegarde d'avant. "
                "Rien n'a changé."
            )
        for migration in pending:
            migration.load()
        return pending

    def run(self, migration: Any) -> None:
        """Run the statements of one migration in the caller's transaction, or commit them one by one without one."""
        try:
            with self._as_owner():
                migration.process_steps(self._backend, "apply")
        except psycopg.Error as error:
            if not is_of_statement(error):
                raise
            raise SchemaError(f"Migration {migration.id} : {first_line(error)}.") from error

    def mark(self, migration: Any) -> None:
        with self._as_owner():
            self._backend.log_migration(migration, "apply")
            self._backend.mark_one(migration, log=False)

    @contextmanager
    def _as_owner(self) -> Iterator[None]:
        """Act as comptoir_owner, who owns the tables, with yoyo's tables in schema migration.

        After an error the settings stay: the caller rolls the transaction back or ends the session.
        """
        self._connection.execute("set role comptoir_owner")
        self._connection.execute("set search_path to migration")
        yield
        self._connection.execute("reset search_path")
        self._connection.execute("reset role")
