"""Values for the examples of the document, by entity and field, by field, by domain or by type: examples.json."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from app.database.catalogue import PgType

_VALUES = msgspec.json.decode(Path(__file__).with_name("examples.json").read_bytes())


def entity(name: str) -> str:
    """CreerCaisseDto, MajCaisseDto, CaisseDetail → Caisse"""
    return re.sub(r"^(Creer|Maj)(?=[A-Z])|(Detail)?(Dto)?$", "", name)


class Examples:
    """The example values: EXAMPLES of the modules of routes, then examples.json."""

    def __init__(self, own: Mapping[str, Any]) -> None:
        self._by_name = {**_VALUES["champs"], **own}

    def value(self, name: str, pg_type: PgType) -> Any:
        field = name.rpartition(".")[2]
        if pg_type.forms:
            return self.value("", next(iter(pg_type.forms.values())))
        if pg_type.kind == "array" and pg_type.element:
            return [self.value(name.removesuffix("s"), pg_type.element)]
        if pg_type.kind == "composite":
            owner = entity(pg_type.component)
            return {a.name: self.value(f"{owner}.{a.name}", a.type) for a in pg_type.attributes}
        default = _VALUES["domaines"].get(
            f"{pg_type.schema}.{pg_type.name}", _VALUES["types"].get(pg_type.root.name, "texte")
        )
        value = self._by_name.get(name, self._by_name.get(field, default))
        if pg_type.kind == "enum":
            return value if value in pg_type.labels else pg_type.labels[0]
        return value
