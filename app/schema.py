"""Tables forward, code anew: what `comptoir migrate` and `comptoir check` do.

Tables come from migrations/ (yoyo, never edited once landed) and belong to comptoir_owner. Code comes from sql/
and belongs to comptoir_code: it is dropped and loaded as a whole, so that no orphan of an older version survives. A
folder `portail` in a slice belongs to comptoir_portail, whom row-level security binds.
"""

from __future__ import annotations

import hashlib
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import psycopg
import psycopg.errors as pg
from psycopg import sql

from app.failure import Failure
from app.progress import Say, during
from app.reach import refusal
from app.settings import ROOT

# Each slice once, in order: the load order, and the direction in which foreign keys may point (backwards).
SLICES = (
    "core",
    "client",
    "auth",
    "facturation",
    "finances",
    "notification",
    "abonnement",
    "residence",
    "market",
    "pressing",
    "restaurant",
    "salle_fete",
    "signalement",
    "rh",
    "rapports",
    "audit",
    "jobs",
)

MIGRATIONS = ROOT / "migrations"
CODE = ROOT / "sql"
GRANTS = CODE / "grants.sql"
POLICIES = CODE / "politiques.sql"
COMMENTS = CODE / "commentaires.sql"
OWNERS = ("comptoir_owner", "comptoir_code", "comptoir_portail")
ROLES = (*OWNERS, "comptoir_app", "comptoir_lecture", "comptoir_travail")
QUEUE = "queue"  # the schema of procrastinate's own objects, which no slice holds
ADVISORY_LOCK = 0x636F6D70746F6972  # "comptoir"
LOCK_TIMEOUT = "2s"
SWAP_ATTEMPTS = 10
UNMIGRATED = "La base n'a pas été migrée : lancez « comptoir migrate »."

_UNDEFINED = (pg.UndefinedFunction, pg.UndefinedTable, pg.UndefinedObject, pg.UndefinedColumn)


class SchemaError(Failure):
    """The database could not be brought to the version of these files."""


def migrate(url: str, say: Say = print, *, patience: float = 30.0, reload: bool = False) -> bool:
    """Bring the database to this version, and answer whether anything was done. Safe when several run at once.

    `reload` loads the code even if it is this version's: what came back from a dump is written in other words.
    """
    with connect(url, patience) as connection:
        connection.execute("select pg_advisory_lock(%s)", [ADVISORY_LOCK])
        create_roles(connection)
        _prepare(connection)
        with _yoyo(url) as (backend, migrations):
            pending = backend.to_apply(migrations)
            if not pending and not reload and _stored(connection, "fichier") == _file_hashes():
                say("Rien à faire : tables et code sont à jour.")
                return False
            if pending:
                # Between this drop and the load below the API answers 503: tables never meet old code.
                with connection.transaction():
                    _drop_code(connection)
                _apply(backend, pending, say)
        _swap_code(connection, say)
        return True


def refuse_unmigrated(url: str, patience: float) -> None:
    """What needs tables and code stops here with the way out, where there are none."""
    with connect(url, patience) as connection:
        if not _migrated(connection):
            raise SchemaError(UNMIGRATED)


def drift(url: str) -> list[str]:
    """Each way in which the database differs from migrations/ and sql/, one French sentence each."""
    with connect(url, 5.0) as connection:
        if not _migrated(connection):
            return [UNMIGRATED]
        found = [
            *_differences("Le fichier", _stored(connection, "fichier"), _file_hashes(), "sql/ chargé"),
            *_differences(
                "La migration", _stored(connection, "migration"), _migration_hashes(), "migrations/ appliqué"
            ),
        ]
        try:
            present = _present(connection)
        except pg.UndefinedTable:
            return [*found, "L'objet core.transition a disparu : lancez « comptoir migrate »."]
        for kind, name in (("objet", "L'objet"), ("table", "La table")):
            found += _differences(name, _stored(connection, kind), present[kind], "la dernière migration")
        return found


def migrate_tables(url: str) -> None:
    """The tables alone, in an empty database."""
    with connect(url, 5.0) as connection:
        create_roles(connection)
        _prepare(connection)
    with _yoyo(url) as (backend, migrations):
        _apply(backend, migrations, say=lambda _: None)


def load_edited(url: str, edit: Callable[[str], str]) -> None:
    """Load sql/ with an edit in each file: for a database of one's own, since `drift` tells it from the real code."""
    with connect(url, 5.0) as connection, connection.transaction():
        _drop_code(connection)
        _load_code(connection, edit)


