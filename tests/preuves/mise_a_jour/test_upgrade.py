"""An upgrade is one transaction: if it fails or is killed, the old release keeps serving."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from app.database import schema
from app.database.release import HERE, Release, SchemaError
from app.leaves.embarque.postgres import Postgres
from app.leaves.embarque.server import NOBODY
from tests.conftest import TEMPLATE, execute
from tests.server import eventually, quiet
from tests.upgrades import DROP_CODE, count_payment_methods, functions, next_release, upgrading, wait_for_step

GOOD = "alter table core.parametre add essai text;"
STEPS = [
    "Tables réservées, ancien code retiré.",
    "Migration 9001.core-essai appliquée (1 sur 2).",
    "Migration 9002.core-essai appliquée (2 sur 2).",
    "Code chargé",
]


def columns(url: str) -> list[str]:
    column = "attrelid = 'core.parametre'::regclass and attname like 'essai%'"
    return [name for (name,) in execute(url, f"select attname from pg_attribute where {column}")]


def complete(url: str, release: Release) -> None:
    """The release is installed with all its migrations, and answers."""
    assert schema.drift(url, release) == []
    assert schema.unfinished(url, release) == []
    assert count_payment_methods(url) > 0
    assert schema.migrate(url, quiet, release=release) is False


def unchanged(url: str, before: set[str]) -> None:
    """The release of this tree is complete and answers, and its own `migrate` has nothing to do."""
    assert functions(url) == before
    assert columns(url) == []
    complete(url, HERE)


def test_failed_migration_keeps_the_release(database_url: str, tmp_path: Path) -> None:
    before = functions(database_url)
    release = next_release(tmp_path, f"{GOOD}\nselect 1 / 0;")
    with pytest.raises(SchemaError, match=r"Migration 9001\.core-essai : division by zero\."):
        schema.migrate(database_url, quiet, release=release)
    unchanged(database_url, before)
    (release.migrations / "9001.core-essai.sql").write_text(GOOD)
    assert schema.migrate(database_url, quiet, release=release) is True
    assert functions(database_url) - before == {"core._essai()"}
    assert columns(database_url) == ["essai"]
    assert schema.drift(database_url, release) == []


def test_broken_code_rolls_the_migrations_back(database_url: str, tmp_path: Path) -> None:
    before = functions(database_url)
    release = next_release(tmp_path, GOOD)
    (release.code / "core" / "_essai.sql").write_text("create function core._essai() returns entier return 1;")
    with pytest.raises(SchemaError, match=r"sql/core/_essai\.sql"):
        schema.migrate(database_url, quiet, release=release)
    unchanged(database_url, before)


@pytest.mark.parametrize("step", STEPS)
def test_killed_upgrade_leaves_the_old_release(database_url: str, tmp_path: Path, step: str) -> None:
    before = functions(database_url)
    release = next_release(tmp_path, GOOD, "alter table core.parametre add essai_2 text;")
    with upgrading(database_url, release, halt=step) as process:
        wait_for_step(process, step)
    unchanged(database_url, before)
    assert schema.migrate(database_url, quiet, release=release) is True
    assert columns(database_url) == ["essai", "essai_2"]
    assert schema.drift(database_url, release) == []


@pytest.mark.bref
def test_upgrade_killed_after_its_commit_is_complete(database_url: str, tmp_path: Path) -> None:
    release = next_release(tmp_path, GOOD)
    with upgrading(database_url, release, halt="Mise à jour validée.") as process:
        wait_for_step(process, "Mise à jour validée.")
    complete(database_url, release)


@pytest.mark.timeouts
def test_server_stops_the_statement_of_a_killed_upgrade(database_url: str, tmp_path: Path) -> None:
    before = functions(database_url)
    release = next_release(tmp_path, f"{GOOD}\nselect pg_sleep(600);")
    find_pid = (
        "select pid from pg_stat_activity where datname = current_database() and query like 'select pg_sleep(600)%'"
    )
    with upgrading(database_url, release):
        eventually(lambda: execute(database_url, find_pid))
    eventually(lambda: not execute(database_url, find_pid))
    unchanged(database_url, before)


@pytest.mark.parametrize("step", ["Tables réservées", "Migration 0010.", "Code chargé"])
def test_killed_first_installation_can_be_repeated(worker_id: str, step: str) -> None:
    with schema.scratch(os.environ["ESSAIS_POSTGRES"], f"essai_{worker_id}_tuee") as url:
        with upgrading(url, HERE, halt=step) as process:
            wait_for_step(process, step)
        assert schema.migrate(url, quiet) is True
        complete(url, HERE)


def test_concurrent_upgrades_apply_the_release_once(database_url: str, tmp_path: Path) -> None:
    release = next_release(tmp_path, GOOD, _index("essai"))
    with ThreadPoolExecutor(3) as threads:
        results = list(threads.map(lambda _: schema.migrate(database_url, quiet, release=release), range(3)))
    assert sorted(results) == [False, False, True]
    complete(database_url, release)


def test_release_older_than_the_database_is_refused(database_url: str, tmp_path: Path) -> None:
    release = next_release(tmp_path, GOOD)
    schema.migrate(database_url, quiet, release=release)
    with pytest.raises(SchemaError, match=r"plus récente que ce programme.*9001\.core-essai") as refused:
        schema.migrate(database_url, quiet)
    assert "\n" not in str(refused.value)
    assert schema.drift(database_url, release) == []


def test_migrate_restores_code_that_a_failed_upgrade_dropped(database_url: str) -> None:
    """Upgrades of earlier releases were not one transaction: a failed one dropped the code and kept its file hashes."""
    before = functions(database_url)
    execute(database_url, DROP_CODE)
    assert functions(database_url) == set()
    assert schema.migrate(database_url, quiet) is True
    unchanged(database_url, before)


# ---- full disk


@pytest.fixture
def small_disk(worker_id: str, tmp_path: Path) -> Iterator[str]:
    """A database on a disk of its own that has room for an upgrade, which writes 13 MB of catalogues."""
    admin = os.environ["ESSAIS_POSTGRES"]
    disk = Path(f"/dev/shm/essai_{worker_id}_{os.getpid()}_disque")
    name = f"essai_{worker_id}_disque"
    with psycopg.connect(admin, autocommit=True) as connection:
        size = connection.execute("select pg_database_size(%s)", [TEMPLATE]).fetchone()
        disk.mkdir()
        options = f"size={size[0] + (24 << 20)},uid={NOBODY},gid={NOBODY},mode=700"
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)], capture_output=True)
        try:
            if mounted.returncode:
                pytest.skip(f"no small disk can be mounted here: {mounted.stderr.decode()}")
            connection.execute(f"create tablespace {name} location '{disk}'")
            connection.execute(f"create database {name} template {TEMPLATE} tablespace {name} strategy file_copy")
            yield admin.rpartition("/")[0] + f"/{name}"
        finally:
            connection.execute(f"drop database if exists {name} with (force)")
            connection.execute(f"drop tablespace if exists {name}")
            subprocess.run(["umount", str(disk)], capture_output=True)
            shutil.rmtree(disk)


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/dev/shm").is_dir(), reason="only root mounts a small disk")
def test_full_disk_leaves_the_old_release(small_disk: str, tmp_path: Path) -> None:
    before = functions(small_disk)
    fill = "create table core.grosse as select md5(n::text) as texte from generate_series(1, 1000000) n;"
    release = next_release(tmp_path, GOOD, fill)
    with pytest.raises(SchemaError, match=r"Le disque de PostgreSQL est plein .*libérez de la place"):
        schema.migrate(small_disk, quiet, release=release)
    unchanged(small_disk, before)
    (release.migrations / "9002.core-essai.sql").write_text("select 1;")
    assert schema.migrate(small_disk, quiet, release=release) is True


# ---- few locks


def test_upgrade_without_room_for_its_locks_says_what_to_set(tmp_path: Path) -> None:
    few = {"max_locks_per_transaction": "10", "max_connections": "20"}
    with Postgres(tmp_path / "postgres", few) as server:
        with pytest.raises(SchemaError, match=r"manque de place pour les verrous .*max_locks_per_transaction = 512"):
            schema.migrate(server.url(), quiet)
        with psycopg.connect(server.url()) as connection:
            assert connection.execute("select count(*) from pg_namespace where nspname = 'core'").fetchone() == (0,)


# ---- migrations outside the transaction


def _index(name: str) -> str:
    return (
        "-- transactional: false\n"
        "set lock_timeout = 0;\n"
        f"drop index concurrently if exists core.{name};\n"
        f"create index concurrently {name} on core.parametre (valeur);\n"
    )


def test_non_transactional_migration_runs_after_the_release_and_is_recorded(database_url: str, tmp_path: Path) -> None:
    release = next_release(tmp_path, _index("essai"), GOOD)
    lines: list[str] = []
    schema.migrate(database_url, lines.append, release=release)
    assert lines.index("Mise à jour validée.") < lines.index("Migration 9001.core-essai appliquée, à part.")
    complete(database_url, release)


def test_failed_non_transactional_migration_is_reported_and_retried(database_url: str, tmp_path: Path) -> None:
    """A unique index fails on duplicate rows. The release serves without it, and `check` names the migration."""
    unique = _index("essai").replace("create index", "create unique index")
    release = next_release(tmp_path, GOOD, unique.replace("(valeur)", "(valeur) where cle like 'ESSAI%'"))
    execute(database_url, "insert into core.parametre (cle, valeur) values ('ESSAI_1', 'égal'), ('ESSAI_2', 'égal')")
    with pytest.raises(SchemaError, match=r"9002\.core-essai : could not create unique index.*La version est en place"):
        schema.migrate(database_url, quiet, release=release)
    assert count_payment_methods(database_url) > 0
    assert schema.drift(database_url, release) == []
    assert schema.unfinished(database_url, release) == [
        "La migration 9002.core-essai n'a pas abouti : lancez « comptoir migrate »."
    ]
    execute(database_url, "update core.parametre set valeur = cle where cle like 'ESSAI%'")
    assert schema.migrate(database_url, quiet, release=release) is True
    complete(database_url, release)


@pytest.mark.timeouts
def test_killed_non_transactional_migration_is_retried(database_url: str, tmp_path: Path) -> None:
    release = next_release(tmp_path, _index("essai"))
    find_pid = "select pid from pg_stat_activity where datname = current_database() and query like 'create index conc%'"
    with psycopg.connect(database_url) as holder:
        with upgrading(database_url, release, halt="Mise à jour validée.") as process:
            wait_for_step(process, "Mise à jour validée.")
            holder.execute("update core.parametre set valeur = valeur")  # the index waits for this transaction
            process.stdin.close()
            eventually(lambda: execute(database_url, find_pid))
        eventually(lambda: not execute(database_url, find_pid))
        assert count_payment_methods(database_url) > 0
        assert schema.drift(database_url, release) == []
        assert len(schema.unfinished(database_url, release)) == 1
    assert schema.migrate(database_url, quiet, release=release) is True
    complete(database_url, release)
