"""Several replicas share the stale reads. One that lags or fails is left aside, and the client does not notice."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import psycopg
import pytest

from app.auth.kvstore import Store
from app.base import tasks
from app.commands import application
from app.database.database import Database
from app.database.pool import Pool
from app.database.replica import Replica
from app.database.replicas import Replicas
from app.http import listfiles
from app.http.caller import Caller
from tests.conftest import connected, execute, one
from tests.server import Service, eventually, in_a_loop, start_again, until
from tests.standby import Replicated, answered_by, earn, in_this_process, replicated, served, session

REPORT, LIST = "/rapports/synthese-globale", "/finances/paiements"
REPLICAS = {"replica-1", "replica-2"}
SERVER = "select current_setting('port') from (select $1::boolean) caller"
# It waits while a test holds the lock.
LOCKED = "select current_setting('port') from (select $1::boolean, pg_advisory_xact_lock_shared(7)) caller"


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replicated]:
    root = tmp_path_factory.mktemp("repliques")
    with replicated(root, 2, max_standby_streaming_delay="0") as servers:
        grant = "grant execute on function pg_advisory_xact_lock_shared(bigint) to comptoir_app"
        execute(servers.primary.url(), grant)
        yield servers


@asynccontextmanager
async def in_process(in_sync: Replicated, bound: float = 3600) -> AsyncIterator[tuple[Database, list[Replica]]]:
    """A database of this process with two replicas that are in use."""
    primary = Pool(in_sync.primary.url(), 4, 1024)
    both = [Replica(primary, Pool(standby.url(), 8, 1024), bound) for standby in in_sync.standbys]
    database = Database(
        primary, application.read_catalogue(in_sync.primary.url()).sentences, Replicas(both, Store(), bound)
    )
    try:
        await until(lambda: all([replica.usable() for replica in both]))
        yield database, both
    finally:
        await database.close()


def age(service: Service, replica: str) -> float:
    metrics = httpx.get(f"{service.url}/metrics").text
    match = re.search(rf'^db_replica_age_seconds{{pool="{replica}"}} (.+)$', metrics, re.MULTILINE)
    assert match is not None, metrics
    return float(match[1])


def caller() -> Caller:
    return Caller(None, "essai", "127.0.0.1")


def port(in_sync: Replicated, number: int) -> str:
    return str(in_sync.standbys[number].port)


@in_a_loop
async def test_concurrent_reads_are_spread_over_both_replicas(in_sync: Replicated) -> None:
    """Eight statements wait for a lock, so each one finds those before it running."""
    async with in_process(in_sync) as (database, both):
        with psycopg.connect(in_sync.standbys[0].url()) as one, psycopg.connect(in_sync.standbys[1].url()) as other:
            for connection in (one, other):
                connection.execute("select pg_advisory_xact_lock(7)")
            tasks = [asyncio.create_task(database.stale_row(LOCKED, (), caller())) for _ in range(8)]
            await until(lambda: sum(replica.running for replica in both) == 8)
            assert [replica.running for replica in both] == [4, 4]
        ports = [row[0] for row in await asyncio.gather(*tasks)]
        assert sorted(ports) == sorted([port(in_sync, 0), port(in_sync, 1)] * 4)
        assert database.load().answers == {"primary": 0, "replica-1": 4, "replica-2": 4}


@in_a_loop
async def test_an_idle_process_reads_from_the_freshest_replica(in_sync: Replicated) -> None:
    async with in_process(in_sync) as (database, both):
        for replica in both:
            await tasks.end(replica._watching)  # which would measure the age again
        now = both[0].clock()
        for fresh in both:
            for replica in both:
                replica._as_of = now if replica is fresh else now - 100
            row = await database.stale_row(SERVER, (), caller())
            assert row[0] == port(in_sync, both.index(fresh))


def test_a_paused_replica_is_left_aside_while_the_other_one_answers(tmp_path: Path, in_sync: Replicated) -> None:
    with served(tmp_path, in_sync, 3) as service:
        reader = session(service, in_sync.user("pause"))
        admin = service.login()
        eventually(lambda: answered_by(service, reader, REPORT) in REPLICAS)
        in_sync.standbys[0].pause()
        earn(admin, "111")
        eventually(lambda: age(service, "replica-1") > 3)
        assert {answered_by(service, reader, path) for path in (REPORT, LIST) * 5} == {"replica-2"}
        assert "111.00" in reader.get(LIST).text
        in_sync.standbys[0].resume()
        in_sync.standbys[1].pause()
        earn(admin, "112")
        eventually(lambda: answered_by(service, reader, REPORT) == "replica-1")


def test_the_primary_answers_without_replicas_until_one_comes_back(tmp_path: Path, in_sync: Replicated) -> None:
    with served(tmp_path, in_sync, 3600) as service:
        reader = session(service, in_sync.user("perte"))
        in_sync.catch_up()
        eventually(lambda: answered_by(service, reader, REPORT) in REPLICAS)
        ports = [standby.port for standby in in_sync.standbys]
        first = answered_by(service, reader, LIST)
        gone = int(first[-1]) - 1
        in_sync.standbys[gone].stop()
        assert answered_by(service, reader, LIST) in REPLICAS - {first}  # the lost replica costs the client nothing
        in_sync.standbys[1 - gone].stop()
        assert [answered_by(service, reader, path) for path in (LIST, REPORT)] == ["primary", "primary"]
        assert service.client.get("/health/ready").status_code == 200
        start_again(in_sync.standbys[gone], ports[gone])
        eventually(lambda: answered_by(service, reader, LIST) == first)


@in_a_loop
async def test_a_read_that_recovery_cancels_is_answered_by_the_other_replica(in_sync: Replicated) -> None:
    async with in_process(in_sync) as (database, both):
        with connected(in_sync.primary.url(), autocommit=True) as primary:
            primary.execute("create table public.essai as select generate_series(1, 1000) as n")
            primary.execute("grant select on public.essai to public")
            in_sync.catch_up()
            both[1]._as_of -= 100  # the first one is preferred
            with psycopg.connect(in_sync.standbys[0].url()) as blocking:
                blocking.execute("select pg_advisory_xact_lock(7)")
                statement = f"{LOCKED} where exists (select from public.essai)"
                reading = asyncio.create_task(database.stale_row(statement, (), caller()))
                waiting = "select count(*) from pg_locks where locktype = 'advisory' and not granted"
                await until(lambda: in_sync.standbys[0].value(waiting) == 1)
                in_sync.standbys[1].pause()  # else its recovery may cancel the read too
                primary.execute("delete from public.essai where n > 1")
                primary.execute("vacuum public.essai")
                in_sync.write()
                assert (await reading)[0] == port(in_sync, 1)
        assert both[0].usable()  # it is no failure of the replica
        assert database.load().answers == {"primary": 0, "replica-1": 0, "replica-2": 1}


@in_a_loop
async def test_the_pages_of_one_request_come_from_one_replica_or_then_the_primary(in_sync: Replicated) -> None:
    async with in_process(in_sync) as (database, both):
        reader = caller()

        async def server(*, follows: bool) -> str:
            return str((await database.stale_row(SERVER, (), reader, follows=follows))[0])

        assert await server(follows=True) == str(in_sync.primary.port)  # the earlier page may be of the primary
        both[1]._as_of -= 100
        assert await server(follows=False) == port(in_sync, 0)
        both[0]._as_of -= 200  # the second one is now fresher
        assert await server(follows=True) == port(in_sync, 0)
        both[0].distrust()
        assert await server(follows=True) == str(in_sync.primary.port)
        await until(lambda: both[0].usable())
        assert await server(follows=True) == str(in_sync.primary.port)  # the replica would be older than this page
        assert await server(follows=False) in {port(in_sync, 0), port(in_sync, 1)}


def test_a_file_of_many_pages_comes_from_one_replica(in_sync: Replicated, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listfiles, "PAGE", 1)
    token = in_sync.user("fichier")
    number = one(
        in_sync.primary.url(),
        "insert into auth.connexion (id_utilisateur, succes) select id_utilisateur, true from auth.utilisateur,"
        " generate_series(1, 4) where login = 'fichier' returning id_utilisateur",
    )
    in_sync.catch_up()

    async def read() -> tuple[int, dict[str, int]]:
        async with in_process(in_sync) as (database, _):
            async with in_this_process(in_sync.primary.url(), database) as client:
                client.headers["authorization"] = f"Bearer {token}"
                answer = await client.get(f"/api/v1/admin/utilisateurs/{number}/connexions?format=csv")
            assert answer.status_code == 200, answer.text
            return len(answer.text.splitlines()), dict(database.load().answers)

    lines, counts = asyncio.run(read())
    assert lines == 1 + 4
    assert counts.pop("primary") == 0
    assert sorted(counts.values())[0] == 0 and sum(counts.values()) >= 4


def test_the_next_page_of_a_list_comes_from_the_primary(tmp_path: Path, in_sync: Replicated) -> None:
    with served(tmp_path, in_sync, 3600) as service:
        reader = session(service, in_sync.user("suite"))
        admin = service.login()
        for amount in ("1", "2", "3"):
            earn(admin, amount)
        in_sync.catch_up()
        eventually(lambda: answered_by(service, reader, LIST) in REPLICAS)
        following = reader.get(f"{LIST}?limit=1").links["next"]["url"].removeprefix("/api/v1")
        assert "apres=" in following
        for path in (following, f"{LIST}?limit=1&offset=1"):
            assert answered_by(service, reader, path) == "primary"
        assert answered_by(service, reader, f"{LIST}?limit=1&offset=0") in REPLICAS
