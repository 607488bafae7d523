"""Replaces the present database by a backup.

A restore fills a new database, verifies it, and then exchanges the names of the two. A failure before the exchange
changes nothing. The old database is kept under another name.
"""

import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psycopg
import psycopg.errors as pg
from psycopg import sql

from app.base.progress import Say, during
from app.database import schema
from app.database.reach import elsewhere
from app.database.release import QUEUE, SLICES
from app.vault import backup
from app.vault.backup import BackupError, PowerlessError
from app.vault.cipher import Keys

SEALS = "sceaux"
SHOWN = 20
SWAP_SECONDS = 30.0
FREEZE_ATTEMPTS = 5
FREEZE_TIMEOUT = "30s"  # longest wait for the lock of one table


def restore(url: str, file: Path, keys: Keys, *, despite: Collection[str] = (), say: Say = print) -> str:
    """Restore a dump file. Return the name under which the old database is kept.

    `despite` names the checks whose findings are accepted (`unsound`).
    """
    with during("Somme du fichier", say):
        verified = backup.verify_sum(file)
    say("Somme SHA-256 vérifiée." if verified else f"Pas de {backup.sum_file(file).name} : somme non vérifiée.")
    with backup.explained_errors(), schema.connect(url, 5.0) as present:
        if _has_vault(present) and not schema.value(present, "select jobs._coffre_prendre()"):
            raise BackupError("Une sauvegarde ou une restauration est en cours : attendez sa fin.")
        with frozen(present, say):
            return replace(url, present, file, keys, despite=despite, say=say)


def _has_vault(connection: schema.Session) -> bool:
    """Whether this database has the list of backups. An empty database or one of an older version has none."""
    return schema.value(connection, "select to_regproc('jobs._coffre_prendre')") is not None


@contextmanager
def frozen(present: schema.Session, say: Say) -> Iterator[None]:
    """Lock every table against writes inside this context. Readers continue. The locks end with the session."""
    tables = present.execute(
        """select format('%%I.%%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any(%s) order by 1""",
        [[*SLICES, QUEUE]],
    ).fetchall()
    try:
        if tables:
            names = sql.SQL(", ").join(sql.SQL(name) for (name,) in tables)
            with during("Attente des écritures en cours", say):
                _freeze(present, sql.SQL("lock table {} in exclusive mode").format(names))
        yield
    finally:
        with suppress(psycopg.OperationalError):  # the swap has closed the connection, or it was lost
            present.execute("rollback")


def _freeze(present: schema.Session, lock: sql.Composed) -> None:
    for attempt in range(1, FREEZE_ATTEMPTS + 1):
        present.execute("begin")
        present.execute(sql.SQL("set local lock_timeout = {}").format(FREEZE_TIMEOUT))
        try:
            present.execute(lock)
        except pg.DeadlockDetected:  # another transaction has written one table and waits for another table
            present.execute("rollback")
            if attempt == FREEZE_ATTEMPTS:
                raise
        else:
            return


def replace(
    url: str,
    present: schema.Session,
    file: Path,
    keys: Keys,
    *,
    counts: dict[str, int] | None = None,
    restoration: int | None = None,
    despite: Collection[str] = (),
    say: Say = print,
) -> str:
    """Restore a dump file while `present` keeps the present database frozen. Return the name of the old database.

    The new database takes over the list of backups. `counts` are the expected numbers of rows.
    """
    name = present.info.dbname
    moment = datetime.now().strftime("%Y%m%d_%H%M%S")
    new, old = (f"{name[:36]}_{word}_{moment}" for word in ("reprise", "avant"))
    # A database cannot be renamed by a session connected to it.
    outside = elsewhere(url, "template1" if name == "postgres" else "postgres")
    with backup.explained_errors(), schema.connect(outside, 5.0) as admin:
        refuse_powerless(admin, name)
        schema.create_roles(admin)
        try:
            target = elsewhere(url, new)
            rebuild(admin, url, target, file, keys, counts=counts, despite=despite, say=say)
            _end_sessions(present, target, say)
            _hand_over(present, target, restoration, old)
            _swap(outside, name, new, old, present)
        except BaseException:
            schema.drop_database(admin, new)
            raise
    return old


