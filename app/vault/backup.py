"""The whole database into one encrypted file, with the sum that proves it whole; PostgreSQL's programs that do it."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from app.base.failure import Failure
from app.base.progress import Say, during
from app.base.server import EmbeddedError
from app.base.settings import ROOT
from app.database import schema
from app.database.postgres import Postgres
from app.vault.cipher import CipherError, Keys, is_encrypted

OWNER_WANTED = "qui exploite le service lui donne le compte propriétaire (docs/operations.md, « Comptes PostgreSQL »)"
PART = 32 * 1024 * 1024  # of which an object store takes ten thousand


class BackupError(Failure):
    """No backup was made, or no restore; the message is French and says why. What was there is as it was."""


class PowerlessError(BackupError):
    """The login lacks a right that only the administrator of the server can give."""


@dataclass(frozen=True, slots=True)
class Backup:
    file: Path
    size: int
    seconds: float
    sha256: str


def dump(url: str, file: Path, keys: Keys, *, replace: bool = False, say: Say = print) -> Backup:
    """Write pg_dump's custom format, encrypted, and its SHA-256 beside it. The file is whole or not there."""
    _refuse_present(file, replace)
    _refuse_empty(url)
    program = program_for("pg_dump", url)
    started = time.monotonic()
    partial = file.with_name(f"{file.name}.partiel")
    try:
        # Made here so that nobody else may read it: it holds everything.
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise BackupError(
            f"{partial} existe : une autre sauvegarde est en cours, ou a été tuée ; effacez-le."
        ) from None
    except OSError as error:
        raise BackupError(f"On ne peut pas écrire {partial} : {error.strerror}.") from None
    try:
        digest = hashlib.sha256()
        with during("Copie de la base (pg_dump)", say), partial.open("wb") as written:
            for part in dumped(program, url, keys):
                written.write(part)
                digest.update(part)
            written.flush()
            os.fsync(written.fileno())
        _refuse_present(file, replace)
        # The old sum goes first: a dump never stands beside the sum of another one.
        sum_file(file).unlink(missing_ok=True)
        partial.replace(file)
        sum_file(file).write_text(f"{digest.hexdigest()}  {file.name}\n")
    except OSError as error:
        raise BackupError(f"On ne peut pas écrire {partial} : {error.strerror}.") from error
    finally:
        partial.unlink(missing_ok=True)
    return Backup(file, file.stat().st_size, time.monotonic() - started, digest.hexdigest())


def _refuse_present(file: Path, replace: bool) -> None:
    if file.exists() and not (replace and file.is_file()):
        raise BackupError(f"{file} existe déjà : donnez un autre nom, ou --remplacer.")


def _refuse_empty(url: str) -> None:
    """A backup of nothing would be taken for one: the address, or the folder of the embedded server, is wrong."""
    with schema.connect(url, 5.0) as connection:
        row = connection.execute("select to_regclass('core.empreinte')").fetchone()
        if row is None or row[0] is None:
            raise BackupError(f"La base {connection.info.dbname} est vide : ce n'est pas celle de Comptoir.")


def verify_sum(file: Path) -> bool:
    """Whether a sum stands beside the file and is right; a wrong one is refused."""
    if not file.is_file():
        raise BackupError(f"{file} n'existe pas.")
    try:
        recorded = sum_file(file).read_text().split()
    except FileNotFoundError:
        return False
    if not recorded or recorded[0] != sha256(file):
        raise BackupError(f"{file} ne correspond pas à {sum_file(file).name} : le fichier est abîmé ou un autre.")
    return True


def sum_file(file: Path) -> Path:
    return file.with_name(f"{file.name}.sha256")


def sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def count_rows(connection: psycopg.Connection[Any]) -> dict[str, int]:
    """Table → rows, of everything that is no system's own."""
    names = connection.execute(
        """select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1"""
    ).fetchall()
    found = {}
    for (name,) in names:
        row = connection.execute(sql.SQL("select count(*) from {}").format(sql.SQL(name))).fetchone()
        found[name] = row[0] if row else 0
    return found


