"""Calls of SQL functions by the names of their parameters, over psycopg. The demonstration and the tests use it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg.rows import tuple_row
from psycopg.types.json import Jsonb

_TYPES = """
select unnest(proargnames), format_type(unnest(proargtypes::oid[]), null) from pg_proc where oid = %s::regproc
"""


class Calls:
    """Makes the SQL of a call. The parameter types of each function are read once."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._cursor = connection.cursor(row_factory=tuple_row)
        self._types: dict[str, dict[str, str]] = {}

    def sql(self, function: str, arguments: Mapping[str, Any]) -> tuple[str, list[Any]]:
        """Return the call with a placeholder for each argument, and the values. Argument names lack the prefix p_."""
        types = self._types.get(function) or self._read(function)
        parts = ", ".join(f"p_{name} => {_placeholder(v, types.get(f'p_{name}', ''))}" for name, v in arguments.items())
        values = [Jsonb(value) if isinstance(value, (dict, list)) else value for value in arguments.values()]
        return f"{function}({parts})", values

    def _read(self, function: str) -> dict[str, str]:
        types = self._types[function] = dict(self._cursor.execute(_TYPES, [function]).fetchall())
        return types


def _placeholder(value: Any, type_name: str) -> str:
    if isinstance(value, dict) and type_name != "jsonb":
        return f"jsonb_populate_record(null::{type_name}, %s)"
    if isinstance(value, list) and type_name != "jsonb":
        element = type_name.removesuffix("[]")
        if value and not isinstance(value[0], dict):
            return f"array(select e::{element} from jsonb_array_elements_text(%s) e)"
        return f"array(select jsonb_populate_record(null::{element}, e) from jsonb_array_elements(%s) e)"
    return "%s"
