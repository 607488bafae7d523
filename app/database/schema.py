"""`comptoir migrate` upgrades a database to this release; `comptoir check` compares the two.

Tables come from migrations/ (yoyo; a merged file is never edited) and belong to comptoir_owner. Code comes from sql/
and is dropped and loaded as a whole (app/database/upgrade/loading.py). An upgrade is one transaction: when it fails,
the earlier release stays in place and keeps serving.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from typing import Any, TypeAlias

import psycopg
import psycopg.errors as pg
from psycopg import sql

from app.base.failure import first_line
from app.base.progress import Say, during
from app.database.reach import elsewhere, refusal
from app.database.release import HERE, Release, SchemaError
from app.database.upgrade import fingerprints
from app.database.upgrade.loading import PASSING, load_code
from app.database.upgrade.locks import STRONG_SECONDS, milliseconds, older_sessions, take_locks, wait_for_others

Session: TypeAlias = "psycopg.Connection[Any]"  # synchronous: of a command, or of an upgrade
OWNERS = ("comptoir_owner", "comptoir_code", "comptoir_portail")
ROLES = (*OWNERS, "comptoir_app", "comptoir_lecture", "comptoir_travail")
ATTEMPTS = 10
PAUSE_SECONDS = (0.25, 5.0)  # between two attempts: the first, and the longest
UNMIGRATED = "La base n'a pas été migrée : lancez « comptoir migrate »."


def migrate(
    url: str, say: Say = print, *, patience: float = 30.0, reload: bool = False, release: Release = HERE
) -> bool:
    """Upgrade the database to this release and return whether anything changed. Concurrent calls are safe.

    `reload` loads the code even if it is up to date: PostgreSQL rewrites the text of code that comes from a dump.
    """
    with connect(url, patience) as connection, _explained_failures():
        with suppress(pg.InvalidParameterValue):  # unsupported on some systems: the server then detects a kill later
            connection.execute("set client_connection_check_interval = '1s'")
        wait_for_others(connection, say)
        create_roles(connection)
        changed = _retry(connection, say, partial(_swap, connection, say, reload, release))
        if release.nontransactional():
            from app.database.upgrade.tables import Tables  # yoyo is slow to import

            tables = Tables(connection, release)
            for migration in tables.pending():  # they run last: no code depends on them
                with during(f"Migration {migration.id}", say):
                    _retry(connection, say, partial(_run_nontransactional, connection, tables, migration, release))
                say(f"Migration {migration.id} appliquée, à part.")
                changed = True
        if not changed:
            say("Rien à faire : tables et code sont à jour.")
        return changed


def _swap(
    connection: Session, say: Say, reload: bool, release: Release, edit: Callable[[str], str] | None = None
) -> bool:
    """Upgrade tables and code in one transaction, so code never runs on the tables of another release.

    Migrations that cannot run in a transaction are left to `_run_nontransactional`. An edited load is not recorded.
    """
    from app.database.upgrade.tables import Tables

    with connection.transaction():
        _prepare(connection)
        tables = Tables(connection, release)
        pending = tables.pending()
        nontransactional = release.nontransactional()
        within = [migration for migration in pending if migration.id not in nontransactional]
        if not within and not reload and _loaded(connection, release):
            return False
        take_locks(connection)
        connection.execute("drop owned by comptoir_code, comptoir_portail cascade")
        say("Tables réservées, ancien code retiré.")
        for number, migration in enumerate(within, 1):
            with during(f"Migration {migration.id}", say):
                tables.run(migration)
                tables.mark(migration)
            say(f"Migration {migration.id} appliquée ({number} sur {len(within)}).")
        with during("Chargement du code", say):
            load_code(connection, release, edit or str)
            if edit is None:
                left = {migration.id for migration in pending} & nontransactional
                fingerprints.record(connection, release, waiting=left)
        say(f"Code chargé : {len(release.code_files())} fichiers de sql/.")
    say("Mise à jour validée.")
    return True


def _loaded(connection: Session, release: Release) -> bool:
    """Whether the loaded code is this release's. An interrupted upgrade by an earlier release may have left no code."""
    code = connection.execute("select from pg_proc where proowner = 'comptoir_code'::regrole limit 1").fetchone()
    return code is not None and fingerprints.stored(connection, "fichier") == release.code_hashes()


