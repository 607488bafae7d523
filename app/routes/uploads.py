"""Routes of uploads: what has no table. The permission follows the category, so the handlers ask for it."""

from __future__ import annotations

import msgspec

from app import uploads
from app.endpoint import Answer, Request, query
from app.errors import validation
from app.routes import DOWNLOAD, UPLOAD


class Depot(msgspec.Struct):
    key: str


async def upload(request: Request) -> Answer:
    """Dépose un fichier JPEG, PNG, WebP ou PDF, de 5 Mio au plus, et rend sa clé. Le type est celui du contenu, non du nom."""
    async with uploads.received(request, "categorie") as form:
        category = form.fields["categorie"]
        if category not in uploads.DOMAINS:
            raise validation({"categorie": [f"Valeurs possibles : {', '.join(uploads.DOMAINS)}."]})
        await uploads.permit(request, category, "MODIFIER")
        return Answer(201, msgspec.json.encode(Depot(await uploads.keep(request, form, category))))


async def download(request: Request) -> Answer:
    """Fichier déposé, d'après sa clé."""
    key = query(request.scope["query_string"]).get("key", "")
    await uploads.permit(request, uploads.checked(key), "VOIR")
    return await uploads.send(request, key)


def _any(action: str) -> str:
    """Who may do it to no category at all need not send a file; the handler asks for the category's own permission."""
    return "|".join(dict.fromkeys(f"{domain}.{action}" for domain in uploads.DOMAINS.values()))


PREFIX = "/api/v1/uploads"
ROUTES = [
    UPLOAD("", upload, None, _any("MODIFIER"), Depot, status=201, categorie=tuple(uploads.DOMAINS)),
    DOWNLOAD("", download, _any("VOIR"), (("key", "core.cle_objet"),)),
]
