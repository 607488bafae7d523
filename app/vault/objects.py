"""The objects of the vault: encrypted files in the bucket of backups, each with its checksum beside it.

These functions block, so the API calls them in a thread.
"""

import asyncio
import hashlib
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from aiohttp import ClientError as HttpError

from app.base.settings import Settings
from app.files.storage import Archive
from app.vault.backup import BackupError

MEDIA_TYPE = "application/octet-stream"


def upload(settings: Settings, key: str, parts: Iterable[bytes]) -> tuple[int, str]:
    """Store an object and its checksum. Return its size and its SHA-256."""
    digest, size = hashlib.sha256(), 0

    def measured() -> Iterator[bytes]:
        nonlocal size
        for part in parts:
            digest.update(part)
            size += len(part)
            yield part

    async def put() -> None:
        async with Archive(settings) as archive:
            await archive.put_parts(key, measured(), MEDIA_TYPE)
            # As for a file, the checksum is stored beside the dump: these two are enough to restore.
            line = f"{digest.hexdigest()}  {key.rpartition('/')[2]}\n"
            await archive.put(f"{key}.sha256", io.BytesIO(line.encode()), "text/plain")

    asyncio.run(put())
    return size, digest.hexdigest()


def download(settings: Settings, key: str, file: Path) -> str:
    """Write an object to a file. Return its SHA-256."""
    digest = hashlib.sha256()

    async def get() -> None:
        try:
            async with Archive(settings) as archive:
                stored = await archive.get(key)
                with file.open("wb") as target:
                    async for chunk in stored:
                        digest.update(chunk)
                        target.write(chunk)
        except HttpError:  # some HttpErrors are OSErrors, but come from the store
            raise
        except OSError as error:
            raise BackupError(
                f"On ne peut pas écrire dans {file.parent.parent} ({error.strerror}) : libérez de la place, ou donnez "
                "un autre dossier par TMPDIR."
            ) from error

    asyncio.run(get())
    return digest.hexdigest()


def delete(settings: Settings, *keys: str) -> None:
    """Delete objects and their checksums."""

    async def remove() -> None:
        async with Archive(settings) as archive:
            await archive.delete(*(name for key in keys for name in (key, f"{key}.sha256")))

    asyncio.run(remove())
