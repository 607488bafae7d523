"""The named schemas: composite types, as they come in and as they go out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from app.database.catalogue import Attribute, Catalogue, CatalogueError, PgType, camel
from app.http.route import RouteTable
from app.openapi.examples import Examples
from app.openapi.forms import DECIMAL, WHOLE, Schema, bounds, described, nullable, record, scalar


class Schemas:
    """Each schema that an operation asked for, kept under its name."""

    def __init__(self, table: RouteTable, catalogue: Catalogue) -> None:
        self.examples = Examples(table.examples)
        self.named: dict[str, Schema] = {}
        functions = [catalogue.functions[route.function] for route in table.routes if route.function]
        answered = {id(kind): kind for f in functions for kind in composites(f.returns)}
        self._plain_names = Counter(kind.component for kind in answered.values())

    def input(self, kind: PgType, part: str | None = None) -> Schema:
        if kind.kind == "array" and kind.element:
            return {"type": "array", "items": self.input(kind.element, part)}
        if kind.kind == "composite":
            name = part or f"{kind.component}Dto"
            properties = {a.name: self._member(a) for a in kind.attributes}
            return self.keep(
                name, record(properties, [a.name for a in kind.attributes if not a.nullable], kind.comment)
            )
        if kind.clear is not None:
            return {**scalar(kind.clear), "format": "password"}
        schema = scalar(kind)
        if kind.root.name in ("int8", "int4", "int2", "numeric"):
            # A pattern speaks of texts only, a bound of numbers only.
            whole = kind.root.name != "numeric"
            schema = {
                "type": ["string", "integer" if whole else "number"],
                "pattern": WHOLE if whole else DECIMAL,
                **bounds(kind),
            }
        return described(schema, kind)

    def _member(self, attribute: Attribute) -> Schema:
        schema = self.input(attribute.type)
        if attribute.comment:
            schema = {**schema, "description": attribute.comment}
        return nullable(schema) if attribute.nullable else schema

    def output(self, kind: PgType) -> Schema:
        if kind.kind == "composite":
            properties = {a.name: self._attribute(a) for a in kind.attributes}
            schema = record(properties, list(properties), kind.comment)
            return self.keep(self._name(kind), {**schema, "examples": [self.examples.value("", kind)]})
        if kind.kind == "array" and kind.element:
            return {"type": "array", "items": self.output(kind.element)}
        return scalar(kind, wire=True)

    def _attribute(self, attribute: Attribute) -> Schema:
        schema = self.output(attribute.type)
        if attribute.nullable:
            schema = nullable(schema)
        return {**schema, "description": attribute.comment} if attribute.comment else schema

    def _name(self, kind: PgType) -> str:
        """facturation.facture_detail_vue → FactureDetail; with its slice where two slices answer with the same name."""
        plain = kind.component
        return plain if self._plain_names[plain] < 2 else camel(kind.schema) + plain

    def keep(self, name: str, schema: Schema) -> Schema:
        """The schema under its name, which no other may take."""
        if self.named.setdefault(name, schema) != schema:
            raise CatalogueError(f"Deux schémas différents s'appellent {name}.")
        return {"$ref": f"#/components/schemas/{name}"}


def composites(kind: PgType) -> Iterator[PgType]:
    """The composite types of an answer, itself included."""
    if kind.element is not None:
        yield from composites(kind.element)
    elif kind.kind == "composite":
        yield kind
        for attribute in kind.attributes:
            yield from composites(attribute.type)