def rebuild(
    admin: schema.Session,
    url: str,
    target: str,
    file: Path,
    keys: Keys,
    *,
    counts: dict[str, int] | None,
    despite: Collection[str],
    say: Say,
) -> None:
    """Create the database `target` like the one at `url`, fill it from a dump, upgrade it to this release and verify
    it.

    `admin` is connected to the server of `target`. A failure leaves an incomplete database, which the caller drops.
    """
    name = unquote(urlsplit(target).path[1:])
    _create_like(admin, url, name)
    program = backup.program_for("pg_restore", target)
    with during("Remplissage de la base (pg_restore)", say):
        _fill(program, target, file, keys)
    say(f"Base {name} remplie.")
    with during("Compte des lignes", say):
        if counts is not None:
            verify_counts(target, counts)
    # A dump contains no grants on the database, no later migrations and no statistics.
    schema.migrate(target, say, reload=True)
    with during("Statistiques (analyze)", say), schema.connect(target, 5.0) as connection:
        connection.execute("analyze")
    with during("Vérification", say):
        _verify(target, despite, say)
    say("Base vérifiée : schéma, montants, numéros, sceaux.")


def refuse_powerless(admin: schema.Session, name: str) -> None:
    """Raise PowerlessError when the account cannot create a database or exchange this one."""
    row = admin.execute(
        """select r.rolname, r.rolsuper or r.rolcreatedb, pg_has_role(d.datdba, 'usage'),
                  r.rolsuper or pg_has_role('pg_signal_backend', 'usage')
             from pg_database d, pg_roles r where d.datname = %s and r.rolname = current_user""",
        [name],
    ).fetchone()
    if row is None or all(row[1:]):
        return
    rights = ("le droit createdb", f"de posséder la base {name}", "le rôle pg_signal_backend")
    missing = [word for word, has in zip(rights, row[1:], strict=True) if not has]
    raise PowerlessError(
        f"Le compte {row[0]} ne peut pas restaurer : il lui manque {', '.join(missing)} ; {backup.OWNER_WANTED}."
    )


def _create_like(admin: schema.Session, url: str, new: str) -> None:
    """Create an empty database, with the encoding, the locale and the settings of the one at `url`, on any server."""
    with schema.connect(url, 5.0) as connection:
        row = connection.execute(
            """select pg_encoding_to_char(encoding), to_jsonb(d) from pg_database d
                where datname = current_database()"""
        ).fetchone()
        settings = connection.execute(
            """select split_part(c, '=', 1), substr(c, strpos(c, '=') + 1)
                 from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase, unnest(s.setconfig) c
                where d.datname = current_database() and s.setrole = 0"""
        ).fetchall()
    encoding, present = row  # type: ignore[misc]
    options: dict[str, str] = {
        "encoding": encoding,
        "lc_collate": present["datcollate"],
        "lc_ctype": present["datctype"],
    }
    locale = present.get("datlocale") or present.get("daticulocale")  # datlocale exists since PostgreSQL 17
    if present["datlocprovider"] == "b":
        options |= {"locale_provider": "builtin", "builtin_locale": locale}
    elif present["datlocprovider"] == "i":
        options |= {"locale_provider": "icu", "icu_locale": locale}
    statement = sql.SQL("create database {} template template0 {}").format(
        sql.Identifier(new),
        sql.SQL(" ").join(sql.SQL(f"{key} = ") + sql.Literal(value) for key, value in options.items()),
    )
    admin.execute(statement)
    for setting, value in settings:
        parts = sql.SQL(".").join(sql.Identifier(part) for part in setting.split("."))
        with admin.transaction():
            admin.execute("select set_config(%s, %s, true)", [setting, value])
            admin.execute(sql.SQL("alter database {} set {} from current").format(sql.Identifier(new), parts))


def _fill(program: Path, url: str, file: Path, keys: Keys) -> None:
    """Restore into an empty database.

    Without superuser, an owner can give objects only to a role that may create in their schema, and the dump grants
    that at its end. So the privilege is granted here by default. It goes away when the code is dropped and reloaded.
    """
    change = "alter default privileges {} usage, create on schemas {} comptoir_code, comptoir_portail"
    with schema.connect(url, 5.0) as connection:
        connection.execute(change.format("grant", "to"))
        backup.restore_into(program, url, file, keys)
        connection.execute(change.format("revoke", "from"))


def verify_counts(url: str, expected: dict[str, int]) -> None:
    with schema.connect(url, 5.0) as connection:
        counts = backup.count_rows(connection)
    problems = [
        f"{name}, en lignes : {counts.get(name, 'aucune')} au lieu de {expected.get(name, 'aucune')}"
        for name in sorted(counts.keys() | expected.keys())
        if counts.get(name) != expected.get(name)
    ]
    if problems:
        raise BackupError("La base restaurée n'est pas celle qui a été sauvegardée :\n" + "\n".join(problems[:20]))


def _verify(url: str, despite: Collection[str] = (), say: Say = print) -> None:
    problems = schema.drift(url)[:SHOWN]
    with schema.connect(url, 5.0) as connection:
        problems += unsound(connection, despite, say)
    if problems:
        raise BackupError("La base restaurée n'est pas juste :\n" + "\n".join(problems))


