"""A streaming replica answers reports and lists while it is fresh. The primary answers everything else."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app import routes
from app.auth.kvstore import Store
from app.database.database import Database
from app.database.pool import Pool
from app.database.replica import Replica
from app.database.replicas import Replicas
from app.http.caller import Caller
from app.http.route import CLIENT
from tests import builders
from tests.conftest import connected
from tests.server import eventually, in_a_loop
from tests.standby import Replicated, answered_by, earn, in_this_process, replicated, served, session

REPORT = "/rapports/synthese-globale"
WHERE = "select pg_is_in_recovery()"
OPERATION = (
    "select pg_is_in_recovery() from (select $1::boolean) caller"  # the statement of an operation has the argument
)


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicated]:
    with replicated(tmp_path_factory.mktemp("replique"), 1) as servers:
        yield servers


def reported(reader: httpx.Client) -> str:
    answer = reader.get(REPORT)
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.bref
def test_a_lagging_replica_is_not_used(tmp_path: Path, in_sync: Replicated) -> None:
    with served(tmp_path, in_sync, 3) as service:
        admin, reader = service.login(), session(service, in_sync.user("retard"))
        eventually(lambda: answered_by(service, reader, REPORT) == "replica")
        in_sync.standbys[0].pause()
        before = reported(reader)
        earn(admin, "222")
        eventually(lambda: reported(reader) != before)
        assert answered_by(service, reader, REPORT) == "primary"


def test_the_primary_answers_for_an_account_that_the_replica_lacks(tmp_path: Path, in_sync: Replicated) -> None:
    with served(tmp_path, in_sync, 3600) as service:
        earlier = session(service, in_sync.user("ancien"))
        eventually(lambda: answered_by(service, earlier, REPORT) == "replica")
        in_sync.standbys[0].pause()
        assert answered_by(service, session(service, in_sync.user("nouveau")), REPORT) == "primary"
        assert answered_by(service, earlier, REPORT) == "replica"


def test_every_stale_route_can_be_read_on_a_standby(in_sync: Replicated) -> None:
    """The only server of this application is the replica, so an operation that writes would fail."""
    staff, portal = in_sync.user("lecteur"), in_sync.user("residente", role="RESIDENT")
    with connected(in_sync.primary.url()) as db:
        db.execute("update auth.utilisateur set id_client = %s where login = 'residente'", [builders.client(db)])
        keys = db.one(
            "insert into evenement.webhook (url, types, id_utilisateur)"
            " select 'https://compta.example.com/', '{paiement.recu}', min(id_utilisateur) from auth.utilisateur"
            " returning id_webhook, id_utilisateur, (select min(code) from core.activite) as code"
        )
    in_sync.catch_up()
    url = in_sync.standbys[0].url()

    async def request_all() -> dict[str, int]:
        statuses = {}
        async with in_this_process(url, Database(Pool(url, 2, 1024), {})) as client:
            for route in routes.load().routes:
                if route.stale:
                    path = route.path.format_map(keys)
                    client.headers["authorization"] = f"Bearer {portal if route.bounds == CLIENT else staff}"
                    statuses[path] = (await client.get(path, params={"compte": "571"})).status_code
            client.headers["authorization"] = f"Bearer {staff}"
            statuses["write"] = (await client.post("/api/v1/client/clients", json=builders.CLIENT)).status_code
        return statuses

    statuses = asyncio.run(request_all())
    assert statuses.pop("write") == 503
    assert len(statuses) >= 30
    assert set(statuses.values()) == {200}, statuses


@in_a_loop
async def test_the_age_of_a_replica_counts_from_the_position_of_the_primary(in_sync: Replicated) -> None:
    """The test calls `look` with its own clock. A server that is not a standby is never used."""
    now = 0.0
    primary = Pool(in_sync.primary.url(), 2, 1024)
    replica = Replica(primary, Pool(in_sync.standbys[0].url(), 2, 1024), 5, lambda: now)
    impostor = Replica(primary, Pool(in_sync.primary.url(), 2, 1024), 5, lambda: now)
    database = Database(primary, {}, Replicas([replica], Store(), 5))
    caller = Caller(None, "essai", "127.0.0.1")
    try:
        # No watcher runs: the test calls `look` itself.
        replica._watching = impostor._watching = asyncio.create_task(asyncio.sleep(0))
        assert not replica.usable()

        async def caught_up() -> None:
            while not replica.usable():
                await replica.look()

        await asyncio.wait_for(caught_up(), 20)
        assert await database.value(WHERE) is False
        assert (await database.stale_row(OPERATION, (), caller))[0] is True
        now += 5.5
        assert not replica.usable()
        assert (await database.stale_row(OPERATION, (), caller))[0] is False
        in_sync.standbys[0].pause()
        in_sync.write()
        await replica.look()  # records a position that the paused replica does not reach
        now += 1
        await replica.look()
        assert not replica.usable()
        in_sync.standbys[0].resume()
        await asyncio.wait_for(caught_up(), 20)
        now += 4.5  # the age counts from the recorded position, not from the answer
        assert not replica.usable()
        await impostor.look()
        assert not impostor.usable()
        await replica.look()
        replica.distrust()
        assert not replica.usable()
    finally:
        await database.close()
        await impostor.close()
