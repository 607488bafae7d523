"""OpenAPI 3.1 from the route table and the catalogue: what the code does, so it cannot drift from it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from app.arguments import PASSWORD
from app.auth.throttle import THROTTLES
from app.catalogue import Attribute, Catalogue, CatalogueError, Function, Parameter, PgType, camel
from app.documents.exports import MEDIA
from app.examples import entity, example
from app.routes import STORED, Route, RouteTable
from app.wire import NUMBERS

Schema = dict[str, Any]

TITLE = "Comptoir"
VERSION = "1"
DESCRIPTION = """Le service de gestion d'une entreprise à plusieurs activités.

**Pour essayer ici** : ouvrez une session par `POST /api/v1/auth/login` (« Try it out », « Execute »), copiez
`accessToken` de la réponse, donnez-le à « Authorize ».

- Identifiants, montants et quantités sont des textes décimaux (`"25000.00"`) ; une requête peut aussi donner un nombre.
- Les dates s'écrivent AAAA-MM-JJ, les instants en ISO 8601 ; ceux des réponses finissent par Z (UTC).
- Une liste est un tableau JSON ; `X-Total-Count` dit combien de lignes il y a en tout, `Link` où est la page suivante.
- Dans un PATCH, un champ absent ne change pas ; null efface un champ facultatif.
- Tout POST d'un utilisateur connecté accepte `Idempotency-Key` : répété sous la même clé, il rend la première réponse
  (l'envoi d'un contrat par e-mail, lui, repart).
- Un refus porte toujours `code`, le nom de la règle, et `message`, une phrase pour l'utilisateur."""
OTHER_TAGS = {"uploads": "Fichiers déposés : photos et pièces ; la base n'en garde que la clé."}
HEALTH_TAG = {"name": "santé", "description": "État du service et mesures ; sans connexion."}

ERROR: Schema = {
    "type": "object",
    "description": "Refus : `code` est le nom de la règle, `message` une phrase pour l'utilisateur.",
    "required": ["success", "code", "message", "requestId", "path", "timestamp"],
    "properties": {
        "success": {"const": False},
        "code": {"type": "string"},
        "message": {"type": "string"},
        "details": {"description": "Pour VALIDATION_ERROR : une entrée par champ, {property, messages}."},
        "requestId": {"type": "string"},
        "path": {"type": "string"},
        "timestamp": {"type": "string", "format": "date-time"},
    },
    "additionalProperties": False,
    "examples": [
        {
            "success": False,
            "code": "VALIDATION_ERROR",
            "message": "Validation échouée",
            "details": [{"property": "montant", "messages": ["Le montant doit être plus grand que zéro."]}],
            "requestId": "4f9d2c0a5be14c7f9a51d0f3e6b7a812",
            "path": "/api/v1/finances/paiements",
            "timestamp": "2026-08-15T10:00:00.000Z",
        }
    ],
}
_PARTS: Schema = {
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "required": ["status"],
        "properties": {"status": {"type": "string", "enum": ["up", "down"]}},
    },
}
HEALTH: Schema = {
    "type": "object",
    "description": "État du service : ce qui marche (info), ce qui ne marche pas (error), et les deux (details).",
    "required": ["status"],
    "properties": {
        "status": {"type": "string", "enum": ["ok", "error"]},
        **{name: _PARTS for name in ("info", "error", "details")},
    },
}
ROOT: Schema = {
    "type": "object",
    "required": ["nom", "documentation", "etat"],
    "properties": {name: {"type": "string"} for name in ("nom", "documentation", "etat")},
}
HEADERS: Schema = {
    "X-Total-Count": {
        "description": "Nombre de lignes en tout, compté jusqu'à 2 000, ou à la fin de la page si elle va plus loin.",
        "schema": {"type": "integer"},
    },
    "X-Total-Capped": {"description": "true quand il y en a davantage.", "schema": {"type": "string"}},
    "Link": {"description": 'Page suivante, rel="next", s\'il y en a une.', "schema": {"type": "string"}},
    "Retry-After": {"description": "Secondes à attendre.", "schema": {"type": "integer"}},
    "Idempotency-Replayed": {
        "description": "true quand la réponse est celle d'une requête précédente de même clé.",
        "schema": {"type": "string"},
    },
}
REFUSALS = {  # status: what it means, and a rule as an example
    400: ("Entrée refusée", "VALIDATION_ERROR", "Validation échouée"),
    401: ("Jeton absent, expiré ou révoqué", "UNAUTHORIZED", "Connectez-vous : jeton absent, expiré ou révoqué."),
    403: ("Permission manquante", "FORBIDDEN", "Votre rôle n'a pas la permission FINANCES.CREER."),
    404: ("Introuvable", "NOT_FOUND", "Introuvable."),
    409: ("Conflit avec l'état présent", "SURPAIEMENT", "Le paiement dépasse le reste à payer."),
    413: ("Corps trop grand", "CORPS_TROP_GRAND", "L'envoi dépasse 1 Mio."),
    415: ("Type de contenu refusé", "TYPE_DE_CONTENU", "Envoyez du JSON : Content-Type: application/json."),
    422: ("Référence inconnue", "CLIENT_INCONNU", "Ce client n'existe pas."),
    429: ("Trop de requêtes", "TOO_MANY_REQUESTS", "Trop de tentatives : réessayez dans 42 s."),
    503: ("Momentanément indisponible", "INDISPONIBLE", "Service momentanément indisponible, réessayez."),
}
LIST_HEADERS = ("X-Total-Count", "X-Total-Capped", "Link")
WAIT = (429, 503)


