"""Documents of docs/ generated from the database and the routes. A test compares them with a new generation."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from email.message import Message
from importlib import metadata
from itertools import groupby
from pathlib import Path
from typing import cast

from app import routes
from app.base.settings import ROOT
from app.commands.application import read_catalogue
from app.database import schema
from app.database.catalogue import Catalogue
from app.database.release import SLICES
from app.http.route import Route
from app.routes.check import check_routes

PICTURES = ROOT / "docs/schema.md"
RULES = ROOT / "docs/regles.md"
ACCESS = ROOT / "docs/acces.md"
LICENCES = ROOT / "docs/licences.md"
EVENTS = ROOT / "docs/evenements.md"
LOCK = ROOT / "requirements.lock"


def write(url: str) -> None:
    """Write the files, from a database of these migrations and this code beside the given one."""
    with schema.scratch(url, "comptoir_generer") as database:
        schema.migrate(database, say=lambda _: None)
        for path, text in documents(database).items():
            path.write_text(text)
    LICENCES.write_text(_licences(LICENCES.read_text()))


def documents(url: str) -> dict[Path, str]:
    """File → text, from a database of this release."""
    catalogue, table = read_catalogue(url), routes.load()
    check_routes(table, catalogue)
    with schema.connect(url, 5.0) as connection:
        return {
            PICTURES: _pictures(connection),
            RULES: _rules(connection),
            ACCESS: _access(table.routes, connection),
            EVENTS: _events(catalogue),
        }


def _page(title: str, source: str, lines: Iterable[str]) -> str:
    head = [f"# {title}", "", f"Généré par « python -m outils generer » depuis {source}. Ne pas modifier."]
    return "\n".join([*head, *lines]) + "\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]], centred: int = 0) -> list[str]:
    """A table, and the empty line before it. The last columns may be centred."""
    rule = ["---"] * (len(head) - centred) + [":-:"] * centred
    lines = [f"| {' | '.join(map(str, cells))} |" for cells in (head, *rows)]
    return ["", lines[0], f"|{'|'.join(rule)}|", *lines[1:]]


def _code(names: Iterable[str], between: str = ", ") -> str:
    return between.join(f"`{name}`" for name in names)


# ---- docs/evenements.md


def _events(catalogue: Catalogue) -> str:
    """The page of events, with its table of types written again."""
    mark = "Ne pas modifier la suite. -->\n"
    rows = [
        (f"`{event.type}`", event.permission, event.comment, _code(one.name for one in event.form.attributes))
        for event in catalogue.events
    ]
    table = _table(["Type", "Permission", "Ce qui le fait naître", "Champs de `donnees`"], rows)
    return EVENTS.read_text().partition(mark)[0] + mark + "\n".join(table) + "\n"


# ---- docs/regles.md: every rule with its sentence, raised by functions (core.refuser) or enforced by constraints

_REFUSAL = re.compile(
    r"core\.(?:_t20_)?refuser\(\s*'?(\d{3})'?,\s*'([A-Z_]+)',\s*(?:format\()?\s*'((?:[^']|'')*)'", re.DOTALL
)
_BODIES = """
select n.nspname || '.' || p.proname, p.prosrc from pg_proc p join pg_namespace n on n.oid = p.pronamespace
 where n.nspname = any(%s)
union all
select format('%%s.%%s', t.tgrelid::regclass, t.tgname), pg_get_triggerdef(t.oid)
  from pg_trigger t where t.tgfoid = 'core._t20_refuser'::regproc
 order by 1
"""
_HELD = """
select upper(k.conname), case k.contype when 'c' then 400 when 'f' then 422 else 409 end,
       obj_description(k.oid, 'pg_constraint'),
       case when k.conrelid <> 0 then k.conrelid::regclass::text else k.contypid::regtype::text end
  from pg_constraint k join pg_namespace n on n.oid = k.connamespace
 where n.nspname = any(%s) and obj_description(k.oid, 'pg_constraint') is not null
union all
select upper(c.relname), 409, obj_description(c.oid, 'pg_class'), i.indrelid::regclass::text
  from pg_class c join pg_index i on i.indexrelid = c.oid and i.indisunique
 where obj_description(c.oid, 'pg_class') is not null
 order by 1
"""


def _rules(connection: schema.Session) -> str:
    raised: dict[tuple[str, str], tuple[str, set[str]]] = {}
    for name, body in connection.execute(_BODIES, [list(SLICES)]).fetchall():
        for status, rule, sentence in _REFUSAL.findall(body):
            # An ellipsis stands for each argument of format().
            text = re.sub(r"%[sLI]", "…", sentence.replace("''", "'").replace("%%", "%"))
            raised.setdefault((rule, status), (text, set()))[1].add(name)
    refused = [
        (f"`{rule}`", status, text, _code(sorted(functions)))
        for (rule, status), (text, functions) in sorted(raised.items())
    ]
    held = connection.execute(_HELD, [list(SLICES)])
    enforced = [(f"`{rule}`", status, sentence, f"`{place}`") for rule, status, sentence, place in held]
    lines = ["", "Le champ `code` d'un refus est le nom d'une de ces règles ; `message` est sa phrase."]
    lines += ["", "## Refusées par une opération"]
    lines += _table(["Règle", "Statut", "Phrase", "Fonctions et déclencheurs"], refused)
    lines += ["", "## Tenues par une contrainte", *_table(["Règle", "Statut", "Phrase", "Sur"], enforced)]
    return _page("Les règles", "les fonctions et les contraintes", lines)


# ---- docs/acces.md: the roles that may call each route, and its bounds, from the route table and the seeded roles

_ROLES = """
select r.code, array(select p.code::text from auth.role_permission rp join auth.permission p using (id_permission)
                      where rp.id_role = r.id_role)
  from auth.role r order by r.id_role