def _run_nontransactional(connection: Session, tables: Any, migration: Any, release: Release) -> bool:
    # A file whose locks block no reader and may take long to get sets `lock_timeout = 0` itself.
    connection.execute(sql.SQL("set lock_timeout = {}").format(milliseconds(STRONG_SECONDS)))
    try:
        tables.run(migration)
    except SchemaError as error:
        raise SchemaError(
            f"{error} La version est en place et sert ; cette migration, que rien n'attend, n'a pas abouti : "
            "corrigez, puis relancez « comptoir migrate », qui la reprend."
        ) from error
    finally:
        connection.execute("reset lock_timeout")
        connection.execute("reset search_path")
        connection.execute("reset role")
    with connection.transaction():
        tables.mark(migration)
        fingerprints.record(connection, release, waiting={later.id for later in tables.pending()})
    return True


def _retry(connection: Session, say: Say, attempt: Callable[[], bool]) -> bool:
    """Retry an attempt that another session blocks, with growing pauses, and name the sessions older than it."""
    first, longest = PAUSE_SECONDS
    for number in range(1, ATTEMPTS + 1):
        began = next(connection.execute("select clock_timestamp()"))[0]
        try:
            return attempt()
        except PASSING:
            named = "".join(f"\n  {line}" for line in older_sessions(connection, began))
        if number < ATTEMPTS:
            say(f"Des tables sont occupées, nouvel essai ({number} sur {ATTEMPTS}).{named}")
            time.sleep(min(first * 2**number, longest) * random.uniform(0.5, 1.0))  # noqa: S311 - jitter
    raise SchemaError(
        f"Des tables restent verrouillées : après {ATTEMPTS} essais la mise à jour renonce, la version en place sert "
        "toujours. Attendez la fin de ces sessions, ou terminez-les (select pg_terminate_backend(…)), puis relancez."
        f"{named}"
    )


@contextmanager
def _explained_failures() -> Iterator[None]:
    """Translate a failure of the server during an upgrade. The transaction is rolled back by then."""
    undone = "Rien n'a changé, la version en place sert toujours."
    try:
        yield
    except pg.DiskFull as error:
        raise SchemaError(
            f"Le disque de PostgreSQL est plein ({first_line(error)}) : libérez de la place, puis relancez. {undone}"
        ) from error
    except psycopg.OperationalError as error:
        if "max_locks_per_transaction" in (error.diag.message_hint or ""):  # a lack of memory has another hint
            raise SchemaError(
                f"PostgreSQL manque de place pour les verrous d'une mise à jour ({first_line(error)}) : réglez "
                f"« max_locks_per_transaction = 512 » et redémarrez-le, ou relancez-la seule. {undone}"
            ) from error
        raise SchemaError(
            f"PostgreSQL a interrompu la mise à jour ({first_line(error)}) : relancez « comptoir migrate ». "
            "Ce qui n'était pas validé a été annulé."
        ) from error


def refuse_unmigrated(url: str, patience: float) -> None:
    """Raise SchemaError with the remedy when the database has no tables or no code."""
    with connect(url, patience) as connection:
        if not fingerprints.migrated(connection):
            raise SchemaError(UNMIGRATED)


def drift(url: str, release: Release = HERE) -> list[str]:
    """Each difference between the database and migrations/ and sql/, as one French sentence."""
    with connect(url, 5.0) as connection:
        if not fingerprints.migrated(connection):
            return [UNMIGRATED]
        code, applied = (fingerprints.stored(connection, kind) for kind in ("fichier", "migration"))
        waiting = release.nontransactional() - applied.keys()  # `unfinished` reports these
        migrations = {name: value for name, value in release.migration_hashes().items() if name not in waiting}
        sentences = [
            *fingerprints.differences("Le fichier", code, release.code_hashes()),
            *fingerprints.differences("La migration", applied, migrations),
        ]
        try:
            present = fingerprints.present(connection)
        except pg.UndefinedTable:
            return [*sentences, "L'objet core.transition a disparu : lancez « comptoir migrate »."]
        for kind, name in (("objet", "L'objet"), ("table", "La table")):
            recorded = fingerprints.stored(connection, kind)
            sentences += fingerprints.differences(name, recorded, present[kind])
        return sentences


def unfinished(url: str, release: Release = HERE) -> list[str]:
    """The pending migrations that cannot run in a transaction, as one French sentence each. The release serves without
    them."""
    with connect(url, 5.0) as connection:
        waiting = release.nontransactional() - fingerprints.stored(connection, "migration").keys()
    return [f"La migration {name} n'a pas abouti : lancez « comptoir migrate »." for name in sorted(waiting)]


