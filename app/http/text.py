"""Static pages and scripts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_FRESH = {"Cache-Control": "no-cache"}


def text_route(path: str, body: bytes, media_type: str, headers: Mapping[str, str] | None = None) -> Route:
    """The route of a static text with an ETag. A client that has this version gets 304."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    all_headers = {**_FRESH, "ETag": tag, **(headers or {})}

    async def answer(request: Request) -> Response:
        request.scope["comptoir.route"] = path
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=all_headers)
        return Response(body, media_type=media_type, headers=all_headers)

    return Route(path, answer)
