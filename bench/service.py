"""Runs the service as users do: a separate process on a free port, stopped by its pid."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil

from app.base.settings import DEVELOPMENT_PASSWORD
from app.leaves.embarque.server import PORT_TAKEN, PORT_TRIES, free_port

SECRET = "7Qm2xVb9Lk4TzR8wYc3NfHs6JdPg5UaEx1oK"  # random, as production requires
BACKUP_KEY = "AGE-SECRET-KEY-1KP4LFFCZTC46YU399UPXS24U39AQ5XK3AMXHYKFFXYU7UH8W445SSZX858"
PATIENCE = 150.0  # seconds until a wait fails: a quarter of the time limit of a test, on a slow machine too


def eventually(check: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Poll the check until its result is true, and return it. Fails after `patience` seconds."""
    deadline = time.monotonic() + patience
    while True:
        result = check()
        if result or time.monotonic() > deadline:
            assert result, f"still not true after {patience} s"
            return result
        time.sleep(0.02)


@contextmanager
def answering(url: str, command: Sequence[str | Path], status: int = 200, **options: Any) -> Iterator[None]:
    """Run another program beside the service, once it answers a GET of this address with this status."""
    process = subprocess.Popen(command, **options)
    try:
        eventually(lambda: process.poll() is not None or _status(url) == status)
        yield
    finally:
        process.terminate()
        process.wait()


def _status(url: str) -> int | None:
    try:
        return httpx.get(url).status_code
    except httpx.TransportError:
        return None


class Service:
    """A running `comptoir serve`, with a client."""

    def __init__(self, process: subprocess.Popen[bytes], url: str, log: Path, passwords: Sequence[str]) -> None:
        self.process = process
        self.url = url
        self.log = log
        self._clients: list[httpx.Client] = []
        self._passwords = tuple(passwords)
        self.client = self.new_client()

    def new_client(self, **headers: str) -> httpx.Client:
        client = httpx.Client(base_url=f"{self.url}/api/v1", headers=headers, timeout=PATIENCE)
        self._clients.append(client)
        return client

    def login(self, login: str = "admin", mot_de_passe: str | None = None) -> httpx.Client:
        """Sign in and return a client with the bearer token. Without a password, the known passwords are tried.

        A sign-in counts against the throttle of the address, so the last correct password is tried first.
        """
        for password in self._passwords if mot_de_passe is None else (mot_de_passe,):
            answer = self.client.post("/auth/login", json={"login": login, "mot_de_passe": password})
            if answer.status_code != 401:
                break
        if mot_de_passe is None and answer.status_code == 200:
            self._passwords = (password,)
        assert answer.status_code == 200, answer.text
        return self.new_client(authorization=f"Bearer {answer.json()['accessToken']}")

    def close(self) -> None:
        for client in self._clients:
            client.close()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """The environment of the service, without the developer's own settings."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**inherited, "JWT_SECRET": SECRET, "SECRETS_CLE": SECRET, "SAUVEGARDE_CLE": BACKUP_KEY, **extra}


@contextmanager
def running(
    directory: Path,
    passwords: Sequence[str] = (DEVELOPMENT_PASSWORD,),
    module: Sequence[str] = ("app", "serve"),
    **extra: str,
) -> Iterator[Service]:
    """Start the service with these settings, wait until it answers, and stop it. `module` starts it another way.

    Another process can take a free port before the service listens. Then the service starts again on another port,
    unless PORT is given.
    """
    tries = 1 if "PORT" in extra else PORT_TRIES
    for attempt in range(1, tries + 1):
        service = _spawn(directory, passwords, module, {"PORT": str(free_port()), **extra})
        try:
            if _comes_up(service):
                yield service
                return
            written = service.log.read_text()
            assert attempt < tries and PORT_TAKEN in written.lower(), written
        finally:
            service.close()
            if service.process.poll() is None:
                service.stop()


def _spawn(directory: Path, passwords: Sequence[str], module: Sequence[str], extra: Mapping[str, str]) -> Service:
    log = directory / f"service-{extra['PORT']}.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *module],
            env=environment({"TMPDIR": str(directory), **extra}),  # a killed service leaves files in TMPDIR
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    return Service(process, f"http://127.0.0.1:{extra['PORT']}", log, passwords)


def _comes_up(service: Service) -> bool:
    """Wait until the service answers, or has ended."""
    eventually(lambda: service.process.poll() is not None or _lives(service))
    return service.process.poll() is None


def _lives(service: Service) -> bool:
    """Whether the service listens and answers. A service of another test may answer on a port that both have chosen."""
    try:
        sockets = psutil.Process(service.process.pid).net_connections("tcp")
        listening = {socket.laddr.port for socket in sockets if socket.status == psutil.CONN_LISTEN}
        return int(service.url.rpartition(":")[2]) in listening and service.client.get("/health/live").is_success
    except (psutil.Error, httpx.TransportError):
        return False
