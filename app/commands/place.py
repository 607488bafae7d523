"""The database and the store of a command: those in the settings, or the servers of the project's own folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from app.base.server import project_lock
from app.base.settings import Settings, SettingsError
from app.database.postgres import Postgres
from app.files.seaweedfs import at_hand


@contextmanager
def database(settings: Settings) -> Iterator[str]:
    """The owner's address of a database: in the settings, on the running embedded server, or on one started here."""
    if settings.owner_url is not None:
        yield settings.owner_url
        return
    server = embedded_server(settings)
    # An operator who forgot the settings would otherwise migrate or back up an empty database, and believe that it was
    # the database of the service.
    print(f"Base embarquée de {settings.state} : DATABASE_URL n'est pas donnée.", file=sys.stderr)
    if server.running():
        yield server.url()
        return
    with project_lock(settings.state, "une commande"), server:
        yield server.url()


@contextmanager
def embedded(settings: Settings) -> Iterator[str]:
    with embedded_server(settings) as server:
        yield server.url()


def embedded_server(settings: Settings) -> Postgres:
    """The server of the project's own folder. A service with a registry of organisations never uses this server."""
    if settings.registry_url is not None:
        raise SettingsError(
            "ANNUAIRE_URL est donnée : dites de quelle organisation il s'agit, comme dans « comptoir --organisation "
            "acme check »."
        )
    return Postgres(settings.state / "postgres")


@contextmanager
def own_objects(settings: Settings) -> Iterator[None]:
    """Allow the embedded store to start inside this context, when the settings name no other store."""
    own = settings.s3_endpoint is None and not settings.production
    with at_hand(settings.state / "objets") if own else nullcontext():
        yield
