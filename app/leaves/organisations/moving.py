"""Moves an organisation to another server: its database is copied, verified, and answers there.

Where PostgreSQL can replicate, it is written meanwhile, but for the seconds of the end; elsewhere it can only be read.
Its former database is kept under another name.
"""

import tempfile
import time
from collections.abc import Collection
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import psycopg
from psycopg import sql

from app.base.progress import Say, during
from app.base.settings import Settings
from app.database import schema
from app.database.release import HERE
from app.leaves.organisations.organisation import Organisation
from app.leaves.organisations.registry import Registry
from app.leaves.organisations.replication import Follower, MoveError
from app.vault import backup, restoration
from app.vault.cipher import Keys


def move(registry: Registry, code: str, name: str, say: Say = print, despite: Collection[str] = ()) -> float:
    """Move an organisation to the server with this name. Return the seconds during which it was not written.

    A failure changes nothing. A move whose process was killed is taken up by the next call. `despite`
    names the checks whose findings are accepted (app/vault/restoration.py).
    """
    with registry.alone(code), ExitStack() as sessions:
        organisation, server = registry.find(code), registry.server(name)
        if organisation.server == server.name:
            raise MoveError(f"{code} est déjà sur {name}.")
        if organisation.version != HERE.version():
            raise MoveError(f"{code} est d'une autre version : lancez d'abord « comptoir migrate --toutes ».")
        database, arrival = organisation.database, f"{organisation.database}__arrivee"
        source, target = registry.on_server(organisation.address, database), registry.on_server(server.address, arrival)
        leaving, arriving = (sessions.enter_context(registry.connect(one.address)) for one in (organisation, server))
        killed = organisation.state == "DEPLACEMENT"
        # Killed between the renaming of the copy and the end of the move: the former database is closed, and the copy,
        # which never answered, is open.
        if killed and _accepts(leaving, database) is False and _accepts(arriving, database):
            say(f"Un déplacement interrompu avait laissé une copie : {_set_aside(arriving, database)}. Supprimez-la.")
        if _accepts(arriving, database) is not None:
            raise MoveError(f"Le serveur {server.name} a déjà une base {database} : renommez-la ou supprimez-la.")
        schema.create_roles(arriving)
        if killed:
            _stay(registry, organisation, leaving)
        follower = Follower(arrival, source, target, leaving, arriving)
        follower.end()
        schema.drop_database(arriving, arrival)
        try:
            with backup.explained_errors(), schema.connect(source, 5.0) as present:
                follows = _copy_live(follower, registry.settings, say, despite)
                registry.move_to(code, "DEPLACEMENT")
                started = time.monotonic()
                with restoration.frozen(present, say):
                    counts = backup.count_rows(present)
                    if follows:
                        follower.catch_up()
                        follower.copy_sequences(present)
                        restoration.verify_counts(target, counts)
                        follower.end()
                    else:
                        copy(arriving, source, target, registry.settings, say, counts=counts, despite=despite)
                    _switch(registry, organisation, server.name, follower, present)
        except BaseException:
            if registry.find(code).server != server.name:  # else it has arrived, and only the answer was lost
                _undo(registry, organisation, server.address, follower)
                raise
        seconds = time.monotonic() - started
        with suppress(psycopg.Error):  # its sessions are gone; another account may still read it
            former = _set_aside(leaving, database)
            say(f"L'ancienne base s'appelle {former} : supprimez-la quand vous n'en avez plus besoin.")
        return seconds


def _stay(registry: Registry, organisation: Organisation, leaving: schema.Session) -> None:
    """Let the organisation answer where it was."""
    accept(leaving, organisation.database, True)
    registry.arrive(organisation.code, organisation.server, HERE.version())


def _undo(registry: Registry, organisation: Organisation, address: str, follower: Follower) -> None:
    """Let the organisation answer where it was, and remove its copy at this address.

    A server that restarted has ended the sessions of the move, so these are new ones.
    """
    with registry.connect(organisation.address) as leaving:
        _stay(registry, organisation, leaving)
        follower = replace(follower, leaving=leaving)
        try:
            with registry.connect(address) as arriving:
                replace(follower, arriving=arriving).unsubscribe()
                schema.drop_database(arriving, follower.name)
        finally:
            follower.unpublish()


def _accepts(admin: schema.Session, database: str) -> bool | None:
    """Whether a database accepts sessions. None means that the server does not have it."""
    row = admin.execute("select datallowconn from pg_database where datname = %s", [database]).fetchone()
    return row and bool(row[0])


def _copy_live(follower: Follower, settings: Settings, say: Say, despite: Collection[str]) -> bool:
    """Make and verify a copy that follows its source, while writes go on. Return whether PostgreSQL can do so here."""
    if obstacle := follower.obstacle():
        say(f"Les écritures s'arrêtent pendant toute la copie : {obstacle}.")
        return False
    with follower.snapshot() as (session, snapshot):
        options = (f"--snapshot={snapshot}",)
        copy(follower.arriving, follower.source, follower.target, settings, say, *options, despite=despite)
        follower.follow(session)
    with during("Rattrapage des écritures", say):
        for _ in range(2):  # the second time for what was written during the first
            follower.catch_up()
    return True


def copy(
    admin: schema.Session, source: str, target: str, settings: Settings, say: Say, *options: str,
    counts: dict[str, int] | None = None, despite: Collection[str] = (),
) -> None:  # fmt: skip
    """Fill and verify the database at `target` like the one at `source`. `admin` is a session on its server."""
    keys = Keys.of(settings)
    with tempfile.TemporaryDirectory(prefix="comptoir-copie-") as folder:
        file = Path(folder) / "base.dump"
        backup.dump(source, file, keys, *options, say=say)
        restoration.rebuild(admin, source, target, file, keys, counts=counts, despite=despite, say=say)


def _switch(
    registry: Registry, organisation: Organisation, server: str, follower: Follower, present: schema.Session
) -> None:
    """Let the organisation answer at its new server. From the first statement on its former database is closed."""
    database, leaving, arriving = organisation.database, follower.leaving, follower.arriving
    accept(leaving, database, False)
    # The session with the locks ends last, so that no writer that waits for them can write.
    restoration.end_connections(leaving, database, present.info.backend_pid)
    arriving.execute(_rename(follower.name, database))
    try:
        registry.arrive(organisation.code, server, HERE.version())
    except BaseException:
        if registry.find(organisation.code).server != server:
            arriving.execute(_rename(database, follower.name))
        raise


def _set_aside(admin: schema.Session, database: str) -> str:
    """Give a database another name, and return it."""
    name = f"{database}__deplacee_{datetime.now():%Y%m%d_%H%M%S}"
    restoration.end_connections(admin, database)
    admin.execute(_rename(database, name))
    return name


def accept(admin: schema.Session, database: str, sessions: bool) -> None:
    """Let a database accept sessions, or refuse new ones."""
    statement = sql.SQL("alter database {} allow_connections {}")
    admin.execute(statement.format(sql.Identifier(database), sql.Literal(sessions)))


def _rename(database: str, name: str) -> sql.Composed:
    return sql.SQL("alter database {} rename to {}").format(sql.Identifier(database), sql.Identifier(name))
