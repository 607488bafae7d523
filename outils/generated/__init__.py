"""Documents of docs/ generated from the database and the routes. A test compares them with a new generation."""

from __future__ import annotations

import re
from pathlib import Path

from app import routes
from app.base.settings import ROOT
from app.commands.application import read_catalogue
from app.database import schema
from app.database.catalogue import Catalogue
from app.database.release import SLICES
from app.routes.check import check_routes
from outils.generated import access, licences, picture

PICTURES = ROOT / "docs/schema.md"
RULES = ROOT / "docs/regles.md"
ACCESS = ROOT / "docs/acces.md"
LICENCES = ROOT / "docs/licences.md"
EVENTS = ROOT / "docs/evenements.md"


def write(url: str) -> None:
    """Write the files, from a database of these migrations and this code beside the given one."""
    with schema.scratch(url, "comptoir_generer") as database:
        schema.migrate(database, say=lambda _: None)
        for path, text in documents(database).items():
            path.write_text(text)
    LICENCES.write_text(licences.document(LICENCES.read_text()))


def documents(url: str) -> dict[Path, str]:
    """File → text, from a database of this release."""
    catalogue, table = read_catalogue(url), routes.load()
    check_routes(table, catalogue)
    with schema.connect(url, 5.0) as connection:
        roles = {code: set(permissions) for code, permissions in connection.execute(_ROLES).fetchall()}
        return {
            PICTURES: picture.pictures(connection),
            RULES: _rules(connection),
            ACCESS: access.document(table.routes, roles),
            EVENTS: _events(catalogue),
        }


def _events(catalogue: Catalogue) -> str:
    """The page of events, with its table of types written again."""
    mark = "Ne pas modifier la suite. -->\n"
    lines = ["", "| Type | Permission | Ce qui le fait naître | Champs de `donnees` |", "|---|---|---|---|"]
    for event in catalogue.events:
        fields = ", ".join(f"`{attribute.name}`" for attribute in event.form.attributes)
        lines.append(f"| `{event.type}` | {event.permission} | {event.comment} | {fields} |")
    return EVENTS.read_text().partition(mark)[0] + mark + "\n".join(lines) + "\n"


def _rules(connection: schema.Session) -> str:
    """Every rule with its sentence: raised by functions (core.refuser), or enforced by constraints."""
    lines = [
        "# Les règles",
        "",
        "Généré par « python -m outils generer » depuis les fonctions et les contraintes. Ne pas modifier.",
        "",
        "Le champ `code` d'un refus est le nom d'une de ces règles ; `message` est sa phrase.",
        "",
        "## Refusées par une opération",
        "",
        "| Règle | Statut | Phrase | Fonctions et déclencheurs |",
        "|---|---|---|---|",
    ]
    for (rule, status), (sentence, functions) in sorted(_raised(connection).items()):
        lines.append(f"| `{rule}` | {status} | {sentence} | {', '.join(f'`{name}`' for name in sorted(functions))} |")
    lines += ["", "## Tenues par une contrainte", "", "| Règle | Statut | Phrase | Sur |", "|---|---|---|---|"]
    enforced = connection.execute(_HELD, [list(SLICES)])
    lines += [f"| `{rule}` | {status} | {sentence} | `{place}` |" for rule, status, sentence, place in enforced]
    return "\n".join(lines) + "\n"


_ROLES = """
select r.code, array(select p.code::text from auth.role_permission rp join auth.permission p using (id_permission)
                      where rp.id_role = r.id_role)
  from auth.role r order by r.id_role
"""

_REFUSAL = re.compile(
    r"core\.(?:_t20_)?refuser\(\s*'?(\d{3})'?,\s*'([A-Z_]+)',\s*(?:format\()?\s*'((?:[^']|'')*)'", re.DOTALL
)


def _raised(connection: schema.Session) -> dict[tuple[str, str], tuple[str, set[str]]]:
    refusals: dict[tuple[str, str], tuple[str, set[str]]] = {}
    for name, body in connection.execute(_BODIES, [list(SLICES)]).fetchall():
        for status, rule, sentence in _REFUSAL.findall(body):
            # An ellipsis stands for each argument of format().
            text = re.sub(r"%[sLI]", "…", sentence.replace("''", "'").replace("%%", "%"))
            refusals.setdefault((rule, status), (text, set()))[1].add(name)
    return refusals


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
