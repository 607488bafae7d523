"""JSON Schemas without a name: scalars by their SQL types, and helpers for all schemas."""

import re
from typing import Any

from app.database.catalogue import Parameter, PgType

Schema = dict[str, Any]

WHOLE = r"^-?\d+$"
DECIMAL = r"^-?\d+(\.\d+)?$"
BINARY: Schema = {"type": "string", "format": "binary"}
_BOUNDS = {">=": "minimum", ">": "exclusiveMinimum", "<=": "maximum", "<": "exclusiveMaximum"}
_FIXED: dict[str, Schema] = {
    "int8": {"type": "string", "pattern": WHOLE},
    "int4": {"type": "integer"},
    "int2": {"type": "integer"},
    "float8": {"type": "number"},
    "bool": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "timestamptz": {"type": "string", "format": "date-time"},
    "time": {"type": "string", "pattern": r"^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"},
    "uuid": {"type": "string", "format": "uuid"},
    "json": {},
    "jsonb": {},
}
_MAPS: dict[str, Schema] = {  # free JSON that has a shape
    "core.nombres_par_cle": {"type": "integer"},
    "core.montants_par_cle": {"type": "string", "pattern": DECIMAL},
    "core.chiffres_par_cle": {
        "anyOf": [
            {"type": "string", "pattern": DECIMAL},
            {"type": "integer"},
            {"type": "object", "additionalProperties": {"type": "integer"}},
        ]
    },
    "core.objet": {},
    "core.donnees": {"type": ["string", "number", "boolean", "null"]},
}


def scalar(pg_type: PgType, wire: bool = False) -> Schema:
    """The schema of a scalar: in an answer (`wire`), where ids and decimals are strings, or in a request."""
    if pg_type.kind == "enum":
        return {"type": "string", "enum": list(pg_type.labels)}
    if (values := _MAPS.get(f"{pg_type.schema}.{pg_type.name}")) is not None:
        return {"type": "object", "additionalProperties": values}
    root = pg_type.root.name
    if root == "numeric":
        number = wire and pg_type.form == "r"
        return {"type": "number"} if number else {"type": "string", "pattern": DECIMAL if wire else written(pg_type)}
    if root == "timestamptz" and not wire:
        return {"anyOf": [{"type": "string", "format": name} for name in ("date-time", "date")]}
    fixed = _FIXED.get(root)
    if fixed is not None:
        return {**fixed, **(bounds(pg_type) if fixed["type"] == "integer" and not wire else {})} if fixed else {}
    schema: Schema = {"type": "string"}
    if not wire:
        for check in pg_type.all_checks:
            if check.pattern:
                schema["pattern"] = check.source
            elif check.operator in ("length <=", "size <="):  # a character has at least one byte
                schema["maxLength"] = int(check.bound)
            elif check.operator == "length >=":
                schema["minLength"] = int(check.bound)
    return schema


def written(pg_type: PgType) -> str:
    """The pattern of a number in the text of a request. A number that is never negative has no sign."""
    pattern = DECIMAL if pg_type.root.name == "numeric" else WHOLE
    negative = all(check.operator not in (">=", ">") or check.bound < 0 for check in pg_type.all_checks)
    return pattern if negative else pattern.replace("-?", "")


def bounds(pg_type: PgType) -> Schema:
    values = {_BOUNDS[c.operator]: c.bound for c in pg_type.all_checks if c.operator in _BOUNDS}
    return {name: int(bound) if bound == int(bound) else float(bound) for name, bound in values.items()}


def constant(parameter: Parameter) -> Any:
    """The default as a JSON value, or None when it is no constant."""
    match = re.fullmatch(r"'([^']*)'(?:::.+)?|(true|false|-?[\d.]+)(?:::.+)?", parameter.default or "")
    if match is None:
        return None
    text = match[1] if match[1] is not None else match[2]
    root = parameter.type.root.name
    if root == "bool":
        return text == "true"
    return int(text) if root in ("int4", "int2") else text


def described(schema: Schema, pg_type: PgType) -> Schema:
    return {**schema, "description": pg_type.comment} if pg_type.kind == "domain" and pg_type.comment else schema


def nullable(schema: Schema) -> Schema:
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], {"type": "null"}]}
    if "type" not in schema:
        return schema  # it already allows null
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    result = {**schema, "type": [*types, "null"]}
    if "enum" in result:
        result["enum"] = [*result["enum"], None]
    return result


def record(properties: Schema, required: list[str], comment: str | None = None) -> Schema:
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    return {"description": comment, **schema} if comment else schema


def content(schema: Schema, names: tuple[str, ...] = ()) -> Schema:
    response: Schema = {"description": "Fait", "content": {"application/json": {"schema": schema}}}
    if names:
        response["headers"] = header_refs(names)
    return response


def header_refs(names: tuple[str, ...]) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}
