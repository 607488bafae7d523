"""Code refers only to objects of its own folder of sql/ or of an earlier one: FOLDERS in app/database/release.py.

The catalogue lists the objects whose names a body may contain: functions, views, composite types and triggers. If the
server has plpgsql_check, the test adds the references that its parser finds in PL/pgSQL.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.database.release import FOLDERS, HERE, SLICES
from tests.conftest import Db
from tests.house.rule import holds

# Users read their scope from the first two tables, so the tables rank with the users. An expense names the account
# outside the tills that pays.
PLACES_OF_TABLES = {"finances.caisse": "auth", "finances.affectation_caisse": "auth", "tresorerie.compte": "finances"}

_CREATED = re.compile(
    r"^(?:create (?:function|procedure|view|type|domain|table) "
    r"|call core\.(?:liste(?:_entiere)?|detail|creation|modification|retrait|renoncement|verrouillage)\(\s*'"
    r"|call client\.(?:liste|detail)_du_portail\(\s*')"
    r"([a-z_]+\.[a-z0-9_]+)",
    re.MULTILINE,
)
_CHANGED = re.compile(r"^call core\.modification\('([a-z_]+\.[a-z0-9_]+)_modifier'", re.MULTILINE)
_TRIGGER = re.compile(r"^create (?:constraint )?trigger ([a-z0-9_]+)\s[^;]*?\son ([a-z_]+\.[a-z0-9_]+)", re.MULTILINE)
_NAME = re.compile(rf"\b((?:{'|'.join(SLICES)})\.[a-z_][a-z0-9_]*)")
# A name in a literal counts only where PostgreSQL or core._liste looks it up.
_LITERAL = re.compile(r"(core\._liste\(\s*|pg_get_serial_sequence\(\s*)?'((?:[^']|'')*)'(::regclass)?")

_OBJECTS = """
select n.nspname || '.' || p.proname as name, true as is_code
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = any(%(slices)s)
union
select n.nspname || '.' || c.relname, c.relowner <> 'comptoir_owner'::regrole
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
 where n.nspname = any(%(slices)s) and c.relkind in ('r', 'p', 'v', 'c')
union
select n.nspname || '.' || t.typname, t.typowner <> 'comptoir_owner'::regrole
  from pg_type t join pg_namespace n on n.oid = t.typnamespace
 where n.nspname = any(%(slices)s) and t.typtype in ('e', 'd')
"""
_BODIES = """
select n.nspname || '.' || p.proname as name,
       concat_ws(' ', case when p.prosqlbody is null then p.prosrc else pg_get_functiondef(p.oid) end,
                 pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)) as body
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = any(%(slices)s)
union all
select n.nspname || '.' || c.relname, pg_get_viewdef(c.oid)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = any(%(slices)s) and c.relkind = 'v'
union all
select n.nspname || '.' || c.relname, string_agg(format_type(a.atttypid, a.atttypmod), ' ')
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
 where n.nspname = any(%(slices)s) and c.relkind = 'c' group by 1
"""
_TRIGGERS = """
select t.tgname as name, m.nspname || '.' || c.relname as on_table, n.nspname || '.' || p.proname as calls,
       pg_get_triggerdef(t.oid) as body
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid join pg_namespace m on m.oid = c.relnamespace
  join pg_proc p on p.oid = t.tgfoid join pg_namespace n on n.oid = p.pronamespace
 where n.nspname = any(%(slices)s) and not t.tgisinternal
"""
# plpgsql_check cannot resolve transition tables. The names in the bodies of such triggers are still read. It follows
# the view of audit._ruptures to the tables of every slice; the view is made after the slices (sql/audit/_chaine.sql).
_PARSED = """
select f.name, d.schema || '.' || d.name as target
  from (select p.oid, n.nspname || '.' || p.proname as name, coalesce(t.tgrelid, 0) as relation
          from pg_proc p
          join pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
          join pg_namespace n on n.oid = p.pronamespace
          left join pg_trigger t on t.tgfoid = p.oid
         where n.nspname = any(%(slices)s) and (t.oid is not null or p.prorettype <> 'trigger'::regtype)
           and coalesce(t.tgoldtable, t.tgnewtable) is null and p.prorettype <> 'anyelement'::regtype
           and p.oid <> 'audit._ruptures'::regproc
        offset 0) f
 cross join lateral plpgsql_show_dependency_tb(f.oid, f.relation) d
 where d.schema = any(%(slices)s) and d.type in ('FUNCTION', 'RELATION')
