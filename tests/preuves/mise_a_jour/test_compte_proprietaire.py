"""The accounts of docker-compose.yml are no superusers, and each can do its work."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app.base.settings import Settings
from app.database import schema
from app.leaves.echange.whole import reading, writing
from app.leaves.embarque.postgres import Postgres
from app.vault import backup
from app.vault.cipher import Keys
from tests import builders, commands
from tests.conftest import connected, execute, one
from tests.documents import browsers
from tests.server import environment

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "deploiement/postgres/comptes.sh"
ACCOUNTS = {"proprietaire": "PROPRIETAIRE", "api": "API", "ouvrier": "TRAVAILLEUR"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Postgres]:
    with Postgres(tmp_path / "postgres", {"fsync": "off"}) as postgres:
        accounts(postgres.url("comptoir"), postgres.bin)
        yield postgres


def as_account(server: Postgres, name: str, database: str = "comptoir") -> str:
    return f"postgresql://comptoir_{name}:essai-{name}@127.0.0.1:{server.port}/{database}"


def accounts(url: str, programs: Path) -> None:
    """Run the script as the PostgreSQL image does: as its superuser, in the database that the image created."""
    at = urlsplit(url)
    environment = {
        **os.environ,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PGHOST": str(at.hostname), "PGPORT": str(at.port), "PGPASSWORD": at.password or "",
        "POSTGRES_USER": str(at.username), "POSTGRES_DB": at.path[1:], "PUBLIC_SQL": str(ROOT / "sql/public.sql"),
        **{f"{variable}_MOT_DE_PASSE": f"essai-{name}" for name, variable in ACCOUNTS.items()},
    }  # fmt: skip
    result = subprocess.run(["sh", str(SCRIPT)], env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def test_an_owner_without_superuser_migrates_and_backs_up(server: Postgres, tmp_path: Path) -> None:
    own = as_account(server, "proprietaire")
    schema.migrate(own, say=lambda _: None)
    assert not schema.open_to_all(own)  # the administrator has nothing left to do
    backup.dump(own, tmp_path / "essai.dump", Keys.new(), say=lambda _: None)
    assert (tmp_path / "essai.dump").stat().st_size > 100_000
    powers = "(rolsuper or rolbypassrls or rolcreaterole) and rolname ~ '^comptoir'"
    assert execute(own, f"select rolname from pg_roles where {powers}") == []
    owner = one(own, "select datdba::regrole::text from pg_database where datname = 'comptoir'")
    assert owner == "comptoir_proprietaire"
    for name in ("api", "ouvrier"):
        assert one(as_account(server, name), "select current_user::text") == f"comptoir_{name}"


def test_a_command_with_the_account_of_the_api_names_the_setting_to_correct(server: Postgres) -> None:
    schema.migrate(server.url("comptoir"), say=lambda _: None)
    for word in ("migrate", "check"):
        result = commands.run_apart(environment({"DATABASE_URL": as_account(server, "api")}), word)
        assert result.returncode == 1, word
        assert "donnez à DATABASE_OWNER_URL celui qui possède la base" in result.stderr, result.stderr


def test_an_owner_without_superuser_exports_and_imports(server: Postgres, tmp_path: Path) -> None:
    """It disables triggers, reads documents as the API does, and checks the imported rows."""
    own, other = (as_account(server, "proprietaire", database) for database in ("comptoir", "ailleurs"))
    execute(own, "create database ailleurs template template0 encoding 'UTF8'")
    for url in (own, other):
        schema.migrate(url, say=lambda _: None)
    with connected(server.url("comptoir")) as db:
        builders.facture(db)
    settings = Settings.from_environment({"COMPTOIR_ETAT": str(tmp_path)})
    prints = bool(browsers.installed())
    written = writing.export(settings, own, tmp_path / "export", prints=prints, uploads=False)
    assert ("documents/factures" in " ".join(written.fichiers)) == prints
    reading.load(settings, other, tmp_path / "export", uploads=False, say=lambda _: None)
    assert one(other, "select count(*) from facturation.facture") == 1
    assert one(other, "select count(*) from pg_trigger where tgenabled <> 'O'") == 0
    assert schema.drift(other) == []
