"""A primary with a synchronous standby: the primary dies under load and the standby takes over.

No acknowledged payment is missing. The service has one address for both servers and is not restarted.
"""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from tests import ledger
from tests.clients import MOYEN, Clients, prepare, under_load
from tests.preuve import selon
from tests.server import eventually, running
from tests.standby import Pair, Standby, synchronous

WAITING = "select pid from pg_stat_activity where wait_event = 'SyncRep'"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Both tests share this pair. The last test leaves the standby alone."""
    with synchronous(tmp_path_factory.mktemp("bascule")) as servers:
        yield servers


@pytest.mark.promesse("Bascule : une réponse rejouée n'est acquittée qu'une fois le paiement sur la réplique")
def test_a_replayed_payment_waits_for_the_standby(pair: Pair, tmp_path: Path) -> None:
    """The connection breaks while a payment is committed on the primary only.

    The request, sent again with its key, must wait until the standby has the payment too.
    """
    with running(tmp_path, DATABASE_URL=pair.url()) as service, ThreadPoolExecutor(2) as threads:
        admin = service.login()
        body = {"montant": "500", "id_moyen": MOYEN, "id_activite": "1"}

        def pay() -> Any:
            return admin.post("/finances/paiements", json=body, headers={"Idempotency-Key": "une-fois"})

        # The standby receives no more WAL.
        receiver = next(p for p in psutil.process_iter(["cmdline", "ppid"]) if _receives(p, pair.standby))
        receiver.suspend()
        try:
            with psycopg.connect(pair.primary.url(), autocommit=True) as connection:
                first = threads.submit(pay)
                backend = eventually(lambda: connection.execute(WAITING).fetchone())
                connection.execute("select pg_terminate_backend(%s)", backend)
                assert first.result().status_code == 503
                again = threads.submit(pay)
                eventually(lambda: again.done() or connection.execute(WAITING).fetchone())
                assert not again.done(), again.result().text
        finally:
            receiver.resume()
        paid = again.result()
        assert (paid.status_code, paid.headers["idempotency-replayed"]) == (201, "true"), paid.text
    there = {paid.json()["id_paiement"]: "500.00"}  # the standby shows it a moment later
    eventually(lambda: ledger.payments(pair.standby.url()) == there)


@pytest.mark.promesse(
    "Bascule : le primaire tué sous la charge, aucun paiement acquitté ne manque sur la réplique promue"
)
def test_no_acknowledged_payment_is_missing_after_a_failover(
    pair: Pair, tmp_path: Path, seed: int, record_property: Any
) -> None:
    before, after = selon((100, 100), (2000, 2000))
    with running(tmp_path, DATABASE_URL=pair.url(), JWT_DUREE="86400") as service:
        admin = service.login()
        earlier = ledger.payments(pair.primary.url())
        ground = prepare(admin)
        clients = Clients(service.url, admin.headers)
        gap = 0.0

        async def trouble() -> None:
            nonlocal gap
            await clients.ok(before)
            began = time.monotonic()
            await asyncio.to_thread(pair.kill_primary)
            await asyncio.to_thread(pair.promote)
            await clients.ok(1)
            gap = time.monotonic() - began
            await clients.ok(after)

        asyncio.run(under_load(clients, 16, ground, seed, trouble))
        assert service.process.poll() is None
    assert 500 not in clients.tries, clients.tries
    assert ledger.payments(pair.standby.url()) == earlier | clients.acknowledged()
    assert ledger.wrong(pair.standby.url()) == []
    record_property("paiements acquittés, tous présents une fois", len(clients.acts))
    record_property("réponses et ruptures", dict(clients.tries))
    record_property("du primaire tué à la première réponse (s)", round(gap, 2))


def _receives(process: psutil.Process, standby: Standby) -> bool:
    child = standby._child
    return child is not None and process.info["ppid"] == child.pid and "walreceiver" in str(process.info["cmdline"])
