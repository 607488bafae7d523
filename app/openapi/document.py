"""The OpenAPI 3.1 document, generated from the route table and the catalogue."""

from app.database.catalogue import Catalogue, Event, PgType
from app.http.route import RouteTable
from app.openapi import fixed, tags
from app.openapi.forms import Schema, record
from app.openapi.operations import Operations
from app.openapi.schemas import Schemas


def document(table: RouteTable, catalogue: Catalogue) -> Schema:
    schemas = Schemas(table, catalogue)
    operations = Operations(catalogue, schemas)
    paths: dict[str, Schema] = {}
    for route in table.routes:
        paths.setdefault(route.path, {})[route.method.lower()] = operations.operation(route)
    paths |= fixed.plain_paths()
    envelope = catalogue.named("evenement.evenement_vue")
    return {
        "openapi": "3.1.0",
        "info": fixed.INFO,
        "servers": [{"url": "/", "description": "Le service qui rend ce document."}],
        "security": [{"bearer": []}],
        "tags": [*tags.groups(table.routes), fixed.HEALTH_TAG],
        "paths": paths,
        "webhooks": {event.type: {"post": _post(event, envelope, schemas)} for event in catalogue.events},
        "components": {
            "securitySchemes": {"bearer": fixed.BEARER},
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


def _post(event: Event, envelope: PgType, schemas: Schemas) -> Schema:
    """The webhook of a type of event. A receiver is sent what GET /api/v1/evenements answers."""
    constants = {"type": {"const": event.type}, "version": {"const": event.version}}
    properties = {a.name: constants.get(a.name) or schemas.output(a.type) for a in envelope.attributes}
    properties["donnees"] = schemas.output(event.form)
    return {
        "operationId": f"recevoir_{event.type.replace('.', '_')}",
        "summary": event.comment,
        "description": f"Permission {event.permission}.",
        "x-permission": event.permission,
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": record(properties, list(properties))}},
        },
        "responses": {"2XX": {"description": "Reçu ; sinon l'envoi recommence."}},
    }
