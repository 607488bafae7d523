"""The database and the store of a command: those in the settings, or the servers of the project's own folder."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from app.base.leaf import Servers, servers
from app.base.settings import Settings, SettingsError
from app.database import schema


@contextmanager
def database(settings: Settings) -> Iterator[str]:
    """The owner's address of a database: in the settings, on the running embedded server, or on one started here."""
    if settings.owner_url is not None:
        yield settings.owner_url
        return
    own = own_servers(settings)
    # An operator who forgot the settings would otherwise migrate or back up an empty database, and believe that it was
    # the database of the service.
    print(f"Base embarquée de {settings.state} : DATABASE_URL n'est pas donnée.", file=sys.stderr)
    if url := own.running_url(settings.state):
        yield url
        return
    with own.database(settings.state, "une commande") as url:
        yield url


@contextmanager
def migrated_database(settings: Settings, *, objects: bool = False) -> Iterator[str]:
    """As `database`, and refuse a database that is not migrated. With `objects`, the embedded store may start."""
    with own_objects(settings) if objects else nullcontext(), database(settings) as url:
        schema.refuse_unmigrated(url, settings.database_patience)
        yield url


def own_servers(settings: Settings) -> Servers:
    """The servers of the project's own folder. A service with a registry of organisations never uses them."""
    if settings.registry_url is not None:
        raise SettingsError(
            "ANNUAIRE_URL est donnée : dites de quelle organisation il s'agit, comme dans « comptoir --organisation "
            "acme check »."
        )
    own = servers()
    if own is None:
        raise SettingsError("DATABASE_URL manque : donnez l'adresse de la base (postgresql://…).")
    return own


def own_objects(settings: Settings) -> AbstractContextManager[None]:
    """Allow the embedded store to start inside this context, when the settings name no other store."""
    own = servers() if settings.s3_endpoint is None and not settings.production else None
    return own.store_at_hand(settings.state) if own else nullcontext()
