"""Loads the code of the database as a whole, in the transaction of the caller, which has dropped the former one.

Code comes from sql/ and belongs to comptoir_code. The code in a folder `portail` of a slice belongs to
comptoir_portail, to which row-level security applies. Dropping everything leaves no function of an older version.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import psycopg.errors as pg
from psycopg import sql

from app.base.failure import first_line
from app.database.release import Release, SchemaError

_UNDEFINED = (pg.UndefinedFunction, pg.UndefinedTable, pg.UndefinedObject, pg.UndefinedColumn)
PASSING = (pg.LockNotAvailable, pg.QueryCanceled, pg.DeadlockDetected)  # blocked by another session: retry


def load_code(connection: psycopg.Connection[Any], release: Release, edit: Callable[[str], str]) -> None:
    """Load every file. A file that needs an object of a later file is retried after it."""
    # Grants run before the code, which needs them to be created, and after it, to allow its execution.
    execute_file(connection, release.code / "grants.sql", release)
    execute_file(connection, release.code / "politiques.sql", release)
    waiting, role = release.code_files(), ""
    while waiting:
        postponed: list[tuple[Path, psycopg.Error]] = []
        for path in waiting:
            if role != (role := "comptoir_portail" if path.parent.name == "portail" else "comptoir_code"):
                connection.execute(sql.SQL("set local role {}").format(sql.Identifier(role)))
            try:
                with connection.transaction():
                    execute_file(connection, path, release, edit)
            except _UNDEFINED as error:
                postponed.append((path, error))
        if len(postponed) == len(waiting):
            raise SchemaError("\n".join(_located(path, error, release) for path, error in postponed))
        waiting = [path for path, _ in postponed]
    connection.execute("set local role comptoir_code")
    for procedure in ("core._refus_inscrire", "core._nulls_inscrire", "core._formes_inscrire"):
        connection.execute(f"call {procedure}()")
    connection.execute("reset role")
    execute_file(connection, release.code / "commentaires.sql", release)
    execute_file(connection, release.code / "grants.sql", release)
    if connection.execute("select rolsuper from pg_roles where rolname = current_user").fetchone() == (True,):
        execute_file(connection, release.code / "public.sql", release)


def execute_file(
    connection: psycopg.Connection[Any], path: Path, release: Release, edit: Callable[[str], str] = str
) -> None:
    try:
        connection.execute(edit(path.read_text()).encode())
    except _UNDEFINED:
        raise
    except psycopg.Error as error:
        if not is_of_statement(error):
            raise
        raise SchemaError(_located(path, error, release)) from error


def is_of_statement(error: psycopg.Error) -> bool:
    """Whether the statement caused the error, and not the server, its disk or another session."""
    state = error.sqlstate or "08"  # without SQLSTATE the connection was lost
    return state[:2] not in ("08", "53", "57") and not isinstance(error, PASSING)


def _located(path: Path, error: psycopg.Error, release: Release) -> str:
    position = error.diag.statement_position
    line = f":{path.read_text()[: int(position)].count(chr(10)) + 1}" if position else ""
    return f"{path.relative_to(release.root)}{line}: {first_line(error)}"