@contextmanager
def scratch(url: str, name: str) -> Iterator[str]:
    """An empty database on the same server, dropped afterwards."""
    with connect(url, 5.0) as admin:
        admin.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))
        admin.execute(sql.SQL("create database {}").format(sql.Identifier(name)))
        try:
            yield urlunsplit(urlsplit(url)._replace(path=f"/{name}"))
        finally:
            admin.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


@contextmanager
def connect(url: str, patience: float) -> Iterator[psycopg.Connection[Any]]:
    """Connect as the owner of the database, waiting for a server that is still starting, not for one that refuses."""
    with during("Attente de PostgreSQL", lambda line: print(line, file=sys.stderr)):
        connection = _reach(url, time.monotonic() + patience)
    with connection:
        yield connection


def _reach(url: str, deadline: float) -> psycopg.Connection[Any]:
    delay = 0.1
    while True:
        try:
            return psycopg.connect(url, autocommit=True, connect_timeout=5)
        except psycopg.OperationalError as error:
            if refused := refusal(url):
                raise SchemaError(refused) from None
            if time.monotonic() > deadline:
                raise SchemaError(
                    f"PostgreSQL ne répond pas ({_first_line(error)}) : démarrez-le, ou corrigez DATABASE_URL."
                ) from None
            time.sleep(delay)
            delay = min(delay * 2, 2.0)


def create_roles(connection: psycopg.Connection[Any]) -> None:
    """The roles of the server that tables, code and programs go by; this user becomes a member of the owners."""
    present = {name for (name,) in connection.execute("select rolname from pg_roles").fetchall()}
    missing = [f"create role {role}" for role in ROLES if role not in present]
    # Since PostgreSQL 16 who creates a role is a member that may not take it.
    right = "set" if connection.info.server_version >= 160000 else "member"
    ask = "select rolsuper, array(select r from unnest(%s::text[]) r where to_regrole(r) is null"
    ask += " or not pg_has_role(to_regrole(r), %s)) from pg_roles where rolname = current_user"
    superuser, outside = connection.execute(ask, [list(OWNERS), right]).fetchone() or (False, [])
    if outside and not superuser:
        account = sql.Identifier(connection.info.user).as_string(connection)
        missing.append(f"grant {', '.join(outside)} to {account}")
    for statement in missing:
        try:
            connection.execute(sql.SQL(statement))
        except (pg.DuplicateObject, pg.UniqueViolation):
            pass  # another database of the same server was migrated at this moment
        except pg.InsufficientPrivilege:
            left = "; ".join(missing[missing.index(statement) :])
            raise SchemaError(
                f"Il manque des droits au compte {connection.info.user} ; "
                f"que l'administrateur du serveur exécute : {left};"
            ) from None


def _prepare(connection: psycopg.Connection[Any]) -> None:
    database = sql.Identifier(connection.info.dbname)
    connection.execute(sql.SQL("grant create on database {} to comptoir_owner").format(database))
    connection.execute("create schema if not exists migration authorization comptoir_owner")
    connection.execute("comment on schema migration is 'Migrations appliquées : les tables de yoyo.'")


@contextmanager
def _yoyo(url: str) -> Iterator[tuple[Any, Any]]:
    """yoyo's view of the database, with its tables in schema `migration`; closed even on failure."""
    # yoyo leaves its cursors to the garbage collector, which Python reports as ResourceWarning.
    warnings.filterwarnings("ignore", category=ResourceWarning, module="yoyo")
    from yoyo import get_backend, read_migrations

    parts = urlsplit(_one_host(url))
    query = dict(parse_qsl(parts.query)) | {"schema": "migration", "options": "-c role=comptoir_owner"}
    backend = get_backend(urlunsplit(("postgresql+psycopg", parts.netloc, parts.path, urlencode(query), "")))
    try:
        yield backend, read_migrations(str(MIGRATIONS))
    finally:
        backend.connection.close()


def _one_host(url: str) -> str:
    """Of an address that names several servers, the one that is connected to: yoyo knows of one alone."""
    parts = urlsplit(url)
    account, _, hosts = parts.netloc.rpartition("@")
    if "," not in hosts:
        return url
    with psycopg.connect(url) as connection:
        return urlunsplit(parts._replace(netloc=f"{account}@{connection.info.host}:{connection.info.port}"))


def _apply(backend: Any, pending: Any, say: Say) -> None:
    with backend.lock():
        for migration in pending:
            with during(f"Migration {migration.id}", say):
                backend.apply_one(migration)
            say(f"Migration {migration.id} appliquée.")


def _drop_code(connection: psycopg.Connection[Any]) -> None:
    connection.execute("drop owned by comptoir_code, comptoir_portail cascade")


