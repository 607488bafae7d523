"""The vault: the whole database into one file, and back.

A restore never works on the present database. It fills a new one beside it, verifies that, and then exchanges their
names; until that moment anything may fail, and nothing is lost. The old database stays, under another name.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import psycopg
import psycopg.errors as pg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from app import schema
from app.embedded import EmbeddedError, Postgres
from app.failure import Failure
from app.progress import Say, during
from app.settings import ROOT

SWAP_SECONDS = 30.0
FREEZE_ATTEMPTS = 5
FREEZE_TIMEOUT = "30s"  # for each table that a transaction writes at this moment


class BackupError(Failure):
    """No backup was made, or no restore; the message is French and says why. What was there is as it was."""


class PowerlessError(BackupError):
    """The login lacks a right that only the administrator of the server can give."""


@dataclass(frozen=True, slots=True)
class Backup:
    file: Path
    size: int
    seconds: float
    sha256: str


# ---- backup


def dump(url: str, file: Path, *, replace: bool = False, say: Say = print) -> Backup:
    """The whole database in pg_dump's custom format, and its SHA-256 beside it. The file is whole or not there."""
    _refuse_present(file, replace)
    _refuse_empty(url)
    program = program_for("pg_dump", url)
    started = time.monotonic()
    partial = file.with_name(f"{file.name}.partiel")
    try:
        # Made here so that nobody else may read it: it holds everything.
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise BackupError(
            f"{partial} existe : une autre sauvegarde est en cours, ou a été tuée ; effacez-le."
        ) from None
    except OSError as error:
        raise BackupError(f"On ne peut pas écrire {partial} : {error.strerror}.") from None
    try:
        with during("Copie de la base (pg_dump)", say):
            _run(program, url, "--format=custom", f"--file={partial}")
        with during("Somme du fichier", say), partial.open("rb+") as written:
            os.fsync(written.fileno())
            digest = sha256(partial)
        _refuse_present(file, replace)
        # The old sum goes first: a dump never stands beside the sum of another one.
        _sum_file(file).unlink(missing_ok=True)
        partial.replace(file)
        _sum_file(file).write_text(f"{digest}  {file.name}\n")
    finally:
        partial.unlink(missing_ok=True)
    return Backup(file, file.stat().st_size, time.monotonic() - started, digest)


def _refuse_present(file: Path, replace: bool) -> None:
    if file.exists() and not (replace and file.is_file()):
        raise BackupError(f"{file} existe déjà : donnez un autre nom, ou --remplacer.")


def _refuse_empty(url: str) -> None:
    """A backup of nothing would be taken for one: the address, or the folder of the embedded server, is wrong."""
    with schema.connect(url, 5.0) as connection:
        row = connection.execute("select to_regclass('core.empreinte')").fetchone()
        if row is None or row[0] is None:
            raise BackupError(f"La base {connection.info.dbname} est vide : ce n'est pas celle de Comptoir.")


def sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _sum_file(file: Path) -> Path:
    return file.with_name(f"{file.name}.sha256")


# ---- restore


def verify_sum(file: Path) -> bool:
    """Whether a sum stands beside the file and is right; a wrong one is refused."""
    if not file.is_file():
        raise BackupError(f"{file} n'existe pas.")
    try:
        recorded = _sum_file(file).read_text().split()
    except FileNotFoundError:
        return False
    if not recorded or recorded[0] != sha256(file):
        raise BackupError(f"{file} ne correspond pas à {_sum_file(file).name} : le fichier est abîmé ou un autre.")
    return True


def restore(url: str, file: Path, *, say: Say = print) -> str:
    """Put the database of a dump in the place of the present one, and answer the name that the present one keeps."""
    with during("Somme du fichier", say):
        summed = verify_sum(file)
    say("Somme SHA-256 vérifiée." if summed else f"Pas de {_sum_file(file).name} : somme non vérifiée.")
    with errors_told(), schema.connect(url, 5.0) as present:
        if has_vault(present) and not present.execute("select jobs._coffre_prendre()").fetchone()[0]:  # type: ignore[index]
            raise BackupError("Une sauvegarde ou une restauration est en cours : attendez sa fin.")
        with frozen(present, say):
            return replace(url, present, file, say=say)


