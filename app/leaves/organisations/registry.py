"""The registry as the operator's commands write it. Its rules are in migrations/annuaire/."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partialmethod
from pathlib import Path
from typing import Any, LiteralString

import msgspec
import psycopg
import psycopg.errors as pg
from psycopg.rows import dict_row

from app.base.failure import Failure
from app.base.settings import ROOT, Settings, SettingsError
from app.database import schema
from app.database.release import Release
from app.leaves.organisations.organisation import Organisation, at

PATIENCE = 5.0
NO_SERVER = "L'annuaire n'a pas de serveur {} : comptoir serveur lister les nomme."


class RegistryRelease(Release):
    """The files of the registry, a database of its own: tables and functions, and no sql/."""

    @property
    def migrations(self) -> Path:
        return self.root / "migrations" / "annuaire"


class RegistryError(Failure):
    """The registry refuses. The message is French and says why."""


@dataclass(frozen=True, slots=True)
class Server:
    name: str
    address: str
    replicas: list[str]
    organisations: int


class Registry:
    """The registry at ANNUAIRE_OWNER_URL. Each method is one transaction."""

    def __init__(self, settings: Settings) -> None:
        if settings.registry_owner_url is None:
            raise SettingsError(
                "ANNUAIRE_URL manque : donnez-lui l'adresse d'une base vide, qui sera l'annuaire des organisations."
            )
        self.settings, self._url = settings, settings.registry_owner_url

    def ensure(self) -> None:
        """Create or upgrade the tables of the registry."""
        schema.migrate_tables(self._url, RegistryRelease(ROOT))

    @contextmanager
    def alone(self, code: str, *, wait: bool = False) -> Iterator[None]:
        """Refuse a second command on the same organisation inside this context, or wait for the first one to end."""
        with schema.connect(self._url, PATIENCE) as connection:
            locked = "select pg_advisory_lock" if wait else "select pg_try_advisory_lock"
            if connection.execute(f"{locked}(hashtextextended(%s, 0))", [code]).fetchone() == (False,):
                raise RegistryError(f"Une autre commande travaille sur {code} : attendez sa fin, puis recommencez.")
            try:
                yield
            finally:  # PostgreSQL may end a closed session a moment later
                with suppress(psycopg.OperationalError):
                    connection.execute("select pg_advisory_unlock(hashtextextended(%s, 0))", [code])

    def on_server(self, address: str, database: str = "postgres") -> str:
        """The owner's address of a database on a server."""
        return at(self._url, address, database)

    def connect(self, address: str, database: str = "postgres") -> AbstractContextManager[schema.Session]:
        """A session of the owner on a server."""
        return schema.connect(self.on_server(address, database), PATIENCE)

    # ---- servers

    def add_server(self, name: str, address: str, replicas: Sequence[str]) -> None:
        """Add a server, or change its addresses."""
        self._rows(
            """insert into organisation.serveur values (%s, %s, %s) on conflict on constraint serveur_pkey
               do update set adresse = excluded.adresse, repliques = excluded.repliques returning nom""",
            name, address, list(replicas),
        )  # fmt: skip

    def remove_server(self, name: str) -> bool:
        return bool(self._rows("delete from organisation.serveur where nom = %s returning nom", name))

    def servers(self) -> list[Server]:
        rows = self._rows(
            """select s.nom as name, s.adresse as address, s.repliques as replicas, count(o.code) as organisations
                 from organisation.serveur s left join organisation.organisation o on o.serveur = s.nom
                group by s.nom order by s.nom"""
        )
        return [Server(**row) for row in rows]

    def server(self, name: str) -> Server:
        for server in self.servers():
            if server.name == name:
                return server
        raise RegistryError(NO_SERVER.format(name))

    # ---- organisations

    def organisations(self) -> list[Organisation]:
        return msgspec.convert(self._rows("select * from organisation.annuaire order by code"), list[Organisation])

    def find(self, code: str) -> Organisation:
        rows = self._rows("select * from organisation.annuaire where code = %s", code)
        if not rows:
            raise RegistryError(f"L'annuaire n'a pas d'organisation {code} : comptoir organisation lister les nomme.")
        return msgspec.convert(rows[0], Organisation)

    def enrol(self, code: str, server: str | None, hosts: Sequence[str]) -> Organisation:
        """Add an organisation whose database is still to be made, or take up an interrupted making."""
        statement = "select * from organisation.inscrire(%s, %s, %s)"
        return msgspec.convert(self._rows(statement, code, server, list(hosts))[0], Organisation)

    def move_to(self, code: str, state: str, *, reason: str | None = None, version: str | None = None) -> None:
        """Change the state. A version that is not given stays."""
        self._rows("select organisation.passer(%s, %s::organisation.etat, %s, %s)", code, state, reason, version)

    def archive(self, code: str) -> str | None:
        """The folder of the complete archive of an organisation being removed."""
        rows = self._rows("select archive from organisation.organisation where code = %s", code)
        return rows[0]["archive"] if rows else None

    def _call(self, function: LiteralString, code: str, *values: Any) -> None:
        """Call a function of migrations/annuaire/ for an organisation."""
        self._rows(f"select organisation.{function}(%s{', %s' * len(values)})", code, *values)

    name = partialmethod(_call, "nommer")  # with all its host names
    arrive = partialmethod(_call, "arriver")  # with the server and the version at the end of a move
    upgraded = partialmethod(_call, "mettre_a_jour")  # with the new version, and why the former one stays, or None
    archived = partialmethod(_call, "archiver")  # with the folder of the complete archive
    renounce = partialmethod(_call, "renoncer")  # to a removal that has deleted nothing
    forget = partialmethod(_call, "oublier")

    # ---- SQL

    def _rows(self, statement: LiteralString, *values: Any) -> list[dict[str, Any]]:
        try:
            with schema.connect(self._url, PATIENCE) as connection, connection.transaction():
                return connection.cursor(row_factory=dict_row).execute(statement, values).fetchall()
        except (pg.InvalidSchemaName, pg.UndefinedTable):
            raise RegistryError("L'annuaire est vide : comptoir serveur ajouter lui donne un serveur.") from None
        except pg.RaiseException as error:
            raise RegistryError(error.diag.message_primary or str(error)) from error
        except pg.IntegrityError as error:
            raise RegistryError(self._sentence(error.diag.constraint_name)) from error

    def _sentence(self, constraint: str | None) -> str:
        """The comment of a constraint."""
        query = "select obj_description(oid, 'pg_constraint') from pg_constraint where conname = %s"
        with schema.connect(self._url, PATIENCE) as connection:
            row = connection.execute(query, [constraint]).fetchone()
        return row[0] if row and row[0] else f"La contrainte {constraint} refuse."