def _swap_code(connection: psycopg.Connection[Any], say: Say) -> None:
    """Drop and load sql/ in one transaction; a table that stays locked leaves the old code in place."""
    for attempt in range(1, SWAP_ATTEMPTS + 1):
        try:
            with during("Chargement du code", say), connection.transaction():
                connection.execute(sql.SQL("set local lock_timeout = {}").format(LOCK_TIMEOUT))
                _drop_code(connection)
                _load_code(connection)
                _record(connection)
        except (pg.LockNotAvailable, pg.DeadlockDetected):
            if attempt == SWAP_ATTEMPTS:
                raise SchemaError("Une table reste verrouillée : le code en place n'a pas changé.") from None
            say("Une table est verrouillée, nouvel essai.")
        else:
            say(f"Code chargé : {len(_code_files())} fichiers de sql/.")
            return


def _load_code(connection: psycopg.Connection[Any], edit: Callable[[str], str] = str) -> None:
    # Grants come before the code, so that it may be written, and after it, so that it may be run.
    _execute_file(connection, GRANTS)
    _execute_file(connection, POLICIES)
    waiting = _code_files()
    while waiting:
        postponed: list[tuple[Path, psycopg.Error]] = []
        for path in waiting:
            try:
                with connection.transaction():
                    connection.execute(sql.SQL("set local role {}").format(sql.Identifier(_owner(path))))
                    _execute_file(connection, path, edit)
            except _UNDEFINED as error:
                postponed.append((path, error))  # it needs a file that is not loaded yet
        if len(postponed) == len(waiting):
            raise SchemaError("\n".join(_located(path, error) for path, error in postponed))
        waiting = [path for path, _ in postponed]
    connection.execute("reset role")
    _execute_file(connection, COMMENTS)
    _execute_file(connection, GRANTS)


def _owner(path: Path) -> str:
    return "comptoir_portail" if path.parent.name == "portail" else "comptoir_code"


def _execute_file(connection: psycopg.Connection[Any], path: Path, edit: Callable[[str], str] = str) -> None:
    try:
        connection.execute(edit(path.read_text()).encode())
    except _UNDEFINED:
        raise
    except psycopg.Error as error:
        if isinstance(error, (pg.LockNotAvailable, pg.DeadlockDetected)):
            raise
        raise SchemaError(_located(path, error)) from error


def _code_files() -> list[Path]:
    folders = [folder for name in SLICES for folder in (CODE / name, CODE / name / "portail")]
    known = [path for folder in folders for path in sorted(folder.glob("*.sql"))]
    stray = set(CODE.rglob("*.sql")) - set(known) - {GRANTS, POLICIES, COMMENTS}
    if stray:
        raise SchemaError(f"Fichiers hors des tranches connues : {', '.join(sorted(map(str, stray)))}")
    return known


def _located(path: Path, error: psycopg.Error) -> str:
    position = error.diag.statement_position
    line = f":{path.read_text()[: int(position)].count(chr(10)) + 1}" if position else ""
    return f"{path.relative_to(ROOT)}{line}: {_first_line(error)}"


def _first_line(error: psycopg.Error) -> str:
    return str(error.diag.message_primary or error).strip().splitlines()[0]


# ---- fingerprints


def _file_hashes() -> dict[str, str]:
    return {str(path.relative_to(CODE)): _hash(path) for path in [*_code_files(), GRANTS, POLICIES, COMMENTS]}


def _migration_hashes() -> dict[str, str]:
    return {path.stem: _hash(path) for path in sorted(MIGRATIONS.glob("*.sql"))}


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _migrated(connection: psycopg.Connection[Any]) -> bool:
    # Not to_regclass, which an account without rights on the schema may not ask.
    table = "select from pg_class where relname = 'empreinte' and relnamespace = to_regnamespace('core')"
    return connection.execute(table).fetchone() is not None


def _stored(connection: psycopg.Connection[Any], kind: str) -> dict[str, str]:
    if not _migrated(connection):
        return {}
    return dict(connection.execute("select nom, valeur from core.empreinte where genre = %s", [kind]).fetchall())


def _present(connection: psycopg.Connection[Any]) -> dict[str, dict[str, str]]:
    """Kind → name → fingerprint of everything that stands in the schemas of the slices and of the queue."""
    kinds: dict[str, dict[str, str]] = {"objet": {}, "table": {}}
    for kind, name, value in connection.execute(_PRESENT, [[*SLICES, QUEUE]]).fetchall():
        kinds[kind][name] = value
    return kinds


def _record(connection: psycopg.Connection[Any]) -> None:
    found = {"fichier": _file_hashes(), "migration": _migration_hashes(), **_present(connection)}
    connection.execute("delete from core.empreinte")
    with connection.cursor() as cursor:
        cursor.executemany(
            "insert into core.empreinte (genre, nom, valeur) values (%s, %s, %s)",
            [(kind, name, value) for kind, names in found.items() for name, value in names.items()],
        )