def has_vault(connection: psycopg.Connection[Any]) -> bool:
    """Whether this database knows of backups: one that is empty, or older than they are, does not."""
    row = connection.execute("select to_regproc('jobs._coffre_prendre') is not null").fetchone()
    return bool(row and row[0])


@contextmanager
def frozen(present: psycopg.Connection[Any], say: Say) -> Iterator[None]:
    """While this lasts everybody reads and writers wait. It ends with this session, however that ends."""
    tables = present.execute(
        """select format('%%I.%%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind = 'r' and n.nspname = any(%s) order by 1""",
        [[*schema.SLICES, schema.QUEUE]],
    ).fetchall()
    try:
        if tables:
            names = sql.SQL(", ").join(sql.SQL(name) for (name,) in tables)
            with during("Attente des écritures en cours", say):
                _freeze(present, sql.SQL("lock table {} in exclusive mode").format(names))
        yield
    finally:
        with suppress(psycopg.OperationalError):  # the swap closes it, or it was lost
            present.execute("rollback")


def _freeze(present: psycopg.Connection[Any], lock: sql.Composed) -> None:
    for attempt in range(1, FREEZE_ATTEMPTS + 1):
        present.execute("begin")
        present.execute(sql.SQL("set local lock_timeout = {}").format(FREEZE_TIMEOUT))
        try:
            present.execute(lock)
        except pg.DeadlockDetected:  # a transaction had written one table, and wanted to write another
            present.execute("rollback")
            if attempt == FREEZE_ATTEMPTS:
                raise
        else:
            return


def replace(
    url: str,
    present: psycopg.Connection[Any],
    file: Path,
    *,
    counts: dict[str, int] | None = None,
    restoration: int | None = None,
    say: Say = print,
) -> str:
    """The same, while `present` keeps the present database frozen; its list of backups goes on in the new one."""
    program = program_for("pg_restore", url)
    name = present.info.dbname
    moment = datetime.now().strftime("%Y%m%d_%H%M%S")
    new, old = (f"{name[:36]}_{word}_{moment}" for word in ("reprise", "avant"))
    # A database is not renamed from within.
    outside = _elsewhere(url, "template1" if name == "postgres" else "postgres")
    with errors_told(), schema.connect(outside, 5.0) as admin:
        refuse_powerless(admin, name)
        schema.create_roles(admin)
        try:
            _create_like(admin, url, new)
            target = _elsewhere(url, new)
            with during("Remplissage de la base (pg_restore)", say):
                _fill(program, target, file)
            say(f"Base {new} remplie.")
            with during("Compte des lignes", say):
                _verify_counts(target, counts)
            _finish(target, say)
            with during("Vérification", say):
                _verify(target)
            say("Base vérifiée : schéma, montants, numéros, sceaux.")
            _hand_over(present, target, restoration, old)
            _swap(outside, name, new, old, present)
        except BaseException:
            admin.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(new)))
            raise
    return old


def _fill(program: Path, url: str, file: Path) -> None:
    """Restore into an empty database. An owner that is no superuser gives objects only to who may create in the schema,
    which the dump grants at its end; what this grants goes with the code that is dropped and loaded anew."""
    change = "alter default privileges {} usage, create on schemas {} comptoir_code, comptoir_portail"
    with schema.connect(url, 5.0) as connection:
        connection.execute(change.format("grant", "to"))
        _run(program, url, "--exit-on-error", str(file))
        connection.execute(change.format("revoke", "from"))


def refuse_powerless(admin: psycopg.Connection[Any], name: str) -> None:
    """A login that cannot create a database, or exchange this one, is told before anything is done."""
    row = admin.execute(
        """select r.rolname, r.rolsuper or r.rolcreatedb, pg_has_role(d.datdba, 'usage'),
                  r.rolsuper or pg_has_role('pg_signal_backend', 'usage')
             from pg_database d, pg_roles r where d.datname = %s and r.rolname = current_user""",
        [name],
    ).fetchone()
    if row is None or all(row[1:]):
        return
    wanted = ("le droit createdb", f"de posséder la base {name}", "le rôle pg_signal_backend")
    missing = [word for word, had in zip(wanted, row[1:], strict=True) if not had]
    raise PowerlessError(
        f"Le compte {row[0]} ne peut pas restaurer : il lui manque {', '.join(missing)}. Donnez DATABASE_OWNER_URL."
    )


