"""Runs PgBouncer in transaction mode, as docs/mise-en-service.md configures it."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.leaves.embarque.server import NOBODY
from tests.heure import HOUR
from tests.server import environment, eventually, free_port

PROGRAM = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
installed = pytest.mark.skipif(not Path(PROGRAM).exists(), reason="pgbouncer n'est pas installé (paquet de Debian)")


@contextmanager
def following(file: Path, **settings: str) -> Iterator[Path]:
    """Run `comptoir pgbouncer --suivre`, and give the file of its errors. It still runs at the end."""
    errors = file.with_name("erreurs.log")
    command = [sys.executable, "-m", "app", "pgbouncer", str(file), "--suivre"]
    with errors.open("wb") as stderr:
        process = subprocess.Popen(command, env=environment(settings), stdout=subprocess.DEVNULL, stderr=stderr)
    try:
        yield errors
        assert process.poll() is None, errors.read_text()
    finally:
        process.terminate()
        process.wait()


@contextmanager
def pgbouncer(databases: str, accounts: Mapping[str, str], size: int) -> Iterator[str]:
    """Run PgBouncer with these lines of its file, and `size` connections to each database. Yield its host and port.

    The first account may use its console.
    """
    port = free_port()
    folder = Path(tempfile.mkdtemp(prefix="comptoir-pgbouncer-"))
    identity: dict[str, Any] = {}
    if os.geteuid() == 0:  # PgBouncer refuses to run as root
        os.chown(folder, NOBODY, NOBODY)
        identity = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    (folder / "comptes.txt").write_text("".join(f'"{name}" "{secret}"\n' for name, secret in accounts.items()))
    (folder / "pgbouncer.ini").write_text(
        f"""{databases}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {folder}/comptes.txt
admin_users = {next(iter(accounts))}
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 1000
ignore_startup_parameters = role, lock_timeout
"""
    )
    # libfaketime keeps a semaphore by process id. One that root left cannot be opened by the account of PgBouncer.
    plain = {name: value for name, value in os.environ.items() if name not in HOUR}
    with (folder / "journal.log").open("wb") as log:
        command = [PROGRAM, str(folder / "pgbouncer.ini")]
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, env=plain, **identity)
    try:
        eventually(lambda: "process up" in (folder / "journal.log").read_text() or process.poll() is not None)
        assert process.poll() is None, (folder / "journal.log").read_text()
        yield f"127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder)
