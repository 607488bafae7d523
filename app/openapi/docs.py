"""/docs-json, and Swagger UI at /docs with assets from its Python package instead of a CDN."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from typing import Any

import msgspec
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.http.text import text_route

_PAGE = """<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Comptoir : l'API</title>
<link rel="icon" type="image/svg+xml" href="/docs/icone.svg">
<link rel="stylesheet" href="/docs/statique/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/statique/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
"""
_ICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="6" fill="#1f4e79"/>
<path d="M22 11a8 8 0 1 0 0 10" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>
"""
# Swagger UI exists only in English. The script replaces its words as they appear, but no words of the document. No
# value below may equal a key: a replacement triggers the observer again, which would replace forever.
_FRENCH = {
    "Authorize": "Se connecter",
    "Authorized": "Connecté",
    "Available authorizations": "Connexion",
    "Logout": "Oublier le jeton",
    "Close": "Fermer",
    "Value:": "Jeton :",
    "Try it out": "Essayer",
    "Cancel": "Annuler",
    "Reset": "Rétablir",
    "Execute": "Envoyer",
    "Clear": "Effacer",
    "Parameters": "Paramètres",
    "No parameters": "Aucun paramètre",
    "Name": "Nom",
    "Request body": "Corps de la requête",
    "Example Value": "Exemple",
    "Schema": "Schéma",
    "Schemas": "Schémas",
    "Edit Value": "Modifier",
    "Media type": "Type de contenu",
    "Controls ": "Fixe l'en-tête ",
    " header.": ".",
    "Responses": "Réponses",
    "Response": "Réponse",
    "Details": "Détail",
    "Links": "Liens",
    "No links": "Aucun lien",
    "Headers:": "En-têtes :",
    "Curl": "Commande curl",
    "Request URL": "Adresse appelée",
    "Request duration": "Durée",
    "Server response": "Réponse du service",
    "Response body": "Corps de la réponse",
    "Response headers": "En-têtes de la réponse",
    "Download": "Télécharger",
    "required": "obligatoire",
    "Send empty value": "Envoyer une valeur vide",
    "Default value": "Valeur par défaut",
    "Available values": "Valeurs possibles",
    "Loading...": "Chargement…",
    "LOADING": "Chargement…",
    "No operations defined in spec!": "Aucune opération.",
    "Filter by tag": "Filtrer par groupe",
}
_SCRIPT = (
    f"const MOTS = {json.dumps(_FRENCH, ensure_ascii=False)}\n"
    + """const DU_DOCUMENT = 'pre, code, textarea, .renderedMarkdown, .opblock-tag, .opblock-summary-path, option'
function traduire(noeud) {
  if (noeud.nodeType === Node.TEXT_NODE) {
    const mot = Object.hasOwn(MOTS, noeud.data) ? noeud.data : noeud.data.trim()
    if (Object.hasOwn(MOTS, mot) && !noeud.parentElement?.closest(DU_DOCUMENT)) noeud.data = MOTS[mot]
  } else if (noeud.nodeType === Node.ELEMENT_NODE) {
    if (Object.hasOwn(MOTS, noeud.placeholder ?? '')) noeud.placeholder = MOTS[noeud.placeholder]
    noeud.childNodes.forEach(traduire)
  }
}
new MutationObserver(changements => {
  for (const un of changements) un.type === 'characterData' ? traduire(un.target) : un.addedNodes.forEach(traduire)
}).observe(document.getElementById('swagger-ui'), { subtree: true, childList: true, characterData: true })
SwaggerUIBundle({
  url: '/docs-json', dom_id: '#swagger-ui', deepLinking: true, docExpansion: 'none', filter: true,
  persistAuthorization: true, displayRequestDuration: true, validatorUrl: null, defaultModelsExpandDepth: 0
})
"""
)
# By default Swagger UI truncates a long path next to a long summary.
_STYLE = """.swagger-ui .opblock .opblock-summary-path { max-width: none; flex-shrink: 0 }
.swagger-ui .opblock .opblock-summary-description { overflow-wrap: anywhere }
.swagger-ui .topbar, .swagger-ui .info hgroup.main a { display: none }
"""
_POLICY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
}
ASSETS = ("swagger-ui.css", "swagger-ui-bundle.js")


def routes(openapi: dict[str, Any]) -> list[BaseRoute]:
    return [
        text_route("/docs-json", msgspec.json.encode(openapi), "application/json"),
        text_route("/docs", _PAGE.encode(), "text/html", _POLICY),
        text_route("/docs/page.js", _SCRIPT.encode(), "text/javascript"),
        text_route("/docs/icone.svg", _ICON.encode(), "image/svg+xml"),
        text_route("/docs/page.css", _STYLE.encode(), "text/css"),
        Mount("/docs/statique", _Assets(directory=_folder())),
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


def _folder() -> Path:
    """The static folder of swagger-ui-py. None of its code runs."""
    spec = importlib.util.find_spec("swagger_ui")
    if spec is None or spec.origin is None:
        raise RuntimeError("swagger-ui-py manque : réinstallez les dépendances (make clean run).")
    return Path(spec.origin).parent / "static"
