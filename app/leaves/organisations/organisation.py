"""An organisation of the registry: a row of organisation.annuaire, and the settings that follow from it."""

import hmac
from dataclasses import replace
from urllib.parse import urlsplit, urlunsplit

import msgspec
import psycopg
import psycopg.errors as pg
from psycopg.rows import dict_row

from app.base.settings import Settings, SettingsError
from app.database.pool import ROLE
from app.database.reach import elsewhere
from app.database.release import HERE

_COLUMNS = {
    "id": "id_organisation", "database": "base", "server": "serveur", "address": "adresse", "replicas": "repliques",
    "state": "etat", "reason": "motif", "hosts": "hotes",
}  # fmt: skip


class Organisation(msgspec.Struct, frozen=True, rename=_COLUMNS):
    """A row of organisation.annuaire."""

    id: str
    code: str
    database: str
    server: str
    address: str  # host and port of its server
    replicas: tuple[str, ...]
    state: str
    version: str | None  # of the tables and the code in its database
    reason: str | None  # why it does not answer
    hosts: tuple[str, ...]

    @property
    def place(self) -> tuple[object, ...]:
        """All that an open connection depends on."""
        return self.id, self.address, self.database, self.replicas, self.hosts


def settings_of(settings: Settings, organisation: Organisation) -> Settings:
    """The settings for this organisation. Its database is reached through PgBouncer, and by its owner directly."""
    if settings.registry_url is None or settings.registry_owner_url is None:
        raise SettingsError("ANNUAIRE_URL manque : sans elle il n'y a qu'une organisation, celle de DATABASE_URL.")
    public, database = urlsplit(settings.public_url), organisation.database
    port = f":{public.port}" if public.port else ""
    host = f"{organisation.hosts[0]}{port}" if organisation.hosts else public.netloc
    return replace(
        settings,
        registry_url=None,
        registry_owner_url=None,
        organisation=organisation.code,
        database_url=at(settings.registry_url, settings.pgbouncer or organisation.address, database),
        database_replica_urls=tuple(at(settings.registry_url, replica, database) for replica in organisation.replicas),
        database_owner_url=at(settings.registry_owner_url, organisation.address, database),
        public_url=urlunsplit(public._replace(netloc=host)),
        s3_prefix=f"{organisation.id}/",
    )


def derived(secret: str, organisation: str) -> str:
    """The key that signs the tokens of one organisation. Its tokens open no other."""
    return hmac.digest(secret.encode(), organisation.encode(), "sha256").hex()


def at(url: str, address: str, database: str) -> str:
    """The same account and options at another server and database."""
    parts = urlsplit(url)
    account, separator, _ = parts.netloc.rpartition("@")
    return elsewhere(urlunsplit(parts._replace(netloc=f"{account}{separator}{address}")), database)


def catalogue_url(settings: Settings) -> str:
    """The address of a database of this release, from which a process reads the catalogue of all.

    A move that was killed may have left its database closed: such a database comes last.
    """
    if settings.registry_url is None:
        raise AssertionError("the process serves one organisation")
    query = """select * from organisation.annuaire where version = %s and etat <> 'SUPPRESSION'
                order by etat = 'DEPLACEMENT', code limit 1"""
    try:
        with psycopg.connect(settings.registry_url, options=f"-c role={ROLE}", row_factory=dict_row) as registry:
            row = registry.execute(query, [HERE.version()]).fetchone()
    except pg.UndefinedTable:
        row = None
    if row is None:
        raise SettingsError(
            "L'annuaire n'a pas d'organisation de cette version : créez-en une (comptoir organisation creer CODE), ou "
            "mettez à jour celles qu'il a (comptoir migrate --toutes)."
        )
    return settings_of(settings, msgspec.convert(row, Organisation)).database_url or ""
