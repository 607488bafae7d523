"""The application of a process that serves all organisations of the registry."""

import argparse
from dataclasses import replace
from typing import Any, cast

from starlette.applications import Starlette

from app import routes
from app.auth.keys import Keys
from app.auth.kvstore import Store
from app.auth.roles import Roles
from app.auth.tokens import AccessTokens
from app.base.settings import Settings
from app.commands.application import build, build_services, log_to_stderr, open_database, open_store, read_catalogue
from app.commands.service import ready_to_serve, run_server
from app.database.database import Database
from app.database.disk import Disk
from app.database.pool import Pool
from app.database.release import HERE
from app.files.storage import Storage
from app.http.services import Services
from app.http.turns import Turns
from app.leaves.organisations.directory import Directory
from app.leaves.organisations.organisation import Organisation, catalogue_url, derived, settings_of
from app.leaves.organisations.serving import Organisations, Places
from app.routes.check import check_routes
from app.vault.vault import Vault

SHARED = ("mode", "ping", "note_every_user")  # a note for every organisation is right for this one too, and rare
REGISTRY_CONNECTIONS = 2  # of a process: it reads the registry rarely


def serve(settings: Settings, _: argparse.Namespace) -> int:
    """Serve the organisations of the registry that have this release. It migrates none."""
    with ready_to_serve(settings):
        check_routes(routes.load(), read_catalogue(catalogue_url(settings)))
        return run_server(settings, f"{__name__}:factory")


def factory() -> Starlette:
    """The factory that each uvicorn process calls. The database of the process is the registry."""
    settings = Settings.from_environment()
    log_to_stderr()
    registry = settings.registry_url or ""
    operations = read_catalogue(catalogue_url(settings))
    disks: dict[str, Disk] = {}  # by server
    pool, store = Pool(registry, REGISTRY_CONNECTIONS, settings.prepared_statements), open_store(settings.kvstore_url)
    process = build_services(settings, operations, Database(pool, operations.sentences), store)
    places = Places(settings.organisations_pool)

    def open_services(organisation: Organisation) -> Services:
        """The services of one organisation. It shares with the process what holds nothing of an organisation."""
        name = organisation.id
        own = settings_of(settings, organisation)
        part = cast(Store, _Part(store, f"{name}:"))
        url, former = own.database_url or "", own.jwt_secret_precedent
        disk = Disk(url) if settings.pgbouncer else disks.setdefault(organisation.address, _DiskOfServer(url))
        disk.url = url  # the watch is opened through this database: an earlier one may be dropped
        database = open_database(own, operations, part, disk, places)
        return replace(
            process,
            settings=own,
            database=database,
            roles=Roles(database),
            store=part,
            tokens=AccessTokens(derived(own.jwt_secret, name), former and derived(former, name), own.access_ttl),
            keys=Keys(database),
            storage=Storage(own, process.storage),
            vault=Vault(own, own.owner_url),
            turns=Turns(process.turns),
        )

    directory = Directory(registry, pool)
    return build(Organisations(process, directory, HERE.version(), settings.organisation_calls, places, open_services))


class _DiskOfServer(Disk):
    """The disk of a server: its databases have one WAL, so one watch serves them."""

    async def close(self) -> None:
        """Databases that are in use share the watch, so it stays open."""


class _Part:
    """The part of a store whose keys start with this prefix."""

    def __init__(self, store: Store, prefix: str) -> None:
        self._store, self._prefix = store, prefix

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._store, name)
        return member if name in SHARED else lambda key, *rest: member(self._prefix + key, *rest)

    async def close(self) -> None:
        """The store belongs to the process."""
