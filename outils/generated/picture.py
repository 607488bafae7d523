"""docs/schema.md: Mermaid diagrams of the tables of each slice, from the catalogue."""

from __future__ import annotations

from itertools import groupby

from app.database.release import SLICES
from app.database.schema import Session

AUTHOR = "auth.utilisateur"  # the author of a row is in nearly every table: its lines would hide all others
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
 where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any(%s)
 order by array_position(%s, n.nspname::text), c.relname
"""
# A unique foreign key means at most one row on this side. A nullable one means zero or one row on the other side.
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


def pictures(connection: Session) -> str:
    """A diagram for each slice with tables: its tables with columns, referenced tables of other slices by name."""
    slices = list(SLICES)
    tables = connection.execute(_TABLES, [slices, slices]).fetchall()
    keys = connection.execute(_KEYS, [slices]).fetchall()
    lines = [
        "# Le schéma en images",
        "",
        "Généré par « python -m outils generer » depuis le catalogue. Ne pas modifier. Une image par tranche : ses",
        "tables avec leurs colonnes, et celles des autres tranches qu'elles désignent, par leur nom ; qui a écrit une",
        f"ligne (`{AUTHOR}`) n'y a pas de trait. Le détail : `\\d+`.",
    ]
    for schema, members in groupby(tables, key=lambda row: row[0]):
        own_tables = list(members)
        lines += ["", f"## {schema}", "", "| Table | Ce qu'elle tient |", "|---|---|"]
        lines += [f"| `{schema}.{name}` | {text} |" for _, name, text, _ in own_tables]
        # From left to right: a page is about five tables wide, and its height is not limited.
        lines += ["", "```mermaid", "erDiagram", "  direction LR"]
        for _, name, _, columns in own_tables:
            lines.append(f"  {_entity(schema, schema, name)} {{")
            lines += [
                f"    {SPELLED.get(type_name, type_name)} {column} {role}".rstrip()
                for type_name, column, role in columns
            ]
            lines.append("  }")
        for here, name, there, target, column, single, required in keys:
            if here == schema and (here == there or f"{there}.{target}" != AUTHOR):
                link = ("||" if required else "|o") + "--" + ("o|" if single else "o{")
                lines.append(f'  {_entity(schema, there, target)} {link} {_entity(schema, here, name)} : "{column}"')
        lines.append("```")
    return "\n".join(lines) + "\n"


def _entity(schema: str, owner: str, name: str) -> str:
    return name if owner == schema else f'"{owner}.{name}"'
