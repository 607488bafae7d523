"""Rehearses a write and compares: no table changes, and the real write made right after answers the same."""

import re
from typing import Any

import httpx

from tests.conftest import Db

PREFER = {"Prefer": "tx=rollback"}
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
# A statement in a savepoint gives each row that it writes a younger transaction id than every row had before.
_TABLES = """select format('select %L as name, concat(count(*), '' '', min(age(xmin))) as state from %s',
                           c.oid::regclass, c.oid::regclass) as query
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
 where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'"""


def tables(db: Db) -> dict[str, str | None]:
    """Return a text for each table that changes with each write, however small, and that a rollback restores."""
    queries = [row["query"] for row in db.all(_TABLES)]
    return {row["name"]: row["state"] for row in db.all(" union all ".join(queries))}


def unlike(rehearsal: httpx.Response, real: httpx.Response) -> str | None:
    """Return the difference between the two answers, apart from ids, instants and secrets; None without one."""
    first, second = _answer(rehearsal), _answer(real)
    return None if first == second else f"rehearsed {first}\n     real {second}"


def _answer(answer: httpx.Response) -> tuple[int, Any]:
    return answer.status_code, _comparable(answer.json()) if answer.content else None


def _comparable(value: Any, name: str = "") -> Any:
    if name in ("id", "requestId", "secret", "chemin", "empreinte") or name.startswith("id_"):
        return name if value is not None else None
    if isinstance(value, dict):
        return {key: _comparable(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [_comparable(item, name) for item in value]
    return _INSTANT.sub("an instant", value) if isinstance(value, str) else value
