"""`comptoir import DOSSIER`: an exported business into a new database, all of it or nothing."""

import argparse
import asyncio
from collections.abc import Collection
from pathlib import Path

import psycopg.errors as pg
from psycopg import sql

from app.auth.encrypted import Secrets
from app.base.progress import Progress, Say, during
from app.base.settings import Settings
from app.commands.backups import end_on_sigterm
from app.commands.place import migrated_database
from app.database import schema
from app.database.release import SLICES
from app.leaves.echange.whole import manifest, objects, tables
from app.leaves.echange.whole.manifest import ExportError, Manifest
from app.leaves.echange.whole.tables import Table
from app.vault import restoration

# A new database, and the first start of a service, write only in these slices and tables.
STARTED = ("core", "auth", "audit", "evenement", "jobs", "notification", "rapports")
REFERENCE = (
    "finances.moyen_paiement", "finances.resume_etat", "finances.version_fonds", "compta.compte", "compta.etat_compte",
    "compta.etat_ligne", "compta.plan",
)  # fmt: skip
LOCK_TIMEOUT = "10s"
NOTHING = "Rien n'est écrit."
# Every table of the slices, the parts of partitioned tables too: each has triggers of its own.
_OWNED = """
select format('%%I.%%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
 where c.relkind in ('r', 'p') and c.relowner = 'comptoir_owner'::regrole and n.nspname = any(%s) order by 1
"""


def run(settings: Settings, arguments: argparse.Namespace) -> int:
    end_on_sigterm()
    with migrated_database(settings, objects=True) as url:
        read = load(settings, url, arguments.chemin, uploads=not arguments.sans_fichiers, despite=arguments.malgre)
        Secrets.renew_all(settings, url)
    print(
        f"Importé : {read.organisation or 'une entreprise'}, exportée le {read.date}. "
        "Les comptes et leurs mots de passe sont les siens ; chacun se reconnecte."
    )
    return 0


def load(
    settings: Settings, url: str, root: Path, *, uploads: bool = True, despite: Collection[str] = (), say: Say = print
) -> Manifest:
    """Verify the folder, then load it into a database without data.

    `despite` names the checks whose findings are accepted (app/vault/restoration.py).
    """
    read = manifest.read(root)
    with during("Sommes des fichiers", say):
        manifest.verify(root, read)
    say(f"{len(read.fichiers)} fichiers vérifiés.")
    with schema.connect(url, 5.0) as connection:
        present = _comparable(connection, read)
        _refuse_data(connection, present)
        # Before the rows: a failure later leaves objects that no row names, and a second import replaces them.
        if uploads:
            asyncio.run(objects.put_back(settings, root, read))
        try:
            with connection.transaction():
                _replace(connection, present, read, root)
                connection.execute("reset role")  # the owner of the tables may not execute the code
                with during("Vérification", say):
                    problems = restoration.unsound(connection, despite, say)
                if problems:
                    raise ExportError("\n".join([f"Ce qui est importé n'est pas juste. {NOTHING}", *problems]))
        except pg.LockNotAvailable:
            raise ExportError(
                f"Une table est occupée : arrêtez le service et le travailleur, puis recommencez. {NOTHING}"
            ) from None
        with during("Statistiques (analyze)", say):
            connection.execute("analyze")
    say("Vérifié : lignes, montants, numéros, sceaux.")
    return read


def _comparable(connection: schema.Session, read: Manifest) -> list[Table]:
    """The tables of this database. Raises ExportError unless the export comes from the same release."""
    rows = connection.execute("select nom from core.empreinte where genre = 'migration' order by nom")
    here = [name for (name,) in rows]
    if here != read.migrations:
        others = sorted(set(here) ^ set(read.migrations))
        raise ExportError(
            f"L'export est de la version {read.version}, dont les tables ne sont pas celles de cette base "
            f"({', '.join(others[:3])}) : importez-le avec la même version, puis mettez-la à jour. {NOTHING}"
        )
    present = tables.read(connection)
    shapes = {table.name: list(table.columns) for table in present}
    exported = {table.nom: table.colonnes for table in read.tables}
    different = sorted(name for name in shapes.keys() | exported.keys() if shapes.get(name) != exported.get(name))
    if different:
        raise ExportError(f"Ces tables diffèrent de celles de la base : {', '.join(different)}. {NOTHING}")
    return present


def _refuse_data(connection: schema.Session, present: list[Table]) -> None:
    """Raise ExportError if the database has more than a first start leaves."""
    used = []
    for table in present:
        if table.name.split(".")[0] in STARTED and table.name not in tables.OF_THE_PLACE[:2]:
            continue
        query = sql.SQL("select exists (select from {})").format(table.identifier)
        if table.name not in REFERENCE and connection.execute(query).fetchone() == (True,):
            used.append(table.name)
    [(accounts,)] = connection.execute("select count(*) from auth.utilisateur").fetchall()
    if accounts > 1:
        used.append(f"auth.utilisateur, {accounts} comptes")
    if used:
        raise ExportError(
            f"Cette base a déjà des données ({', '.join(used[:3])}) : un export s'importe dans une base neuve "
            f"(DATABASE_URL ou COMPTOIR_ETAT). {NOTHING}"
        )


def _replace(connection: schema.Session, present: list[Table], read: Manifest, root: Path) -> None:
    """Load every table in this transaction.

    The rows are final: triggers would derive, number, seal and notify a second time. Constraints stay on, foreign keys
    too, and all of them have been checked when this ends.
    """
    connection.execute(tables.SETTINGS)
    connection.execute(sql.SQL("set local lock_timeout = {}").format(LOCK_TIMEOUT))
    owned = [sql.SQL(name) for (name,) in connection.execute(_OWNED, [list(SLICES)]).fetchall()]
    for name in owned:
        connection.execute(sql.SQL("alter table {} disable trigger user").format(name))
    _refuse_data(connection, present)  # again: from here on no other session writes
    connection.execute(sql.SQL("truncate {}").format(sql.SQL(", ").join(table.identifier for table in present)))
    connection.execute("set constraints all deferred")
    entries = {entry.nom: entry for entry in read.tables}
    with Progress("Tables", len(present)) as progress:
        for table in present:
            if table.name not in tables.OF_THE_PLACE:
                entry = entries[table.name]
                rows = tables.copy_in(connection, table, root / entry.fichier)
                if rows != entry.lignes:
                    raise ExportError(f"{entry.fichier} : {rows} lignes au lieu de {entry.lignes}. {NOTHING}")
            progress.step()
    try:
        connection.execute("set constraints all immediate")
    except pg.IntegrityError as error:
        detail = error.diag.message_detail or error
        raise ExportError(f"Les lignes ne vont pas ensemble : {detail}. {NOTHING}") from error
    for name in owned:
        connection.execute(sql.SQL("alter table {} enable trigger user").format(name))
    tables.set_sequences(connection, read.suites)
