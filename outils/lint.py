"""Static checks of sql/: syntax, the conditions of a settlement, pgrls, and plpgsql_check where the server has it."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.base.settings import ROOT, Settings
from app.database import schema
from app.database.release import SLICES
from app.leaves.embarque.postgres import Postgres
from outils import pages

MISSING = """
  ATTENTION : plpgsql_check manque, le corps des fonctions n'est PAS vérifié.
  Installez-le (Debian : apt install postgresql-18-plpgsql-check), ou donnez par DATABASE_URL un serveur qui l'a.
  Sous CI, c'est un échec."""

# A function that serves several events names the tables of each. A table that a trigger lacks has its usual name.
_FINDINGS = """
select f.oid::regprocedure::text || coalesce(':' || c.lineno, '') || ' ' || c.level || ' ' || c.message
  from (select p.oid, coalesce(t.tgrelid, 0) as relation,
               case when num_nonnulls(t.tgoldtable, t.tgnewtable) > 0
                    then array[coalesce(t.tgoldtable, 'anciennes'), coalesce(t.tgnewtable, 'nouvelles')] end as tables
          from pg_proc p
          join pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
          join pg_namespace n on n.oid = p.pronamespace
          left join pg_trigger t on t.tgfoid = p.oid
         where n.nspname = any(%s) and (t.oid is not null or p.prorettype <> 'trigger'::regtype)
        offset 0) f
 cross join lateral plpgsql_check_function_tb(
   f.oid, f.relation, oldtable => f.tables[1], newtable => f.tables[2], extra_warnings => true,
   performance_warnings => false) c
 -- A list is `for … in execute core._liste(…)`: its columns are known only at run time.
 where c.message <> 'cannot determinate a result of dynamic SQL'
"""
# PostgreSQL reads these from their text again in each statement (docs/decisions/0044-vitesse-du-reglement.md). The WHEN
# of a trigger of other columns is not evaluated.
CONDITIONS = """
select k.conrelid::regclass || ' : CHECK ' || k.conname from pg_constraint k
 where k.contype = 'c' and k.conrelid = any (finances._tables_du_reglement())
union all
select a.attrelid::regclass || ' : colonne engendrée ' || a.attname from pg_attribute a
 where a.attgenerated <> '' and a.attrelid = any (finances._tables_du_reglement())
union all
select t.tgrelid::regclass || ' : WHEN de ' || t.tgname from pg_trigger t
 where t.tgqual is not null and t.tgrelid = any (finances._tables_du_reglement())
   and (t.tgtype & 4 > 0 or t.tgtype & 16 > 0 and (t.tgattr = '' or exists (
         select from pg_attribute a where a.attrelid = t.tgrelid and a.attnum = any (t.tgattr::smallint[])
            and a.attname = 'montant_paye')))
"""


def check_functions(settings: Settings) -> int:
    """Load sql/ into a scratch database, write what outils/judges.py reads, check the policies and each function.

    Return 1 when there is a finding, and under CI also when plpgsql_check is missing.
    """
    with _server(settings) as (url, server_name), schema.scratch(url, "comptoir_lint") as database:
        schema.migrate(database, say=lambda _: None)
        pages.write(database)
        doubted = not _policies_hold(database)
        with schema.connect(database, 5.0) as connection:
            query = "select 1 from pg_available_extensions where name = 'plpgsql_check'"
            if not connection.execute(query).fetchone():
                print(f"{server_name} : sql/ se charge.\n{MISSING}")
                return 1 if doubted or os.environ.get("CI") else 0
            connection.execute("create extension plpgsql_check")
            conditions = [row[0] for row in connection.execute(CONDITIONS)]
            print(f"Conditions que tout règlement évalue, à mettre dans le corps d'un déclencheur : {len(conditions)}.")
            findings = conditions + [row[0] for row in connection.execute(_FINDINGS, [list(SLICES)])]
    for line in (*findings, f"{server_name}, plpgsql_check, remarques : {len(findings)}."):
        print(line)
    return 1 if findings or doubted else 0


def _policies_hold(url: str) -> bool:
    """Whether pgrls finds nothing. Its configuration is .pgrls.toml."""
    program, environment = Path(sys.executable).with_name("pgrls"), os.environ | {"DATABASE_URL": url}
    options = ["--config", ".pgrls.toml", "--fail-on", "info", "--schemas", ",".join(SLICES)]
    return not subprocess.run([program, "lint", *options], cwd=ROOT, env=environment).returncode  # noqa: S603


@contextmanager
def _server(settings: Settings) -> Iterator[tuple[str, str]]:
    """A server to load sql/ into, and its name: the user's, one with plpgsql_check, or the embedded one."""
    if url := settings.owner_url:
        yield url, "DATABASE_URL"
        return
    with tempfile.TemporaryDirectory(prefix="comptoir-lint-") as name:
        program = _program_with_plpgsql_check()
        Path(name).chmod(0o711)
        with Postgres(Path(name) / "postgres", program=program) as server:
            yield server.url("postgres"), f"PostgreSQL de {program}" if program else "PostgreSQL embarqué"


def _program_with_plpgsql_check() -> Path | None:
    """Debian's layout: lib/postgresql/<version>/bin beside share/postgresql/<version>/extension."""
    for control in sorted(Path("/usr/share/postgresql").glob("*/extension/plpgsql_check.control"), reverse=True):
        if (program := Path("/usr/lib/postgresql", control.parent.parent.name, "bin/postgres")).exists():
            return program
    return None
