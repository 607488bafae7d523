"""docs/schema.md: the tables of each slice drawn from the catalogue, as Mermaid that code hosts and editors show."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import psycopg

from app.database.release import SLICES

AUTHOR = "auth.utilisateur"  # who wrote a row is in nearly every table: its lines would hide all others
SPELLED = {"int2": "smallint", "int4": "integer", "int8": "bigint", "bool": "boolean"}

_TABLES = """
select n.nspname, c.relname, coalesce(obj_description(c.oid, 'pg_class'), ''),
       array(select array[t.typname, a.attname,
                          concat_ws(', ', case when a.attnum = any(p.conkey) then 'PK' end,
                                    case when exists (select from pg_constraint f where f.conrelid = c.oid
                                                       and f.contype = 'f' and a.attnum = any(f.conkey)) then 'FK' end)]
               from pg_attribute a join pg_type t on t.oid = a.atttypid
              where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  left join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
 where c.relkind = 'r' and n.nspname = any(%s) order by array_position(%s, n.nspname::text), c.relname
"""
# A key that is unique here is for one row at most; one that may be null is for none or one there.
_KEYS = """
select n.nspname, c.relname, fn.nspname, fc.relname, string_agg(a.attname, ', ' order by a.attnum),
       exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and i.indpred is null
                  and i.indkey::smallint[] <@ k.conkey),
       bool_and(a.attnotnull)
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  join pg_class fc on fc.oid = k.confrelid join pg_namespace fn on fn.oid = fc.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum = any(k.conkey)
 where k.contype = 'f' and n.nspname = any(%s)
 group by k.oid, c.oid, n.nspname, c.relname, fn.nspname, fc.relname, k.conkey order by 1, 2, 3, 4, 5
"""


def pictures(connection: psycopg.Connection[Any]) -> str:
    """One picture for each slice that has tables: its own with their columns, those it points at by name alone."""
    slices = list(SLICES)
    tables = connection.execute(_TABLES, [slices, slices]).fetchall()
    keys = connection.execute(_KEYS, [slices]).fetchall()
    lines = [
        "# Le schéma en images",
        "",
        "Généré par « comptoir generer » depuis le catalogue. Ne pas modifier. Une image par tranche : ses tables",
        "avec leurs colonnes, et celles des autres tranches qu'elles désignent, par leur nom ; qui a écrit une ligne",
        f"(`{AUTHOR}`) n'y a pas de trait. Le détail : `\\d+`.",
    ]
    for schema, members in groupby(tables, key=lambda row: row[0]):
        own = list(members)
        lines += ["", f"## {schema}", "", "| Table | Ce qu'elle tient |", "|---|---|"]
        lines += [f"| `{schema}.{name}` | {text} |" for _, name, text, _ in own]
        # A page has the width of five tables, and no end of height.
        lines += ["", "```mermaid", "erDiagram", "  direction LR"]
        for _, name, _, columns in own:
            lines.append(f"  {_entity(schema, schema, name)} {{")
            lines += [f"    {SPELLED.get(kind, kind)} {column} {role}".rstrip() for kind, column, role in columns]
            lines.append("  }")
        for here, name, there, target, column, single, required in keys:
            if here == schema and (here == there or f"{there}.{target}" != AUTHOR):
                link = ("||" if required else "|o") + "--" + ("o|" if single else "o{")
                lines.append(f'  {_entity(schema, there, target)} {link} {_entity(schema, here, name)} : "{column}"')
        lines.append("```")
    return "\n".join(lines) + "\n"


def _entity(schema: str, owner: str, name: str) -> str:
    return name if owner == schema else f'"{owner}.{name}"'
