"""/docs-json, and Swagger UI at /docs with assets from its Python package instead of a CDN."""

import os
from pathlib import Path
from typing import Any

import msgspec
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.http.static import file_route, page_headers, text_route

_FILES = Path(__file__).parent / "public"
ASSETS = ("swagger-ui.css", "swagger-ui-bundle.js")


def routes(openapi: dict[str, Any]) -> list[BaseRoute]:
    # Swagger UI sets styles of its own on its elements.
    headers = page_headers(script="'self'", style="'self' 'unsafe-inline'", img="'self' data:", connect="'self'")
    return [
        text_route("/docs-json", msgspec.json.encode(openapi), "application/json"),
        file_route("/docs", _FILES / "docs.html", headers),
        file_route("/docs/page.js", _FILES / "docs.js"),
        file_route("/docs/page.css", _FILES / "docs.css"),
        file_route("/docs/icone.svg", _FILES / "icon.svg"),
        Mount("/docs/statique", _Assets(packages=[("swagger_ui", "static")])),  # none of its code runs
    ]


class _Assets(StaticFiles):
    """Serves only the two files of the page, not the other twenty megabytes of the package."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        return super().lookup_path(path) if path in ASSETS else ("", None)

    async def get_response(self, path: str, scope: Scope) -> Response:
        scope["comptoir.route"] = "/docs/statique"
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=86400"
        return response