"""
_MARKS = """
« ✓ » : le rôle a la permission de la route. Sans elle, la réponse est 403 ; sans jeton, 401.

« Bornes » : un compte lié à une activité, une caisse ou un client n'y voit que ce qui en relève ; la chose
d'un autre lui répond 404, comme si elle n'existait pas. Une caisse emporte les bornes de son activité.
« — » : la chose est de toute l'entreprise. Un compte plus large que le sien ne s'écrit pas : 403,
`POUVOIR_DEPASSE`.

Rôles `R_…` : `RESPONSABLE_…`."""


def _access(table: Iterable[Route], connection: schema.Session) -> str:
    roles = {code: set(permissions) for code, permissions in connection.execute(_ROLES).fetchall()}
    head = ["Route", "Permission", "Bornes", *(role.replace("RESPONSABLE_", "R_") for role in roles)]
    by_slice: dict[str, list[list[str]]] = {}
    for route in table:
        permission, marks = "public" if route.public else "tout compte", ["✓"] * len(roles)
        if route.permission is not None and not route.public:
            accepted = route.permission.split("|")
            permission = _code(accepted, " ou ")
            marks = ["" if codes.isdisjoint(accepted) else "✓" for codes in roles.values()]
        bounds = ", ".join(route.bounds or ()) or "—"
        cells = [f"{route.method} `{route.path.removeprefix('/api/v1')}`", permission, bounds, *marks]
        by_slice.setdefault(route.slice, []).append(cells)
    lines = [_MARKS]
    for name, rows in by_slice.items():
        lines += ["", f"## {name}", *_table(head, rows, centred=len(roles))]
    return _page("Qui accède à quoi", "la table des routes et les rôles livrés", lines)


# ---- docs/licences.md: the licence of each package of the lock file, from the package's metadata


def _licences(before: str) -> str:
    """A package of another Python or system is not installed here and keeps its former row."""
    former = dict(re.findall(r"^\| ([a-z0-9._-]+) \| (.*) \|$", before, re.MULTILINE))
    rows = {name: former[name] for name in _locked() if name in former} | licences()
    table = _table(["Paquet", "Licence"], sorted(rows.items()))
    return _page("Les licences", "les paquets installés de `requirements.lock`", table)


def _locked() -> list[str]:
    return re.findall(r"^([a-z0-9._-]+)==", LOCK.read_text(), re.MULTILINE)


def licences() -> dict[str, str]:
    """The licence of each locked package that is installed."""
    present = {}
    for name in _locked():
        with suppress(metadata.PackageNotFoundError):
            present[name] = _licence(metadata.distribution(name))
    return present


def _licence(package: metadata.Distribution) -> str:
    """The licence expression, else the classifiers, else the first line of the free field or of the licence file."""
    fields = cast(Message, package.metadata)
    if expression := fields.get("License-Expression"):
        return str(expression)
    prefix = "License :: OSI Approved :: "
    texts = [text.removeprefix(prefix) for text in fields.get_all("Classifier", []) if text.startswith(prefix)]
    free = (str(fields.get("License") or "").strip(), (package.read_text("licenses/LICENSE") or "").strip())
    return ", ".join(sorted(texts)) or next((text.partition("\n")[0][:60] for text in free if text), "")


# ---- docs/schema.md: Mermaid diagrams of the tables of each slice, from the catalogue

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
_DRAWN = f"""
Une image par tranche : ses tables avec leurs colonnes, et celles des autres tranches qu'elles désignent, par leur
nom ; qui a écrit une ligne (`{AUTHOR}`) n'y a pas de trait. Le détail : `\\d+`."""


def _pictures(connection: schema.Session) -> str:
    """A diagram for each slice with tables: its tables with columns, referenced tables of other slices by name."""
    slices = list(SLICES)
    tables = connection.execute(_TABLES, [slices, slices]).fetchall()
    keys = connection.execute(_KEYS, [slices]).fetchall()
    lines = [_DRAWN]
    for slice_name, members in groupby(tables, key=lambda row: row[0]):
        own_tables = list(members)
        rows = [(f"`{slice_name}.{name}`", text) for _, name, text, _ in own_tables]
        lines += ["", f"## {slice_name}", *_table(["Table", "Ce qu'elle tient"], rows)]
        # From left to right: a page is about five tables wide, and its height is not limited.
        lines += ["", "```mermaid", "erDiagram", "  direction LR"]
        for _, name, _, columns in own_tables:
            lines.append(f"  {name} {{")
            lines += [f"    {SPELLED.get(kind, kind)} {column} {role}".rstrip() for kind, column, role in columns]
            lines.append("  }")
        for here, name, there, target, column, single, required in keys:
            if here == slice_name and (here == there or f"{there}.{target}" != AUTHOR):
                link = ("||" if required else "|o") + "--" + ("o|" if single else "o{")
                other = target if here == there else f'"{there}.{target}"'
                lines.append(f'  {other} {link} {name} : "{column}"')
        lines.append("```")
    return _page("Le schéma en images", "le catalogue", lines)
