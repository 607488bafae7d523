"""The pictures of the demonstration: what its dishes, products, people and rooms look like.

They are drawings of this project. The rows name them by a key that never changes, and `deposit` puts them in the store.
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
    "plat-grille": "plat-photo",
    "plat-sauce": "plat-photo",
    "salade": "plat-photo",
    "boisson": "plat-photo",
    "dessert": "plat-photo",
    "epicerie": "produit-photo",
    "entretien": "produit-photo",
    "maison": "produit-photo",
    "cliente": "client-photo",
    "client": "client-photo",
    "sejour": "etat-lieux",
    "cuisine": "etat-lieux",
    "degat": "etat-lieux",
}


def key(name: str) -> str:
    """The key under which the picture is stored, as an upload of the administrator."""
    return f"{PHOTOS[name]}/1-{uuid5(_NAMES, name)}.png"


async def deposit(settings: Settings) -> None:
    """Put every picture in the store; one that is there already is replaced by itself."""
    storage = Storage(settings)
    try:
        for name in PHOTOS:
            with (FOLDER / f"{name}.png").open("rb") as file:
                await storage.put(key(name), file, "image/png")
    finally:
        await storage.close()
