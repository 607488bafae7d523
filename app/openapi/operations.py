"""The OpenAPI operation of a route: texts, parameters, body, answers."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import msgspec

from app.database.catalogue import Catalogue, CatalogueError, Function, Parameter, PgType
from app.documents.document import MEDIA
from app.http.listfiles import formats
from app.http.route import SHEETS, STORED, Route
from app.openapi.examples import entity
from app.openapi.fixed import LIMITS
from app.openapi.forms import BINARY, Schema, constant, content, described, header_refs, nullable, record, scalar
from app.openapi.schemas import Schemas
from app.openapi.tags import tag

# The file that the example of an upload sends.
FILES = {STORED: "photo.jpg", SHEETS: "feuille.xlsx"}
IGNORED = "X-Ignored-Parameters"
LIST_HEADERS = ("X-Total-Count", "X-Total-Capped", "Link")
# Descriptions of query parameters whose type has no comment.
_QUERY = {
    "recherche": "Texte cherché, sans égard à la casse ni aux accents.",
    "sort": "Colonne du tri.",
    "order": "Sens du tri.",
    "du": "Premier jour, compris.",
    "au": "Dernier jour, compris.",
    "instant": "Instant passé : la réponse est celle d'alors, refaite depuis le journal.",
}
_STALE = "Là où des répliques répondent, peut dater de quelques secondes, sauf pour qui vient d'écrire."
_RECALLS = " « instant » : comme à cet instant passé."
_APRES: Schema = {
    "name": "apres",
    "in": "query",
    "required": False,
    "description": "Curseur de la page suivante, tel que le donne `Link` ; sans `offset`.",
    "schema": {"$ref": "#/components/schemas/Curseur"},
}


@dataclass(frozen=True, slots=True)
class _Field:
    type: PgType
    required: bool
    nullable: bool
    default: Any = None


class Operations:
    """Makes the OpenAPI operation of a route, and adds its named schemas to `schemas`."""

    def __init__(self, catalogue: Catalogue, schemas: Schemas) -> None:
        self.catalogue = catalogue
        self.schemas = schemas
        self._ids: set[str] = set()

    def operation(self, route: Route) -> Schema:
        function = self.catalogue.functions[route.function] if route.function else None
        text = route.text or (function and function.comment) or ""
        refusals = function.refusals if function else list(route.refuses)
        if function and function.recalls:
            text += _RECALLS
            refusals = refusals + self.catalogue.functions["audit.instant_poser"].refusals
        lines = [text, _access(route)]
        if route.stale:
            lines.append(_STALE)
        if refusals:
            lines.append(f"Refus : {', '.join(f'`{rule}`' for rule in refusals)}.")
        if route.form is not None:
            lines.append(_command(route.path, self._example_fields(route)))
        result: Schema = {
            "operationId": self._operation_id(route),
            "summary": _summary(text),
            "description": "\n\n".join(lines),
            "tags": [tag(route)],
            "responses": self._responses(route, function),
        }
        if route.public:
            result["security"] = []
        elif route.permission:
            result["x-permission"] = route.permission
        if refusals:
            result["x-refus"] = refusals
        keys = re.findall(r"{(\w+)}", route.path)
        if parameters := self._parameters(route, function, keys):
            result["parameters"] = parameters
        body = self._body(route, function, [*keys, *route.supplied])
        if body is not None:
            result["requestBody"] = body
        return result

    def _operation_id(self, route: Route) -> str:
        """The name of the function. A second route of one function adds the end of its path."""
        name = _name(route)
        if name in self._ids:
            name = f"{name}_{route.path.rpartition('/')[2]}"
        self._ids.add(name)
        return name

    def _parameters(self, route: Route, function: Function | None, keys: list[str]) -> list[Schema]:
        parameters = [self._parameter(p, "path") for p in _own(function) if p.name in keys]
        if route.reads_query:
            hidden = {*keys, *route.supplied}
            declared = _own(function) or [
                Parameter(n, self.catalogue.named(type_name), True, None) for n, type_name in route.fields
            ]
            parameters += [self._parameter(p, "query") for p in declared if p.name not in hidden]
        if function is not None and function.paged:
            parameters.append(_APRES)
        if values := formats(route, function):
            parameters.append(_format(values))
        if route.method == "POST" and not route.public:
            parameters.append({"$ref": "#/components/parameters/IdempotencyKey"})
        if route.rehearses:
            parameters.append({"$ref": "#/components/parameters/Prefer"})
        if self._conditional(route):
            parameters.append({"$ref": "#/components/parameters/IfMatch"})
        if route.method == "GET" and function is not None and self._tagged(route, function):
            parameters.append({"$ref": "#/components/parameters/IfNoneMatch"})
        return parameters

    def _tagged(self, route: Route, function: Function) -> bool:
        """Whether the answer has the ETag of a resource."""
        if route.method == "GET":
            return route.plain and not function.paged
        detail = self.catalogue.functions[route.detail.function] if route.detail and route.detail.function else None
        return route.handler is None and detail is not None and not detail.paged and detail.returns is function.returns

    def _conditional(self, route: Route) -> bool:
        """Whether If-Match makes the write depend on the version of its resource."""
        detail = route.detail.function if route.method in ("PATCH", "PUT", "DELETE") and route.detail else None
        return detail is not None and not self.catalogue.functions[detail].paged

    def _parameter(self, parameter: Parameter, place: str) -> Schema:
        schema = described(scalar(parameter.type), parameter.type)
        if (default := constant(parameter)) is not None:
            schema = _by_default(schema, default)
        result = {"name": parameter.name, "in": place, "required": place == "path" or parameter.required}
        if description := schema.pop("description", None) or _QUERY.get(parameter.name):
            result["description"] = description
        return {**result, "schema": schema}

    def _form(self, route: Route) -> Schema:
        """A multipart body: a file, and fields with their possible values."""
        types = {name: self.catalogue.named(type_name) for name, type_name in route.form or ()}
        properties = {"file": BINARY, **{name: described(scalar(pg_type), pg_type) for name, pg_type in types.items()}}
        schema = record(properties, [name for name in properties if name not in route.optional])
        encoding = {"file": {"contentType": route.accepts}}
        media = {"schema": schema, "example": self._example_fields(route), "encoding": encoding}
        return {"required": True, "content": {"multipart/form-data": media}}

    def _example_fields(self, route: Route) -> dict[str, str]:
        """The example of an upload: the name of a file, the first possible value of each field, and empty JSON."""
        types = {name: self.catalogue.named(type_name) for name, type_name in route.form or ()}
        values = {name: pg_type.labels[0] if pg_type.labels else "{}" for name, pg_type in types.items()}
        return {"file": FILES[route.accepts]} | values

    def _body(self, route: Route, function: Function | None, keys: list[str]) -> Schema | None:
        if route.form is not None:
            return self._form(route)
        if route.body is None:
            return None
        parts = dict(route.parts)
        fields: dict[str, _Field] = {}
        if route.fields:
            for name, type_name in route.fields:
                optional = name in route.optional
                fields[name] = _Field(self.catalogue.named(type_name), not optional, optional)
        elif route.champs:
            champs = self.catalogue.named(route.champs)
            fields = {a.name: _Field(a.type, False, a.nullable) for a in champs.attributes}
        else:
            for p in _own(function):
                if p.name not in keys:
                    fields[p.name] = _Field(p.type, p.required, not p.required, constant(p))
        properties = {name: self._field(field, parts.pop(name, None)) for name, field in fields.items()}
        if parts:
            raise CatalogueError(f"{route.method} {route.path} nomme des champs qu'il n'a pas : {', '.join(parts)}.")
        required = [name for name, field in fields.items() if field.required]
        schema = self.schemas.register(route.body, record(properties, required))
        return {
            "required": bool(required),
            "content": {"application/json": {"schema": schema, "example": self._body_example(route.body, fields)}},
        }

    def _body_example(self, body: str, fields: dict[str, _Field]) -> Schema:
        """An example that can be sent unchanged: without optional references and days, whose rows may not exist."""
        sendable = {
            name: field.type
            for name, field in fields.items()
            if field.required or not (name.startswith("id_") or name == "date") or name == "id_activite"
        }
        types = sendable or {name: field.type for name, field in fields.items()}
        return {name: self.schemas.examples.value(f"{entity(body)}.{name}", pg_type) for name, pg_type in types.items()}

    def _field(self, field: _Field, part: str | None) -> Schema:
        schema = self.schemas.input(field.type, part)
        if field.default is not None:
            schema = _by_default(schema, field.default)
        return nullable(schema) if field.nullable else schema

    def _responses(self, route: Route, function: Function | None) -> Schema:
        success = self._success(route, function)
        names = _announced(route) + ((IGNORED,) if route.reads_query else ())
        if names:
            success["headers"] = success.get("headers", {}) | header_refs(names)
        responses: Schema = {str(_status(route, function)): success}
        if route.later:
            responses["202"] = {**success, "description": "Accepté : le travail continue"}
        refusals = {400, 401, 503}
        if not route.public:
            refusals |= {403}
        if "{" in route.path or route.media or (function is not None and "NOT_FOUND" in function.refusals):
            refusals |= {404}
        if route.method != "GET":
            refusals |= {404, 409, 413, 415, 422}
        recalls = function is not None and function.recalls
        if recalls:
            refusals |= {409}
        counted = route.throttle or route.tries_password or route.rehearses
        if counted or route.costly or recalls or formats(route, function):
            refusals |= {429}
        if self._conditional(route):
            refusals |= {412}
        tagged = route.method == "GET" and function is not None and self._tagged(route, function)
        if route.media == STORED or tagged:
            responses["304"] = {"description": "Inchangé depuis l'ETag de If-None-Match"}
        for status in sorted(refusals):
            responses[str(status)] = {"$ref": f"#/components/responses/Refus{status}"}
        for file_format in formats(route, function):
            responses["200"]["content"][MEDIA[file_format]] = {"schema": BINARY}
        return responses

    def _success(self, route: Route, function: Function | None) -> Schema:
        if route.media is not None:
            return {"description": "Fait", "content": {media: {"schema": BINARY} for media in route.media.split(", ")}}
        if route.answer is not None:
            name = route.answer.__name__
            _, defs = msgspec.json.schema_components([route.answer], ref_template="#/components/schemas/{name}")
            for part, schema in defs.items():
                self.schemas.register(part, schema)
            return content({"$ref": f"#/components/schemas/{name}"})
        if _status(route, function) == 204:
            return {"description": "Fait"}
        headers: tuple[str, ...] = ("Idempotency-Replayed",) if route.method == "POST" and not route.public else ()
        if route.rehearses:
            headers += ("Preference-Applied",)
        if function is not None and self._tagged(route, function):
            headers += ("ETag",)
        if function is not None and function.recalls:
            headers += ("Memento-Datetime",)
        if function is None or function.returns.name == "void":
            return content({"type": "object", "maxProperties": 0}, headers)
        schema = self.schemas.output(function.returns)
        if not function.returns_set:
            return content(schema, headers)
        return content({"type": "array", "items": schema}, headers + LIST_HEADERS if function.paged else headers)


def _own(function: Function | None) -> list[Parameter]:
    return function.accepted if function else []


def _name(route: Route) -> str:
    """The name of the function, or of the path when a handler makes the answer alone."""
    words = re.findall(r"[\w-]+", re.sub(r"^/api/v1|{\w+}", "", route.path).replace("-", "_"))
    if route.function is None:
        return "_".join(words if route.public else [*words, route.method.lower()])  # one path may have several methods
    name = route.function.replace(".", "_")
    return f"{name}_{words[-1]}" if route.media else name  # the function also has a route for JSON


def _summary(text: str) -> str:
    """The first sentence, up to its first colon or semicolon."""
    return re.split(r"\.(?:\s|$)|\s[:;]\s", text, maxsplit=1)[0]


def _access(route: Route) -> str:
    if route.public:
        throttle = route.throttle
        limit = f" Au plus {throttle.limit} requêtes en {throttle.seconds} s par adresse." if throttle else ""
        return f"Accès : public.{limit}"
    if route.permission:
        return f"Permission : {route.permission.replace('|', ' ou ')}."
    return "Accès : tout utilisateur connecté."


def _announced(route: Route) -> tuple[str, ...]:
    """Headers of a throttle. An API key has RateLimit everywhere, which the refusals declare."""
    return LIMITS if route.throttle or route.tries_password else ()


def _by_default(schema: Schema, default: Any) -> Schema:
    """The schema with its default in the description.

    Of a property with `default`, generated clients make a mandatory one. Of a parameter, they send the default, and the
    service refuses `offset` next to the cursor.
    """
    text = f"Par défaut : {json.dumps(default)}.".replace('"', "")
    return {**schema, "description": f"{schema.get('description', '')} {text}".strip()}


def _format(values: tuple[str, ...]) -> Schema:
    text = "Forme de la réponse."
    if "pdf" in values:
        text += " pdf : 503 RENDU_INDISPONIBLE là où le rendu manque."
    schema = {"type": "string", "enum": ["json", *values], "default": "json"}
    return {"name": "format", "in": "query", "required": False, "description": text, "schema": schema}


def _command(path: str, example: dict[str, str]) -> str:
    """A curl command that uploads the file, because Swagger UI shows no command that can be copied for forms."""
    fields = " ".join(f"-F {name}={'@' if name == 'file' else ''}{value}" for name, value in example.items())
    return f"Exemple : `curl -H 'Authorization: Bearer <accessToken>' {fields} http://127.0.0.1:8000{path}`"


def _status(route: Route, function: Function | None) -> int:
    empty = function is not None and function.returns.name == "void" and route.method == "DELETE"
    return 204 if empty else route.status
