"""A registry of organisations on the server of the tests, and the organisations that a test makes."""

import itertools
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg

from app.base.settings import DEVELOPMENT_PASSWORD, Settings
from app.commands.accounts import first_administrator
from app.database import schema
from app.leaves.embarque.postgres import Postgres
from app.leaves.organisations.making import make, template_name
from app.leaves.organisations.organisation import Organisation
from app.leaves.organisations.registry import Registry
from tests import commands
from tests.conftest import TEMPLATE, ok
from tests.server import BACKUP_KEY, SECRET, Service, environment

SERVER = "un"
ADDRESSES = itertools.count(1)


@dataclass(frozen=True)
class Annuaire:
    """The registry, and the prefix of the codes: databases of other workers are on the same server."""

    url: str
    prefix: str
    settings: Settings
    registry: Registry

    @property
    def environment(self) -> dict[str, str]:
        """The settings of a process that serves these organisations."""
        return {"ANNUAIRE_URL": self.url, "TRUSTED_PROXIES": "127.0.0.1"}

    def make(self, name: str, *hosts: str, server: str | None = SERVER) -> Organisation:
        """Make an organisation with an administrator `admin`."""
        organisation = make(self.registry, self.code(name), server, list(hosts), say=lambda _: None)
        assert first_administrator(self.address(organisation), "admin", DEVELOPMENT_PASSWORD)
        return organisation

    def sign_in(self, service: Service, organisation: Organisation) -> tuple[httpx.Client, dict[str, Any]]:
        """A client with a session of its administrator, and the answer of the sign-in."""
        client = service.new_client(**{"x-organisation": organisation.code})
        body = {"login": "admin", "mot_de_passe": DEVELOPMENT_PASSWORD}
        # The sign-ins of one address are counted, so each comes from its own.
        headers = {"x-forwarded-for": f"198.51.100.{next(ADDRESSES)}"}
        session = ok(client.post("/auth/login", json=body, headers=headers))
        client.headers["authorization"] = f"Bearer {session['accessToken']}"
        return client, session

    def comptoir(self, *words: str, entered: str = "", **extra: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the operator, without a terminal."""
        return commands.run(environment({**self.environment, **extra}), *words, entered=entered)

    def empty(self) -> None:
        """Drop the databases of the organisations, and leave only the server in the registry."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            self.drop_databases(connection)
            connection.execute("truncate organisation.organisation, organisation.hote, organisation.serveur")
        self.add_server()

    def add_server(self) -> None:
        server = urlsplit(self.url)
        self.registry.add_server(SERVER, f"{server.hostname}:{server.port}", [])

    def drop_databases(self, connection: psycopg.Connection[tuple[object, ...]]) -> None:
        start = f"comptoir_{self.prefix}_".replace("-", "_")
        rows = connection.execute("select datname from pg_database where starts_with(datname, %s)", [start])
        for (name,) in rows.fetchall():
            schema.drop_database(connection, str(name))

    def code(self, name: str) -> str:
        """The code of an organisation of this test."""
        return f"{self.prefix}-{name}"

    def address(self, organisation: Organisation) -> str:
        """The owner's address of its database."""
        return self.registry.on_server(organisation.address, organisation.database)


@contextmanager
def annuaire(worker_id: str, own: Postgres | None = None) -> Iterator[Annuaire]:
    """An empty registry with one server: `own`, or the server of the tests. Its template is a copy of theirs."""
    admin = own.url("postgres") if own else os.environ["ESSAIS_POSTGRES"]
    database, prefix = f"annuaire_{worker_id}", f"e{worker_id}"
    url = urlsplit(admin)._replace(path=f"/{database}").geturl()
    settings = Settings.from_environment({
        "ANNUAIRE_URL": url, "JWT_SECRET": SECRET, "SECRETS_CLE": SECRET, "SAUVEGARDE_CLE": BACKUP_KEY,
        "COMPTOIR_ETAT": os.environ["ESSAIS_ETAT"],
    })  # fmt: skip
    with psycopg.connect(admin, autocommit=True) as connection:
        schema.drop_database(connection, database)
        connection.execute(f"create database {database}")
        _copy_template(connection, "comptoir" if own else TEMPLATE)
    made = Annuaire(url, prefix, settings, Registry(settings))
    made.registry.ensure()
    made.add_server()
    try:
        yield made
    finally:
        with psycopg.connect(admin, autocommit=True) as connection:
            made.drop_databases(connection)
            schema.drop_database(connection, database)


def _copy_template(connection: psycopg.Connection[tuple[object, ...]], migrated: str) -> None:
    """Making the template of the release would take seconds. Another worker may do the same at the same time."""
    name = template_name()
    connection.execute("select pg_advisory_lock(1)")
    if connection.execute("select from pg_database where datname = %s", [name]).fetchone() is None:
        connection.execute(f"create database {name} template {migrated} strategy file_copy")
        connection.execute(f"alter database {name} is_template true")
    connection.execute("select pg_advisory_unlock(1)")
