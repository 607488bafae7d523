"""Pages, scripts and style sheets that never change while the service runs, and the headers of every page."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.http import compression

_FRESH = {"Cache-Control": "no-cache"}
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def file_route(path: str, file: Path, headers: Mapping[str, str] | None = None) -> Route:
    """The route of a file, which is read now."""
    return text_route(path, file.read_bytes(), _TYPES[file.suffix], headers)


def text_route(path: str, body: bytes, media_type: str, headers: Mapping[str, str] | None = None) -> Route:
    """The route of a static text with an ETag. A client that has this version gets 304. It is compressed once."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    all_headers = {**_FRESH, "ETag": tag, **(headers or {})}

    @cache
    def compressed() -> Response:
        encoding = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(gzip.compress(body, mtime=0), media_type=media_type, headers=all_headers | encoding)

    async def answer(request: Request) -> Response:
        request.scope["comptoir.route"] = path
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=all_headers)
        if compression.serves(request.scope, len(body)):
            return compressed()
        return Response(body, media_type=media_type, headers=all_headers)

    return Route(path, answer)


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
