"""A real server from a Python wheel, in the project's own folder: PostgreSQL or SeaweedFS.

It is identified by the pid in its pid file and by a command line of that process that names its folder. The port
is read from that command line too. Nothing else is recorded, so nothing becomes stale and no foreign process is ever
signalled.
"""

import atexit
import fcntl
import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import psutil
import psycopg

from app.base.leaf import EmbeddedError

START_SECONDS = 60  # recovery after a power cut included
STOP_SECONDS = 30
POLL_SECONDS = 0.02
PORT_TRIES = 5
NOBODY = 65534  # the account `nobody`: PostgreSQL refuses to run as root
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}  # without PG* variables and the caller's locale

PORT_TAKEN = "address already in use"
KNOWN_FAILURES = {
    "No space left on device": "Le disque est plein : libérez de la place, puis relancez.",
    "setpriv:": "Les dossiers parents du projet sont fermés au compte qui fait tourner le serveur : "
    "déplacez le projet, lancez-le sans être root, ou donnez DATABASE_URL.",
}


class NotRunningError(EmbeddedError):
    """The server does not run, so it has no port and no URL."""


@contextmanager
def project_lock(directory: Path, url: str) -> Iterator[None]:
    """Lock the project for this process. The kernel releases the lock however the process ends."""
    with explained(directory):
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
    """A program with its own folder: `data`, a log, and other files of the server."""

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
        """Return the executable, or raise an EmbeddedError that names the missing wheel."""

    @abstractmethod
    def _command(self, port: int) -> list[str]:
        """The command line. `data` must be one of its arguments, and the port must be in it."""

    @abstractmethod
    def _answers(self) -> bool:
        """Whether the server accepts a connection now."""

    def _prepare(self) -> None:
        """Create the folder. Root gives it to the unprivileged account that will run the server."""
        self._program()
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.geteuid() == 0 and self.directory.stat().st_uid == 0:
            os.chown(self.directory, NOBODY, NOBODY)

    def _hand_over(self, path: Path) -> None:
        """Give a file that root created to the folder's owner."""
        if os.geteuid() == 0:
            owner = self.directory.stat()
            os.chown(path, owner.st_uid, owner.st_gid)

    def _write_secret(self, path: Path, text: str) -> None:
        """Write a new file that only the folder's owner may read."""
        path.unlink(missing_ok=True)
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(text)
        self._hand_over(path)

    def _clear(self) -> None:  # noqa: B027 - most servers leave nothing
        """Remove what a killed server left and the next one would refuse. It is called while no server runs."""

    def start(self) -> None:
        """Start the server, or adopt the one that a killed process left running."""
        try:
            with explained(self.directory):
                self._prepare()
                running = self._process()
                with suppress(psutil.NoSuchProcess, NotRunningError):  # it ends just now
                    if running is not None and running.cmdline() != self._command(self.port):
                        self.stop()  # it has other binaries or other settings
                for attempt in range(1, PORT_TRIES + 1):
                    if not self.running() and not self._child_runs():
                        self._clear()
                        self._child = self._run(self._command(self._pick_port()))
                    if self._ready():
                        break
                    ended = self._child is None and not self.running()  # it was adopted, and dying
                    if attempt == PORT_TRIES or not (ended or PORT_TAKEN in self._log_tail().lower()):
                        raise self._failure()
        except BaseException:
            self.stop()
            raise
        atexit.unregister(self._stop_at_exit)
        atexit.register(self._stop_at_exit, os.getpid())

    def stop(self) -> None:
        """Ask the server to stop and wait until it is gone. Without a running server this does nothing."""
        atexit.unregister(self._stop_at_exit)
        process = self._process()
        if process is None and self._child is not None and self._child_runs():
            process = psutil.Process(self._child.pid)  # it has not written its pid file yet
        if process is not None:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(self.stop_signal)
            self._wait_for_end(process)
            if self._child is not None and self._child.pid == process.pid:
                self._child.wait(STOP_SECONDS)
        self._child = None

    def _wait_for_end(self, process: psutil.Process) -> None:
        deadline = time.monotonic() + STOP_SECONDS
        while self._alive(process):
            if time.monotonic() > deadline:
                raise EmbeddedError(f"{self.name} ({process.pid}) ne s'arrête pas : voyez {self.log}.")
            time.sleep(POLL_SECONDS)

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
        match = process and re.search(self.port_option, " ".join(process.cmdline()))
        if not match:
            raise NotRunningError(f"{self.name} ne tourne pas : lancez « make run ».")
        return int(match[1])

    def _process(self) -> psutil.Process | None:
        """The running server of this folder, even if another process started it."""
        try:
            process = psutil.Process(int((self.data / self.pid_file).read_text().splitlines()[0]))
            return process if self._alive(process) and str(self.data) in process.cmdline() else None
        except (OSError, ValueError, IndexError, psutil.Error):
            return None

    def _pick_port(self) -> int:
        return free_port()

    def _child_runs(self) -> bool:
        return self._child is not None and self._child.poll() is None

    def _alive(self, process: psutil.Process) -> bool:
        self._child_runs()  # polls a dead child, which is a zombie until then
        with suppress(psutil.NoSuchProcess):
            return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
        return False

    def _run(self, command: list[str]) -> subprocess.Popen[bytes]:
        """Start a program as the folder's owner, in its own session: Ctrl-C does not reach it. It writes to the log."""
        identity: dict[str, Any] = {}
        if os.geteuid() == 0:
            owner = self.directory.stat()
            if self._reachable():
                identity = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
            elif setpriv := shutil.which("setpriv"):
                # A parent folder such as /root is private. The capability lets the owner pass without a change of
                # permissions; the secure bit makes access(2), which initdb calls, see the capability.
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
        """Whether every account may traverse the folders above the data and the program."""
        program = self._program()
        return all(p.stat().st_mode & 0o001 for p in (program, *program.parents, *self.directory.parents))

    def _ready(self) -> bool:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            with suppress(NotRunningError, FileNotFoundError):
                if self.running() and self._answers():
                    return True
            if not (self.running() if self._child is None else self._child_runs()):
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


def wheel(package: str) -> Path:
    """The folder of an installed package. None of its code runs."""
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).resolve().parent if spec and spec.origin else Path("/nonexistent")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def explained(directory: Path) -> Iterator[None]:
    """Translate errors of the system, psutil and psycopg into an EmbeddedError with a French sentence."""
    try:
        yield
    except (OSError, subprocess.TimeoutExpired, psutil.Error, psycopg.Error) as error:
        raise EmbeddedError(
            f"Le serveur embarqué ne peut pas travailler dans {directory} ({error}) : "
            "vérifiez que ce dossier est à votre compte et que le disque n'est pas plein."
        ) from error