def _differences(noun: str, recorded: dict[str, str], now: dict[str, str], reference: str) -> Iterator[str]:
    for name in sorted(recorded.keys() | now.keys()):
        if name not in now:
            yield f"{noun} {name} a disparu depuis {reference}."
        elif name not in recorded:
            yield f"{noun} {name} s'est ajouté depuis {reference}."
        elif recorded[name] != now[name]:
            yield f"{noun} {name} diffère de {reference}."


# pg_get_*def follows search_path: the record and the check must read with the same one.
_PRESENT = """
with schemas as (select oid, nspname from pg_namespace where nspname = any(%s)),
objets as (
  select 'objet' as genre, 'fonction ' || p.oid::regprocedure as nom,
         pg_get_functiondef(p.oid) || p.proowner::regrole || coalesce(p.proacl::text, '') as texte
    from pg_proc p join schemas s on s.oid = p.pronamespace
  union all
  select 'objet', 'vue ' || c.oid::regclass,
         pg_get_viewdef(c.oid) || c.relowner::regrole || coalesce(c.relacl::text, '')
         || coalesce(c.reloptions::text, '')
    from pg_class c join schemas s on s.oid = c.relnamespace where c.relkind = 'v'
  union all
  select 'objet', 'déclencheur ' || t.tgname || ' de ' || t.tgrelid::regclass,
         pg_get_triggerdef(t.oid) || t.tgenabled::text
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join schemas s on s.oid = c.relnamespace
   where not t.tgisinternal
  union all
  select 'objet', 'politique ' || p.polname || ' de ' || c.oid::regclass,
         p.polcmd::text || p.polpermissive || p.polroles::regrole[]::text
         || coalesce(pg_get_expr(p.polqual, c.oid), '') || coalesce(pg_get_expr(p.polwithcheck, c.oid), '')
    from pg_policy p join pg_class c on c.oid = p.polrelid join schemas s on s.oid = c.relnamespace
  union all
  select case c.relkind when 'r' then 'table' else 'objet' end,
         case c.relkind when 'r' then '' else 'type ' end || c.oid::regclass,
         c.relowner::regrole || coalesce(c.relacl::text, '') || c.relrowsecurity || coalesce(c.reloptions::text, '')
         || coalesce((select string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || a.attnotnull
                              || a.attidentity::text || a.attgenerated::text || coalesce(a.attacl::text, '')
                              || coalesce(pg_get_expr(d.adbin, d.adrelid), ''), ',' order by a.attname)
                        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped), '')
         || coalesce((select string_agg(k.conname || pg_get_constraintdef(k.oid), ',' order by k.conname)
                        from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n'), '')
         || coalesce((select string_agg(pg_get_indexdef(i.indexrelid), ',' order by i.indexrelid::regclass::text)
                        from pg_index i where i.indrelid = c.oid), '')
    from pg_class c join schemas s on s.oid = c.relnamespace where c.relkind in ('r', 'c')
  union all
  select 'objet', 'règle ' || r.rulename || ' de ' || r.ev_class::regclass, pg_get_ruledef(r.oid) || r.ev_enabled::text
    from pg_rewrite r join pg_class c on c.oid = r.ev_class join schemas s on s.oid = c.relnamespace
   where r.rulename <> '_RETURN'
  union all
  select 'objet', 'droits du schéma ' || n.nspname, n.nspowner::regrole || coalesce(n.nspacl::text, '')
    from pg_namespace n join schemas s on s.oid = n.oid
  union all
  select 'table', 'séquence ' || q.seqrelid::regclass,
         q.seqincrement || ' ' || q.seqmin || ' ' || q.seqmax || ' ' || q.seqcycle || coalesce(c.relacl::text, '')
    from pg_sequence q join pg_class c on c.oid = q.seqrelid join schemas s on s.oid = c.relnamespace
  union all
  select 'objet', 'transitions de ' || t.entite, string_agg(t.de || t.vers || t.action, ',' order by t.de, t.vers)
    from core.transition t group by t.entite
  union all
  select 'table', 'type ' || t.oid::regtype,
         coalesce(t.typdefault, '') || t.typnotnull
         || coalesce((select string_agg(e.enumlabel, ',' order by e.enumsortorder)
                     from pg_enum e where e.enumtypid = t.oid), '')
         || coalesce((select string_agg(pg_get_constraintdef(k.oid), ',' order by k.conname)
                        from pg_constraint k where k.contypid = t.oid), '')
    from pg_type t join schemas s on s.oid = t.typnamespace where t.typtype in ('e', 'd')
)
select genre, nom, md5(texte) from objets
"""