def count_rows(connection: psycopg.Connection[Any]) -> dict[str, int]:
    """Table → rows, of everything that is no system's own."""
    names = connection.execute(
        """select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1"""
    ).fetchall()
    found = {}
    for (name,) in names:
        row = connection.execute(sql.SQL("select count(*) from {}").format(sql.SQL(name))).fetchone()
        found[name] = row[0] if row else 0
    return found


def _verify_counts(url: str, expected: dict[str, int] | None) -> None:
    if expected is None:
        return
    with schema.connect(url, 5.0) as connection:
        found = count_rows(connection)
    wrong = [
        f"{name}, en lignes : {found.get(name, 'aucune')} au lieu de {expected.get(name, 'aucune')}"
        for name in sorted(found.keys() | expected.keys())
        if found.get(name) != expected.get(name)
    ]
    if wrong:
        raise BackupError("La base restaurée n'est pas celle qui a été sauvegardée :\n" + "\n".join(wrong[:20]))


def _hand_over(present: psycopg.Connection[Any], target: str, restoration: int | None, old: str) -> None:
    """The list of backups tells of the store: what comes back takes the list of the present."""
    if not has_vault(present):
        return
    row = present.execute("select jobs._coffre_exporter()::text").fetchone()
    with schema.connect(target, 5.0) as connection, connection.transaction():
        connection.execute("select jobs._coffre_reprendre(%s::jsonb)", row)
        if restoration is not None:
            connection.execute("select jobs.restauration_reussir(%s, %s)", [restoration, old])


def _finish(url: str, say: Say) -> None:
    """What a dump does not hold: grants on the database itself, migrations since, statistics."""
    with schema.connect(url, 5.0) as connection:
        connection.execute(schema.GRANTS.read_bytes())
    schema.migrate(url, say, reload=True)
    with during("Statistiques (analyze)", say), schema.connect(url, 5.0) as connection:
        connection.execute("analyze")


def _verify(url: str) -> None:
    problems = schema.drift(url)
    with schema.connect(url, 5.0) as connection:
        problems += [row[0] for row in connection.execute("select * from jobs._controler()")]
        problems += [row[0] for row in connection.execute("select message from audit.verifier()")]
    if problems:
        raise BackupError("La base restaurée n'est pas juste :\n" + "\n".join(problems[:20]))


def _create_like(admin: psycopg.Connection[Any], url: str, new: str) -> None:
    """An empty database with the encoding, the locale and the settings of the present one."""
    name = _name(url)
    row = admin.execute(
        "select pg_encoding_to_char(encoding), to_jsonb(d) from pg_database d where datname = %s", [name]
    ).fetchone()
    if row is None:
        raise BackupError(f"La base {name} n'existe pas.")
    encoding, present = row
    options: dict[str, str] = {
        "encoding": encoding,
        "lc_collate": present["datcollate"],
        "lc_ctype": present["datctype"],
    }
    own = present.get("datlocale") or present.get("daticulocale")  # the first since PostgreSQL 17
    if present["datlocprovider"] == "b":
        options |= {"locale_provider": "builtin", "builtin_locale": own}
    elif present["datlocprovider"] == "i":
        options |= {"locale_provider": "icu", "icu_locale": own}
    statement = sql.SQL("create database {} template template0 {}").format(
        sql.Identifier(new),
        sql.SQL(" ").join(sql.SQL(f"{key} = ") + sql.Literal(value) for key, value in options.items()),
    )
    admin.execute(statement)
    with schema.connect(url, 5.0) as connection:  # a fresh session has the database's settings
        names = connection.execute(
            """select split_part(unnest(s.setconfig), '=', 1) from pg_db_role_setting s join pg_database d
                on d.oid = s.setdatabase where d.datname = current_database() and s.setrole = 0"""
        ).fetchall()
        for (setting,) in names:
            parts = sql.SQL(".").join(sql.Identifier(part) for part in setting.split("."))
            connection.execute(sql.SQL("alter database {} set {} from current").format(sql.Identifier(new), parts))


