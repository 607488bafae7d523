"""OpenAPI 3.1 from the route table and the catalogue: what the code does, so it cannot drift from it."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from app.arguments import PASSWORD
from app.auth.throttle import THROTTLES
from app.catalogue import Attribute, Catalogue, Function, Parameter, PgType
from app.routes import Route, RouteTable
from app.wire import NUMBERS

Schema = dict[str, Any]

TITLE = "Comptoir"
VERSION = "1"
DESCRIPTION = """Le service de gestion d'une entreprise à plusieurs activités.

Connectez-vous par `POST /api/v1/auth/login`, puis donnez le jeton d'accès à « Authorize ».
Les identifiants, montants et quantités sont des textes décimaux, les dates ISO 8601.
Une liste est un tableau JSON ; `X-Total-Count` et `Link` disent ce qu'il y a au-delà.
Toute requête POST accepte `Idempotency-Key` : la répéter rend la première réponse."""

ERROR: Schema = {
    "type": "object",
    "description": "Refus : `code` est le nom de la règle, `message` une phrase pour l'utilisateur.",
    "required": ["success", "code", "message", "requestId", "path", "timestamp"],
    "properties": {
        "success": {"const": False},
        "code": {"type": "string", "examples": ["VALIDATION_ERROR"]},
        "message": {"type": "string"},
        "details": {"description": "Pour VALIDATION_ERROR : une entrée par champ, {property, messages}."},
        "requestId": {"type": "string"},
        "path": {"type": "string"},
        "timestamp": {"type": "string", "format": "date-time"},
    },
}
HEALTH: Schema = {
    "type": "object",
    "required": ["status"],
    "properties": {
        "status": {"enum": ["ok", "error"]},
        **{name: {"type": ["object", "null"]} for name in ("info", "error", "details")},
    },
}
REFUSALS = {
    400: "Entrée refusée",
    401: "Jeton absent, expiré ou révoqué",
    403: "Permission manquante",
    404: "Introuvable",
    409: "Conflit avec l'état présent",
    413: "Corps trop grand",
    415: "Type de contenu refusé",
    422: "Référence inconnue",
    429: "Trop de requêtes",
    503: "Momentanément indisponible",
}


def document(table: RouteTable, catalogue: Catalogue) -> Schema:
    """The whole document."""
    build = _Builder(catalogue)
    paths: dict[str, Schema] = {}
    for route in table.routes:
        paths.setdefault(route.path, {})[route.method.lower()] = build.operation(route)
    paths |= _plain_paths()
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": VERSION, "description": DESCRIPTION},
        "servers": [{"url": "/"}],
        "security": [{"bearer": []}],
        "tags": [{"name": name} for name in dict.fromkeys([*(route.slice for route in table.routes), "santé"])],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
            "parameters": {
                "IdempotencyKey": {
                    "name": "Idempotency-Key",
                    "in": "header",
                    "description": "Répéter la requête sous la même clé rend la première réponse, sans second effet.",
                    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
                }
            },
            "responses": {
                f"Refus{status}": {
                    "description": text,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Erreur"}}},
                }
                for status, text in REFUSALS.items()
            },
            "schemas": {"Erreur": ERROR, "HealthResult": HEALTH, **dict(sorted(build.schemas.items()))},
        },
    }


class _Builder:
    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.schemas: dict[str, Schema] = {}

    def operation(self, route: Route) -> Schema:
        function = self.catalogue.functions[route.function] if route.function else None
        text = route.text or (function and function.comment) or ""
        summary = re.split(r"(?<=[^.])[.:](\s|$)", text, maxsplit=1)[0]
        name = route.function.replace(".", "_") if route.function else route.path.rsplit("/", 1)[1].replace("-", "_")
        result: Schema = {
            "operationId": name if not route.handler else f"auth_{name.removeprefix('auth_')}",
            "summary": summary,
            "description": f"{text}\n\n{_access(route)}",
            "tags": [route.slice],
            "responses": self._responses(route, function),
        }
        if route.public:
            result["security"] = []
        elif route.permission:
            result["x-permission"] = route.permission
        keys = re.findall(r"{(\w+)}", route.path)
        parameters = [self._parameter(p, "path") for p in _own(function) if p.name in keys]
        if route.method == "GET":
            parameters += [self._parameter(p, "query") for p in _own(function) if p.name not in keys]
        elif route.method == "POST" and not route.public:
            parameters.append({"$ref": "#/components/parameters/IdempotencyKey"})
        if parameters:
            result["parameters"] = parameters
        body = self._body(route, function, keys)
        if body is not None:
            result["requestBody"] = body
        return result

    def _parameter(self, parameter: Parameter, place: str) -> Schema:
        schema = self._input(parameter.type)
        if parameter.default is not None and (found := re.match(r"'?([^':]*)'?(::|$)", parameter.default)):
            schema = {**schema, "default": _literal(found[1], parameter.type)}
        return {
            "name": parameter.name,
            "in": place,
            "required": place == "path" or parameter.required,
            "schema": schema,
        }

    def _body(self, route: Route, function: Function | None, keys: list[str]) -> Schema | None:
        if route.body is None:
            return None
        if route.fields:
            fields = [(name, self.catalogue.named(kind), True) for name, kind in route.fields]
        elif route.champs:
            attributes = self.catalogue.named(route.champs).attributes
            fields = [(a.name, a.type, False) for a in attributes]
        else:
            fields = [(p.name, p.type, p.required) for p in _own(function) if p.name not in keys]
        self.schemas[route.body] = _object(
            {name: self._input(kind, nullable=not required) for name, kind, required in fields},
            [name for name, _, required in fields if required],
        )
        example = {name: _example(name, kind) for name, kind, _ in fields}
        schema = {"$ref": f"#/components/schemas/{route.body}"}
        required = any(required for _, _, required in fields)
        return {"required": required, "content": {"application/json": {"schema": schema, "example": example}}}

    def _responses(self, route: Route, function: Function | None) -> Schema:
        responses: Schema = {str(_status(route, function)): self._success(route, function)}
        refusals = {400, 503}
        if not route.public:
            refusals |= {401}
        if route.permission:
            refusals |= {403}
        if "{" in route.path:
            refusals |= {404}
        if route.method != "GET":
            refusals |= {409, 413, 415, 422, 404}
        if route.path in THROTTLES:
            refusals |= {429}
        if route.public:
            refusals |= {401}
        for status in sorted(refusals):
            responses[str(status)] = {"$ref": f"#/components/responses/Refus{status}"}
        return responses

    def _success(self, route: Route, function: Function | None) -> Schema:
        if route.answer is not None:
            name = route.answer.__name__
            _, defs = msgspec.json.schema_components([route.answer], ref_template="#/components/schemas/{name}")
            self.schemas |= defs
            return _content({"$ref": f"#/components/schemas/{name}"})
        if function is None or (function.returns.name == "void" and route.method == "DELETE"):
            return {"description": "Fait"}
        if function.returns.name == "void":
            return _content({"type": "object", "maxProperties": 0})
        schema = self._output(function.returns, nullable=False)
        if not function.returns_set:
            return _content(schema)
        result = _content({"type": "array", "items": schema})
        result["headers"] = {
            "X-Total-Count": {
                "description": "Nombre de lignes, 10 000 au plus.",
                "schema": {"type": "integer"},
            },
            "Link": {"description": 'Page suivante, rel="next".', "schema": {"type": "string"}},
        }
        return result

    def _input(self, kind: PgType, nullable: bool = False) -> Schema:
        schema = self._input_schema(kind)
        if nullable:
            return {"anyOf": [schema, {"type": "null"}]}
        return schema

    def _input_schema(self, kind: PgType) -> Schema:
        if kind.kind == "array" and kind.element:
            return {"type": "array", "items": self._input(kind.element)}
        if kind.kind == "composite":
            name = f"{_component(kind)}Dto"
            self.schemas[name] = _object(
                {a.name: self._input(a.type, nullable=not a.required) for a in kind.attributes},
                [a.name for a in kind.attributes if a.required],
                kind.comment,
            )
            return {"$ref": f"#/components/schemas/{name}"}
        if f"{kind.schema}.{kind.name}" == PASSWORD:
            return {"type": "string", "format": "password", "minLength": 8, "maxLength": 72}
        schema = _scalar(kind)
        described = {"description": kind.comment} if kind.kind == "domain" and kind.comment else {}
        if kind.root.name in ("int8", "numeric") or kind.root.name.startswith("int"):
            bounds = {_BOUNDS[c.operator]: float(c.bound) for c in kind.all_checks if c.operator in _BOUNDS}
            whole = kind.root.name != "numeric"
            number: Schema = {"type": "integer" if whole else "number", **bounds}
            text: Schema = {"type": "string", "pattern": r"^-?\d+$" if whole else r"^-?\d+(\.\d+)?$"}
            return {"anyOf": [text, number], **described}
        return {**schema, **described}

    def _output(self, kind: PgType, nullable: bool = True) -> Schema:
        if kind.kind == "composite":
            name = _component(kind)
            if name not in self.schemas:
                self.schemas[name] = {}  # a type may hold itself
                properties = {a.name: self._attribute(a, first) for first, a in enumerate(kind.attributes)}
                self.schemas[name] = _object(properties, list(properties), kind.comment)
            reference = {"$ref": f"#/components/schemas/{name}"}
            return {"anyOf": [reference, {"type": "null"}]} if nullable else reference
        if kind.kind == "array" and kind.element:
            items = self._output(kind.element, nullable=False)
            return {"type": ["array", "null"] if nullable else "array", "items": items}
        schema = _scalar(kind, wire=True)
        if nullable and "type" in schema:
            schema = {**schema, "type": [schema["type"], "null"]}
            if "enum" in schema:
                schema["enum"] = [*schema["enum"], None]
        return schema

    def _attribute(self, attribute: Attribute, position: int) -> Schema:
        never_null = attribute.not_null or (position == 0 and attribute.name.startswith("id"))
        composites = attribute.type.kind == "array" and attribute.type.element
        schema = self._output(attribute.type, nullable=not (never_null or composites))
        return {**schema, "description": attribute.comment} if attribute.comment else schema


def _own(function: Function | None) -> list[Parameter]:
    return function.parameters if function else []


def _status(route: Route, function: Function | None) -> int:
    empty = function is not None and function.returns.name == "void" and route.method == "DELETE"
    return 204 if empty else route.status


def _content(schema: Schema) -> Schema:
    return {"description": "Fait", "content": {"application/json": {"schema": schema}}}


def _object(properties: Schema, required: list[str], comment: str | None = None) -> Schema:
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    return {"description": comment, **schema} if comment else schema


def _component(kind: PgType) -> str:
    """facturation.facture_detail_vue → FactureDetail"""
    return "".join(part.capitalize() for part in kind.name.removesuffix("_vue").split("_"))


_BOUNDS = {">=": "minimum", ">": "exclusiveMinimum", "<=": "maximum", "<": "exclusiveMaximum"}


def _scalar(kind: PgType, wire: bool = False) -> Schema:
    """The JSON form of a scalar; on the wire ids and decimals are texts."""
    if kind.kind == "enum":
        return {"type": "string", "enum": list(kind.labels)}
    root = kind.root.name
    if root == "numeric":
        if f"{kind.schema}.{kind.name}" in NUMBERS:
            return {"type": "number"}
        return {"type": "string", "pattern": r"^-?\d+(\.\d+)?$"}
    fixed = _FIXED.get(root)
    if fixed is not None:
        return dict(fixed)
    schema: Schema = {"type": "string"}
    if not wire:
        for check in kind.all_checks:
            if check.pattern:
                schema["pattern"] = check.source
            elif check.operator == "length <=":
                schema["maxLength"] = int(check.bound)
            elif check.operator == "length >=":
                schema["minLength"] = int(check.bound)
    return schema


_FIXED: dict[str, Schema] = {
    "int8": {"type": "string", "pattern": r"^-?\d+$"},
    "int4": {"type": "integer"},
    "int2": {"type": "integer"},
    "float8": {"type": "number"},
    "bool": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "timestamptz": {"type": "string", "format": "date-time"},
    "time": {"type": "string"},
    "uuid": {"type": "string", "format": "uuid"},
    "jsonb": {},
}

_BY_NAME = {
    "login": "awa.exemple",
    "mot_de_passe": "motdepasse",
    "nouveau_mot_de_passe": "un-autre-motdepasse",
    "nom": "Exemple",
    "prenoms": "Awa",
    "libelle": "Location de chaises",
    "code": "RESPONSABLE_MAGASIN",
    "numero": "C-2026-000001",
    "lien": "MERE",
    "cle": "DEVISE_DEFAUT",
    "valeur": "FCFA",
}
_BY_TYPE: dict[str, Any] = {
    "int8": "1",
    "int4": 1,
    "int2": 1,
    "numeric": "25000.00",
    "bool": True,
    "date": "2026-08-15",
    "timestamptz": "2026-08-15T10:00:00Z",
    "time": "18:00",
    "jsonb": {},
}
_BY_DOMAIN: dict[str, Any] = {
    "core.telephone": "+2250700000000",
    "core.email": "awa@exemple.ci",
    "core.periode": "2026-08",
    "core.cle_objet": "piece-identite/1-4f9d2c.jpg",
    "core.quantite": "2",
    "core.nombre": 2,
}


def _example(name: str, kind: PgType) -> Any:
    if kind.kind == "array" and kind.element:
        return [_example(name, kind.element)]
    if kind.kind == "composite":
        return {a.name: _example(a.name, a.type) for a in kind.attributes}
    if kind.kind == "enum":
        return kind.labels[0]
    domain = f"{kind.schema}.{kind.name}"
    return _BY_DOMAIN.get(domain) or _BY_NAME.get(name) or _BY_TYPE.get(kind.root.name, "texte")


def _literal(text: str, kind: PgType) -> Any:
    root = kind.root.name
    if root == "bool":
        return text == "true"
    return int(text) if root in ("int4", "int2") else text


def _access(route: Route) -> str:
    if route.public:
        throttle = THROTTLES.get(route.path)
        limit = f" Au plus {throttle.limit} requêtes en {throttle.seconds} s par adresse." if throttle else ""
        return f"Accès : public.{limit}"
    return f"Permission : {route.permission}." if route.permission else "Accès : tout utilisateur connecté."


def _plain_paths() -> dict[str, Schema]:
    """Routes that are no operations: root, health, metrics."""

    def get(name: str, summary: str, answers: Schema) -> Schema:
        return {
            "get": {
                "operationId": name,
                "summary": summary,
                "description": f"{summary}. Accès : public.",
                "tags": ["santé"],
                "security": [],
                "responses": answers,
            }
        }

    health = _content({"$ref": "#/components/schemas/HealthResult"})
    both = {"200": health, "503": health}
    return {
        "/api/v1": get("racine", "Nom du service", {"200": _content({"type": "object"})}),
        "/api/v1/health/live": get("health_live", "Le service vit", {"200": health}),
        "/api/v1/health/ready": get("health_ready", "Base et magasin répondent", both),
        "/api/v1/health": get("health", "État d'ensemble", both),
        "/metrics": get(
            "metrics",
            "Mesures pour Prometheus",
            {"200": {"description": "Fait", "content": {"text/plain": {"schema": {"type": "string"}}}}},
        ),
    }
