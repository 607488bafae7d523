"""Lots of a device while the service is killed and PostgreSQL crashes: the device sends again until all is answered."""

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import psycopg
import pytest

from tests import builders
from tests.conftest import FAST, connected, migrated_postgres, ok
from tests.hors_ligne.appareil import Device, inscribe, shop
from tests.preuve import selon
from tests.server import crash, kill, running

KILLS, LOT = selon(3, 40), 25
RECEIVED = "select count(*) from finances.operation_appareil"


class Line:
    """The client of a device or of a person, to the service that runs at present."""

    def __init__(self, token: str | None = None) -> None:
        self.client = httpx.Client()
        self.token = token

    def request(
        self, method: str, path: str, *, token: str | None = None, headers: dict[str, str] | None = None, **options: Any
    ) -> httpx.Response:
        authorization = {"authorization": f"Bearer {token}"} if token else {}
        return self.client.request(method, path, headers=authorization | (headers or {}), **options)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self.request("POST", path, **options)


def received(url: str) -> int:
    with psycopg.connect(url) as connection:
        [count] = connection.execute(RECEIVED).fetchone() or (0,)
    return int(count)


@pytest.mark.bref
@pytest.mark.promesse("Hors ligne : un lot coupé par une panne reprend où il en était, rien n'est perdu ni doublé")
def test_a_lot_that_a_kill_cuts_goes_on_where_it_stood(tmp_path: Path) -> None:
    rng, line = random.Random(45), Line()
    with migrated_postgres(tmp_path / "base", FAST | {"synchronous_commit": "on"}) as server:
        url = server.url()
        settings = {"DATABASE_URL": url, "DATABASE_OWNER_URL": url}
        with connected(url) as db:
            till, product, empty = shop(db), builders.produit(db, "5000", "50"), builders.produit(db, "0", "50")
        device: Device | None = None
        for fault in range(KILLS + 1):
            with running(tmp_path, **settings) as service:
                line.client = service.new_client()
                if device is None:
                    admin = service.login()
                    device = inscribe(SimpleNamespace(post=admin.post), till)
                    device.http = line
                    device.update()
                for rank in range(LOT):
                    device.sell(product if rank % 5 else empty, "50")
                if fault == KILLS:
                    break
                cut(device, service, server, device.sequence - rng.randrange(1, LOT), fault % 2 == 0)
        with running(tmp_path, **settings) as service:
            line.client = service.new_client()
            answers = [answer for first in range(0, device.sequence, 200) for answer in send(device, first)]
            refused = [answer["sequence"] for answer in answers if answer["etat"] == "EXCEPTION"]
            assert refused == [str(rank + 1) for rank in range(0, device.sequence, 5)]
            assert send(device, 0) == [answer | {"etat": after(answer["etat"])} for answer in answers[:200]]
        with connected(url) as db:
            sums = """select count(*) as ventes, sum(total) as total,
                             (select sum(montant) from finances.paiement where id_caisse = %s) as recu,
                             (select count(*) from finances.operation_appareil) as operations from market.vente"""
            sold = device.sequence - len(refused)
            assert tuple(db.one(sums, [till]).values()) == (sold, 50 * sold, 50 * sold, device.sequence)
            ranks = (
                "select max(substring(numero from '[0-9]+$')::int) as last, count(*) as count from facturation.facture"
            )
            assert tuple(db.one(ranks).values()) == (sold, sold)


def after(state: str) -> str:
    """The state of an operation that is sent again."""
    return "EXCEPTION" if state == "EXCEPTION" else "CONNUE"


def send(device: Device, first: int) -> list[Any]:
    return list(ok(device.post(*device.queue[first : first + 200]))["operations"])


def cut(device: Device, service: Any, server: Any, after: int, of_the_service: bool) -> None:
    """Send what waits, and kill the service or PostgreSQL once so many operations have arrived."""
    first = received(server.url())

    def attempt() -> None:
        with suppress(httpx.HTTPError):
            device.post(*device.queue[first : first + 200])

    with ThreadPoolExecutor(1) as threads:
        sending = threads.submit(attempt)
        while not sending.done() and received(server.url()) < after:
            pass
        if of_the_service:
            kill(service.process)
        else:
            crash(server)
        sending.result()
