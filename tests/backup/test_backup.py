"""The vault from the shell: a file that is whole or not there, and a restore that cannot harm what it replaces."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from psycopg import sql
from psycopg.rows import dict_row

from app.base.settings import Settings
from app.database import schema
from app.database.postgres import Postgres
from app.vault import backup, restoration
from app.vault.backup import BackupError
from app.vault.cipher import Keys
from tests import builders
from tests.conftest import Db
from tests.server import BACKUP_KEY, Service, environment, eventually, running

KEYS = Keys.of(Settings.from_environment({"SAUVEGARDE_CLE": BACKUP_KEY}))
Sums = dict[str, tuple[int, str | None]]


def command(url: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app", *map(str, words)],
        env=environment({"DATABASE_URL": url}),
        capture_output=True,
        text=True,
        timeout=100,
    )


def sums(url: str) -> Sums:
    """Table → rows and checksum of its content, everything that is no system's own.

    A restore ends the sessions of the accounts that it brings back: the epoch of an account and its trace stay out.
    """
    found = {}
    with psycopg.connect(url) as connection:
        tables = connection.execute(
            """select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
                where c.relkind = 'r' and n.nspname !~ '^pg_|^information_schema$'
                  -- it describes the catalogue, whose texts a restore writes in another order
                  and c.oid <> 'core.empreinte'::regclass order by 1"""
        ).fetchall()
        for (table,) in tables:
            text = "(to_jsonb(t) - 'epoque')::text" if table == "auth.utilisateur" else "t::text"
            kept = "(module, entite, operation::text) <> ('auth', 'utilisateur', 'UPDATE')"
            where = f"where {kept}" if table == "audit.journal" else ""
            query = f"select count(*), md5(string_agg({text}, '|' order by {text})) from {table} t {where}"
            found[table] = connection.execute(query).fetchone()
        query = """select 'suite ' || s.schemaname || '.' || s.sequencename, coalesce(s.last_value, 0), null
                     from pg_sequences s where s.sequencename <> 'journal_id_trace_seq'"""
        found |= {name: (value, None) for name, value, _ in connection.execute(query)}
    return found  # type: ignore[return-value]


def signed_in_again(service: Service, ended: httpx.Client) -> httpx.Client:
    """A client with a new token, once the restored database has refused the former one."""
    eventually(lambda: ended.get("/auth/me").status_code == 401)
    return service.login()


def databases(url: str) -> set[str]:
    """This database and what was made beside it."""
    name = urlsplit(url).path[1:]
    with psycopg.connect(url) as connection:
        rows = connection.execute("select datname from pg_database where datname ~ ('^' || %s || '(_|$)')", [name])
        return {row[0] for row in rows if not row[0].removeprefix(name).startswith("_seul")}


@pytest.fixture
def url(database_url: str) -> Iterator[str]:
    """A database with some life in it; what a restore leaves beside it goes at the end."""
    with psycopg.connect(database_url, row_factory=dict_row) as connection:
        db = Db(connection)
        builders.utilisateur(db, role="ADMINISTRATEUR", login="admin")
        for n in range(3):
            builders.client(db, nom=f"Exemple {n}")
            till = builders.caisse(db)
            bill = builders.facture(db, "15000.00")
            db.call(
                "finances.paiement_creer",
                montant="4000.50",
                id_moyen=builders.moyen(db),
                id_caisse=till,
                id_facture=bill,
            )
        db.one("select core._differer('menage')")
    yield database_url
    extra = databases(database_url) - {urlsplit(database_url).path[1:]}
    with psycopg.connect(os.environ["ESSAIS_POSTGRES"], autocommit=True) as admin:
        for name in extra:
            admin.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


# ---- backup


def test_a_backup_prints_what_it_is_and_keeps_its_sum_beside(tmp_path: Path, url: str) -> None:
    file = tmp_path / "nuit.dump"
    done = command(url, "backup", file)
    assert done.returncode == 0, done.stderr
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert f"{file} : {file.stat().st_size} octets en " in done.stdout
    assert f"SHA-256 {digest}" in done.stdout
    assert (tmp_path / "nuit.dump.sha256").read_text() == f"{digest}  nuit.dump\n"
    assert file.stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nuit.dump", "nuit.dump.sha256"]


def test_a_backup_overwrites_only_when_told(tmp_path: Path, url: str) -> None:
    file = tmp_path / "nuit.dump"
    file.write_text("précieux")
    refused = command(url, "backup", file)
    assert refused.returncode == 1
    assert "existe déjà" in refused.stderr
    assert file.read_text() == "précieux"
    assert command(url, "backup", file, "--remplacer").returncode == 0
    assert backup.verify_sum(file)


def test_a_backup_that_fails_leaves_nothing(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = fake(tmp_path, "pg_dump", "99.0", "echo 'No space left on device' >&2; exit 1")
    monkeypatch.setattr(backup, "_programs", lambda name: [program])
    target = tmp_path / "la"
    target.mkdir()
    with pytest.raises(BackupError, match="No space left on device"):
        backup.dump(url, target / "nuit.dump", KEYS)
    assert list(target.iterdir()) == []


def test_a_folder_that_is_not_there_is_told(tmp_path: Path, url: str) -> None:
    done = command(url, "backup", tmp_path / "absent" / "nuit.dump")
    assert done.returncode == 1
    assert "On ne peut pas écrire" in done.stderr and "Traceback" not in done.stderr


def test_an_old_pg_dump_is_refused(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = fake(tmp_path, "pg_dump", "9.6", "exit 0")
    monkeypatch.setattr(backup, "_programs", lambda name: [program])
    with pytest.raises(BackupError, match=r"pg_dump est de la version 9, le serveur de la version \d+ : installez"):
        backup.dump(url, tmp_path / "nuit.dump", KEYS)
    monkeypatch.setattr(backup, "_programs", lambda name: [])
    with pytest.raises(BackupError, match="pg_dump manque"):
        backup.dump(url, tmp_path / "nuit.dump", KEYS)
    assert not (tmp_path / "nuit.dump").exists()


def test_the_nearest_program_that_is_not_older_serves(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(url) as connection:
        server = connection.info.server_version // 10000
    versions = {version: fake(tmp_path / str(version), "pg_dump", f"{version}.1", "") for version in (9, server, 99)}
    monkeypatch.setattr(backup, "_programs", lambda name: list(versions.values()))
    assert backup.program_for("pg_dump", url) == versions[server]


def test_the_password_is_on_no_command_line(tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = tmp_path / "vu"
    program = fake(tmp_path, "pg_dump", "99.0", f'printf "%s\\n" "$PGPASSWORD" "$@" > {seen}')
    monkeypatch.setattr(backup, "_programs", lambda name: [program])
    backup.dump(url, tmp_path / "nuit.dump", KEYS)
    password, *arguments = seen.read_text().splitlines()
    assert password == urlsplit(url).password
    assert password not in " ".join(arguments)


def fake(directory: Path, name: str, version: str, body: str) -> Path:
    directory.mkdir(exist_ok=True)
    program = directory / name
    program.write_text(
        f'#!/bin/sh\nif [ "$1" = --version ]; then echo "{name} (PostgreSQL) {version}"; exit; fi\n{body}\n'
    )
    program.chmod(0o755)
    return program


# ---- restore


def test_the_drill(tmp_path: Path, url: str) -> None:
    """Back up, lose and spoil, restore: every table is as it was, and the spoilt database is still there."""
    file = tmp_path / "nuit.dump"
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(sql.SQL("alter database {} set work_mem = '5MB'").format(sql.Identifier(name)))
    assert command(url, "backup", file).returncode == 0
    before = sums(url)
    assert before["finances.paiement"][0] == 3
    with psycopg.connect(url) as connection:
        connection.execute("insert into core.parametre (cle, valeur) values ('APRES', 'la sauvegarde')")
        connection.execute("set local session_replication_role = replica")  # no trigger protects the journal from it
        connection.execute("truncate auth.connexion, audit.journal")
        connection.execute("create table core.intruse ()")
    spoilt = sums(url)

    done = command(url, "restore", file, "--confirmation")
    assert done.returncode == 0, done.stderr
    assert "Somme SHA-256 vérifiée." in done.stdout
    assert sums(url) == before
    assert schema.drift(url) == []
    (former,) = databases(url) - {name}
    assert former.startswith(f"{name}_avant_") and former in done.stdout
    assert sums(restoration._elsewhere(url, former)) == spoilt
    with psycopg.connect(url) as connection:
        assert connection.execute("show work_mem").fetchone() == ("5MB",)
        public = "select has_database_privilege('public', current_database(), 'connect')"
        assert connection.execute(public).fetchone() == (False,)
        connection.execute("set role comptoir_app")
        assert connection.execute("select core.contexte(null, null, null, null)")


def test_a_dump_comes_back_on_a_server_that_knows_nothing(tmp_path: Path, url: str) -> None:
    """The machine is lost: no role, no database, only the file."""
    file = tmp_path / "nuit.dump"
    backup.dump(url, file, KEYS)
    with Postgres(tmp_path / "neuf", {"fsync": "off"}) as server:
        empty = command(server.url(), "backup", tmp_path / "rien.dump")
        assert empty.returncode == 1 and "La base comptoir est vide" in empty.stderr
        done = command(server.url(), "restore", file, "--confirmation")
        assert done.returncode == 0, done.stderr
        assert sums(server.url()) == sums(url)
        assert schema.drift(server.url()) == []


def test_the_api_lives_through_a_restore(tmp_path: Path, url: str) -> None:
    file = tmp_path / "nuit.dump"
    with running(tmp_path, DATABASE_URL=url) as service:
        admin = service.login()
        created = admin.get("/client/clients").json()
        assert command(url, "backup", file).returncode == 0
        later = {"nom": "Plus", "prenoms": "Tard", "tel_principal": "+2250700000000", "type_client": "PASSAGE"}
        assert admin.post("/client/clients", json=later).status_code == 201
        done = command(url, "restore", file, "--confirmation")
        assert done.returncode == 0, done.stderr
        admin = signed_in_again(service, admin)
        assert admin.get("/client/clients").json() == created


def test_without_confirmation_nothing_is_done(tmp_path: Path, url: str) -> None:
    file = tmp_path / "nuit.dump"
    backup.dump(url, file, KEYS)
    before = sums(url), databases(url)
    done = command(url, "restore", file)
    assert done.returncode == 1
    assert "Avec --confirmation" in done.stderr and "nouvelle base" in done.stderr
    assert (sums(url), databases(url)) == before


def cut(content: bytes) -> bytes:
    return content[: len(content) * 2 // 3]


def flipped(content: bytes, at: float = 0.6) -> bytes:
    """Spoilt in the table of contents."""
    start = int(len(content) * at)
    return content[:start] + bytes(byte ^ 0xFF for byte in content[start : start + 64]) + content[start + 64 :]


def flipped_rows(content: bytes) -> bytes:
    return flipped(content, 0.99)


@pytest.mark.parametrize("spoil", [cut, flipped, flipped_rows, lambda _: b"", lambda _: b"pas une sauvegarde" * 100])
@pytest.mark.parametrize("summed", [True, False])
def test_a_spoilt_dump_leaves_all_as_it_was(tmp_path: Path, url: str, spoil: object, summed: bool) -> None:
    file = tmp_path / "nuit.dump"
    backup.dump(url, file, KEYS)
    file.write_bytes(spoil(file.read_bytes()))  # type: ignore[operator]
    if not summed:
        (tmp_path / "nuit.dump.sha256").unlink()
    before = sums(url), databases(url)
    with pytest.raises(BackupError, match="ne correspond pas" if summed else "ne se déchiffre pas|pg_restore a échoué"):
        restoration.restore(url, file, KEYS, say=lambda _: None)
    assert (sums(url), databases(url)) == before


def test_a_dump_whose_money_is_wrong_is_not_swapped_in(tmp_path: Path, url: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("set session_replication_role = replica")  # as a spoilt disk would: past every trigger
        connection.execute("update finances.application_paiement set montant = montant + 1 where id_application = 1")
    file = tmp_path / "nuit.dump"
    backup.dump(url, file, KEYS)
    before = sums(url), databases(url)
    with pytest.raises(BackupError, match=r"La facture \S+-001 porte montant_paye 4000.50, ses paiements font 4001.50"):
        restoration.restore(url, file, KEYS, say=lambda _: None)
    assert (sums(url), databases(url)) == before


def test_a_swap_that_fails_gives_the_present_database_back(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "nuit.dump"
    backup.dump(url, file, KEYS)
    before = sums(url), databases(url)

    def refuse(*_: object) -> None:
        raise BackupError("elles ne finissent pas")

    monkeypatch.setattr(restoration, "_end_connections", refuse)
    with pytest.raises(BackupError, match="elles ne finissent pas"):
        restoration.restore(url, file, KEYS, say=lambda _: None)
    assert (sums(url), databases(url)) == before


def test_a_restore_that_is_stopped_leaves_all_as_it_was(tmp_path: Path, url: str) -> None:
    """Stopped while pg_restore waits for a lock that the test holds in the new database."""
    file = tmp_path / "nuit.dump"
    backup.dump(url, file, KEYS)
    before = sums(url), databases(url)
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "restore", str(file), "--confirmation"],
        env=environment({"DATABASE_URL": url}),
        stdout=subprocess.DEVNULL,
    )
    (new,) = eventually(lambda: databases(url) - before[1])
    holder = psycopg.connect(restoration._elsewhere(url, new))  # will be ended with its database
    with closing(holder), psycopg.connect(url, autocommit=True) as watcher:
        holder.execute("lock table pg_catalog.pg_trigger in access exclusive mode")
        waiting = "select from pg_stat_activity where application_name = 'pg_restore' and wait_event_type = 'Lock'"
        eventually(lambda: watcher.execute(waiting).fetchone() is not None)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 143
    assert (sums(url), databases(url)) == before


def test_a_file_that_is_not_there_is_told(tmp_path: Path, url: str) -> None:
    done = command(url, "restore", tmp_path / "absent.dump", "--confirmation")
    assert done.returncode == 1
    assert "n'existe pas" in done.stderr and "Traceback" not in done.stderr


# ---- what a restored database is held against


def test_the_control_finds_nothing_in_what_the_house_wrote(db: Db) -> None:
    bill = builders.facture(db)
    builders.facture(db)
    db.call("finances.paiement_creer", montant="1", id_moyen=builders.moyen(db), id_facture=bill)
    assert db.all("select * from jobs._controler()") == []


@pytest.mark.parametrize(
    "spoil, sentence",
    [
        ("update facturation.facture set montant_paye = 5", "montant_paye 5.00, ses paiements font 0"),
        (
            "update facturation.facture set montant_total = 5",
            "montant_total 5.00, ses lignes moins la remise font 15000",
        ),
        ("update facturation.facture set numero = numero || '9'", "sont 1, la dernière porte le numéro"),
        ("delete from facturation.facture", "sont 0, la dernière porte le numéro 0, le compteur en a donné 1"),
        ("delete from core.compteur where type = 'FAC'", "numéro 1, le compteur en a donné 0"),
    ],
)
def test_the_control_names_each_difference(db: Db, spoil: str, sentence: str) -> None:
    builders.facture(db)
    assert db.one("select count(*) from facturation.facture") == 1
    db.execute("set local session_replication_role = replica")
    db.execute(spoil)
    found = db.all("select * from jobs._controler() as phrase")
    assert [row for row in found if sentence in row["phrase"]], found


def test_late_summing_job_refuses_no_restore(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        connection.execute("insert into finances.paiement (montant, id_moyen, id_activite) values (5, 1, 2)")
        connection.execute("set local session_replication_role = replica")
        connection.execute("update audit.journal set date_heure = date_heure - interval '1 day'")
        assert connection.execute("select 1 from jobs._controler() c where c like '%n''avance plus%'").fetchone()
    restoration._verify(database_url)
    with psycopg.connect(database_url) as connection:
        assert connection.execute("select jusqu_a from finances.resume_etat").fetchone() == (0,)
