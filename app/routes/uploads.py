"""Routes of uploads, and handlers of the files of other slices. auth.depot_deposer and auth.depot_lire decide on the
category of the file.

The permissions of the route come first: a caller without any category is refused before the file is read.
"""

import msgspec

from app.http import uploads
from app.http.answer import Answer
from app.http.request import Request
from app.http.route import ACTIVITY, CLIENT, CREATE, GET, STORED, Handler
from app.http.write import write


class Depot(msgspec.Struct):
    key: str


async def upload(request: Request) -> Answer:
    """Dépose un fichier JPEG, PNG, WebP ou PDF, de 5 Mio au plus, et rend sa clé. Le type est celui du contenu, non du nom."""
    async with uploads.received(request, "categorie") as form:
        category = form.fields["categorie"]
        await request.services.operation("auth.depot_deposer").read(request, {"categorie": category})
        return Answer(201, msgspec.json.encode(Depot(await uploads.store_file(request, form, category))))


async def download(request: Request) -> Answer:
    """Fichier déposé, d'après sa clé."""
    key = request.query().get("key", "")
    await request.services.operation("auth.depot_lire").read(request, {"key": key})
    return await uploads.send(request, key)


def photo(text: str) -> Handler:
    """A handler that sends the file of a row. The operation refuses a caller who may not read the row.

    `text` is the description in the OpenAPI document.
    """

    async def answer(request: Request) -> Answer:
        row = await request.operation.read(request, request.scope["path_params"])
        return await uploads.send(request, row["cle_objet"])

    answer.__doc__ = text
    return answer


def attach(check: str, category: str, field: str, text: str, status: int = 201) -> Handler:
    """A handler that stores a picture and writes its key in a row. `check` refuses before the file is stored."""

    async def answer(request: Request) -> Answer:
        await request.services.operation(check).read(request, request.scope["path_params"])
        async with uploads.received(request) as form:
            supplied = {field: await uploads.store_file(request, form, category)}
            row, headers = await write(request, supplied=supplied, digest=await form.digest())
        return Answer(status, row["corps"], headers)

    answer.__doc__ = text
    return answer


STORING = "CLIENT.MODIFIER|RESTAURANT.MODIFIER|RESIDENCE.MODIFIER|MARCHANDISE.MODIFIER|SIGNALEMENT.MODIFIER"
# A client who orders in the portal reads the pictures of products and dishes.
READING = "CLIENT.VOIR|RESTAURANT.VOIR|RESIDENCE.VOIR|MARCHANDISE.VOIR|SIGNALEMENT.VOIR|RESTAURANT.COMMANDER|MARCHANDISE.COMMANDER"

PREFIX = "/api/v1/uploads"
BOUNDS = ACTIVITY + CLIENT
ROUTES = [
    CREATE("", None, STORING, handler=upload, answer=Depot, form=(("categorie", "auth.categorie_depot"),)),
    GET("", None, READING, handler=download, fields=(("key", "core.cle_objet"),), media=STORED),
]
