"""Routes of uploads. auth.depot_deposer and auth.depot_lire decide on the category of the file.

The permissions of the route come first: a caller without any category is refused before the file is read.
"""

from __future__ import annotations

import msgspec

from app.http import uploads
from app.http.answer import Answer
from app.http.request import Request
from app.http.route import ACTIVITY, CLIENT, CREATE, GET, STORED


class Depot(msgspec.Struct):
    key: str


async def upload(request: Request) -> Answer:
    """Dépose un fichier JPEG, PNG, WebP ou PDF, de 5 Mio au plus, et rend sa clé. Le type est celui du contenu, non du nom."""
    async with uploads.received(request, "categorie") as form:
        category = form.fields["categorie"]
        await uploads.permit(request, "auth.depot_deposer", {"categorie": category})
        return Answer(201, msgspec.json.encode(Depot(await uploads.store_file(request, form, category))))


async def download(request: Request) -> Answer:
    """Fichier déposé, d'après sa clé."""
    key = request.query().get("key", "")
    await uploads.permit(request, "auth.depot_lire", {"key": key})
    return await uploads.send(request, key)


STORING = "CLIENT.MODIFIER|RESTAURANT.MODIFIER|RESIDENCE.MODIFIER|MARCHANDISE.MODIFIER|SIGNALEMENT.MODIFIER"
# A client who orders in the portal reads the pictures of products and dishes.
READING = "CLIENT.VOIR|RESTAURANT.VOIR|RESIDENCE.VOIR|MARCHANDISE.VOIR|SIGNALEMENT.VOIR|RESTAURANT.COMMANDER|MARCHANDISE.COMMANDER"

PREFIX = "/api/v1/uploads"
BOUNDS = ACTIVITY + CLIENT
ROUTES = [
    CREATE("", None, STORING, handler=upload, answer=Depot, form=(("categorie", "auth.categorie_depot"),)),
    GET("", None, READING, handler=download, fields=(("key", "core.cle_objet"),), media=STORED),
]
PLUMBING = {"auth.depot_deposer", "auth.depot_lire"}
