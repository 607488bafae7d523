"""A streaming replica answers reports while it is fresh. The primary answers everything else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from app import application, routes
from app.auth.passwords import hash_password
from app.base.settings import Settings
from app.database import schema
from app.database.database import Database
from app.database.pool import Pool
from app.database.postgres import Postgres
from app.database.replica import Replica
from tests.conftest import FAST, SECRET
from tests.server import eventually, running
from tests.standby import Standby

REPORT = "/rapports/synthese-globale"
WHERE = "select pg_is_in_recovery()"
OPERATION = (
    "select pg_is_in_recovery() from (select $1::boolean) caller"  # the statement of an operation has the argument
)


@dataclass(frozen=True)
class Pair:
    primary: Postgres
    standby: Standby

    def on_standby(self, statement: str) -> Any:
        with psycopg.connect(self.standby.url(), autocommit=True) as connection:
            return connection.execute(statement).fetchone()[0]  # type: ignore[index]


WHOLE_STATEMENTS = {"track_activity_query_size": "16384"}  # the statement of a report ends with its name


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    root = tmp_path_factory.mktemp("replique")
    with Postgres(root / "primaire", FAST) as primary:
        schema.migrate(primary.url(), lambda _: None)
        with Standby(root / "replique", primary, {**FAST, **WHOLE_STATEMENTS}) as standby:
            yield Pair(primary, standby)


@pytest.fixture
def pair(servers: Pair) -> Iterator[Pair]:
    """Both servers, running and in sync again."""
    yield servers
    if not servers.standby.running():
        servers.standby.start()
    servers.on_standby("select pg_wal_replay_resume()")


def served(directory: Path, pair: Pair, lag: int) -> Any:
    return running(
        directory,
        DATABASE_URL=pair.primary.url(),
        DATABASE_REPLICA_URL=pair.standby.url(),
        DATABASE_REPLICA_RETARD=str(lag),
    )


def earn(admin: httpx.Client, amount: str) -> None:
    answer = admin.post("/finances/paiements", json={"montant": amount, "id_moyen": "1", "id_activite": "1"})
    assert answer.status_code == 201, answer.text


def reported(admin: httpx.Client) -> str:
    answer = admin.get(REPORT)
    assert answer.status_code == 200, answer.text
    return answer.text


def replica_answers(admin: httpx.Client, pair: Pair) -> bool:
    """Request a report. Return whether the replica has run its statement."""
    reported(admin)
    condition = "application_name = 'comptoir' and query like '%synthese_globale%'"
    return bool(pair.on_standby(f"select count(*) from pg_stat_activity where {condition}"))


def test_the_replica_answers_reports_and_the_primary_answers_other_requests(tmp_path: Path, pair: Pair) -> None:
    with served(tmp_path, pair, 3600) as service:
        admin = service.login()
        eventually(lambda: replica_answers(admin, pair))
        pair.on_standby("select pg_wal_replay_pause()")
        before = reported(admin)
        earn(admin, "111")
        assert admin.get("/finances/paiements").json()[0]["montant"] == "111.00"
        assert reported(admin) == before
        pair.on_standby("select pg_wal_replay_resume()")
        eventually(lambda: reported(admin) != before)


def test_a_lagging_replica_is_not_used(tmp_path: Path, pair: Pair) -> None:
    with served(tmp_path, pair, 3) as service:
        admin = service.login()
        eventually(lambda: replica_answers(admin, pair))
        pair.on_standby("select pg_wal_replay_pause()")
        before = reported(admin)
        earn(admin, "222")
        eventually(lambda: reported(admin) != before, patience=10)


def test_a_stopped_replica_is_replaced_by_the_primary_and_used_again(tmp_path: Path, pair: Pair) -> None:
    with served(tmp_path, pair, 3600) as service:
        admin = service.login()
        eventually(lambda: replica_answers(admin, pair))
        before = reported(admin)
        port = pair.standby.port
        pair.standby.stop()
        earn(admin, "333")
        assert reported(admin) != before  # the primary answers at once
        assert service.client.get("/health/ready").status_code == 200
        pair.standby._child = pair.standby._run(pair.standby._command(port))
        eventually(pair.standby.running)
        eventually(lambda: service.process.poll() is None and replica_is_back(admin, pair))


def replica_is_back(admin: httpx.Client, pair: Pair) -> bool:
    try:
        return replica_answers(admin, pair)
    except psycopg.OperationalError:
        return False  # the replica is still starting


def test_every_report_can_be_read_on_a_standby(pair: Pair) -> None:
    """The only server of this application is the replica, so a report that writes would fail."""
    with psycopg.connect(pair.primary.url(), autocommit=True) as connection:
        hashed = asyncio.run(hash_password("motdepasse"))
        connection.execute("select auth.administrateur_initialiser('admin', %s)", [hashed])
        position = connection.execute("select pg_current_wal_lsn()::text").fetchone()[0]  # type: ignore[index]
        id_utilisateur, role = connection.execute(
            "select u.id_utilisateur, r.code from auth.utilisateur u join auth.role r using (id_role)"
        ).fetchone()  # type: ignore[misc]
        code = connection.execute("select code from core.activite limit 1").fetchone()[0]  # type: ignore[index]
    eventually(lambda: pair.on_standby(f"select pg_last_wal_replay_lsn() >= '{position}'"))
    settings = Settings.from_environment({"NODE_ENV": "test", "JWT_SECRET": SECRET})
    catalogue = application.read_catalogue(pair.standby.url())

    async def request_reports() -> dict[str, int]:
        services = application.build_services(
            settings, catalogue, Database(Pool(pair.standby.url(), 2, 1024), catalogue.sentences)
        )
        token, _ = services.tokens.issue(str(id_utilisateur), "admin", role)
        transport = httpx.ASGITransport(application.build(services), raise_app_exceptions=False)
        statuses = {}
        async with httpx.AsyncClient(
            transport=transport, base_url="http://essai", headers={"authorization": f"Bearer {token}"}
        ) as client:
            for route in routes.load().routes:
                if route.stale:
                    path = route.path.replace("{code}", code)
                    statuses[path] = (await client.get(path)).status_code
            body = {"nom": "Exemple", "prenoms": "Awa", "tel_principal": "+2250700000000", "type_client": "PASSAGE"}
            statuses["write"] = (await client.post("/api/v1/client/clients", json=body)).status_code
        await services.close()
        return statuses

    statuses = asyncio.run(request_reports())
    assert statuses.pop("write") == 503
    assert len(statuses) >= 9
    assert set(statuses.values()) == {200}, statuses


def write(pair: Pair) -> None:
    with psycopg.connect(pair.primary.url(), options="-c synchronous_commit=on") as connection:
        connection.execute("select pg_logical_emit_message(true, 'essai', 'x')")


def test_the_age_of_a_replica_counts_from_the_position_of_the_primary(pair: Pair) -> None:
    """The test calls `look` with its own clock. A server that is not a standby is never used."""
    now = 0.0

    async def ages() -> None:
        nonlocal now
        primary = Pool(pair.primary.url(), 2, 1024)
        replica = Replica(primary, Pool(pair.standby.url(), 2, 1024), 5, lambda: now)
        impostor = Replica(primary, Pool(pair.primary.url(), 2, 1024), 5, lambda: now)
        database = Database(primary, {}, replica)
        try:
            # No watcher runs: the test calls `look` itself.
            replica._watching = impostor._watching = asyncio.create_task(asyncio.sleep(0))
            assert not replica.usable()

            async def caught_up() -> None:
                while not replica.usable():
                    await replica.look()

            await asyncio.wait_for(caught_up(), 20)
            assert await database.value(WHERE) is False
            assert (await database.row(OPERATION, (), stale=True))[0] is True
            now += 5.5
            assert not replica.usable()
            assert (await database.row(OPERATION, (), stale=True))[0] is False
            pair.on_standby("select pg_wal_replay_pause()")
            write(pair)
            await replica.look()  # records a position that the paused replica does not reach
            now += 1
            await replica.look()
            assert not replica.usable()
            pair.on_standby("select pg_wal_replay_resume()")
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

    asyncio.run(ages())
