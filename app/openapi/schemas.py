"""The named schemas: composite types, as they come in and as they go out."""

from __future__ import annotations

import re
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
        self._nullity = catalogue.nullity
        self._tables: dict[str, list[PgType]] = {}
        for kind in catalogue.types.values():
            if any(attribute.not_null for attribute in kind.attributes):
                self._tables.setdefault(kind.name, []).append(kind)
        functions = [catalogue.functions[route.function] for route in table.routes if route.function]
        answered = {id(kind): kind for f in functions for kind in _composites(f.returns)}
        self._plain_names = Counter(kind.component for kind in answered.values())

    def input(self, kind: PgType, part: str | None = None) -> Schema:
        if kind.kind == "array" and kind.element:
            return {"type": "array", "items": self.input(kind.element, part)}
        if kind.kind == "composite":
            name = part or f"{kind.component}Dto"
            properties = {a.name: self._member(a) for a in kind.attributes}
            return self.keep(name, record(properties, [a.name for a in kind.attributes if a.required], kind.comment))
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
        if comment := (attribute.comment or "").removeprefix("Obligatoire").lstrip(". "):
            schema = {**schema, "description": comment}
        return schema if attribute.required else nullable(schema)

    def output(self, kind: PgType) -> Schema:
        if kind.kind == "composite":
            properties = {a.name: self._attribute(kind, a) for a in kind.attributes}
            schema = record(properties, list(properties), kind.comment)
            return self.keep(self._name(kind), {**schema, "examples": [self.examples.value("", kind)]})
        if kind.kind == "array" and kind.element:
            return {"type": "array", "items": self.output(kind.element)}
        return scalar(kind, wire=True)

    def _attribute(self, owner: PgType, attribute: Attribute) -> Schema:
        schema = self.output(attribute.type)
        rows = attribute.type.element is not None and attribute.type.element.kind == "composite"  # wire.py gives []
        if not (rows or self.never_null(owner, attribute)):
            schema = nullable(schema)
        return {**schema, "description": attribute.comment} if attribute.comment else schema

    def never_null(self, owner: PgType, attribute: Attribute) -> bool:
        """A field of a composite type is never null unless core.nullite says so; of a view, a column that its table has
        NOT NULL, the first id, and what core.nullite says."""
        declared = self.declared(owner, attribute)
        if declared is not None:
            return not declared
        if not owner.view and not owner.name.endswith("_champs"):
            return True
        if owner.view and attribute is owner.attributes[0] and attribute.name.startswith("id"):
            return True
        return self.proven(owner, attribute)

    def declared(self, owner: PgType, attribute: Attribute) -> bool | None:
        """Whether core.nullite says that it may be null; a detail view says what its view says."""
        names = (owner.name, owner.name.replace("_detail_vue", "_vue"))
        return next(
            (
                found
                for name in names
                if (found := self._nullity.get((f"{owner.schema}.{name}", attribute.name))) is not None
            ),
            None,
        )

    def proven(self, owner: PgType, attribute: Attribute) -> bool:
        """A view's column is taken for NOT NULL when the table it is named after has it so.

        PostgreSQL keeps no such mark for views; tests/house/test_openapi.py asks its planner for the proof.
        """
        name = re.sub(r"(_detail)?_vue$|_champs$", "", owner.name)
        if name == owner.name:
            return False
        tables = self._tables.get(name, [])
        tables = [table for table in tables if table.schema == owner.schema] or tables
        return len(tables) == 1 and any(c.name == attribute.name and c.not_null for c in tables[0].attributes)

    def _name(self, kind: PgType) -> str:
        """facturation.facture_detail_vue → FactureDetail; with its slice where two slices answer with the same name."""
        plain = kind.component
        return plain if self._plain_names[plain] < 2 else camel(kind.schema) + plain

    def keep(self, name: str, schema: Schema) -> Schema:
        """The schema under its name, which no other may take."""
        if self.named.setdefault(name, schema) != schema:
            raise CatalogueError(f"Deux schémas différents s'appellent {name}.")
        return {"$ref": f"#/components/schemas/{name}"}


def _composites(kind: PgType) -> Iterator[PgType]:
    """The composite types of an answer, itself included."""
    if kind.element is not None:
        yield from _composites(kind.element)
    elif kind.kind == "composite":
        yield kind
        for attribute in kind.attributes:
            yield from _composites(attribute.type)
