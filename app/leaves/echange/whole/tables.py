"""Tables to CSV and back, by COPY.

The form is one that both COPY and a spreadsheet read: UTF-8 with a BOM, `;`, a header, an empty field for null and `""`
for the empty text. Every other value is in PostgreSQL's own text form, so that it comes back unchanged.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

import psycopg
from psycopg import sql

from app.database.release import SLICES
from app.database.schema import Session
from app.leaves.echange.whole.manifest import Column, ExportError, Folder, TableEntry

BLOCK = 1 << 20  # bytes
BOM = b"\xef\xbb\xbf"
FORM = "format csv, header, delimiter ';', encoding 'UTF8'"
# It describes the loaded code, which each database has of its own. The manifest names the migrations instead.
OF_THE_RELEASE = ("core.empreinte",)
# Rows that describe one installation: its store of backups, its open sessions. They are exported, never imported.
OF_THE_PLACE = ("jobs.sauvegarde", "jobs.restauration", "auth.jeton_rafraichissement", "auth.jeton_reinitialisation")
# Of the transaction: the same text for the same value in every session, and the role that owns the tables.
SETTINGS = """
set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
set local bytea_output = 'hex'; set local extra_float_digits = 1; set local role comptoir_owner
"""
# Tables of the code, such as core.transition, come from sql/. The parts of a partitioned table belong to the whole.
_TABLES = """
select format('%%s.%%s', n.nspname, c.relname),
       array_agg(a.attname order by a.attnum) filter (where a.attgenerated = ''),
       array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) filter (where a.attgenerated = ''),
       coalesce(jsonb_object_agg(a.attname, pg_get_expr(d.adbin, d.adrelid)) filter (where a.attgenerated <> ''), '{}'),
       (select array_agg(k.attname order by array_position(i.indkey::smallint[], k.attnum))
          from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any(i.indkey)
         where i.indrelid = c.oid and i.indisprimary)
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
 where c.relkind in ('r', 'p') and not c.relispartition and c.relowner = 'comptoir_owner'::regrole
   and n.nspname = any(%s)
 group by c.oid, n.nspname, c.relname
 order by array_position(%s, n.nspname::text), c.relname
"""
_REFERENCES = """
select distinct format('%s.%s', n.nspname, c.relname), format('%s.%s', m.nspname, d.relname)
  from pg_constraint f
  join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
  join pg_class d on d.oid = f.confrelid join pg_namespace m on m.oid = d.relnamespace
 where f.contype = 'f' and not f.condeferrable and f.conrelid <> f.confrelid
"""
_SEQUENCES = """
select format('%%I.%%I', schemaname, sequencename), last_value from pg_sequences
 where sequenceowner = 'comptoir_owner' and schemaname = any(%s) order by 1
"""
_SET_SEQUENCE = """
select setval(seqrelid, coalesce(v.last, seqstart), v.last is not null)
  from pg_sequence, (select %s::bigint) v (last) where seqrelid = %s::regclass
"""


@dataclass(frozen=True, slots=True)
class Table:
    name: str  # with its schema
    columns: tuple[Column, ...]
    computed: dict[str, str]
    order: tuple[str, ...]  # columns that give each row its place, so that two exports of the same rows are equal

    @property
    def identifier(self) -> sql.Identifier:
        return sql.Identifier(*self.name.split("."))

    @property
    def column_list(self) -> sql.Composed:
        return _names(column.nom for column in self.columns)


def _names(names: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def read(connection: Session) -> list[Table]:
    """Every table of the business, each after the tables that its rows refer to."""
    rows = connection.execute(_TABLES, [list(SLICES), list(SLICES)]).fetchall()
    tables = {
        name: Table(name, tuple(map(Column, columns, types)), computed, tuple(key or columns))
        for name, columns, types, computed, key in rows
        if name not in OF_THE_RELEASE
    }
    order: TopologicalSorter[str] = TopologicalSorter({name: () for name in tables})
    for table, target in connection.execute(_REFERENCES).fetchall():
        if table in tables and target in tables:
            order.add(table, target)
    return [tables[name] for name in order.static_order()]


def copy_out(connection: Session, table: Table, folder: Folder) -> TableEntry:
    """Write the rows of a table to its file."""
    rows = sql.SQL("select {} from {} order by {}").format(table.column_list, table.identifier, _names(table.order))
    query = sql.SQL("copy ({}) to stdout ({})").format(rows, sql.SQL(FORM))
    cursor, file = connection.cursor(), f"tables/{table.name}.csv"
    with folder.create(file) as write, cursor.copy(query) as copy:
        write(BOM)
        for block in copy:
            write(block)
    return TableEntry(table.name, file, cursor.rowcount, list(table.columns), table.computed)


def copy_in(connection: Session, table: Table, path: Path) -> int:
    """Load the rows of a file into its table, and return their number. COPY ignores the header, and the BOM in it."""
    query = sql.SQL("copy {} ({}) from stdin ({})").format(table.identifier, table.column_list, sql.SQL(FORM))
    cursor = connection.cursor()
    try:
        with path.open("rb") as file, cursor.copy(query) as copy:
            while block := file.read(BLOCK):
                copy.write(block)
    except psycopg.Error as error:
        cause = "; ".join(filter(None, [error.diag.message_primary, error.diag.context])) or str(error).strip()
        raise ExportError(f"{table.name} : PostgreSQL refuse ses lignes ({cause}). Rien n'est écrit.") from error
    return cursor.rowcount


def sequences(connection: Session) -> dict[str, int | None]:
    """The last value of each sequence, or None. Read after the rows: a sequence is never behind its table."""
    return dict(connection.execute(_SEQUENCES, [list(SLICES)]).fetchall())


def set_sequences(connection: Session, values: dict[str, int | None]) -> None:
    """Let every sequence go on after its last value. This is not undone by a rollback, and need not be."""
    connection.cursor().executemany(_SET_SEQUENCE, [(last, name) for name, last in values.items()])
