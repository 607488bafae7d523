"""Under load from 16 clients, the API, a worker and PostgreSQL are killed at random: no payment is lost or doubled.

fsync is off: the test kills processes, not the machine, so the kernel keeps written data.
"""

import asyncio
import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.leaves.embarque.postgres import Postgres
from bench.valkey import Valkey
from tests import ledger
from tests.clients import Clients, prepare, under_load
from tests.conftest import execute, migrated_postgres
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
        return self._stack.enter_context(worker(self._directory, **self._settings))[0]

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


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    with ExitStack() as stack:
        yield Deployment(tmp_path, stack)


@pytest.mark.bref
@pytest.mark.promesse("Panne : processus, travailleur ou base tués sous la charge, aucun paiement perdu ni doublé")
def test_kills_under_load_lose_or_double_no_payment(deployment: Deployment, seed: int, record_property: Any) -> None:
    rng, url = random.Random(seed), deployment.postgres.url()
    admin = deployment.service.login()
    ground = prepare(admin)
    clients = Clients(deployment.service.url, admin.headers)
    kills: Counter[str] = Counter()
    slowest = 0.0

    async def trouble() -> None:
        nonlocal slowest
        await clients.ok(CLIENTS)
        victims = deployment.victims()
        for turn in range(ROUNDS):
            kill = rng.choice(victims) if turn >= len(victims) else victims[turn]
            # The worker has work when it is killed.
            await asyncio.to_thread(execute, url, "select core._differer('sceller')")
            await clients.ok(rng.randint(1, 80))
            began = time.monotonic()
            await asyncio.to_thread(kill, rng)
            await clients.ok(CLIENTS)
            slowest = max(slowest, time.monotonic() - began)
            kills[kill.__name__] += 1

    asyncio.run(under_load(clients, CLIENTS, ground, seed, trouble))
    acknowledged = clients.acknowledged()
    # Every interrupted transaction has ended: it is committed or rolled back.
    assert ledger.payments(url) == acknowledged
    assert ledger.wrong(url) == []
    sums = "select id_caisse::text, sum(montant)::text from finances.paiement where id_caisse > 0 group by 1"
    by_till = dict(execute(url, sums))
    expected: Counter[str] = Counter()
    for act in clients.acts:
        if act.body and "id_caisse" in act.body:
            expected[act.body["id_caisse"]] += int(act.body["montant"])
    assert by_till == {caisse: f"{amount}.00" for caisse, amount in expected.items()}
    assert 500 not in clients.tries
    record_property("coupures", dict(kills))
    record_property("paiements acquittés, tous présents une fois", len(acknowledged))
    record_property("réponses et ruptures", dict(clients.tries))
    record_property("plus longue reprise (s)", round(slowest, 1))