def _swap(outside: str, name: str, new: str, old: str, present: psycopg.Connection[Any]) -> None:
    """Exchange the names in one transaction, with nobody connected to the present database."""
    current, following, former = map(sql.Identifier, (name, new, old))
    refuse, accept = (sql.SQL("alter database {} allow_connections " + word) for word in ("false", "true"))
    try:
        with schema.connect(outside, 5.0) as admin:
            admin.execute(refuse.format(current))
            # The one that keeps writers waiting goes last: none of them gets through before it is ended.
            _end_connections(admin, name, present.info.backend_pid)
            present.close()
            _end_connections(admin, name)
            with admin.transaction():
                admin.execute(sql.SQL("alter database {} rename to {}").format(current, former))
                admin.execute(sql.SQL("alter database {} rename to {}").format(following, current))
                admin.execute(accept.format(former))
    except BaseException:
        with schema.connect(outside, 30.0) as admin:  # the first connection may be what failed
            admin.execute(accept.format(current))
        raise


def _end_connections(admin: psycopg.Connection[Any], name: str, but: int = 0) -> None:
    deadline = time.monotonic() + SWAP_SECONDS
    # Of other accounts' sessions an owner that is no superuser sees the account, but not the kind.
    ask = """select pg_terminate_backend(pid) from pg_stat_activity
              where datname = %s and pid <> %s and usesysid is not null
                and coalesce(backend_type, 'client backend') = 'client backend'"""
    while admin.execute(ask, [name, but]).fetchall():
        if time.monotonic() > deadline:
            raise BackupError(f"Des connexions à {name} ne finissent pas : la base en place n'a pas changé.")
        time.sleep(0.05)


# ---- programs of PostgreSQL


def program_for(name: str, url: str) -> Path:
    """The nearest version that is not older than the server."""
    with schema.connect(url, 5.0) as connection:
        server = connection.info.server_version // 10000
    found = {version: path for path in reversed(_programs(name)) if (version := _version(path))}
    if not found:
        raise BackupError(f"{name} manque : installez les programmes clients de PostgreSQL {server}.")
    # From 17 on, pg_restore sets a parameter that older servers do not know.
    newest = 16 if name == "pg_restore" and server <= 16 else max(found)
    fitting = [version for version in found if server <= version <= newest]
    if not fitting:
        raise BackupError(
            f"{name} est de la version {max(found)}, le serveur de la version {server} : "
            f"installez les programmes clients de PostgreSQL {server}."
        )
    return found[min(fitting)]


def _programs(name: str) -> list[Path]:
    """The one of the embedded server, and the one on PATH."""
    candidates = [Path(path)] if (path := shutil.which(name)) else []
    with suppress(EmbeddedError):  # some systems have no wheel
        candidates.insert(0, Postgres(ROOT).bin / name)
    return [path for path in candidates if path.exists()]


def _version(program: Path) -> int | None:
    answer = subprocess.run([program, "--version"], capture_output=True, check=False)  # noqa: S603
    number = re.search(r"\(PostgreSQL\) (\d+)", answer.stdout.decode(errors="replace"))
    return int(number[1]) if number else None


def _run(program: Path, url: str, *arguments: str) -> None:
    line, environment = command(program, url, *arguments)
    done = subprocess.run(line, env=environment, capture_output=True, check=False)  # noqa: S603
    if done.returncode != 0:
        raise failure(program, done.returncode, done.stderr)


def command(program: Path, url: str, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """Run on a database. A command line is seen by everybody on the machine: the password goes by the environment."""
    parts = {key: str(value) for key, value in conninfo_to_dict(url).items() if value is not None}
    password = parts.pop("password", None)
    environment = {**os.environ, "LC_ALL": "C"} | ({"PGPASSWORD": password} if password else {})
    return [str(program), "--no-password", f"--dbname={make_conninfo('', **parts)}", *arguments], environment


def failure(program: Path, status: int, said: bytes) -> BackupError:
    lines = said.decode(errors="replace").strip().splitlines()[:5]
    return BackupError("\n".join([f"{program.name} a échoué ({status}) :", *lines]))


# ---- names


def _name(url: str) -> str:
    with schema.connect(url, 5.0) as connection:
        return connection.info.dbname


def _elsewhere(url: str, database: str) -> str:
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{parts.netloc}/{quote(database)}{query}"


@contextmanager
def errors_told() -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        if (error.sqlstate or "").startswith("HT"):  # SQL refuses in French
            raise BackupError(error.diag.message_primary or str(error)) from error
        raise BackupError(f"PostgreSQL refuse : {str(error).strip()}\nLa base en place n'a pas changé.") from error
