"""Uploads to files and back: the objects of the store that a row names."""

from pathlib import Path

from psycopg import sql

from app.base.progress import Progress
from app.base.refusal import Refusal
from app.base.settings import Settings
from app.database.schema import Session
from app.files.storage import CODE, FAILURES, Storage
from app.leaves.echange.whole.manifest import ExportError, Folder, Manifest
from app.leaves.echange.whole.tables import Table

PREFIX = "fichiers/"
KEY = "core.cle_objet"  # the type of a key


def keys(connection: Session, present: list[Table]) -> list[str]:
    """The keys that the rows of these tables name."""
    selects = [
        sql.SQL("select {}::text from {}").format(sql.Identifier(column.nom), table.identifier)
        for table in present
        for column in table.columns
        if column.type == KEY
    ]
    query = sql.SQL("select distinct key from ({}) k (key) where key is not null order by 1")
    return [key for (key,) in connection.execute(query.format(sql.SQL(" union all ").join(selects))).fetchall()]


async def fetch(settings: Settings, names: list[str], folder: Folder) -> list[str]:
    """Copy these objects to the folder. Return the files that the store does not have."""
    missing = []
    with Progress("Fichiers déposés", len(names)) as progress:
        async with Storage(settings) as storage:
            for key in names:
                try:
                    stored = await storage.get(key)
                    with folder.create(PREFIX + key, stored.media_type) as write:
                        async for block in stored:
                            write(block)
                except Refusal as refusal:
                    if refusal.code == CODE:
                        raise _unavailable(refusal) from None
                    missing.append(PREFIX + key)
                except FAILURES as error:  # while an object was read
                    text = f"Le stockage des fichiers ne répond plus ({error}) : recommencez."
                    raise ExportError(text) from error
                progress.step()
    return missing


async def put_back(settings: Settings, root: Path, manifest: Manifest) -> None:
    """Store the files of the folder under their keys."""
    names = [name for name in manifest.fichiers if name.startswith(PREFIX)]
    if not names:
        return
    with Progress("Fichiers remis", len(names)) as progress:
        async with Storage(settings) as storage:
            for name in names:
                media_type = manifest.fichiers[name].type or "application/octet-stream"
                try:
                    with (root / name).open("rb") as file:
                        await storage.put(name.removeprefix(PREFIX), file, media_type)
                except Refusal as refusal:
                    raise _unavailable(refusal) from None
                progress.step()


def _unavailable(refusal: Refusal) -> ExportError:
    return ExportError(
        f"{refusal.message} Réglez le stockage des fichiers (S3_ENDPOINT), ou laissez-les de côté par --sans-fichiers."
    )
