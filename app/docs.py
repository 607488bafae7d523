"""/docs-json, and Swagger UI at /docs with the assets of its Python package: nothing comes from a CDN."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

_PAGE = """<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comptoir : l'API</title>
<link rel="icon" href="/docs/statique/favicon-32x32.png">
<link rel="stylesheet" href="/docs/statique/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/statique/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
"""
_SCRIPT = """SwaggerUIBundle({
  url: '/docs-json', dom_id: '#swagger-ui', deepLinking: true, docExpansion: 'none', filter: true,
  persistAuthorization: true, displayRequestDuration: true, validatorUrl: null
})
"""
_POLICY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
}


def routes(openapi: dict[str, Any]) -> list[BaseRoute]:
    text = msgspec.json.encode(openapi)

    async def document(request: Request) -> Response:
        request.scope["comptoir.route"] = "/docs-json"
        return Response(text, media_type="application/json", headers={"Cache-Control": "no-cache"})

    async def page(request: Request) -> Response:
        request.scope["comptoir.route"] = "/docs"
        return Response(_PAGE, media_type="text/html", headers=_POLICY)

    async def script(request: Request) -> Response:
        request.scope["comptoir.route"] = "/docs/page.js"
        return Response(_SCRIPT, media_type="text/javascript")

    return [
        Route("/docs-json", document),
        Route("/docs", page),
        Route("/docs/page.js", script),
        Mount("/docs/statique", StaticFiles(directory=_assets())),
    ]


def _assets() -> Path:
    """The static folder of swagger-ui-py, found without running its code."""
    spec = importlib.util.find_spec("swagger_ui")
    if spec is None or spec.origin is None:
        raise RuntimeError("swagger-ui-py manque : réinstallez les dépendances (make clean run).")
    return Path(spec.origin).parent / "static"
