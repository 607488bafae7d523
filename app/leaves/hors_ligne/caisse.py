"""The page at /caisse, an example of a till that sells without a network: served only with CAISSE_HORS_LIGNE=1."""

import hashlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Route

from app.base.settings import ROOT, Settings
from app.http.static import TYPES, page_headers, text_route

FILES = ROOT / "deploiement" / "hors-ligne"
PAGE, WORKER = "caisse.html", "service-worker.js"


def pages(settings: Settings) -> list[BaseRoute]:
    """The page with its files. Its address ends with a slash, as the scope of its service worker does."""
    if not settings.offline_till:
        return []
    files = {file.name: file.read_bytes() for file in sorted(FILES.iterdir())}
    # A browser installs the worker, with all files, when a byte of the worker has changed.
    files[WORKER] += f"// {hashlib.sha256(b''.join(files.values())).hexdigest()}\n".encode()
    headers = page_headers(script="'self'", connect="'self'", img="'self' data:", manifest="'self'", worker="'self'")
    routes: list[BaseRoute] = [Route("/caisse", _redirect)]
    for name, body in files.items():
        path = f"/caisse/{'' if name == PAGE else name}"
        routes.append(text_route(path, body, TYPES[Path(name).suffix], headers))
    return routes


async def _redirect(request: Request) -> RedirectResponse:
    request.scope["comptoir.route"] = "/caisse"
    return RedirectResponse("caisse/")
