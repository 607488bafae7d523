"""The clock of the demonstration: a scratch database in which the operations read the time from a setting.

No operation takes the time of a sale or of a closing as an argument, so the demonstration cannot pass one. It loads
sql/ with `demo.maintenant()` in place of now(), plays each day in order, and restores the real code and defaults.
`schema.drift` then proves that no trace of this clock is left.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

import psycopg
from psycopg.rows import tuple_row
from psycopg.types.json import Jsonb, set_json_dumps, set_json_loads

from app.database import schema
from app.database.release import SLICES, SchemaError

_NOW = re.compile(r"\b(?:now|clock_timestamp)\(\)")
_CLOCK = """
create schema demo;
create function demo.maintenant() returns timestamptz language sql stable parallel safe
return current_setting('demo.instant')::timestamptz;
grant usage on schema demo to public;
"""
_DEFAULTS = """
select format('alter table %%I.%%I alter column %%I set default ', table_schema, table_name, column_name),
       column_default
  from information_schema.columns
 where table_schema = any(%s) and column_default in ('now()', 'clock_timestamp()')
"""
# The parameters of a function.
_TYPES = """
select unnest(proargnames), format_type(unnest(proargtypes::oid[]), null) from pg_proc where oid = %s::regproc
"""


@contextmanager
def replayed(url: str) -> Iterator[None]:
    """Inside this context, the setting `demo.instant` is the current time of this new scratch database."""
    # Every load after the first stores the same grants in another order. The last load below must change nothing.
    for reload in (False, True):
        schema.migrate(url, lambda _: None, reload=reload)
    with schema.connect(url, 5.0) as connection:
        connection.execute(_CLOCK)
        defaults = connection.execute(_DEFAULTS, [list(SLICES)]).fetchall()
        for change, _ in defaults:
            connection.execute(change + "demo.maintenant()")
    schema.load_edited(url, lambda text: _NOW.sub("demo.maintenant()", text), lambda _: None)
    yield
    schema.load_edited(url, str, lambda _: None)
    with schema.connect(url, 5.0) as connection:
        for change, expression in defaults:
            connection.execute(change + expression)
        connection.execute("drop schema demo cascade")
    if differences := schema.drift(url):
        raise SchemaError(f"L'horloge de la démonstration a laissé une trace : {differences[0]}")


class Calls:
    """Makes the SQL of a call by the names of its parameters. The tests use it too."""

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


class Actor(Calls):
    """Calls operations as a user at an instant. Arguments have the names of the parameters without p_."""

    def __init__(self, connection: schema.Session) -> None:
        set_json_loads(partial(json.loads, parse_float=Decimal), connection)  # amounts are never floats
        set_json_dumps(partial(json.dumps, default=str), connection)
        super().__init__(connection)

    def at(self, instant: datetime, user: dict[str, Any] | None) -> None:
        """Set the time and the user of the next calls. None means no user."""
        # The events of the former calls are written now, as of that time and of that user, and not at the commit.
        self._cursor.execute("set constraints all immediate; set constraints all deferred")
        self._cursor.execute("select set_config('demo.instant', %s, true)", [instant.isoformat()])
        login = (user["id_utilisateur"], user["role"]) if user else (None, None)
        self._cursor.execute("select core.contexte(%s, %s, '192.0.2.10', 'demonstration')", login)

    def sign_in(self, user: dict[str, Any]) -> None:
        """Open a session of the acting user: what gives lasting power asks for a recent one."""
        session = self(
            "auth.session_ouvrir", id_utilisateur=user["id_utilisateur"], hash="0" * 64, duree=60,
            adresse_ip="192.0.2.10", agent="demonstration",
        )  # fmt: skip
        self._cursor.execute("select set_config('comptoir.famille', %s, true)", [session["famille"]])

    def __call__(self, function: str, **arguments: Any) -> dict[str, Any]:
        return self.rows(function, **arguments)[0]

    def rows(self, function: str, **arguments: Any) -> list[dict[str, Any]]:
        call, values = self.sql(function, arguments)
        return [row for (row,) in self._cursor.execute(f"select to_jsonb(r) from {call} r", values)]