def document(table: RouteTable, catalogue: Catalogue) -> Schema:
    """The whole document."""
    build = _Builder(table, catalogue)
    paths: dict[str, Schema] = {}
    for route in table.routes:
        paths.setdefault(route.path, {})[route.method.lower()] = build.operation(route)
    paths |= _plain_paths()
    # Signing in comes first, whatever depends on what.
    slices = sorted(dict.fromkeys(route.slice for route in table.routes), key=lambda name: name != "auth")
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": VERSION, "description": DESCRIPTION},
        "security": [{"bearer": []}],
        "tags": [
            *({"name": name, "description": catalogue.slices.get(name) or OTHER_TAGS.get(name, "")} for name in slices),
            HEALTH_TAG,
        ],
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
            "headers": HEADERS,
            "responses": {f"Refus{status}": _refusal(status, *words) for status, words in REFUSALS.items()},
            "schemas": {"Erreur": ERROR, "HealthResult": HEALTH, **dict(sorted(build.schemas.items()))},
        },
    }


class _Builder:
    def __init__(self, table: RouteTable, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.schemas: dict[str, Schema] = {}
        self._tables: dict[str, list[PgType]] = {}
        for kind in catalogue.types.values():
            if any(attribute.not_null for attribute in kind.attributes):
                self._tables.setdefault(kind.name, []).append(kind)
        functions = [catalogue.functions[route.function] for route in table.routes if route.function]
        answered = {id(kind): kind for f in functions for kind in _composites(f.returns)}
        self._plain_names = Counter(kind.component for kind in answered.values())

    def operation(self, route: Route) -> Schema:
        function = self.catalogue.functions[route.function] if route.function else None
        text, refusals = _text(route.text or (function and function.comment) or "")
        if route.text and function:
            refusals = _text(function.comment or "")[1]
        name = route.function.replace(".", "_") if route.function else route.path.rsplit("/", 1)[1].replace("-", "_")
        if route.function is None and not route.public:
            name += f"_{route.method.lower()}"  # one path may have several methods
        elif route.media:
            name += f"_{route.path.rsplit('/', 1)[1]}"  # its function answers on a route of its own too
        lines = [text, _access(route)]
        if refusals:
            lines.append(f"Refus : {', '.join(f'`{rule}`' for rule in refusals)}.")
        result: Schema = {
            "operationId": f"auth_{name.removeprefix('auth_')}" if route.public else name,
            "summary": _summary(text),
            "description": "\n\n".join(lines),
            "tags": [route.slice],
            "responses": self._with_files(route, self._responses(route, function)),
        }
        if route.public:
            result["security"] = []
        elif route.permission:
            result["x-permission"] = route.permission
        if refusals:
            result["x-refus"] = refusals
        keys = re.findall(r"{(\w+)}", route.path)
        parameters = [self._parameter(p, "path") for p in _own(function) if p.name in keys]
        if route.reads_query:
            hidden = {*keys, *route.supplied}
            asked = _own(function) or [Parameter(n, self.catalogue.named(kind), True, None) for n, kind in route.fields]
            parameters += [self._parameter(p, "query") for p in asked if p.name not in hidden]
        if route.formats:
            parameters.append(_format(route))
        if route.method == "POST" and not route.public:
            parameters.append({"$ref": "#/components/parameters/IdempotencyKey"})
        if parameters:
            result["parameters"] = parameters
        body = self._body(route, function, [*keys, *route.supplied])
        if body is not None:
            result["requestBody"] = body
        return result

    def _parameter(self, parameter: Parameter, place: str) -> Schema:
        schema = _described(_scalar(parameter.type), parameter.type)
        if (default := _default(parameter)) is not None:
            schema["default"] = default
        found = {"name": parameter.name, "in": place, "required": place == "path" or parameter.required}
        if description := schema.pop("description", None) or _QUERY.get(parameter.name):
            found["description"] = description
        return {**found, "schema": schema}

    def _body(self, route: Route, function: Function | None, keys: list[str]) -> Schema | None:
        if route.form:
            return _form(route)
        if route.body is None:
            return None
        parts = dict(route.parts)
        fields: dict[str, _Field] = {}
        if route.fields:
            for name, kind in route.fields:
                fields[name] = _Field(self.catalogue.named(kind), True, False)
        elif route.champs:
            champs = self.catalogue.named(route.champs)
            fields = {a.name: _Field(a.type, False, not self._never_null(champs, a)) for a in champs.attributes}
        else:
            for p in _own(function):
                if p.name not in keys:
                    fields[p.name] = _Field(p.type, p.required, not p.required, _default(p))
        properties = {name: self._field(field, parts.pop(name, None)) for name, field in fields.items()}
        if parts:
            raise CatalogueError(f"{route.method} {route.path} nomme des champs qu'il n'a pas : {', '.join(parts)}.")
        required = [name for name, field in fields.items() if field.required]
        schema = self._keep(route.body, _object(properties, required))
        return {
            "required": bool(required),
            "content": {"application/json": {"schema": schema, "example": _body_example(route.body, fields)}},
        }

    def _field(self, field: _Field, part: str | None) -> Schema:
        schema = self._input(field.type, part)
        if field.default is not None:
            schema["default"] = field.default
        return _nullable(schema) if field.nullable else schema

    def _responses(self, route: Route, function: Function | None) -> Schema:
        responses: Schema = {str(_status(route, function)): self._success(route, function)}
        refusals = {400, 401, 503}
        if route.permission:
            refusals |= {403}
        if "{" in route.path or route.media:
            refusals |= {404}
        if route.method != "GET":
            refusals |= {404, 409, 413, 415, 422}
        if route.path in THROTTLES:
            refusals |= {429}
        if route.media == STORED:
            responses["304"] = {"description": "Inchangé depuis l'ETag de If-None-Match"}
        for status in sorted(refusals):
            responses[str(status)] = {"$ref": f"#/components/responses/Refus{status}"}
        return responses

    def _with_files(self, route: Route, responses: Schema) -> Schema:
        for kind in route.formats:
            responses["200"]["content"][MEDIA[kind]] = {"schema": {"type": "string", "format": "binary"}}
        return responses

    def _success(self, route: Route, function: Function | None) -> Schema:
        if route.media is not None:
            return {"description": "Fait", "content": {kind: {"schema": _BINARY} for kind in route.media.split(", ")}}
        if route.answer is not None:
            name = route.answer.__name__
            _, defs = msgspec.json.schema_components([route.answer], ref_template="#/components/schemas/{name}")
            for part, schema in defs.items():
                self._keep(part, schema)
            return _content({"$ref": f"#/components/schemas/{name}"})
        if function is not None and function.returns.name == "void" and route.method == "DELETE":
            return {"description": "Fait"}
        headers: tuple[str, ...] = ("Idempotency-Replayed",) if route.method == "POST" and not route.public else ()
        if function is None or function.returns.name == "void":
            return _content({"type": "object", "maxProperties": 0}, headers)
        schema = self._output(function.returns)
        if not function.returns_set:
            return _content(schema, headers)
        paged = any(parameter.name == "offset" for parameter in function.parameters)
        return _content({"type": "array", "items": schema}, headers + LIST_HEADERS if paged else headers)

    def _input(self, kind: PgType, part: str | None = None) -> Schema:
        if kind.kind == "array" and kind.element:
            return {"type": "array", "items": self._input(kind.element, part)}
        if kind.kind == "composite":
            name = part or f"{kind.component}Dto"
            properties = {a.name: self._member(a) for a in kind.attributes}
            return self._keep(name, _object(properties, [a.name for a in kind.attributes if a.required], kind.comment))
        if f"{kind.schema}.{kind.name}" == PASSWORD:
            return {"type": "string", "format": "password", "minLength": 8, "maxLength": 72}
        schema = _scalar(kind)
        if kind.root.name in ("int8", "int4", "int2", "numeric"):
            # A pattern speaks of texts only, a bound of numbers only.
            whole = kind.root.name != "numeric"
            schema = {
                "type": ["string", "integer" if whole else "number"],
                "pattern": _WHOLE if whole else _DECIMAL,
                **_bounds(kind),
            }
        return _described(schema, kind)

    def _member(self, attribute: Attribute) -> Schema:
        schema = self._input(attribute.type)
        if comment := (attribute.comment or "").removeprefix("Obligatoire").lstrip(". "):
            schema = {**schema, "description": comment}
        return schema if attribute.required else _nullable(schema)

    def _output(self, kind: PgType) -> Schema:
        if kind.kind == "composite":
            properties = {a.name: self._attribute(kind, a) for a in kind.attributes}
            schema = _object(properties, list(properties), kind.comment)
            return self._keep(self._name(kind), {**schema, "examples": [example("", kind)]})
        if kind.kind == "array" and kind.element:
            return {"type": "array", "items": self._output(kind.element)}
        return _scalar(kind, wire=True)

    def _attribute(self, owner: PgType, attribute: Attribute) -> Schema:
        schema = self._output(attribute.type)
        first_id = attribute is owner.attributes[0] and attribute.name.startswith("id")
        rows = attribute.type.element is not None and attribute.type.element.kind == "composite"  # wire.py gives []
        if not (first_id or rows or self._never_null(owner, attribute)):
            schema = _nullable(schema)
        return {**schema, "description": attribute.comment} if attribute.comment else schema

    def _never_null(self, owner: PgType, attribute: Attribute) -> bool:
        """A view's column is taken for NOT NULL when the table it is named after has it so.

        PostgreSQL keeps no such mark for views; tests/house/test_openapi.py asks its planner for the proof.
        """
        name = re.sub(r"(_detail)?_vue$|_champs$", "", owner.name)
        if name == owner.name:
            return False
        tables = self._tables.get(name, [])
        tables = [table for table in tables if table.schema == owner.schema] or tables
        return len(tables) == 1 and any(c.name == attribute.name and c.not_null for c in tables[0].attributes)

    def _keep(self, name: str, schema: Schema) -> Schema:
        """The schema under its name, which no other may take."""
        if self.schemas.setdefault(name, schema) != schema:
            raise CatalogueError(f"Deux schémas différents s'appellent {name}.")
        return {"$ref": f"#/components/schemas/{name}"}

    def _name(self, kind: PgType) -> str:
        """facturation.facture_detail_vue → FactureDetail; with its slice where two slices answer with the same name."""
        plain = kind.component
        return plain if self._plain_names[plain] < 2 else camel(kind.schema) + plain


@dataclass(frozen=True, slots=True)
class _Field:
    type: PgType
    required: bool
    nullable: bool
    default: Any = None


def _own(function: Function | None) -> list[Parameter]:
    return function.parameters if function else []


def _status(route: Route, function: Function | None) -> int:
    empty = function is not None and function.returns.name == "void" and route.method == "DELETE"
    return 204 if empty else route.status


def _text(comment: str) -> tuple[str, list[str]]:
    """A comment without its « Refuse : A, B. », and the rules that it names there."""
    before, _, after = comment.partition("Refuse : ")
    return before.strip(), re.findall(r"\b[A-Z][A-Z_]{3,}\b", after)


def _summary(text: str) -> str:
    """The first sentence, as far as its first colon or semicolon."""
    return re.split(r"\.(?:\s|$)|\s[:;]\s", text, maxsplit=1)[0]


def _content(schema: Schema, headers: tuple[str, ...] = ()) -> Schema:
    found: Schema = {"description": "Fait", "content": {"application/json": {"schema": schema}}}
    if headers:
        found["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in headers}
    return found


def _refusal(status: int, text: str, code: str, message: str) -> Schema:
    found = _content({"$ref": "#/components/schemas/Erreur"}, ("Retry-After",) if status in WAIT else ())
    example = {**ERROR["examples"][0], "code": code, "message": message}
    if status != 400:
        del example["details"]
    found["content"]["application/json"]["example"] = example
    return {**found, "description": text}


def _object(properties: Schema, required: list[str], comment: str | None = None) -> Schema:
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    return {"description": comment, **schema} if comment else schema


def _nullable(schema: Schema) -> Schema:
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    if "type" not in schema:
        return schema  # anything, null too
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    found = {**schema, "type": [*types, "null"]}
    if "enum" in found:
        found["enum"] = [*found["enum"], None]
    return found


def _described(schema: Schema, kind: PgType) -> Schema:
    return {**schema, "description": kind.comment} if kind.kind == "domain" and kind.comment else schema


def _composites(kind: PgType) -> Iterator[PgType]:
    """The composite types of an answer, itself included."""
    if kind.element is not None:
        yield from _composites(kind.element)
    elif kind.kind == "composite":
        yield kind
        for attribute in kind.attributes:
            yield from _composites(attribute.type)


_BOUNDS = {">=": "minimum", ">": "exclusiveMinimum", "<=": "maximum", "<": "exclusiveMaximum"}
_WHOLE = r"^-?\d+$"
_DECIMAL = r"^-?\d+(\.\d+)?$"


def _bounds(kind: PgType) -> Schema:
    bounds = {_BOUNDS[c.operator]: c.bound for c in kind.all_checks if c.operator in _BOUNDS}
    return {name: int(bound) if bound == int(bound) else float(bound) for name, bound in bounds.items()}


def _scalar(kind: PgType, wire: bool = False) -> Schema:
    """The JSON form of a scalar; on the wire ids and decimals are texts."""
    if kind.kind == "enum":
        return {"type": "string", "enum": list(kind.labels)}
    root = kind.root.name
    if root == "numeric":
        number = wire and f"{kind.schema}.{kind.name}" in NUMBERS
        return {"type": "number"} if number else {"type": "string", "pattern": _DECIMAL}
    if root == "timestamptz" and not wire:
        return {"type": "string", "anyOf": [{"format": "date-time"}, {"format": "date"}]}
    fixed = _FIXED.get(root)
    if fixed is not None:
        return {**fixed, **(_bounds(kind) if fixed["type"] == "integer" and not wire else {})} if fixed else {}
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
    "int8": {"type": "string", "pattern": _WHOLE},
    "int4": {"type": "integer"},
    "int2": {"type": "integer"},
    "float8": {"type": "number"},
    "bool": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "timestamptz": {"type": "string", "format": "date-time"},
    "time": {"type": "string", "pattern": r"^\d{2}:\d{2}(:\d{2})?$"},
    "uuid": {"type": "string", "format": "uuid"},
    "jsonb": {},
}

# What a query key means, where its type does not say it.
_QUERY = {
    "recherche": "Texte cherché, sans égard à la casse ni aux accents.",
    "sort": "Colonne du tri.",
    "order": "Sens du tri.",
    "du": "Premier jour, compris.",
    "au": "Dernier jour, compris.",
}


def _body_example(body: str, fields: dict[str, _Field]) -> Schema:
    """What may be sent as it is: optional references and days are left out, they name what may not exist."""
    shown = {
        name: field.type
        for name, field in fields.items()
        if field.required or not (name.startswith("id_") or name == "date") or name == "id_activite"
    }
    kinds = shown or {name: field.type for name, field in fields.items()}
    return {name: example(f"{entity(body)}.{name}", kind) for name, kind in kinds.items()}


def _default(parameter: Parameter) -> Any:
    """The default as JSON, when it is a constant."""
    found = re.fullmatch(r"'([^']*)'(?:::.+)?|(true|false|-?[\d.]+)(?:::.+)?", parameter.default or "")
    if found is None:
        return None
    text = found[1] if found[1] is not None else found[2]
    root = parameter.type.root.name
    if root == "bool":
        return text == "true"
    return int(text) if root in ("int4", "int2") else text


_BINARY: Schema = {"type": "string", "format": "binary"}


def _form(route: Route) -> Schema:
    """A multipart body: its file, and fields with the values that each may take."""
    properties = {name: {"type": "string", "enum": list(values)} if values else _BINARY for name, values in route.form}
    schema = _object(properties, list(properties))
    return {
        "required": True,
        "content": {"multipart/form-data": {"schema": schema, "encoding": {"file": {"contentType": STORED}}}},
    }


def _format(route: Route) -> Schema:
    text = "Forme de la réponse. pdf : 503 RENDU_INDISPONIBLE là où le rendu manque."
    schema = {"type": "string", "enum": ["json", *route.formats], "default": "json"}
    return {"name": "format", "in": "query", "required": False, "description": text, "schema": schema}


def _access(route: Route) -> str:
    if route.public:
        throttle = THROTTLES.get(route.path)
        limit = f" Au plus {throttle.limit} requêtes en {throttle.seconds} s par adresse." if throttle else ""
        return f"Accès : public.{limit}"
    if route.permission:
        return f"Permission : {route.permission.replace('|', ' ou ')}."
    return "Accès : tout utilisateur connecté."


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
        "/api/v1": get("racine", "Nom du service", {"200": _content(ROOT)}),
        "/api/v1/health/live": get("health_live", "Le service vit", {"200": health}),
        "/api/v1/health/ready": get("health_ready", "Base et magasin répondent", both),
        "/api/v1/health": get("health", "État d'ensemble", both),
        "/metrics": get(
            "metrics",
            "Mesures pour Prometheus",
            {"200": {"description": "Fait", "content": {"text/plain": {"schema": {"type": "string"}}}}},
        ),
    }
