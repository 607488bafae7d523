"""Takes the signed root of each day out of the database: to a file below COMPTOIR_ETAT, and to the bucket of backups.

A person who keeps a root can prove later that nothing before it has changed. In both places it is
`racines/racine-AAAA-MM-JJ.txt`. A service without a bucket of backups has the file only.
"""

from __future__ import annotations

import asyncio
import io
from dataclasses import dataclass
from datetime import date

from psycopg.rows import class_row

from app.base.failure import Failure
from app.base.files import write_whole
from app.base.settings import Settings
from app.database import schema
from app.files.storage import Archive
from app.seals.signing import seal

MEDIA_TYPE = "text/plain; charset=utf-8"
_PUBLISH = """
insert into audit.publication (jour, taille)
select core.aujourdhui(), t.taille from audit._derniere_tete() t where t.taille is not null
on conflict on constraint publication_pkey do nothing
"""


class PublicationError(Failure):
    """The root has no place. Its message is French and says what to do."""


@dataclass(frozen=True, slots=True)
class Root:
    """The published root of a day."""

    jour: date
    taille: int
    texte: str

    @property
    def file(self) -> str:
        return f"racines/racine-{self.jour}.txt"


def publish(settings: Settings, url: str) -> Root | None:
    """Seal the books and publish the root of the day, its first one. None means that nothing was ever written."""
    seal(url)
    with schema.connect(url, 5.0) as connection, connection.cursor(row_factory=class_row(Root)) as cursor:
        connection.execute(_PUBLISH)
        root = cursor.execute(
            "select jour, taille, texte from audit.publication_vue where jour = core.aujourdhui()"
        ).fetchone()
    if root is not None:
        file = settings.state / settings.s3_prefix / root.file
        try:
            write_whole(file, root.texte)
        except OSError as error:
            reason = f"{file} ne s'écrit pas ({error.strerror})"
            raise PublicationError(f"{reason} : donnez à COMPTOIR_ETAT un dossier où ce compte peut écrire.") from error
        asyncio.run(_store(settings, root))
    return root


async def _store(settings: Settings, root: Root) -> None:
    archive = Archive(settings)
    if not archive.configured:
        return
    try:
        await archive.put(root.file, io.BytesIO(root.texte.encode()), MEDIA_TYPE)
    finally:
        await archive.close()
