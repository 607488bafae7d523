"""The types of events: the part `webhooks` of the document."""

from __future__ import annotations

from app.database.catalogue import Catalogue, Event, PgType
from app.openapi.forms import Schema, record
from app.openapi.schemas import Schemas


def webhooks(catalogue: Catalogue, schemas: Schemas) -> Schema:
    """One entry for each type. A receiver is sent what GET /api/v1/evenements answers."""
    envelope = catalogue.named("evenement.evenement_vue")
    return {event.type: {"post": _post(event, envelope, schemas)} for event in catalogue.events}


def _post(event: Event, envelope: PgType, schemas: Schemas) -> Schema:
    fixed = {"type": {"const": event.type}, "version": {"const": event.version}}
    properties = {a.name: fixed.get(a.name) or schemas.output(a.type) for a in envelope.attributes}
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
        "responses": {"2XX": {"description": "Reçu ; toute autre réponse fait recommencer l'envoi."}},
    }
