"""Pages, scripts and style sheets that never change while the service runs, and the headers of every page."""

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from app.base.settings import PASSWORD_PAGE
from app.http.compression import MINIMUM_BYTES
from app.http.versions import is_known

_FILES = Path(__file__).parent / "public"
_FRESH = {"Cache-Control": "no-cache"}
TYPES = {
    ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}  # fmt: skip


def file_route(path: str, file: Path, headers: Mapping[str, str] | None = None) -> Route:
    """The route of a file, which is read now."""
    return text_route(path, file.read_bytes(), TYPES[file.suffix], headers)


def text_route(path: str, body: bytes, media_type: str, headers: Mapping[str, str] | None = None) -> Route:
    """The route of a static text with an ETag. A client that has this version gets 304. It is compressed once."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    long = len(body) >= MINIMUM_BYTES
    all_headers = {**_FRESH, "ETag": tag, **({"Vary": "Accept-Encoding"} if long else {}), **(headers or {})}

    @cache
    def compressed() -> Response:
        encoded = {**all_headers, "Content-Encoding": "gzip"}
        return Response(gzip.compress(body, mtime=0), media_type=media_type, headers=encoded)

    async def answer(request: Request) -> Response:
        request.scope["comptoir.route"] = path
        if is_known(request.scope["comptoir.headers"], tag):
            return Response(status_code=304, headers=all_headers)
        if long and request.scope.get("comptoir.gzip"):
            return compressed()
        return Response(body, media_type=media_type, headers=all_headers)

    return Route(path, answer)


def password_page() -> list[BaseRoute]:
    """The page behind the link of an e-mail: the holder of the token chooses a password. The token is in the fragment
    (`#`) of the address, which browsers do not send to servers."""
    headers = page_headers(script="'self'", connect="'self'")
    return [
        file_route(PASSWORD_PAGE, _FILES / "password.html", headers),
        file_route(f"{PASSWORD_PAGE}/page.js", _FILES / "password.js"),
        file_route("/page.css", _FILES / "page.css"),  # of the public page of a document too
    ]


def page_headers(**sources: str) -> dict[str, str]:
    """The headers of a page: it loads the style sheets of this service and what `sources` adds, such as `script`."""
    allowed = {"default": "'none'", "style": "'self'", "img": "data:", **sources}
    policy = [f"{kind}-src {source}" for kind, source in allowed.items()]
    return {
        "Content-Security-Policy": "; ".join(
            [*policy, "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]
        ),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Robots-Tag": "noindex",
    }
