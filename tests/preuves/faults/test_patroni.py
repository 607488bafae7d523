"""Patroni decides the failover: three PostgreSQL, etcd, HAProxy and PgBouncer as deploiement/patroni configures them.

Sixteen clients pay through PgBouncer meanwhile. An acknowledged payment is present once, writes return within a bound,
and no two servers acknowledge writes at the same time.
"""

import asyncio
import itertools
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.database import schema
from tests import ledger, splitbrain
from tests.clients import Clients, prepare, under_load
from tests.conftest import execute
from tests.patroni import NODES, Cluster, Node, cluster, needs_patroni
from tests.preuve import selon
from tests.server import eventually, kill, running

CLIENTS = 16
BOUND = 45.0  # seconds: the ttl of the leader's key, and as much again for the election and a busy machine
pytestmark = [*needs_patroni, pytest.mark.timeout(selon(600, 3600))]


@dataclass(frozen=True)
class Fault:
    """A fault of the node that leads, and its repair. `moves`: another node takes over."""

    name: str
    strike: Callable[[Cluster, Node], None]
    repair: Callable[[Cluster, Node], None]
    moves: bool = True


def _others(node: Node) -> list[str]:
    return [name for name in NODES if name != node.name]


POSTGRES = Fault("PostgreSQL tué", lambda _, node: node.kill_postgres(), lambda _, node: None)
FAULTS = [
    POSTGRES,
    Fault("Patroni tué", lambda _, node: kill(node.patroni), lambda _, node: node.start_patroni()),
    Fault("meneur d'etcd tué", lambda _, node: kill(node.etcd), lambda _, node: node.start_etcd(), moves=False),
    Fault(
        "réseau du nœud coupé",
        lambda cluster, node: cluster.network.unplug(node.name),
        lambda cluster, node: cluster.network.plug(node.name),
    ),
    Fault(
        "réseau coupé entre les nœuds",
        lambda cluster, node: cluster.network.separate(node.name, _others(node)),
        lambda cluster, node: cluster.network.join(node.name, _others(node)),
    ),
]
ROUNDS = selon([POSTGRES], FAULTS * 2)


@pytest.fixture
def patroni() -> Iterator[Cluster]:
    with cluster() as running_cluster:
        for statement in ("create database comptoir", splitbrain.TABLE):
            execute(running_cluster.direct_url("postgres"), statement)
        url = running_cluster.direct_url("comptoir")
        schema.migrate(url, lambda _: None)
        execute(url, f"create role comptoir_api login password '{running_cluster.api_password}' in role comptoir_app")
        yield running_cluster


@pytest.mark.promesse(
    "Patroni : meneur tué ou coupé des autres sous la charge, aucun paiement perdu ni doublé, un seul écrit"
)
def test_a_failover_loses_no_acknowledged_payment(
    patroni: Cluster, tmp_path: Path, seed: int, record_property: Any
) -> None:
    rng = random.Random(seed)
    silences: dict[str, list[float]] = {}
    settings = {
        "DATABASE_URL": patroni.pooled_url(),
        "DATABASE_OWNER_URL": patroni.direct_url("comptoir"),
        "DATABASE_REQUETES_PREPAREES": "0",
        "JWT_DUREE": "86400",
    }
    writers = splitbrain.Writers({name: patroni.direct_url("postgres", node) for name, node in patroni.nodes.items()})
    with writers, running(tmp_path, **settings) as service:
        admin = service.login()
        ground = prepare(admin)
        clients = Clients(service.url, admin.headers)

        async def trouble() -> None:
            for fault in rng.sample(ROUNDS, len(ROUNDS)):
                await clients.ok(rng.randint(CLIENTS, 20 * CLIENTS))
                silences.setdefault(fault.name, []).append(await silence(fault, patroni, clients))
                print(fault.name, silences[fault.name][-1])

        with patroni.explained():
            asyncio.run(under_load(clients, CLIENTS, ground, seed, trouble))
        assert service.process.poll() is None
    assert 500 not in clients.tries, service.log.read_text()
    acknowledged = clients.acknowledged()
    assert ledger.payments(patroni.direct_url("comptoir")) == acknowledged
    assert ledger.wrong(patroni.direct_url("comptoir")) == []
    for node in patroni.nodes.values():
        eventually(lambda node=node: ledger.payments(patroni.direct_url("comptoir", node)) == acknowledged)
    assert splitbrain.wrong(writers.writes, patroni.direct_url("postgres")) == []
    assert max(itertools.chain(*silences.values())) < BOUND, silences
    record_property("paiements acquittés, tous présents une fois", len(acknowledged))
    record_property("réponses et ruptures", dict(clients.tries))
    record_property("serveur et écritures directes de chaque ligne de temps", timelines(writers.writes))
    for name, seconds in silences.items():
        record_property(f"{name}, secondes sans paiement acquitté", sorted(seconds))


async def silence(fault: Fault, patroni: Cluster, clients: Clients) -> float:
    """Run one fault until the cluster is whole again. Return the longest time without an acknowledged payment."""
    moments: list[float] = []

    async def watch() -> None:
        while True:
            await clients.ok(1)
            moments.append(time.monotonic())

    watching = asyncio.create_task(watch())
    node = await asyncio.to_thread(patroni.leader if fault.moves else patroni.etcd_leader)
    began = time.monotonic()
    await asyncio.to_thread(fault.strike, patroni, node)
    await asyncio.to_thread(patroni.leader, but=node if fault.moves else None)
    await clients.ok(5 * CLIENTS)
    await asyncio.to_thread(fault.repair, patroni, node)
    await asyncio.to_thread(patroni.recover)
    await clients.ok(CLIENTS)
    watching.cancel()
    times = [began, *(moment for moment in moments if moment > began)]
    return round(max(later - earlier for earlier, later in itertools.pairwise(times)), 1)


def timelines(writes: list[splitbrain.Write]) -> dict[int, tuple[str, int]]:
    """Return the server of each timeline, and the number of its writes."""
    counts = Counter((write.timeline, write.server) for write in writes)
    return {timeline: (server, number) for (timeline, server), number in sorted(counts.items())}
