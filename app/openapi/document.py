"""The OpenAPI 3.1 document, generated from the route table and the catalogue."""

from __future__ import annotations

from app.database.catalogue import Catalogue
from app.http.route import RouteTable
from app.openapi import events, fixed, tags
from app.openapi.forms import Schema
from app.openapi.operations import Operations
from app.openapi.schemas import Schemas


def document(table: RouteTable, catalogue: Catalogue) -> Schema:
    """Generate the document."""
    schemas = Schemas(table, catalogue)
    operations = Operations(catalogue, schemas)
    paths: dict[str, Schema] = {}
    for route in table.routes:
        paths.setdefault(route.path, {})[route.method.lower()] = operations.operation(route)
    paths |= fixed.plain_paths()
    return {
        "openapi": "3.1.0",
        "info": fixed.INFO,
        "servers": [{"url": "/", "description": "Le service qui rend ce document."}],
        "security": [{"bearer": []}],
        "tags": [*tags.groups(table.routes), fixed.HEALTH_TAG],
        "paths": paths,
        "webhooks": events.webhooks(catalogue, schemas),
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
            "parameters": fixed.PARAMETERS,
            "headers": fixed.HEADERS,
            "responses": fixed.refusals(),
            "schemas": {
                "Erreur": fixed.ERROR,
                "HealthResult": fixed.HEALTH,
                "Curseur": fixed.CURSOR,
                **dict(sorted(schemas.named.items())),
            },
        },
    }
