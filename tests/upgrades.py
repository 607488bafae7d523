"""Makes releases for upgrade tests, runs `comptoir migrate` as a process, and reads the state of a database."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from app.database.release import HERE, Release
from tests.conftest import execute

# A vacuum or an ANALYZE locks its table and then waits for the row of pg_class that DROP OWNED has changed, while DROP
# OWNED waits for the table: a deadlock, unless the tables are locked first, as an upgrade does.
DROP_CODE = """do $$ begin
  execute (select format('lock table %s in share update exclusive mode', string_agg(c.oid::regclass::text, ', '))
             from pg_class c where c.relkind in ('r', 'p') and c.oid >= 16384 and c.relpersistence = 'p');
  drop owned by comptoir_code, comptoir_portail cascade;
end $$"""


def copy_release(root: Path) -> Release:
    """Copy this release to a folder where a test may change it."""
    for folder in (HERE.migrations, HERE.code):
        shutil.copytree(folder, root / folder.name)
    return Release(root)


def functions(url: str) -> set[str]:
    query = "select p.oid::regprocedure::text from pg_proc p where proowner = 'comptoir_code'::regrole"
    return {name for (name,) in execute(url, query)}


def next_release(root: Path, *migrations: str) -> Release:
    """Make a release with one more function and these migrations."""
    release = copy_release(root)
    (release.code / "core" / "_essai.sql").write_text(
        "create function core._essai() returns int language sql return 1;"
    )
    for number, text in enumerate(migrations, 1):
        (release.migrations / f"90{number:02}.core-essai.sql").write_text(text)
    return release


def count_payment_methods(url: str) -> int:
    """Call an operation as the role of the API and count its rows; it works if the installed release is complete."""
    with psycopg.connect(url, options="-c role=comptoir_app") as connection:
        return len(connection.execute("select * from finances.moyen_paiement_lister()").fetchall())


_CHILD = """
import sys
from pathlib import Path
from app.database import schema
from app.database.release import Release

def log(line):
    print(line, flush=True)
    if line.startswith(sys.argv[3]):
        sys.stdin.read()  # blocks until the test kills this process

schema.migrate(sys.argv[1], log, release=Release(Path(sys.argv[2])))
"""


@contextmanager
def upgrading(url: str, release: Release, halt: str = "jamais") -> Iterator[subprocess.Popen[str]]:
    """Run `comptoir migrate` of this release as a process. It stops after it prints `halt`; it is killed at the end."""
    with subprocess.Popen(
        [sys.executable, "-c", _CHILD, url, str(release.root), halt],
        cwd=HERE.root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for_step(process: subprocess.Popen[str], step: str) -> None:
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith(step):
            return
    raise AssertionError("".join(lines))
