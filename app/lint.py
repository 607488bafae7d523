"""Static checks of sql/: syntax everywhere, plpgsql_check where a server offers the extension."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

from app import schema
from app.embedded import Postgres
from app.settings import Settings

SCRATCH = "comptoir_lint"

_FINDINGS = """
select p.oid::regprocedure::text || coalesce(':' || c.lineno, '') || ' ' || c.level || ' ' || c.message
  from pg_proc p
  join pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
  join pg_namespace n on n.oid = p.pronamespace
  left join pg_trigger t on t.tgfoid = p.oid
 cross join lateral plpgsql_check_function_tb(
   p.oid, coalesce(t.tgrelid, 0), oldtable => t.tgoldtable, newtable => t.tgnewtable,
   extra_warnings => true, performance_warnings => false, security_warnings => true) c
 where n.nspname = any(%s)
"""


def check_functions(settings: Settings, say: Callable[[str], None]) -> int:
    """Load sql/ into a scratch database and check each function; answer 1 when anything was found."""
    with _server(settings) as (url, named):
        scratch = urlunsplit(urlsplit(url)._replace(path=f"/{SCRATCH}"))
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"drop database if exists {SCRATCH} with (force)")
            connection.execute(f"create database {SCRATCH}")
        try:
            schema.migrate(scratch, say=lambda _: None)
            with psycopg.connect(scratch, autocommit=True) as connection:
                if not connection.execute(
                    "select from pg_available_extensions where name = 'plpgsql_check'"
                ).fetchone():
                    say(f"sql/ se charge ({named}). plpgsql_check n'est pas là : syntaxe seulement.")
                    return 0
                connection.execute("create extension plpgsql_check")
                findings = [row[0] for row in connection.execute(_FINDINGS, [list(schema.SLICES)])]
        finally:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"drop database if exists {SCRATCH} with (force)")
    for finding in findings:
        say(finding)
    say(f"{named}, plpgsql_check : {len(findings)} remarque(s).")
    return 1 if findings else 0


class SystemPostgres(Postgres):
    """A throwaway server from the system's own binaries, which may have plpgsql_check."""

    locale = ("--locale=C.UTF-8",)

    def __init__(self, directory: Path, program: Path) -> None:
        super().__init__(directory)
        self._system_program = program

    def _program(self) -> Path:
        return self._system_program


@contextmanager
def _server(settings: Settings) -> Iterator[tuple[str, str]]:
    """A server to load sql/ into, and what it is: the user's, one with plpgsql_check, or the embedded one."""
    if given := settings.database_owner_url or settings.database_url:
        yield given, "DATABASE_URL"
        return
    with tempfile.TemporaryDirectory(prefix="comptoir-lint-") as name:
        directory = Path(name) / "postgres"
        Path(name).chmod(0o711)
        program = _program_with_plpgsql_check()
        server = SystemPostgres(directory, program) if program else Postgres(directory)
        with server:
            yield server.url("postgres"), f"PostgreSQL de {program}" if program else "PostgreSQL embarqué"


def _program_with_plpgsql_check() -> Path | None:
    """Debian's layout: lib/postgresql/<version>/bin beside share/postgresql/<version>/extension."""
    for control in sorted(Path("/usr/share/postgresql").glob("*/extension/plpgsql_check.control"), reverse=True):
        program = Path("/usr/lib/postgresql") / control.parent.parent.name / "bin/postgres"
        if program.exists():
            return program
    return None