"""

# Functions that a loop creates while the code is loaded, by the file that creates them.
GENERATED = {
    r"evenement\._\w+_json": "evenement/_ligne.sql",
    r"audit\._t\d\d_journal_(insertion|modification)_\w+": "audit/_journal.sql",
}


@dataclass(frozen=True, order=True)
class Arrow:
    name: str
    target: str
    file: str

    def __str__(self) -> str:
        return f"{self.file}: {self.name} → {self.target}"


class Order:
    """The file and the rank of each function, view, type, trigger and table of a database.

    The session is new: plpgsql_check corrupts the plans of functions that an older session has run.
    """

    def __init__(self, db: Db, folders: tuple[str, ...] = FOLDERS) -> None:
        self._db, self._folders = db, folders
        self._files: dict[str, Path] = {}
        for path in HERE.code_files():
            text = path.read_text()
            self._files |= dict.fromkeys(_CREATED.findall(text), path)
            self._files |= {f"{entity}_champs": path for entity in _CHANGED.findall(text)}
            self._files |= {f"{table}.{name}": path for name, table in _TRIGGER.findall(text)}
        self._objects = {row["name"]: row["is_code"] for row in self._rows(_OBJECTS)}
        for pattern, file in GENERATED.items():
            created = (name for name in self._objects if re.fullmatch(pattern, name))
            self._files |= dict.fromkeys(created, HERE.code / file)

    def climbing(self) -> list[Arrow]:
        arrows = {
            Arrow(name, target, str(file.relative_to(HERE.root)))
            for name, file, target in self._references()
            if self._rank(target) > self._folders.index(_folder(file))
        }
        return sorted(arrows)

    def unplaced(self) -> list[str]:
        """Return the code that no file creates under its name."""
        return sorted(name for name, is_code in self._objects.items() if is_code and name not in self._files)

    def _references(self) -> Iterator[tuple[str, Path, str]]:
        for row in self._rows(_BODIES):
            for target in self._names(row["body"]) - {row["name"]}:
                yield row["name"], self._files[row["name"]], target
        for row in self._rows(_TRIGGERS):
            # A trigger that a loop creates on every table ranks with its function; its table does not count.
            written = self._files.get(f"{row['on_table']}.{row['name']}")
            for target in self._names(row["body"]) - (set() if written else {row["on_table"]}):
                yield f"{row['on_table']}, {row['name']}", written or self._files[row["calls"]], target
        if self._db.one("select count(*) from pg_available_extensions where name = 'plpgsql_check'"):
            self._db.execute("create extension if not exists plpgsql_check")
            for row in self._rows(_PARSED):
                if row["target"] in self._objects:  # skips sequences
                    yield row["name"], self._files[row["name"]], row["target"]

    def _names(self, body: str | None) -> set[str]:
        text = re.sub(r"--[^\n]*", "", body or "")
        text = _LITERAL.sub(lambda match: match[2] if match[1] or match[3] else "", text)
        return set(_NAME.findall(text)) & set(self._objects)

    def _rank(self, name: str) -> int:
        if name in self._files:
            return self._folders.index(_folder(self._files[name]))
        return self._folders.index(PLACES_OF_TABLES.get(name, name.partition(".")[0]))

    def _rows(self, query: str) -> list[dict[str, str]]:
        return list(self._db.all(query, {"slices": list(SLICES)}))


def _folder(file: Path) -> str:
    folder = file.parent.parent if file.parent.name == "portail" else file.parent
    return str(folder.relative_to(HERE.code))


def test_code_refers_to_no_later_folder(committed: Db) -> None:
    holds(
        "code refers only to its own folder of sql/ or to an earlier one (FOLDERS in app/database/release.py)",
        Order(committed).climbing(),
        "move the named object down if it refers to nothing later; else hang a trigger from the later slice on the "
        "earlier table; else put the operation into the folder au_dessus of its slice (docs/decisions/0040)",
    )
    # With the folders reversed, every reference to an earlier folder breaks the rule.
    written = Arrow("finances._facture_annuler", "facturation.facture", "sql/finances/_facture_annuler.sql")
    assert written in Order(committed, FOLDERS[::-1]).climbing()


def test_every_object_of_code_has_a_file_that_creates_it(committed: Db) -> None:
    assert Order(committed).unplaced() == []


def test_code_is_in_the_folder_of_its_schema() -> None:
    """The file of schema.name is under sql/schema. Four types of the settlement keep the name that the API shows. Six
    twins of the past are not generated."""
    strays = {
        name
        for path in HERE.code_files()
        for name in _CREATED.findall(path.read_text())
        if _folder(path).partition("/")[0] != name.partition(".")[0]
    }
    types = {"facturation.ligne_entree", "facturation.reglement"}
    types |= {"facturation.source_a_regler", "facturation.sources_reglees"}
    closed = {f"passe.compta__{name}" for name in ("periode", "exercice_clos", "ecriture", "cumul")}
    assert strays == types | closed | {"passe.core__aujourdhui", "passe.core___liste"}


def test_foreign_keys_point_to_the_same_or_an_earlier_slice(db: Db) -> None:
    rows = db.all(
        """select k.conname, k.conrelid::regclass::text as source, k.confrelid::regclass::text as target
             from pg_constraint k
             join pg_class c on c.oid = k.conrelid join pg_namespace a on a.oid = c.relnamespace
            where k.contype = 'f' and a.nspname = any(%(slices)s)""",
        {"slices": list(SLICES)},
    )
    assert rows

    def rank(table: str) -> int:
        return FOLDERS.index(PLACES_OF_TABLES.get(table, table.partition(".")[0]))

    assert not [row for row in rows if rank(row["target"]) > rank(row["source"])]
