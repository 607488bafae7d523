"""Dumps the whole database into one encrypted file with a checksum, by PostgreSQL's client programs."""

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from app.base.failure import Failure
from app.base.leaf import servers
from app.base.progress import Say, during
from app.database import schema
from app.vault.cipher import MARK, CipherError, Keys

OWNER_WANTED = (
    "qui exploite le service lui donne le compte propriétaire (docs/mise-en-service.md, « Comptes PostgreSQL »)"
)
ARCHIVE = b"PGDMP"  # the first bytes that pg_dump writes
PART = 32 * 1024 * 1024  # bytes; an S3 store accepts at most ten thousand parts


class BackupError(Failure):
    """The backup or the restore failed and changed nothing. The message is French and says why."""


class PowerlessError(BackupError):
    """The account lacks a privilege that only the administrator of the server can grant."""


@dataclass(frozen=True, slots=True)
class Backup:
    size: int
    seconds: float
    sha256: str


def dump(url: str, file: Path, keys: Keys, *options: str, replace: bool = False, say: Say = print) -> Backup:
    """Write an encrypted dump in pg_dump's custom format, and its SHA-256 beside it. A failure leaves no file.

    `options` are further options of pg_dump.
    """
    _refuse_present(file, replace)
    _refuse_empty(url)
    program = program_for("pg_dump", url)
    started = time.monotonic()
    partial = file.with_name(f"{file.name}.partiel")
    try:
        partial.touch(0o600, exist_ok=False)  # it will contain the whole database
    except FileExistsError:
        raise BackupError(
            f"{partial} existe : une autre sauvegarde est en cours, ou a été tuée ; effacez-le."
        ) from None
    except OSError as error:
        raise BackupError(f"On ne peut pas écrire {partial} : {error.strerror}.") from None
    try:
        digest = hashlib.sha256()
        with during("Copie de la base (pg_dump)", say), partial.open("wb") as target:
            for part in dump_parts(program, url, keys, *options):
                target.write(part)
                digest.update(part)
            target.flush()
            os.fsync(target.fileno())
        _refuse_present(file, replace)
        # The old checksum is removed first, so a dump never lies beside the checksum of another dump.
        sum_file(file).unlink(missing_ok=True)
        partial.replace(file)
        sum_file(file).write_text(f"{digest.hexdigest()}  {file.name}\n")
    except OSError as error:
        raise BackupError(f"On ne peut pas écrire {partial} : {error.strerror}.") from error
    finally:
        partial.unlink(missing_ok=True)
    return Backup(file.stat().st_size, time.monotonic() - started, digest.hexdigest())


def _refuse_present(file: Path, replace: bool) -> None:
    if file.exists() and not (replace and file.is_file()):
        raise BackupError(f"{file} existe déjà : donnez un autre nom, ou --remplacer.")


def _refuse_empty(url: str) -> None:
    """Refuse an empty database: the address, or the folder of the embedded server, is wrong."""
    with schema.connect(url, 5.0) as connection:
        if schema.value(connection, "select to_regclass('core.empreinte')") is None:
            raise BackupError(f"La base {connection.info.dbname} est vide : ce n'est pas celle de Comptoir.")


def verify_sum(file: Path) -> bool:
    """Whether the file has a checksum file. Raises BackupError when the checksum is wrong."""
    if not file.is_file():
        raise BackupError(f"{file} n'existe pas.")
    try:
        recorded = sum_file(file).read_text().split()
    except FileNotFoundError:
        return False
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    if not recorded or recorded[0] != digest:
        raise BackupError(f"{file} ne correspond pas à {sum_file(file).name} : le fichier est abîmé ou un autre.")
    return True


def sum_file(file: Path) -> Path:
    return file.with_name(f"{file.name}.sha256")


def count_rows(connection: schema.Session) -> dict[str, int]:
    """Table → number of rows, for every table outside the system schemas."""
    names = connection.execute(
        """select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1"""
    ).fetchall()
    count = sql.SQL("select count(*) from {}")
    return {name: schema.value(connection, count.format(sql.SQL(name))) for (name,) in names}


@contextmanager
def explained_errors() -> Iterator[None]:
    """Translate errors of psycopg to a BackupError."""
    try:
        yield
    except psycopg.Error as error:
        if (error.sqlstate or "").startswith("HT"):  # the message of a refusal in SQL is French
            raise BackupError(error.diag.message_primary or str(error)) from error
        raise BackupError(f"PostgreSQL refuse : {str(error).strip()}\nLa base en place n'a pas changé.") from error


# ---- programs of PostgreSQL