@contextmanager
def errors_told() -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        if (error.sqlstate or "").startswith("HT"):  # SQL refuses in French
            raise BackupError(error.diag.message_primary or str(error)) from error
        raise BackupError(f"PostgreSQL refuse : {str(error).strip()}\nLa base en place n'a pas changé.") from error


# ---- programs of PostgreSQL


def program_for(name: str, url: str) -> Path:
    """The nearest version that is not older than the server."""
    with schema.connect(url, 5.0) as connection:
        server = connection.info.server_version // 10000
    found = {version: path for path in reversed(_programs(name)) if (version := _version(path))}
    if not found:
        raise BackupError(f"{name} manque : installez les programmes clients de PostgreSQL {server}.")
    # From 17 on, pg_restore sets a parameter that older servers do not know.
    newest = 16 if name == "pg_restore" and server <= 16 else max(found)
    fitting = [version for version in found if server <= version <= newest]
    if not fitting:
        raise BackupError(
            f"{name} est de la version {max(found)}, le serveur de la version {server} : "
            f"installez les programmes clients de PostgreSQL {server}."
        )
    return found[min(fitting)]


def _programs(name: str) -> list[Path]:
    """The one of the embedded server, and the one on PATH."""
    candidates = [Path(path)] if (path := shutil.which(name)) else []
    with suppress(EmbeddedError):  # some systems have no wheel
        candidates.insert(0, Postgres(ROOT).bin / name)
    return [path for path in candidates if path.exists()]


def _version(program: Path) -> int | None:
    answer = subprocess.run([program, "--version"], capture_output=True, check=False)  # noqa: S603
    number = re.search(r"\(PostgreSQL\) (\d+)", answer.stdout.decode(errors="replace"))
    return int(number[1]) if number else None


def dumped(program: Path, url: str, keys: Keys, *options: str) -> Generator[bytes, None, None]:
    """The encrypted output of pg_dump in parts. A failure of pg_dump is raised in the place of the end."""
    line, environment = command(program, url, "--format=custom", *options)
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=said) as process,  # noqa: S603
        keys.encrypted(_pipe(process.stdout)) as encrypted,
    ):
        try:
            while part := encrypted.read(PART):
                yield part
            status = process.wait()
        finally:
            process.kill()  # it has ended, or nobody wants the rest
        if status:
            said.seek(0)
            raise failure(program, status, said.read())


def restore_into(program: Path, url: str, file: Path, keys: Keys) -> None:
    """Run pg_restore on a backup, which is decrypted on the way and never stands on the disk in clear."""
    if not is_encrypted(file):  # written before backups were encrypted
        run(program, url, "--exit-on-error", str(file))
        return
    line, environment = command(program, url, "--exit-on-error")
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(line, env=environment, stdin=subprocess.PIPE, stderr=said) as process,  # noqa: S603
    ):
        try:
            # A broken pipe: pg_restore has failed, and its messages say why.
            with suppress(BrokenPipeError), file.open("rb") as source, _pipe(process.stdin) as target:
                keys.decrypt(source, target)
            status = process.wait()
        except CipherError as error:
            raise BackupError(str(error)) from None
        finally:
            process.kill()  # it has ended, or the backup cannot be read further
        if status:
            said.seek(0)
            raise failure(program, status, said.read())


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise AssertionError("the program was started without this pipe")
    return stream


def run(program: Path, url: str, *arguments: str) -> None:
    line, environment = command(program, url, *arguments)
    done = subprocess.run(line, env=environment, capture_output=True, check=False)  # noqa: S603
    if done.returncode != 0:
        raise failure(program, done.returncode, done.stderr)


def command(program: Path, url: str, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """Run on a database. A command line is seen by everybody on the machine: the password goes by the environment."""
    parts = {key: str(value) for key, value in conninfo_to_dict(url).items() if value is not None}
    password = parts.pop("password", None)
    environment = {**os.environ, "LC_ALL": "C"} | ({"PGPASSWORD": password} if password else {})
    return [str(program), "--no-password", f"--dbname={make_conninfo('', **parts)}", *arguments], environment


def failure(program: Path, status: int, said: bytes) -> BackupError:
    lines = said.decode(errors="replace").strip().splitlines()[:5]
    return BackupError("\n".join([f"{program.name} a échoué ({status}) :", *lines]))
