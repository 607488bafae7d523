"""The pictures of the demonstration: drawings of dishes, products, people and rooms.

The rows name each picture by a fixed key. `deposit` stores the pictures under these keys.
"""

from __future__ import annotations

from pathlib import Path
from uuid import UUID, uuid5

from app.base.settings import Settings
from app.files.storage import Storage

FOLDER = Path(__file__).with_name("photos")
_NAMES = UUID("2f5c2f0e-6b0a-4f0b-9a55-7d3c3a6b1e21")
# File → category of its upload.
PHOTOS = {
    "plat-grille": "plat-photo", "plat-sauce": "plat-photo", "salade": "plat-photo", "boisson": "plat-photo",
    "dessert": "plat-photo", "epicerie": "produit-photo", "entretien": "produit-photo", "maison": "produit-photo",
    "cliente": "client-photo", "client": "client-photo",
    "sejour": "etat-lieux", "cuisine": "etat-lieux", "degat": "etat-lieux",
}  # fmt: skip


def key(name: str) -> str:
    """The key of the stored picture, in the form of an upload by the administrator."""
    return f"{PHOTOS[name]}/1-{uuid5(_NAMES, name)}.png"


async def deposit(settings: Settings) -> None:
    """Store every picture. An existing object is overwritten with the same bytes."""
    async with Storage(settings) as storage:
        for name in PHOTOS:
            with (FOLDER / f"{name}.png").open("rb") as file:
                await storage.put(key(name), file, "image/png")
