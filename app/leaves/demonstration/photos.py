"""The pictures of the demonstration: drawings of dishes, products, people and rooms.

The rows name each picture by a fixed key. `deposit` stores the pictures under these keys.
"""

from pathlib import Path
from uuid import UUID, uuid5

from app.base.settings import Settings
from app.files.storage import Storage

_NAMES = UUID("2f5c2f0e-6b0a-4f0b-9a55-7d3c3a6b1e21")
# Name → file. Its folder is the category of its upload.
PHOTOS = {file.stem: file for file in Path(__file__).with_name("photos").glob("*/*.png")}


def key(name: str) -> str:
    """The key of the stored picture, in the form of an upload by the administrator."""
    return f"{PHOTOS[name].parent.name}/1-{uuid5(_NAMES, name)}.png"


async def deposit(settings: Settings) -> None:
    """Store every picture. An existing object is overwritten with the same bytes."""
    async with Storage(settings) as storage:
        for name, path in PHOTOS.items():
            with path.open("rb") as file:
                await storage.put(key(name), file, "image/png")
