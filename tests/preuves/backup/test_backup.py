"""Backups from the shell: a backup file is complete or absent, and a failed restore does not change the database."""

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from app.base.settings import Settings
from app.database import schema
from app.database.reach import elsewhere
from app.leaves.embarque.postgres import Postgres
from app.vault import backup, restoration
from app.vault.backup import BackupError
from app.vault.cipher import Keys
from tests import builders, commands
from tests.conftest import connected, execute, one
from tests.server import BACKUP_KEY, environment, eventually

KEYS = Keys.of(Settings.from_environment({"SAUVEGARDE_CLE": BACKUP_KEY}))
Sums = dict[str, tuple[int, str | None]]


def command(url: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return commands.run(environment({"DATABASE_URL": url}), *map(str, words))


def restore(url: str, file: Path) -> None:
    restoration.restore(url, file, KEYS, say=lambda _: None)


def sums(url: str) -> Sums:
    """Return the number of rows and a checksum for each table outside the system schemas.

    A restore ends the sessions of the restored accounts, so the epoch of an account and its journal entry are left out.
    """
    result = {}
    with psycopg.connect(url) as connection:
        tables = connection.execute(
            """select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_|^information_schema$'
                  -- its rows describe the catalogue, and a restore writes the catalogue in another order
                  and c.oid <> 'core.empreinte'::regclass order by 1"""
        ).fetchall()
        for (table,) in tables:
            text = "(to_jsonb(t) - 'epoque')::text" if table == "auth.utilisateur" else "t::text"
            compared = "(module, entite, operation::text) <> ('auth', 'utilisateur', 'UPDATE')"
            where = f"where {compared}" if table == "audit.journal" else ""
            query = f"select count(*), md5(string_agg({text}, '|' order by {text})) from {table} t {where}"
            result[table] = connection.execute(query).fetchone()
        query = """select 'suite ' || s.schemaname || '.' || s.sequencename, coalesce(s.last_value, 0), null
                     from pg_sequences s where s.sequencename <> 'journal_id_trace_seq'"""
        result |= {name: (value, None) for name, value, _ in connection.execute(query)}
    return result  # type: ignore[return-value]


def databases(url: str) -> set[str]:
    """Return the names of this database and of the databases made beside it."""
    name = urlsplit(url).path[1:]
    rows = execute(url, "select datname from pg_database where datname ~ ('^' || %s || '(_|$)')", name)
    return {row[0] for row in rows if not row[0].removeprefix(name).startswith("_seul")}


@pytest.fixture
def url(database_url: str) -> Iterator[str]:
    """A database with some rows. The fixture drops the databases that a restore leaves beside it."""
    with connected(database_url) as db:
        builders.utilisateur(db, role="ADMINISTRATEUR", login="admin")
        for n in range(3):
            builders.client(db, nom=f"Exemple {n}")
            paid = {"id_caisse": builders.caisse(db), "id_facture": builders.facture(db, "15000.00")}
            db.call("finances.paiement_creer", montant="4000.50", id_moyen=builders.moyen(db), **paid)
        db.one("select core._differer('menage')")
    yield database_url
    drop_the_others(database_url)


def drop_the_others(url: str) -> None:
    """Drop the databases that a restore has left beside this one."""
    for name in databases(url) - {urlsplit(url).path[1:]}:
        execute(os.environ["ESSAIS_POSTGRES"], f"drop database {name} with (force)")


# ---- backup


def test_a_backup_prints_its_size_and_checksum_and_writes_a_checksum_file(tmp_path: Path, url: str) -> None:
    file = tmp_path / "nuit.dump"
    completed = command(url, "backup", file)
    assert completed.returncode == 0, completed.stderr
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert f"{file} : {file.stat().st_size} octets en " in completed.stdout
    assert f"SHA-256 {digest}" in completed.stdout
    assert (tmp_path / "nuit.dump.sha256").read_text() == f"{digest}  nuit.dump\n"
    assert file.stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nuit.dump", "nuit.dump.sha256"]


def test_a_backup_overwrites_a_file_only_with_the_option(tmp_path: Path, url: str) -> None:
    file = tmp_path / "nuit.dump"
    file.write_text("précieux")
    refused = command(url, "backup", file)
    assert refused.returncode == 1 and "existe déjà" in refused.stderr
    assert file.read_text() == "précieux"
    assert command(url, "backup", file, "--remplacer").returncode == 0
    assert backup.verify_sum(file)


def test_a_failed_backup_leaves_no_file(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = fake(tmp_path, "pg_dump", "99.0", "echo 'No space left on device' >&2; exit 1")
    monkeypatch.setattr(backup, "_programs", lambda name: [program])
    target = tmp_path / "la"
    target.mkdir()
    with pytest.raises(BackupError, match="No space left on device"):
        backup.dump(url, target / "nuit.dump", KEYS)
    assert list(target.iterdir()) == []


def test_a_missing_folder_or_file_is_reported_in_one_message(tmp_path: Path, url: str) -> None:
    for words, sentence in (
        (["backup", tmp_path / "absent" / "nuit.dump"], "On ne peut pas écrire"),
        (["restore", tmp_path / "absent.dump", "--confirmation"], "n'existe pas"),
    ):
        completed = command(url, *words)
        assert completed.returncode == 1 and sentence in completed.stderr and "Traceback" not in completed.stderr


def test_an_old_pg_dump_is_refused(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = fake(tmp_path, "pg_dump", "9.6", "exit 0")
    monkeypatch.setattr(backup, "_programs", lambda name: [program])
    with pytest.raises(BackupError, match=r"pg_dump est de la version 9, le serveur de la version \d+ : installez"):
        backup.dump(url, tmp_path / "nuit.dump", KEYS)
    monkeypatch.setattr(backup, "_programs", lambda name: [])
    with pytest.raises(BackupError, match="pg_dump manque"):
        backup.dump(url, tmp_path / "nuit.dump", KEYS)
    assert not (tmp_path / "nuit.dump").exists()


def test_the_oldest_fitting_pg_dump_is_chosen(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server = int(one(url, "show server_version_num")) // 10000
    versions = {version: fake(tmp_path / str(version), "pg_dump", f"{version}.1", "") for version in (9, server, 99)}
    monkeypatch.setattr(backup, "_programs", lambda name: list(versions.values()))
    assert backup.program_for("pg_dump", url) == versions[server]


def test_the_command_line_shows_no_password(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recorded = tmp_path / "vu"
    program = fake(tmp_path, "pg_dump", "99.0", f'printf "%s\\n" "$PGPASSWORD" "$@" > {recorded}')
    monkeypatch.setattr(backup, "_programs", lambda name: [program])
    backup.dump(url, tmp_path / "nuit.dump", KEYS)
    password, *arguments = recorded.read_text().splitlines()
    assert password == urlsplit(url).password and password not in " ".join(arguments)


def fake(directory: Path, name: str, version: str, body: str) -> Path:
    directory.mkdir(exist_ok=True)
    program = directory / name
    says = f'if [ "$1" = --version ]; then echo "{name} (PostgreSQL) {version}"; exit; fi'
    program.write_text(f"#!/bin/sh\n{says}\n{body}\n")
    program.chmod(0o755)
    return program


# ---- restore


def test_a_restore_brings_every_table_back_and_keeps_the_replaced_database(tmp_path: Path, url: str) -> None:
    """Back up, damage the database, restore."""
    file = tmp_path / "nuit.dump"
    name = urlsplit(url).path[1:]
    execute(url, f"alter database {name} set work_mem = '5MB'")
    assert command(url, "backup", file).returncode == 0
    before = sums(url)
    assert before["finances.paiement"][0] == 3
    with psycopg.connect(url) as connection:
        connection.execute("insert into core.parametre (cle, valeur) values ('APRES', 'la sauvegarde')")
        connection.execute("set local session_replication_role = replica")  # no trigger protects the journal now
        connection.execute("truncate auth.connexion, audit.journal")
        connection.execute("create table core.intruse ()")
    damaged = sums(url)

    completed = command(url, "restore", file, "--confirmation")
    assert completed.returncode == 0, completed.stderr
    assert "Somme SHA-256 vérifiée." in completed.stdout
    assert sums(url) == before
    assert schema.drift(url) == []
    (former,) = databases(url) - {name}
    assert former.startswith(f"{name}_avant_") and former in completed.stdout
    assert sums(elsewhere(url, former)) == damaged
    assert one(url, "show work_mem") == "5MB"
    assert one(url, "select has_database_privilege('public', current_database(), 'connect')") is False
    with psycopg.connect(url, options="-c role=comptoir_app") as connection:
        connection.execute("select core.contexte(null, null, null, null)")


def test_a_backup_is_restored_on_a_new_server(tmp_path: Path, url: str) -> None:
    """The new server has no role and no database of the service, only the backup file."""
    file = tmp_path / "nuit.dump"
    backup.dump(url, file, KEYS)
    with Postgres(tmp_path / "neuf", {"fsync": "off"}) as server:
        empty = command(server.url(), "backup", tmp_path / "rien.dump")
        assert empty.returncode == 1 and "La base comptoir est vide" in empty.stderr
        completed = command(server.url(), "restore", file, "--confirmation")
        assert completed.returncode == 0, completed.stderr
        assert sums(server.url()) == sums(url)
        assert schema.drift(server.url()) == []


UNREADABLE, OTHER = "ne se déchiffre pas", "n'est pas une sauvegarde"


def inverted(content: bytes, at: float) -> bytes:
    start = int(len(content) * at)
    return content[:start] + bytes(byte ^ 0xFF for byte in content[start : start + 64]) + content[start + 64 :]


@pytest.fixture
def dumped(tmp_path: Path, url: str) -> Iterator[Path]:
    """A backup of the database. No database has changed at the end of the test."""
    file = tmp_path / "nuit.dump"
    backup.dump(url, file, KEYS)
    before = sums(url), databases(url)
    yield file
    assert (sums(url), databases(url)) == before


@pytest.mark.parametrize(
    "damage, sentence",
    [
        pytest.param(lambda content: content[: len(content) * 2 // 3], UNREADABLE, id="truncated"),
        pytest.param(partial(inverted, at=0.6), UNREADABLE, id="another table of contents"),
        pytest.param(lambda _: b"", OTHER, id="empty"),
    ],
)
def test_a_damaged_backup_changes_no_database(
    url: str, dumped: Path, damage: Callable[[bytes], bytes], sentence: str
) -> None:
    dumped.write_bytes(damage(dumped.read_bytes()))
    with pytest.raises(BackupError, match="ne correspond pas"):
        restore(url, dumped)
    dumped.with_suffix(".dump.sha256").unlink()
    with pytest.raises(BackupError, match=sentence):
        restore(url, dumped)


def test_a_failed_swap_keeps_the_current_database(url: str, dumped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise BackupError("elles ne finissent pas")

    monkeypatch.setattr(restoration, "end_connections", refuse)
    with pytest.raises(BackupError, match="elles ne finissent pas"):
        restore(url, dumped)


def test_a_stopped_restore_changes_no_database(url: str, dumped: Path) -> None:
    """The restore stops while pg_restore waits for a lock that the test holds in the new database."""
    present = databases(url)
    words = [sys.executable, "-m", "app", "restore", str(dumped), "--confirmation"]
    with subprocess.Popen(words, env=environment({"DATABASE_URL": url}), stdout=subprocess.DEVNULL) as process:
        (new,) = eventually(lambda: databases(url) - present)
        with closing(psycopg.connect(elsewhere(url, new))) as holder:  # the server closes it with its database
            holder.execute("lock table pg_catalog.pg_description in access exclusive mode")  # for the first COMMENT
            waiting = "select from pg_stat_activity where datname = %s and wait_event_type = 'Lock'"
            eventually(lambda: execute(url, waiting, new))
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 143


# ---- consistency checks of a restored database


def test_a_late_summary_job_does_not_refuse_a_restore(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("insert into finances.paiement (montant, id_moyen, id_activite) values (5, 1, 2)")
        connection.execute("set local session_replication_role = replica")
        connection.execute("update audit.journal set date_heure = date_heure - interval '1 day'")
        assert connection.execute("select 1 from jobs._controler() c where c like '%n''avance plus%'").fetchone()
    restoration._verify(database_url)
    assert one(database_url, "select max(jusqu_a) from core.resume_etat") == 0
