"""comptoir pgbouncer --suivre: PgBouncer reads each change of the registry, after failures too."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from app.leaves.organisations.organisation import Organisation, at
from tests.annuaire import SERVER, Annuaire
from tests.conftest import execute
from tests.relais import following, installed, pgbouncer
from tests.server import eventually, free_port

pytestmark = installed


@dataclass(frozen=True)
class Relay:
    """PgBouncer, which read the file when it was empty."""

    annuaire: Annuaire
    account: str
    file: Path
    settings: dict[str, str]

    @property
    def address(self) -> str:
        return self.settings["ANNUAIRE_PGBOUNCER"]

    def console(self) -> psycopg.Connection[tuple[object, ...]]:
        url = at(self.annuaire.url, self.address, "pgbouncer")
        return psycopg.connect(url, autocommit=True, prepare_threshold=None)

    def leads_to(self, organisation: Organisation) -> bool:
        try:
            psycopg.connect(at(self.annuaire.url, self.address, organisation.database)).close()
        except psycopg.OperationalError:
            return False
        return True


@pytest.fixture
def relay(annuaire: Annuaire) -> Iterator[Relay]:
    url = urlsplit(annuaire.url)
    account, password = url.username or "", url.password or ""
    with tempfile.TemporaryDirectory(prefix="comptoir-pgbouncer-") as folder:
        Path(folder).chmod(0o755)  # PgBouncer runs as another account
        file = Path(folder) / "organisations.ini"
        file.write_text("[databases]\n")
        with pgbouncer(f"%include {file}", {account: password}, 4) as address:
            yield Relay(annuaire, account, file, {**annuaire.environment, "ANNUAIRE_PGBOUNCER": address})


def test_the_command_lets_pgbouncer_reload_at_its_start_although_the_file_is_right(relay: Relay) -> None:
    """An earlier run wrote the file and died before the reload."""
    organisation = relay.annuaire.make("acme")
    assert relay.annuaire.comptoir("pgbouncer", str(relay.file)).returncode == 0
    assert not relay.leads_to(organisation)
    with following(relay.file, **relay.settings):
        eventually(lambda: relay.leads_to(organisation))


def test_the_command_repeats_a_reload_that_pgbouncer_refused(relay: Relay) -> None:
    with following(relay.file, **relay.settings) as errors:
        first = relay.annuaire.make("acme")
        eventually(lambda: relay.leads_to(first))
        with relay.console() as console:
            console.execute("set admin_users = 'personne'")
            second = relay.annuaire.make("bobo")
            eventually(lambda: "not allowed" in errors.read_text())
            console.execute(sql.SQL("set admin_users = {}").format(relay.account))
        eventually(lambda: relay.leads_to(second))
    assert "Traceback" not in errors.read_text()


def test_the_command_waits_for_a_registry_that_is_away(annuaire: Annuaire, tmp_path: Path) -> None:
    organisation, file = annuaire.registry.enrol(annuaire.code("acme"), SERVER, []), tmp_path / "organisations.ini"
    with ExitStack() as stack:
        with absent(annuaire) as database:
            settings = {**annuaire.environment, "ANNUAIRE_PGBOUNCER": f"127.0.0.1:{free_port()}"}
            errors = stack.enter_context(following(file, **settings))
            eventually(lambda: f"n'a pas de base « {database} »" in errors.read_text())
        eventually(lambda: file.exists() and organisation.database in file.read_text())
    assert "Traceback" not in errors.read_text()


@contextmanager
def absent(annuaire: Annuaire) -> Iterator[str]:
    """The database of the registry has another name inside this context. Yield its name."""
    server = annuaire.registry.on_server(annuaire.registry.server(SERVER).address)
    present = urlsplit(annuaire.url).path[1:]
    former = sql.Identifier(f"{present}_absent")
    execute(server, sql.SQL("alter database {} rename to {}").format(sql.Identifier(present), former))
    try:
        yield present
    finally:
        execute(server, sql.SQL("alter database {} rename to {}").format(former, sql.Identifier(present)))