def program_for(name: str, url: str) -> Path:
    """The installed program of the nearest version that is not older than the server."""
    with schema.connect(url, 5.0) as connection:
        server = connection.info.server_version // 10000
    paths = {version: path for path in reversed(_programs(name)) if (version := _version(path))}
    if not paths:
        raise BackupError(f"{name} manque : installez les programmes clients de PostgreSQL {server}.")
    # pg_restore 17 and later set a parameter that servers up to 16 do not have.
    newest = 16 if name == "pg_restore" and server <= 16 else max(paths)
    fitting = [version for version in paths if server <= version <= newest]
    if not fitting:
        raise BackupError(
            f"{name} est de la version {max(paths)}, le serveur de la version {server} : "
            f"installez les programmes clients de PostgreSQL {server}."
        )
    return paths[min(fitting)]


def _programs(name: str) -> list[Path]:
    """The program of the embedded server, and the program on PATH."""
    own = servers()
    return [Path(path) for path in (own and own.program(name), shutil.which(name)) if path]


def _version(program: Path) -> int | None:
    answer = subprocess.run([program, "--version"], capture_output=True, check=False)  # noqa: S603
    number = re.search(r"\(PostgreSQL\) (\d+)", answer.stdout.decode(errors="replace"))
    return int(number[1]) if number else None


def dump_parts(program: Path, url: str, keys: Keys, *options: str) -> Generator[bytes, None, None]:
    """The encrypted output of pg_dump in parts. A failure of pg_dump is raised after the last part."""
    # A move of the organisation may be replicating it just now.
    fixed = ("--format=custom", "--no-publications", "--no-subscriptions")
    with (
        _running(program, url, *fixed, *options, stdout=subprocess.PIPE) as process,
        keys.encrypted(process.stdout) as encrypted,  # type: ignore[arg-type]
    ):
        while part := encrypted.read(PART):
            yield part


def verify_readable(file: Path, keys: Keys) -> None:
    """Raises BackupError when a restore could not read this file: wrong checksum, cut file, no key that opens it."""
    verify_sum(file)
    if _is_encrypted(file):
        decrypt(file, keys, Path(os.devnull).open("wb"))  # noqa: SIM115 - decrypt closes it


def _is_encrypted(file: Path) -> bool:
    """Raises BackupError when the file was written neither by age nor by pg_dump."""
    with file.open("rb") as content:
        head = content.read(len(MARK))
    if not head.startswith((MARK, ARCHIVE)):
        raise BackupError(f"{file} n'est pas une sauvegarde : donnez un fichier de « comptoir backup ».")
    return head == MARK


def restore_into(program: Path, url: str, file: Path, keys: Keys) -> None:
    """Run pg_restore on a backup. It is decrypted in a pipe and never written to disk in plain text."""
    if not _is_encrypted(file):  # written before backups were encrypted
        with _running(program, url, "--exit-on-error", str(file)):
            return  # once it has ended
    with (
        ThreadPoolExecutor(1, "dechiffrement") as thread,
        _running(program, url, "--exit-on-error", bufsize=0, stdin=subprocess.PIPE) as process,
    ):
        # In a thread: pyrage handles no signal while pg_restore reads nothing.
        thread.submit(decrypt, file, keys, process.stdin).result()  # type: ignore[arg-type]


def decrypt(file: Path, keys: Keys, target: IO[bytes]) -> None:
    """Write the content of an encrypted file to a pipe, and close it."""
    try:
        # On a broken pipe the reader has failed, and raises its own error.
        with suppress(BrokenPipeError), file.open("rb") as source, target:
            keys.decrypt(source, target)
    except CipherError as error:
        raise BackupError(str(error)) from None


@contextmanager
def _running(program: Path, url: str, *arguments: str, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program on a database during the context. Raises BackupError at its end if the program has failed."""
    parts = {key: str(value) for key, value in conninfo_to_dict(url).items() if value is not None}
    password = parts.pop("password", None)  # goes to PGPASSWORD: command lines are public
    environment = {**os.environ, "LC_ALL": "C"} | ({"PGPASSWORD": password} if password else {})
    line = [str(program), "--no-password", f"--dbname={make_conninfo('', **parts)}", *arguments]
    process: subprocess.Popen[bytes]
    with (
        tempfile.TemporaryFile() as stderr,
        subprocess.Popen(line, env=environment, stderr=stderr, **options) as process,  # noqa: S603
    ):
        try:
            yield process
            status = process.wait()
        finally:
            process.kill()  # it has ended, or the caller has stopped
        if status:
            stderr.seek(0)
            lines = stderr.read().decode(errors="replace").strip().splitlines()[:5]
            raise BackupError("\n".join([f"{program.name} a échoué ({status}) :", *lines]))
