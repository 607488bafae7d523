"""Converts the JSON answer of an operation to tables, typed by the operation's signature.

An object becomes a table of its values (name; value) and one table for each list in it. A list becomes one table.
Nested objects of a row become columns with dotted names.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from app.database.catalogue import PgType
from app.database.words import label

Value = str | int | Decimal | bool | date | datetime | None

OWN = ["champ", "valeur"]  # the columns of the table of an object's own values


@dataclass(slots=True)
class Table:
    title: str
    columns: list[str] = field(default_factory=list)
    rows: list[dict[str, Value]] = field(default_factory=list)
    totals: dict[str, Value] = field(default_factory=dict)  # computed by the database
    length: str = ""  # of the list of which the rows are a page; "2000+" is 2000 or more

    def add(self, row: dict[str, Value]) -> None:
        """Add a row. The group of the rows that have none is « Sans activité »."""
        for name, value in row.items():
            if value is None and name.startswith("id_") and row.get(group := name[3:], "") is None:
                row[group] = f"Sans {label(group).lower()}"
        self.columns += [name for name in row if name not in self.columns]
        self.rows.append(row)

    def lines(self) -> Iterator[list[Value]]:
        """The cells of each row. The cells of `champ` are names, and become words."""
        for row in self.rows:
            yield [label(str(row[name])) if name == "champ" else row.get(name) for name in self.columns]


def tables(answer: Any, pg_type: PgType, title: str) -> list[Table]:
    """The tables of an answer. The table of its own values comes first."""
    if isinstance(answer, list):
        return [_table(title, answer, pg_type)]
    head = Table(title, [*OWN])
    lists: list[Table] = []
    _split("", answer, pg_type, head, lists)
    return [head, *lists] if head.rows else lists


def own_values(tables: list[Table]) -> dict[str, Value]:
    """The values of an object, by name. A list has none."""
    return {str(row["champ"]): row["valeur"] for table in tables if table.columns == OWN for row in table.rows}


def local(value: Value, zone: ZoneInfo) -> Value:
    """An instant as the organisation's local time without a zone: spreadsheets have no time zones."""
    if not isinstance(value, datetime):
        return value
    try:
        return value.astimezone(zone).replace(tzinfo=None)
    except OverflowError:  # the last hours of the year 9999
        return value.isoformat()


def _split(path: str, answer: Any, pg_type: PgType | None, head: Table, lists: list[Table]) -> None:
    types = _types(pg_type)
    for name, value in answer.items():
        inside, inner_type = f"{path}{name}", types.get(name)
        if isinstance(value, dict):
            _split(f"{inside}.", value, inner_type, head, lists)
        elif isinstance(value, list):
            lists.append(_table(inside, value, inner_type and inner_type.element))
        else:
            head.rows.append({"champ": inside, "valeur": typed(value, inner_type)})


def _table(title: str, items: list[Any], pg_type: PgType | None) -> Table:
    table = Table(title, [name for name, inner_type in _types(pg_type).items() if not is_nested(inner_type)])
    for item in items:
        table.add(dict(_flat("", item, pg_type)))
    return table


def _flat(path: str, answer: Any, pg_type: PgType | None) -> Iterator[tuple[str, Value]]:
    if isinstance(answer, dict):
        types = _types(pg_type)
        for name, value in answer.items():
            yield from _flat(f"{path}.{name}" if path else name, value, types.get(name))
    elif isinstance(answer, list) and pg_type and pg_type.element and not is_nested(pg_type.element):
        yield path, ", ".join(map(str, answer)) or None
    elif isinstance(answer, list):
        for position, value in enumerate(answer):
            yield from _flat(f"{path}.{position}" if path else str(position), value, pg_type and pg_type.element)
    elif answer is not None or pg_type is None or not is_nested(pg_type):
        yield path or "valeur", typed(answer, pg_type)


def _types(pg_type: PgType | None) -> dict[str, PgType]:
    return {attribute.name: attribute.type for attribute in pg_type.attributes} if pg_type else {}


def is_nested(pg_type: PgType) -> bool:
    return pg_type.kind in ("composite", "array") or pg_type.root.name == "jsonb"


def typed(value: Any, pg_type: PgType | None) -> Value:
    """Convert a JSON value by its PostgreSQL type. Without a type, a text with two decimals is an amount."""
    if value is None or isinstance(value, bool | int | Decimal):
        return value
    if isinstance(value, float):
        return Decimal(str(value))
    root = pg_type.root.name if pg_type else ""
    if root == "numeric" or (not root and re.fullmatch(r"-?\d{1,15}\.\d\d", value)):
        return Decimal(value)
    if root == "int8":
        return int(value) if len(value) < 16 else value  # a spreadsheet keeps only fifteen digits
    if root == "date" and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return date.fromisoformat(value)
    if root == "timestamptz" and re.fullmatch(r"\d{4}-.*Z", value):
        return datetime.fromisoformat(value)
    return str(value)