def unsound(connection: schema.Session, despite: Collection[str], say: Say) -> list[str]:
    """Return why the data of a database that was filled from a copy are refused: its money or its seals are wrong.

    A copy that is faithful to a base with a wrong row has the wrong row too. The operator may accept the differences of
    the checks named in `despite`, because a backup that cannot be restored is none. They are printed.
    """
    refused = []
    for name, message in _differences(connection):
        if name in despite:
            say(f"Accepté malgré {name} : {message}")
        else:
            refused.append((name, message))
    if not refused:
        return []
    lines = [f"{name} : {message}" for name, message in refused[:SHOWN]]
    if len(refused) > SHOWN:
        lines.append(f"… et {len(refused) - SHOWN} autres.")
    options = " ".join(f"--malgre {name}" for name in dict.fromkeys(name for name, _ in refused))
    return [*lines, f"La ligne de commande accepte ces écarts tels quels avec : {options}"]


def _differences(connection: schema.Session) -> list[tuple[str, str]]:
    # The hourly jobs do not run on this database yet, and may have been late before the copy. They run here, then they
    # are rolled back, so that a late job is no error.
    with connection.transaction(force_rollback=True):
        connection.execute("select jobs._resumer()")
        differences = connection.execute("select controle, message from jobs._controler_par_nom()").fetchall()
    return differences + connection.execute("select %s::text, message from audit.verifier()", [SEALS]).fetchall()


def _end_sessions(present: schema.Session, target: str, say: Say) -> None:
    """Revoke all former sessions and links in the new database, and suspend its webhooks.

    Rights closed, narrowed or removed since the backup stay so. Each change is said.
    """
    exists = schema.value(present, "select to_regproc('auth._comptes_exporter') is not null")
    accounts = schema.value(present, "select auth._comptes_exporter()::text") if exists else None
    with schema.connect(target, 5.0) as connection, connection.transaction():
        query = "select administrateur, remarques from auth._comptes_reprendre(%s::jsonb)"
        has_administrator, changes = connection.execute(query, [accounts]).fetchone()  # type: ignore[misc]
        changes += [text for (text,) in connection.execute("select * from evenement._webhooks_reprendre()")]
    say("Sessions et liens d'avant fermés ; ce qui a été fermé, restreint ou retiré depuis le reste.")
    for change in changes:
        say(change)
    if not has_administrator:
        say("Plus aucun administrateur actif : voyez « Après une restauration » dans docs/exploitation.md.")


def _hand_over(present: schema.Session, target: str, restoration: int | None, old: str) -> None:
    """Copy the present list of backups to the new database, because the list describes the store."""
    if not _has_vault(present):
        return
    row = present.execute("select jobs._coffre_exporter()::text").fetchone()
    with schema.connect(target, 5.0) as connection, connection.transaction():
        connection.execute("select jobs._coffre_reprendre(%s::jsonb)", row)
        if restoration is not None:
            connection.execute("select jobs.restauration_reussir(%s, %s)", [restoration, old])


def _swap(outside: str, name: str, new: str, old: str, present: schema.Session) -> None:
    """Exchange the names of the databases in one transaction, after every connection to the present one has ended."""
    current, following, former = map(sql.Identifier, (name, new, old))
    refuse, accept = (sql.SQL("alter database {} allow_connections " + word) for word in ("false", "true"))
    try:
        with schema.connect(outside, 5.0) as admin:
            admin.execute(refuse.format(current))
            # The connection with the locks ends last, so that no waiting writer can write.
            end_connections(admin, name, present.info.backend_pid)
            present.close()
            end_connections(admin, name)
            with admin.transaction():
                admin.execute(sql.SQL("alter database {} rename to {}").format(current, former))
                admin.execute(sql.SQL("alter database {} rename to {}").format(following, current))
                admin.execute(accept.format(former))
    except BaseException:
        with schema.connect(outside, 30.0) as admin:  # the first connection may have failed
            admin.execute(accept.format(current))
        raise


def end_connections(admin: schema.Session, name: str, excluded: int = 0) -> None:
    """End the sessions of clients in a database, except one."""
    deadline = time.monotonic() + SWAP_SECONDS
    # Without superuser, an owner sees the account of other sessions, but not their backend_type.
    query = """select pg_terminate_backend(pid) from pg_stat_activity
              where datname = %s and pid <> %s and usesysid is not null
                and coalesce(backend_type, 'client backend') = 'client backend'"""
    while admin.execute(query, [name, excluded]).fetchall():
        if time.monotonic() > deadline:
            raise BackupError(f"Des connexions à {name} ne finissent pas : la base en place n'a pas changé.")
        time.sleep(0.05)