def open_to_all(url: str) -> bool:
    """Whether any account may take the advisory locks that the code uses: see sql/public.sql."""
    with connect(url, 5.0) as connection:
        query = "select has_function_privilege('public', 'pg_catalog.pg_advisory_lock(bigint)', 'execute')"
        return bool(value(connection, query))


def migrate_tables(url: str, release: Release) -> None:
    """Run only the migrations, for a database without code."""
    from app.database.upgrade.tables import Tables

    with connect(url, 5.0) as connection:
        wait_for_others(connection, lambda _: None)
        create_roles(connection)
        _prepare(connection)
        tables = Tables(connection, release)
        nontransactional = release.nontransactional()
        for migration in tables.pending():
            with nullcontext() if migration.id in nontransactional else connection.transaction():
                tables.run(migration)
                tables.mark(migration)


def load_edited(url: str, edit: Callable[[str], str], say: Say = print) -> None:
    """Load sql/ with an edit of each file. Only for a private database: `drift` reports the edited code."""
    with connect(url, 5.0) as connection:
        _retry(connection, say, partial(_swap, connection, say, True, HERE, edit))


@contextmanager
def scratch(url: str, name: str) -> Iterator[str]:
    """Create an empty database on the same server, and drop it afterwards."""
    with connect(url, 5.0) as admin:
        drop_database(admin, name)
        admin.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
        try:
            yield elsewhere(url, name)
        finally:
            drop_database(admin, name)


def drop_database(admin: Session, name: str) -> None:
    """Drop a database of this server if it exists, and end its sessions."""
    admin.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))


@contextmanager
def connect(url: str, patience: float) -> Iterator[Session]:
    """Connect as the owner of the database. This waits for a server that starts, but not for one that refuses."""
    with during("Attente de PostgreSQL", lambda line: print(line, file=sys.stderr)):
        connection = _reach(url, time.monotonic() + patience)
    with connection:
        yield connection


def _reach(url: str, deadline: float) -> Session:
    delay = 0.1
    while True:
        try:
            return psycopg.connect(url, autocommit=True, connect_timeout=5)
        except psycopg.OperationalError as error:
            if reason := refusal(url):
                raise SchemaError(reason) from None
            if time.monotonic() > deadline:
                raise SchemaError(
                    f"PostgreSQL ne répond pas ({first_line(error)}) : démarrez-le, ou corrigez "
                    "DATABASE_URL, ANNUAIRE_URL ou l'adresse de ce serveur dans l'annuaire."
                ) from None
            time.sleep(delay)
            delay = min(delay * 2, 2.0)


def value(connection: Session, query: str | sql.Composed, *arguments: Any) -> Any:
    """The first column of the first row of a query, or None."""
    row = connection.execute(query, arguments or None).fetchone()
    return row[0] if row else None


def create_roles(connection: Session) -> None:
    """Create the server's roles for tables, code and programs. This user becomes a member of the owners."""
    present = {name for (name,) in connection.execute("select rolname from pg_roles").fetchall()}
    missing = [f"create role {role}" for role in ROLES if role not in present]
    # Since PostgreSQL 16 the creator of a role is a member of it without SET.
    right = "set" if connection.info.server_version >= 160000 else "member"
    query = "select rolsuper, array(select r from unnest(%s::text[]) r where to_regrole(r) is null"
    query += " or not pg_has_role(to_regrole(r), %s)) from pg_roles where rolname = current_user"
    superuser, outside = connection.execute(query, [list(OWNERS), right]).fetchone() or (False, [])
    if outside and not superuser:
        account = sql.Identifier(connection.info.user).as_string(connection)
        missing.append(f"grant {', '.join(outside)} to {account}")
    for statement in missing:
        try:
            connection.execute(sql.SQL(statement))
        except (pg.DuplicateObject, pg.UniqueViolation):
            pass  # a concurrent migration of another database on this server created it
        except pg.InsufficientPrivilege:
            remaining = "; ".join(missing[missing.index(statement) :])
            raise SchemaError(
                f"Il manque des droits au compte {connection.info.user} ; "
                f"que l'administrateur du serveur exécute : {remaining};"
            ) from None


def _prepare(connection: Session) -> None:
    database = sql.Identifier(connection.info.dbname)
    connection.execute(sql.SQL("grant create on database {} to comptoir_owner").format(database))
    connection.execute("create schema if not exists migration authorization comptoir_owner")
    connection.execute("comment on schema migration is 'Migrations appliquées : les tables de yoyo.'")
