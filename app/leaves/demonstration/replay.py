"""The clock of the demonstration: a scratch database in which the operations read the time from a setting.

No operation takes the time of a sale or of a closing as an argument, so the demonstration cannot pass one. It loads
sql/ with `demo.maintenant()` in place of now(), plays each day in order, and restores the real code and defaults.
`schema.drift` then proves that no trace of this clock is left.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from psycopg.types.json import set_json_dumps, set_json_loads

from app.database import schema
from app.database.release import SLICES, SchemaError
from app.leaves.demonstration.calls import Calls

_NOW = re.compile(r"\b(?:now|clock_timestamp)\(\)")
_CLOCK = """
create schema demo;
create function demo.maintenant() returns timestamptz language sql stable parallel safe
return current_setting('demo.instant')::timestamptz;
grant usage on schema demo to public;
"""
_DEFAULTS = """
select format('alter table %%s alter column %%I set default ', c.oid::regclass, a.attname),
       pg_get_expr(d.adbin, d.adrelid)
  from pg_attrdef d
  join pg_class c on c.oid = d.adrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on (a.attrelid, a.attnum) = (d.adrelid, d.adnum)
 where n.nspname = any(%s) and a.attgenerated = ''
   and pg_get_expr(d.adbin, d.adrelid) in ('now()', 'clock_timestamp()')
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


class Actor:
    """Calls operations as a user at an instant. Arguments have the names of the parameters without p_."""

    def __init__(self, connection: schema.Session) -> None:
        set_json_loads(partial(json.loads, parse_float=Decimal), connection)  # amounts are never floats
        set_json_dumps(partial(json.dumps, default=str), connection)
        self._cursor = connection.cursor()
        self._calls = Calls(connection)

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
        call, values = self._calls.sql(function, arguments)
        query = f"select to_jsonb(r) from {call} r"  # noqa: S608 - names of the demonstration
        return [row for (row,) in self._cursor.execute(query, values)]
