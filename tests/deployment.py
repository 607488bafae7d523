"""The service with its worker and its servers, whose processes tests kill.

fsync is off: the tests kill processes, not the machine, so the kernel keeps written data.
"""

import os
import random
import signal
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import psutil

from app.leaves.embarque.postgres import Postgres
from bench.valkey import Valkey
from tests.conftest import migrated_postgres
from tests.preuve import selon
from tests.server import Service, crash, eventually, free_port, kill, running, worker

CLIENTS = 16
ROUNDS = selon(3, 30)


class Deployment:
    """The service in two processes, a worker and their servers. Each process can be killed and is started again."""

    def __init__(self, directory: Path, stack: ExitStack, postgres: Postgres | None = None, **settings: str) -> None:
        self._directory, self._stack = directory, stack
        self.postgres = postgres or stack.enter_context(migrated_postgres(directory / "base", {"fsync": "off"}))
        store = stack.enter_context(Valkey(directory / "magasin"))
        addresses = {"DATABASE_URL": self.postgres.url(), "KVSTORE_URL": store.url, "PORT": str(free_port())}
        self._settings = {**addresses, "WEB_CONCURRENCY": "2", "JWT_DUREE": "86400", **settings}
        self.service = self._serve()
        self.worker = self._work()

    def _serve(self) -> Service:
        return self._stack.enter_context(running(self._directory, **self._settings))

    def _work(self) -> subprocess.Popen[bytes]:
        return self._stack.enter_context(worker(self._directory, periodic=False, **self._settings))[0]

    def processes(self) -> list[psutil.Process]:
        """Return the serving processes, without the resource tracker of their parent."""
        return [child for child in psutil.Process(self.service.process.pid).children() if _serves(child)]

    def kill_one_process(self, rng: random.Random) -> None:
        victim = rng.choice(self.processes())
        victim.kill()
        eventually(lambda: victim not in (current := self.processes()) and len(current) == 2)

    def kill_the_api(self, _: random.Random) -> None:
        os.killpg(self.service.process.pid, signal.SIGKILL)
        self.service.process.wait()
        self.service = self._serve()

    def kill_the_worker(self, _: random.Random) -> None:
        kill(self.worker)
        self.worker = self._work()

    def kill_postgres(self, _: random.Random) -> None:
        crash(self.postgres)

    def victims(self) -> list[Callable[[random.Random], None]]:
        return [self.kill_postgres, self.kill_one_process, self.kill_the_worker, self.kill_the_api]


def _serves(process: psutil.Process) -> bool:
    try:
        return "spawn_main" in " ".join(process.cmdline())
    except psutil.Error:
        return False  # a dead process that is not reaped yet
