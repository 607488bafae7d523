"""Moves an organisation to another server: its database is copied, verified, and answers there.

While it moves it can be read and not written. Its former database is kept under another name.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from app.base.failure import Failure
from app.base.progress import Say
from app.base.settings import Settings
from app.database import schema
from app.database.release import HERE
from app.organisations.organisation import Organisation
from app.organisations.registry import Registry
from app.vault import backup, restoration
from app.vault.cipher import Keys

PATIENCE = 5.0


class MoveError(Failure):
    """The organisation cannot move. The message is French and says why."""


def move(registry: Registry, settings: Settings, code: str, name: str, say: Say = print) -> float:
    """Move an organisation to the server with this name. Return the seconds during which it was not written.

    A failure changes nothing. A move whose process was killed is taken up by the next call.
    """
    with registry.alone(code):
        return _move(registry, settings, code, name, say)


def _move(registry: Registry, settings: Settings, code: str, name: str, say: Say) -> float:
    organisation, server = registry.find(code), registry.server(name)
    if organisation.server == server.name:
        raise MoveError(f"{code} est déjà sur {name}.")
    if organisation.version != HERE.version():
        raise MoveError(f"{code} est d'une autre version : lancez d'abord « comptoir migrate --toutes ».")
    source = registry.on_server(organisation.address, organisation.database)
    with (
        schema.connect(registry.on_server(organisation.address), PATIENCE) as leaving,
        schema.connect(registry.on_server(server.address), PATIENCE) as arriving,
    ):
        arrival = f"{organisation.database}__arrivee"
        if organisation.state == "DEPLACEMENT":
            _set_aside_copy(leaving, arriving, organisation.database, say)
        _refuse_taken(arriving, organisation.database, server.name)
        schema.create_roles(arriving)
        registry.move_to(code, "DEPLACEMENT")
        started = time.monotonic()
        try:
            accept(leaving, organisation.database, True)  # a killed move may have closed it
            schema.drop_database(arriving, arrival)
            with (
                backup.explained_errors(),
                schema.connect(source, PATIENCE) as present,
                restoration.frozen(present, say),
            ):
                target = registry.on_server(server.address, arrival)
                _copy(arriving, present, source, target, settings, say)
                _switch(registry, organisation, server.name, leaving, arriving, arrival, present)
        except BaseException:
            if registry.find(code).server != server.name:  # else it has arrived, and only the answer was lost
                accept(leaving, organisation.database, True)
                schema.drop_database(arriving, arrival)
                registry.arrive(code, organisation.server, HERE.version())
                raise
        seconds = time.monotonic() - started
        _keep_former(leaving, organisation.database, say)
    return seconds


def _refuse_taken(arriving: psycopg.Connection[Any], database: str, server: str) -> None:
    if _accepts(arriving, database) is not None:
        raise MoveError(f"Le serveur {server} a déjà une base {database} : renommez-la ou supprimez-la.")


def _set_aside_copy(
    leaving: psycopg.Connection[Any], arriving: psycopg.Connection[Any], database: str, say: Say
) -> None:
    """Rename the copy of a move that was killed between the renaming of its copy and the end of its move.

    Its former database is closed, and the copy, which never answered, is open.
    """
    if _accepts(leaving, database) is False and _accepts(arriving, database):
        say(f"Un déplacement interrompu avait laissé une copie : {_set_aside(arriving, database)}. Supprimez-la.")


def _accepts(admin: psycopg.Connection[Any], database: str) -> bool | None:
    """Whether a database accepts sessions. None means that the server does not have it."""
    row = admin.execute("select datallowconn from pg_database where datname = %s", [database]).fetchone()
    return row and bool(row[0])


def _copy(
    arriving: psycopg.Connection[Any],
    present: psycopg.Connection[Any],
    source: str,
    target: str,
    settings: Settings,
    say: Say,
) -> None:
    keys = Keys.of(settings)
    with tempfile.TemporaryDirectory(prefix="comptoir-deplacement-") as folder:
        file = Path(folder) / "base.dump"
        backup.dump(source, file, keys, say=say)
        restoration.rebuild(arriving, source, target, file, keys, counts=backup.count_rows(present), say=say)


def _switch(
    registry: Registry,
    organisation: Organisation,
    server: str,
    leaving: psycopg.Connection[Any],
    arriving: psycopg.Connection[Any],
    arrival: str,
    present: psycopg.Connection[Any],
) -> None:
    """Let the organisation answer at its new server. From the first statement on its former database is closed."""
    accept(leaving, organisation.database, False)
    # The session with the locks ends last, so that no writer that waits for them can write.
    restoration.end_connections(leaving, organisation.database, present.info.backend_pid)
    arriving.execute(_rename(arrival, organisation.database))
    try:
        registry.arrive(organisation.code, server, HERE.version())
    except BaseException:
        if registry.find(organisation.code).server != server:
            arriving.execute(_rename(organisation.database, arrival))
        raise


def _keep_former(leaving: psycopg.Connection[Any], database: str, say: Say) -> None:
    with suppress(psycopg.Error):  # its sessions are gone; another account may still look at it
        former = _set_aside(leaving, database)
        say(f"L'ancienne base s'appelle {former} : supprimez-la quand vous n'en avez plus besoin.")


def _set_aside(admin: psycopg.Connection[Any], database: str) -> str:
    """Give a database another name, and return it."""
    name = f"{database}__deplacee_{datetime.now():%Y%m%d_%H%M%S}"
    restoration.end_connections(admin, database)
    admin.execute(_rename(database, name))
    return name


def accept(admin: psycopg.Connection[Any], database: str, sessions: bool) -> None:
    """Let a database accept sessions, or refuse new ones."""
    statement = sql.SQL("alter database {} allow_connections {}")
    admin.execute(statement.format(sql.Identifier(database), sql.Literal(sessions)))


def _rename(database: str, name: str) -> sql.Composed:
    return sql.SQL("alter database {} rename to {}").format(sql.Identifier(database), sql.Identifier(name))
