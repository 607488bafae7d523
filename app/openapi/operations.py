"""The OpenAPI operation of a route: texts, parameters, body, answers."""

import json
import re

import msgspec

from app.database.catalogue import Catalogue, CatalogueError, Function, Parameter
from app.documents.document import MEDIA
from app.http.listfiles import formats
from app.http.route import SHEETS, STATEMENTS, STORED, Route
from app.openapi.examples import entity
from app.openapi.fixed import LIMITS, REFUSALS
from app.openapi.forms import BINARY, Schema, constant, content, described, header_refs, nullable, record, scalar
from app.openapi.schemas import Schemas
from app.openapi.tags import tag

# The file that the example of an upload sends.
FILES = {STORED: "photo.jpg", SHEETS: "feuille.xlsx", STATEMENTS: "releve.xml"}
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
_APRES: Schema = {
    "name": "apres",
    "in": "query",
    "required": False,
    "description": "Curseur de la page suivante, tel que le donne `Link` ; sans `offset`.",
    "schema": {"$ref": "#/components/schemas/Curseur"},
}


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
        if function and function.instant:
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
            declared = _own(function) or route.declared(self.catalogue)
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
        schema = _by_default(described(scalar(parameter.type), parameter.type), parameter)
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
        """The example of an upload: the name of a file, and a value of each field."""
        types = {name: self.catalogue.named(type_name) for name, type_name in route.form or ()}
        values = {n: self.schemas.examples.value(f"Formulaire.{n}", pg_type) for n, pg_type in types.items()}
        return {"file": FILES[route.accepts]} | values

    def _body(self, route: Route, function: Function | None, keys: list[str]) -> Schema | None:
        if route.form is not None:
            return self._form(route)
        if route.body is None:
            return None
        parts = dict(route.parts)
        champs = self.catalogue.named(route.champs).attributes if route.champs else []
        fields = [Parameter(a.name, a.type, False, None) for a in champs] or route.declared(self.catalogue)
        fields = fields or [p for p in _own(function) if p.name not in keys]
        never_null = {a.name for a in champs if not a.nullable} | {field.name for field in fields if field.required}
        properties = {}
        for field in fields:
            schema = _by_default(self.schemas.input(field.type, parts.pop(field.name, None)), field)
            properties[field.name] = schema if field.name in never_null else nullable(schema)
        if parts:
            raise CatalogueError(f"{route.method} {route.path} nomme des champs qu'il n'a pas : {', '.join(parts)}.")
        required = [field.name for field in fields if field.required]
        schema = self.schemas.register(route.body, record(properties, required))
        return {
            "required": bool(required),
            "content": {"application/json": {"schema": schema, "example": self._body_example(route.body, fields)}},
        }

    def _body_example(self, body: str, fields: list[Parameter]) -> Schema:
        """An example that can be sent unchanged: without optional references and days, whose rows may not exist."""
        sendable = [p for p in fields if p.required or p.name == "id_activite" or not re.match("id_|date$", p.name)]
        value = self.schemas.examples.value
        return {p.name: value(f"{entity(body)}.{p.name}", p.type) for p in sendable or fields}

    def _responses(self, route: Route, function: Function | None) -> Schema:
        success, files = self._success(route, function), formats(route, function)
        # Of a throttle. An API key has RateLimit everywhere, which the refusals declare.
        names: tuple[str, ...] = LIMITS if route.throttle or route.tries_password else ()
        names += (IGNORED,) if route.reads_query else ()
        if names:
            success["headers"] = success.get("headers", {}) | header_refs(names)
        responses: Schema = {str(_status(route, function)): success}
        if route.later:
            responses["202"] = {**success, "description": "Accepté : le travail continue"}
        writes = route.method != "GET"
        tagged = route.media == STORED or (not writes and function is not None and self._tagged(route, function))
        past = function is not None and function.instant
        refuses = {
            403: not route.public,
            404: writes or "{" in route.path or route.media or (function and "NOT_FOUND" in function.refusals),
            409: writes or past,
            412: self._conditional(route) or tagged,
            429: route.throttle or route.tries_password or route.rehearses or route.costly or past or files,
            **dict.fromkeys((413, 415, 422), writes),
        }
        if tagged:
            responses["304"] = {"description": "Inchangé depuis l'ETag de If-None-Match"}
        for status in REFUSALS:
            if refuses.get(status, True):
                responses[str(status)] = {"$ref": f"#/components/responses/Refus{status}"}
        for file_format in files:
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
        if function is not None and function.instant:
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


def _by_default(schema: Schema, parameter: Parameter) -> Schema:
    """The schema with the default of its parameter in the description.

    Of a property with `default`, generated clients make a mandatory one. Of a parameter, they send the default, and the
    service refuses `offset` next to the cursor.
    """
    if (default := constant(parameter)) is None:
        return schema
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
