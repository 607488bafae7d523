"""The accounts of docker-compose.yml are no superusers, and each can do its work."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from app.database import schema
from app.database.postgres import Postgres
from app.vault import backup
from app.vault.cipher import Keys

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "deploiement/postgres/comptes.sh"
PASSWORDS = {name: f"essai-{name.lower()}" for name in ("PROPRIETAIRE", "API", "TRAVAILLEUR")}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Postgres]:
    with Postgres(tmp_path / "postgres", {"fsync": "off"}) as postgres:
        yield postgres


def accounts(url: str, programs: Path) -> None:
    """Run the script as the PostgreSQL image does: as its superuser, in the database that the image created."""
    at = urlsplit(url)
    environment = {
        **os.environ,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PGHOST": str(at.hostname), "PGPORT": str(at.port), "PGPASSWORD": at.password or "",
        "POSTGRES_USER": str(at.username), "POSTGRES_DB": at.path[1:],
        **{f"{name}_MOT_DE_PASSE": password for name, password in PASSWORDS.items()},
    }  # fmt: skip
    result = subprocess.run(["sh", str(SCRIPT)], env=environment, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr


def test_an_owner_without_superuser_migrates_and_backs_up(server: Postgres, tmp_path: Path) -> None:
    url = server.url("comptoir")
    accounts(url, server.bin)
    at = urlsplit(url)
    own = f"postgresql://comptoir_proprietaire:{PASSWORDS['PROPRIETAIRE']}@{at.hostname}:{at.port}/comptoir"
    schema.migrate(own, say=lambda _: None)
    backup.dump(own, tmp_path / "essai.dump", Keys.new(), say=lambda _: None)
    assert (tmp_path / "essai.dump").stat().st_size > 100_000
    with psycopg.connect(own) as connection:
        powers = connection.execute(
            "select rolname from pg_roles where (rolsuper or rolbypassrls or rolcreaterole) and rolname ~ '^comptoir'"
        ).fetchall()
        owner = connection.execute("select datdba::regrole::text from pg_database where datname = 'comptoir'")
        assert (powers, owner.fetchone()) == ([], ("comptoir_proprietaire",))
    for login, password in (("comptoir_api", PASSWORDS["API"]), ("comptoir_ouvrier", PASSWORDS["TRAVAILLEUR"])):
        with psycopg.connect(f"postgresql://{login}:{password}@{at.hostname}:{at.port}/comptoir") as connection:
            assert connection.execute("select current_user::text").fetchone() == (login,)
