"""The JSON of an operation as tables, typed by its signature.

An object becomes a table of its values (name; value) and one table for each list in it; a list becomes one table.
What is nested in a row is flattened into columns named with dots.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from app.database.catalogue import PgType

Value = str | int | Decimal | bool | date | datetime | None


@dataclass(slots=True)
class Table:
    title: str
    columns: list[str] = field(default_factory=list)
    rows: list[dict[str, Value]] = field(default_factory=list)
    totals: dict[str, Value] = field(default_factory=dict)  # sums that the database made

    def add(self, row: dict[str, Value]) -> None:
        self.columns += [name for name in row if name not in self.columns]
        self.rows.append(row)


def tables(found: Any, kind: PgType, title: str) -> list[Table]:
    """The tables of an answer, the one of its own values first."""
    if isinstance(found, list):
        table = Table(title, [attribute.name for attribute in kind.attributes if not _nested(attribute.type)])
        for item in found:
            table.add(dict(_flat("", item, kind)))
        return [table]
    head = Table(title, ["champ", "valeur"])
    lists: list[Table] = []
    _split("", found, kind, head, lists)
    return [head, *lists] if head.rows else lists


def localise(found: list[Table], zone: ZoneInfo) -> None:
    """Instants become what the organisation's clocks showed: people read files, and spreadsheets know no zones."""
    for table in found:
        for row in table.rows:
            for name, value in row.items():
                if isinstance(value, datetime):
                    row[name] = value.astimezone(zone).replace(tzinfo=None)


def _split(path: str, found: Any, kind: PgType | None, head: Table, lists: list[Table]) -> None:
    kinds = _kinds(kind)
    for name, value in found.items():
        inside, inner = f"{path}{name}", kinds.get(name)
        if isinstance(value, dict):
            _split(f"{inside}.", value, inner, head, lists)
        elif isinstance(value, list):
            element = inner.element if inner else None
            table = Table(inside, [a.name for a in element.attributes if not _nested(a.type)] if element else [])
            for item in value:
                table.add(dict(_flat("", item, element)))
            lists.append(table)
        else:
            head.rows.append({"champ": inside, "valeur": _typed(value, inner)})


def _flat(path: str, found: Any, kind: PgType | None) -> Iterator[tuple[str, Value]]:
    if isinstance(found, dict):
        kinds = _kinds(kind)
        for name, value in found.items():
            yield from _flat(f"{path}.{name}" if path else name, value, kinds.get(name))
    elif isinstance(found, list):
        element = kind.element if kind else None
        for position, value in enumerate(found):
            yield from _flat(f"{path}.{position}" if path else str(position), value, element)
    elif found is not None or kind is None or not _nested(kind):
        yield path or "valeur", _typed(found, kind)


def _kinds(kind: PgType | None) -> dict[str, PgType]:
    return {attribute.name: attribute.type for attribute in kind.attributes} if kind else {}


def _nested(kind: PgType) -> bool:
    return kind.kind in ("composite", "array") or kind.root.name == "jsonb"


def _typed(value: Any, kind: PgType | None) -> Value:
    """A value as its PostgreSQL type has it; in free JSON, amounts are recognised by their two decimals."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return Decimal(str(value))
    root = kind.root.name if kind else ""
    if root == "numeric" or (not root and re.fullmatch(r"-?\d{1,15}\.\d\d", value)):
        return Decimal(value)
    if root == "int8":
        return int(value) if len(value) < 16 else value  # a spreadsheet keeps fifteen digits
    if root == "date" and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return date.fromisoformat(value)
    if root == "timestamptz" and re.fullmatch(r"\d{4}-.*Z", value):
        return datetime.fromisoformat(value)
    return str(value)
