"""API, worker, PostgreSQL and receiver are killed under load: the receiver gets what committed, in order."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.clients import Clients, prepare, under_load
from tests.conftest import connected, execute
from tests.deployment import CLIENTS, ROUNDS, Deployment
from tests.preuve import selon
from tests.receiver import AT_ONCE, Delivery, Receiver, genuine, receiving
from tests.server import eventually, free_port

TYPES = ["paiement.recu", "facture.emise", "facture.payee"]


class Receiving:
    """A receiver that stops and starts again on its port, and the deliveries of all its lives."""

    def __init__(self) -> None:
        self.port = free_port()
        self.deliveries: list[Delivery] = []
        self._stack = ExitStack()
        self._start()

    def _start(self) -> None:
        self._receiver: Receiver = self._stack.enter_context(receiving(self.port))
        self._receiver.deliveries = self.deliveries
        self.url = self._receiver.url

    def kill(self, rng: random.Random) -> None:
        self.stop()
        self._start()

    def stop(self) -> None:
        self._stack.close()

    def numbers(self) -> list[int]:
        """The events in the order of their first delivery."""
        return self._receiver.accepted()


@contextmanager
def deployed(directory: Path) -> Iterator[tuple[Deployment, Receiving]]:
    with ExitStack() as stack:
        receiver = Receiving()
        stack.callback(receiver.stop)
        yield Deployment(directory, stack, WEBHOOK_RESEAUX="127.0.0.0/8"), receiver


@pytest.mark.promesse(
    "Webhooks : API, travailleur, base ou destinataire tués sous la charge, aucun événement perdu ni déplacé"
)
def test_kills_under_load_lose_no_event_and_keep_the_order(tmp_path: Path, seed: int, record_property: Any) -> None:
    rng = random.Random(seed)
    kills: Counter[str] = Counter()
    with deployed(tmp_path) as (deployment, receiver):
        admin = deployment.service.login()
        ground = prepare(admin)
        made = admin.post("/admin/webhooks", json={"url": receiver.url, "types": TYPES})
        assert made.status_code == 201, made.text
        clients = Clients(deployment.service.url, admin.headers)

        async def trouble() -> None:
            await clients.ok(CLIENTS)
            first, *others = deployment.victims()
            victims = [first, receiver.kill, *others]
            for turn in range(selon(len(victims), ROUNDS)):
                kill = rng.choice(victims) if turn >= len(victims) else victims[turn]
                await clients.ok(rng.randint(1, 80))
                await asyncio.to_thread(kill, rng)
                await asyncio.to_thread(execute, deployment.postgres.url(), AT_ONCE)
                await clients.ok(CLIENTS)
                kills[kill.__name__] += 1

        asyncio.run(under_load(clients, CLIENTS, ground, seed, trouble))
        with connected(deployment.postgres.url(), autocommit=True) as db:
            query = "select id_evenement from evenement.evenement where type = any (%s) order by id_evenement"
            committed = [row["id_evenement"] for row in db.all(query, [TYPES])]

            def complete() -> bool:
                db.execute(AT_ONCE)
                return len(receiver.numbers()) >= len(committed)

            eventually(complete)
        assert receiver.numbers() == committed
        secrets = [made.json()["secret"]]
        assert all(genuine(sent, secrets) for sent in receiver.deliveries)
    record_property("coupures", dict(kills))
    record_property("événements reçus dans l'ordre", len(committed))
    record_property("envois répétés", len(receiver.deliveries) - len(committed))
