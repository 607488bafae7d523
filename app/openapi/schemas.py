"""The named schemas: composite types, as input and as output."""

from collections import Counter
from collections.abc import Iterator

from app.database.catalogue import Attribute, Catalogue, CatalogueError, PgType, camel
from app.http.route import RouteTable
from app.openapi.examples import Examples
from app.openapi.forms import Schema, bounds, described, nullable, record, scalar, written


class Schemas:
    """Collects the named schemas of all operations."""

    def __init__(self, table: RouteTable, catalogue: Catalogue) -> None:
        self.examples = Examples(table.examples)
        self.named: dict[str, Schema] = {}
        returned = [catalogue.functions[route.function].returns for route in table.routes if route.function]
        answered = {id(pg_type): pg_type for answer in returned for pg_type in composites(answer)}
        self._plain_names = Counter(pg_type.component for pg_type in answered.values())
        shown = [*returned, *(event.form for event in catalogue.events)]
        self._wholes = {id(pg_type) for answer in shown for pg_type in wholes(answer)}

    def input(self, pg_type: PgType, part: str | None = None) -> Schema:
        if pg_type.kind == "array" and pg_type.element:
            return {"type": "array", "items": self.input(pg_type.element, part)}
        if pg_type.kind == "composite":
            name = part or f"{pg_type.component}Dto"
            properties = {a.name: self._member(a) for a in pg_type.attributes}
            return self.register(
                name, record(properties, [a.name for a in pg_type.attributes if not a.nullable], pg_type.comment)
            )
        if pg_type.clear is not None:
            return {**scalar(pg_type.clear), "format": "password"}
        schema = scalar(pg_type)
        if pg_type.root.name in ("int8", "int4", "int2", "numeric"):
            # JSON Schema applies a pattern only to strings and a bound only to numbers.
            number = "number" if pg_type.root.name == "numeric" else "integer"
            schema = {"type": ["string", number], "pattern": written(pg_type), **bounds(pg_type)}
        return described(schema, pg_type)

    def _member(self, attribute: Attribute) -> Schema:
        schema = self.input(attribute.type)
        if attribute.comment:
            schema = {**schema, "description": attribute.comment}
        return nullable(schema) if attribute.nullable else schema

    def output(self, pg_type: PgType) -> Schema:
        if pg_type.kind == "composite":
            absent = {a.name for a in pg_type.attributes if pg_type.sparse and a.nullable}
            properties = {a.name: self._attribute(a, a.nullable and not pg_type.sparse) for a in pg_type.attributes}
            schema = record(properties, [name for name in properties if name not in absent], pg_type.comment)
            if id(pg_type) in self._wholes:  # the example of a part is in the example of the whole
                schema["examples"] = [self.examples.value("", pg_type)]
            return self.register(self._name(pg_type), schema)
        if pg_type.kind == "array" and pg_type.element:
            return {"type": "array", "items": self.output(pg_type.element)}
        if pg_type.forms:
            forms = {id(form): form for form in pg_type.forms.values()}
            return {"anyOf": [self.output(form) for form in forms.values()]}
        return scalar(pg_type, wire=True)

    def _attribute(self, attribute: Attribute, may_be_null: bool) -> Schema:
        schema = self.output(attribute.type)
        if may_be_null:
            schema = nullable(schema)
        return {**schema, "description": attribute.comment} if attribute.comment else schema

    def _name(self, pg_type: PgType) -> str:
        """facturation.facture_detail_vue → FactureDetail. The slice is added if two slices have the same name."""
        plain = pg_type.component
        return plain if self._plain_names[plain] < 2 else camel(pg_type.schema) + plain

    def register(self, name: str, schema: Schema) -> Schema:
        """Register a schema under its name and return a reference. Raises CatalogueError if the name is taken."""
        if self.named.setdefault(name, schema) != schema:
            raise CatalogueError(f"Deux schémas différents s'appellent {name}.")
        return {"$ref": f"#/components/schemas/{name}"}


def composites(pg_type: PgType) -> Iterator[PgType]:
    """The composite types in the type of an answer, including itself."""
    for whole in wholes(pg_type):
        yield whole
        for attribute in whole.attributes:
            yield from composites(attribute.type)


def wholes(pg_type: PgType) -> Iterator[PgType]:
    """The composite types that an answer is, or is a list or a choice of."""
    if pg_type.element is not None:
        yield from wholes(pg_type.element)
    elif pg_type.kind == "composite":
        yield pg_type
    for form in pg_type.forms.values():
        yield from wholes(form)
