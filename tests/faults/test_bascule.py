"""A primary with a synchronous standby: the primary dies under load, the standby takes over, nothing that was
acknowledged is missing. The service knows both by one address, and is not touched."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psutil
import psycopg
import pytest

from app.database import schema
from app.database.postgres import Postgres
from tests import ledger
from tests.clients import MOYEN, Clients, prepare, under_load
from tests.preuve import selon
from tests.server import eventually, running
from tests.standby import Standby

DURABLE = {"fsync": "off", "synchronous_commit": "on"}  # no machine is cut here, only servers
KILLED = {**DURABLE, "dynamic_shared_memory_type": "mmap"}  # what it leaves lies in its folder, not in /dev/shm
WAITING = "select pid from pg_stat_activity where wait_event = 'SyncRep'"


@dataclass(frozen=True)
class Couple:
    primary: Postgres
    standby: Standby

    def url(self) -> str:
        """Both, in one address: whoever connects gets the one that takes writes."""
        parts = urlsplit(self.primary.url())
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in (self.primary, self.standby))
        where = f"{parts.netloc.rpartition('@')[0]}@{hosts}"
        return urlunsplit(parts._replace(netloc=where, query="target_session_attrs=read-write"))

    def kill_primary(self) -> None:
        child = self.primary._child
        assert child is not None
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()

    def promote(self) -> None:
        with psycopg.connect(self.standby.url(), autocommit=True) as connection:
            connection.execute("select pg_promote()")


@pytest.fixture(scope="module")
def couple(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Couple]:
    """One for both tests: the last one leaves the standby alone."""
    root = tmp_path_factory.mktemp("bascule")
    with Postgres(root / "primaire", KILLED) as primary:
        schema.migrate(primary.url(), lambda _: None)
        with Standby(root / "replique", primary, DURABLE) as standby:
            with psycopg.connect(primary.url(), autocommit=True) as connection:
                connection.execute("alter system set synchronous_standby_names = '*'")
                connection.execute("select pg_reload_conf()")
                synchronous = "select from pg_stat_replication where sync_state = 'sync'"
                eventually(lambda: connection.execute(synchronous).fetchone() is not None)
            yield Couple(primary, standby)


@pytest.mark.promesse("Bascule : une réponse rejouée n'est acquittée qu'une fois le paiement sur la réplique")
def test_a_replay_waits_for_the_standby_too(couple: Couple, tmp_path: Path) -> None:
    """A payment is committed here and not yet there when its connection breaks: told again under its key, it may not
    be acknowledged from what only this server has."""
    with running(tmp_path, DATABASE_URL=couple.url()) as service, ThreadPoolExecutor(2) as threads:
        admin = service.login()
        body = {"montant": "500", "id_moyen": MOYEN, "id_activite": "1"}

        def pay() -> Any:
            return admin.post("/finances/paiements", json=body, headers={"Idempotency-Key": "une-fois"})

        # The standby hears nothing more.
        receiver = next(p for p in psutil.process_iter(["cmdline", "ppid"]) if _receives(p, couple.standby))
        receiver.suspend()
        try:
            with psycopg.connect(couple.primary.url(), autocommit=True) as connection:
                first = threads.submit(pay)
                found = eventually(lambda: connection.execute(WAITING).fetchone())
                connection.execute("select pg_terminate_backend(%s)", found)
                assert first.result().status_code == 503
                again = threads.submit(pay)
                eventually(lambda: again.done() or connection.execute(WAITING).fetchone())
                assert not again.done(), again.result().text
        finally:
            receiver.resume()
        paid = again.result()
        assert (paid.status_code, paid.headers["idempotency-replayed"]) == (201, "true"), paid.text
    with psycopg.connect(couple.standby.url()) as connection:
        there = {paid.json()["id_paiement"]: "500.00"}  # written there; it is seen a moment later
        connection.autocommit = True
        eventually(lambda: ledger.payments(connection) == there)


@pytest.mark.promesse(
    "Bascule : le primaire tué sous la charge, aucun paiement acquitté ne manque sur la réplique promue"
)
def test_nothing_acknowledged_is_missing_after_a_failover(couple: Couple, tmp_path: Path, record_property: Any) -> None:
    seed = random.randrange(10**9)
    print(f"seed {seed}")
    before, after = selon((100, 100), (2000, 2000))
    with running(tmp_path, DATABASE_URL=couple.url(), JWT_DUREE="86400") as service:
        admin = service.login()
        with psycopg.connect(couple.primary.url()) as connection:
            earlier = ledger.payments(connection)
        ground = prepare(admin)
        clients = Clients(service.url, admin.headers["authorization"].removeprefix("Bearer "))
        gap = 0.0

        async def trouble() -> None:
            nonlocal gap
            await clients.answered(before)
            began = time.monotonic()
            await asyncio.to_thread(couple.kill_primary)
            await asyncio.to_thread(couple.promote)
            await clients.answered(1)
            gap = time.monotonic() - began
            await clients.answered(after)

        asyncio.run(under_load(clients, 16, ground, seed, trouble))
        assert service.process.poll() is None
    assert 500 not in clients.tries, clients.tries
    with psycopg.connect(couple.standby.url(), autocommit=True) as connection:
        assert ledger.payments(connection) == earlier | clients.acknowledged()
        assert ledger.wrong(connection) == []
    record_property("paiements acquittés, tous présents une fois", len(clients.acts))
    record_property("réponses et ruptures", dict(clients.tries))
    record_property("du primaire tué à la première réponse (s)", round(gap, 2))


def _receives(process: psutil.Process, standby: Standby) -> bool:
    child = standby._child
    return child is not None and process.info["ppid"] == child.pid and "walreceiver" in str(process.info["cmdline"])
