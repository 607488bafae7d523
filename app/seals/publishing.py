"""Takes the signed root of each day out of the database: to a file below COMPTOIR_ETAT, and to the bucket of backups.

A person who keeps a root can prove later that nothing before it has changed. In both places it is
`racines/racine-AAAA-MM-JJ.txt`. A service without a bucket of backups has the file only.

A root that is out is never replaced. The base may publish another one that day, after a restore to an older state: it
gets a name of its own beside the first.
"""

import asyncio
import io
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

from psycopg.rows import class_row

from app.base.failure import Failure
from app.base.files import write_whole
from app.base.refusal import Refusal
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


@dataclass(frozen=True, slots=True)
class Root:
    """The published root of a day."""

    jour: date
    taille: int
    texte: str

    @property
    def file(self) -> str:
        return f"racines/racine-{self.jour}.txt"

    def file_beside(self, present: bytes | None) -> str:
        """The name that the root gets where its file has this content. None means that there is no file."""
        text = self.texte.encode()
        if present in (None, text):
            return self.file
        return f"racines/racine-{self.jour}-{sha256(text).hexdigest()[:8]}.txt"


def publish(settings: Settings, url: str) -> Root | None:
    """Seal the books and publish the root of the day, its first one. None means that nothing was ever written."""
    seal(url)
    with schema.connect(url, 5.0) as connection, connection.cursor(row_factory=class_row(Root)) as cursor:
        connection.execute(_PUBLISH)
        root = cursor.execute(
            "select jour, taille, texte from audit.publication_vue where jour = core.aujourdhui()"
        ).fetchone()
    if root is not None:
        folder = settings.state / settings.s3_prefix
        file = folder / root.file
        try:
            file = folder / root.file_beside(file.read_bytes() if file.exists() else None)
            write_whole(file, root.texte)
        except OSError as error:
            reason = f"{file} ne s'écrit pas ({error.strerror})"
            raise Failure(f"{reason} : donnez à COMPTOIR_ETAT un dossier où ce compte peut écrire.") from error
        asyncio.run(_store(settings, root))
    return root


async def _store(settings: Settings, root: Root) -> None:
    async with Archive(settings) as archive:
        if archive.configured:
            name = root.file_beside(await _content(archive, root.file))
            await archive.put(name, io.BytesIO(root.texte.encode()), MEDIA_TYPE)


async def _content(archive: Archive, key: str) -> bytes | None:
    try:
        return b"".join([chunk async for chunk in await archive.get(key)])
    except Refusal as refusal:
        if refusal.status != 404:
            raise
        return None
