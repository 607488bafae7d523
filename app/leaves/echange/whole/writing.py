"""`comptoir export DOSSIER`: the whole business in a folder, from one snapshot, while the service runs."""

import argparse
import asyncio
import importlib.metadata
import shutil
from datetime import UTC
from pathlib import Path

from app.base.progress import Progress
from app.base.settings import Settings
from app.commands import application
from app.commands.backups import end_on_sigterm
from app.commands.command import command
from app.commands.place import migrated_database
from app.database import schema
from app.leaves.echange.whole import documents, manifest, objects, tables
from app.leaves.echange.whole.manifest import ExportError, Folder, Manifest

GUIDE = """Ce dossier contient toute une entreprise tenue par Comptoir.

tables/      une table par fichier : CSV en UTF-8, séparé par « ; ». Un champ vide est une valeur absente, "" un texte
             vide. Une colonne que la base calcule n'y est pas : manifeste.json donne son calcul.
documents/   les factures, contrats, reçus et bulletins en PDF.
fichiers/    les photos et pièces déposées, sous leur clé.
manifeste.json   ce qu'il y a ici, et la somme SHA-256 de chaque fichier.

« comptoir import DOSSIER » remet le tout dans une base neuve. Les comptes y sont avec l'empreinte de leur mot de
passe : gardez ce dossier comme une sauvegarde. Seconds facteurs et clés des webhooks y sont chiffrés :
SECRETS_CLE_PRECEDENTE donne à l'import la SECRETS_CLE qui les ouvre.
"""
_HEAD = """
select (select array_agg(nom order by nom) from core.empreinte where genre = 'migration'),
       (select valeur from core.parametre where cle = 'FUSEAU_HORAIRE'),
       (select valeur from core.parametre where cle = 'NOM_ORGANISATION'), now()
"""


def _export_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("dossier", type=Path, metavar="DOSSIER", help="dossier à écrire, absent ou vide")
    parser.add_argument("--sans-documents", action="store_true", help="sans les factures, contrats, bulletins… en PDF")
    parser.add_argument("--sans-fichiers", action="store_true", help="sans les photos et pièces déposées")


@command("comptoir export entreprise-2026", _export_options)
def run(settings: Settings, arguments: argparse.Namespace) -> int:
    """Export the business. The exit code is 1 if a document or an upload is missing."""
    end_on_sigterm()
    with migrated_database(settings, objects=True) as url:
        written = export(
            settings, url, arguments.dossier, prints=not arguments.sans_documents, uploads=not arguments.sans_fichiers
        )
    rows = sum(table.lignes for table in written.tables)
    print(f"{arguments.dossier} : {len(written.tables)} tables, {rows} lignes, {len(written.fichiers)} fichiers.")
    if written.manquants:
        print(f"Manquent, et sont nommés dans {manifest.NAME} :\n{manifest.listed(written.manquants)}")
    return 1 if written.manquants else 0


def export(settings: Settings, url: str, target: Path, *, prints: bool = True, uploads: bool = True) -> Manifest:
    """Write the folder under another name and rename it at the end, so it is whole or absent."""
    if prints:
        documents.refuse_without_browser(settings)
    partial = target.with_name(f"{target.name}.partiel")
    try:
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise ExportError(f"{target} n'est pas vide : donnez un dossier neuf.")
        partial.mkdir(mode=0o700)
    except FileExistsError:
        raise ExportError(f"{partial} existe : un autre export est en cours, ou a été tué ; effacez-le.") from None
    except OSError as error:
        raise ExportError(f"On ne peut pas écrire {partial} : {error.strerror}.") from None
    try:
        written = _write(settings, url, Folder(partial), prints, uploads)
        manifest.write(partial, written)
        partial.rename(target)  # replaces an empty folder
    except OSError as error:
        raise ExportError(f"On ne peut pas écrire {partial} : {error.strerror or error}.") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return written


def _write(settings: Settings, url: str, folder: Folder, prints: bool, uploads: bool) -> Manifest:
    missing: list[str] = []
    catalogue = application.read_catalogue(url) if prints else None
    written = []
    with schema.connect(url, 5.0) as connection, connection.transaction():
        connection.execute("set transaction isolation level repeatable read, read only")
        connection.execute(tables.SETTINGS)
        present = tables.read(connection)
        with Progress("Tables", len(present)) as progress:
            for table in present:
                written.append(tables.copy_out(connection, table, folder))
                progress.step()
        [(migrations, zone, organisation, moment)] = connection.execute(_HEAD).fetchall()
        sequences = tables.sequences(connection)
        keys = objects.keys(connection, present) if uploads else []
        if catalogue is not None:
            missing += asyncio.run(documents.print_all(connection, catalogue, settings, folder))
    if keys:
        missing += asyncio.run(objects.fetch(settings, keys, folder))
    folder.write("LISEZMOI.txt", GUIDE.encode())
    return Manifest(
        format=manifest.FORMAT,
        version=importlib.metadata.version("comptoir"),
        date=moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
        fuseau=zone or "UTC",
        organisation=organisation or "",
        migrations=migrations,
        sans=[name for name, kept in (("documents", prints), ("fichiers", uploads)) if not kept],
        manquants=missing,
        tables=written,
        suites=sequences,
        fichiers=dict(sorted(folder.files.items())),
    )
