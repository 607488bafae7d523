"""Files generated from the database and the routes: documents of docs/, and the bodies of events.

A test compares the files with a new generation.
"""

from __future__ import annotations

import re
from typing import Any

import psycopg

from app import routes
from app.application import read_catalogue
from app.base.settings import ROOT
from app.commands.generated import access, events, licences, picture
from app.database import schema
from app.database.catalogue import Catalogue
from app.database.release import SLICES
from app.routes.check import check_routes

PICTURES = ROOT / "docs/schema.md"
RULES = ROOT / "docs/regles.md"
ACCESS = ROOT / "docs/acces.md"
LICENCES = ROOT / "docs/licences.md"
EVENTS = ROOT / "docs/evenements.md"
BODIES = ROOT / "sql/evenement/_ligne.sql"


def write(url: str) -> None:
    catalogue = catalogued(url)
    check_routes(routes.load(), catalogue)
    PICTURES.write_text(pictured(url))
    RULES.write_text(rules(url))
    ACCESS.write_text(accesses(url))
    BODIES.write_text(events.code(catalogue))
    EVENTS.write_text(events.document(EVENTS.read_text(), catalogue))
    LICENCES.write_text(licences.document(LICENCES.read_text()))


def pictured(url: str) -> str:
    """Diagrams of the tables that migrations/ create, one for each slice."""
    with schema.scratch(url, "comptoir_image") as database:
        schema.migrate_tables(database)
        with schema.connect(database, 5.0) as connection:
            return picture.pictures(connection)


def rules(url: str) -> str:
    """Every rule with its sentence: raised by functions (core.refuser), or enforced by constraints."""
    with schema.scratch(url, "comptoir_regles") as database:
        schema.migrate(database, say=lambda _: None)
        with schema.connect(database, 5.0) as connection:
            raised = _raised(connection)
            enforced = connection.execute(_HELD, [list(SLICES)]).fetchall()
    lines = [
        "# Les règles",
        "",
        "Généré par « comptoir generer » depuis les fonctions et les contraintes. Ne pas modifier.",
        "",
        "Le champ `code` d'un refus est le nom d'une de ces règles ; `message` est sa phrase.",
        "",
        "## Refusées par une opération",
        "",
        "| Règle | Statut | Phrase | Fonctions |",
        "|---|---|---|---|",
    ]
    for (rule, status), (sentence, functions) in sorted(raised.items()):
        lines.append(f"| `{rule}` | {status} | {sentence} | {', '.join(f'`{name}`' for name in sorted(functions))} |")
    lines += ["", "## Tenues par une contrainte", "", "| Règle | Statut | Phrase | Sur |", "|---|---|---|---|"]
    lines += [f"| `{rule}` | {status} | {sentence} | `{place}` |" for rule, status, sentence, place in enforced]
    return "\n".join(lines) + "\n"


def catalogued(url: str) -> Catalogue:
    """The catalogue of these files."""
    with schema.scratch(url, "comptoir_corps") as database:
        schema.migrate(database, say=lambda _: None)
        return read_catalogue(database)


def accesses(url: str) -> str:
    """The permissions of every route and every seeded role."""
    with schema.scratch(url, "comptoir_acces") as database:
        schema.migrate_tables(database)
        with schema.connect(database, 5.0) as connection:
            roles = {code: set(permissions) for code, permissions in connection.execute(_ROLES).fetchall()}
    return access.document(routes.load().routes, roles)


_ROLES = """
select r.code, array(select p.code::text from auth.role_permission rp join auth.permission p using (id_permission)
                      where rp.id_role = r.id_role)
  from auth.role r order by r.id_role
"""

_REFUSAL = re.compile(r"core\.refuser\(\s*(\d{3}),\s*'([A-Z_]+)',\s*(?:format\()?\s*'((?:[^']|'')*)'", re.DOTALL)


def _raised(connection: psycopg.Connection[Any]) -> dict[tuple[str, str], tuple[str, set[str]]]:
    refusals: dict[tuple[str, str], tuple[str, set[str]]] = {}
    for name, body in connection.execute(_BODIES, [list(SLICES)]).fetchall():
        for status, rule, sentence in _REFUSAL.findall(body):
            # An ellipsis stands for each argument of format().
            text = re.sub(r"%[sLI]", "…", sentence.replace("''", "'").replace("%%", "%"))
            refusals.setdefault((rule, status), (text, set()))[1].add(name)
    return refusals


_BODIES = """
select n.nspname || '.' || p.proname, p.prosrc from pg_proc p join pg_namespace n on n.oid = p.pronamespace
 where n.nspname = any(%s) order by 1
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
