"""The rows that an answer shows are on disk before the answer leaves, although the commit did not wait for the disk."""

import asyncio
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import asyncpg
import psycopg
import pytest

from app.database.disk import Disk, Watch
from app.database.errors import LOST
from app.leaves.embarque.postgres import Postgres
from tests import builders
from tests.conftest import migrated_postgres, ok
from tests.server import Service, crash, eventually, in_a_loop, running

# The WAL writer writes to disk by itself only after ten seconds, and only the test makes WAL.
LAZY = {
    **{"wal_writer_delay": "10s", "synchronous_commit": "on", "fsync": "off"},
    **{"wal_level": "minimal", "max_wal_senders": "0", "autovacuum": "off"},
}
# After a record that ends with its page of 8,192 bytes, PostgreSQL says the place after the 24 bytes of the next page's
# header, which is not written yet.
END_OF_WAL = """select case when (place - '0/0') % 8192 = 24 then place - 24 else place end
 from pg_current_wal_insert_lsn() place"""
ON_DISK = "select pg_current_wal_flush_lsn() >= %s::pg_lsn"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    with migrated_postgres(tmp_path_factory.mktemp("disque") / "base", LAZY) as postgres:
        yield postgres


@pytest.fixture(scope="module")
def service(server: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("service"), DATABASE_URL=server.url()) as service:
        yield service


@pytest.fixture
def lazy(server: Postgres) -> Iterator[psycopg.Connection[Any]]:
    """A connection whose commits do not wait for the disk, like the commits of the service."""
    with psycopg.connect(server.url(), autocommit=True, options="-c synchronous_commit=off") as connection:
        yield connection


def end_of_wal(connection: psycopg.Connection[Any]) -> str:
    row = connection.execute(END_OF_WAL).fetchone()
    return str(row[0]) if row else ""


def write_without_waiting(connection: psycopg.Connection[Any]) -> str:
    """Commit a change. Return a position that is not on disk yet."""
    connection.execute("update client.client set nom = nom || '.'")
    position = end_of_wal(connection)
    assert connection.execute(ON_DISK, [position]).fetchone() == (False,)
    return position


def is_on_disk(connection: psycopg.Connection[Any], position: str) -> bool:
    return connection.execute(ON_DISK, [position]).fetchone() == (True,)


def test_an_acknowledged_write_is_on_disk(service: Service, lazy: psycopg.Connection[Any]) -> None:
    """A lone write waits at its commit. Writes that run together wait after their commits."""
    admin = service.login()

    def write(number: int) -> None:
        ok(admin.post("/client/clients", json={**builders.CLIENT, "tel_principal": f"+22507{number:08}"}))

    for _ in range(5):
        before = end_of_wal(lazy)
        write(0)
        assert before != (after := end_of_wal(lazy)) and is_on_disk(lazy, after)
    with ThreadPoolExecutor(8) as threads:
        for _ in range(5):
            list(threads.map(write, range(16)))
            assert is_on_disk(lazy, end_of_wal(lazy))


def test_an_answer_that_reads_waits_for_what_it_shows(service: Service, lazy: psycopg.Connection[Any]) -> None:
    admin = service.login()
    admin.post("/client/clients", json=builders.CLIENT)
    position = write_without_waiting(lazy)
    shown = admin.get("/client/clients").json()[0]["nom"]
    assert shown.endswith(".") and is_on_disk(lazy, position)


def test_a_refused_write_waits_for_what_it_is_based_on(service: Service, lazy: psycopg.Connection[Any]) -> None:
    admin = service.login()
    admin.post("/client/clients", json=builders.CLIENT)
    position = write_without_waiting(lazy)
    assert admin.patch("/client/clients/999999", json={"nom": "Autre"}).status_code == 404
    assert is_on_disk(lazy, position)


def test_a_lot_of_a_device_waits_once(service: Service, lazy: psycopg.Connection[Any]) -> None:
    """No operation of the lot waits at its commit. Each is on disk when the lot is answered, or refused."""
    admin = service.login()
    till = ok(admin.post("/finances/caisses", json={"libelle": "Comptoir", "id_activite": "1"}), 201)["id_caisse"]
    device = ok(admin.post(f"/finances/caisses/{till}/appareils", json={"libelle": "Tablette"}), 201)
    offline = service.new_client(authorization=f"Bearer {device['cle']}")
    call = {"methode": "POST", "chemin": "/api/v1/client/clients", "instant": datetime.now(UTC).isoformat()}

    def send(*sequences: int) -> int:
        operations = [
            {"sequence": str(n), "id": str(uuid.UUID(int=n)), **call}
            | {"corps": {**builders.CLIENT, "tel_principal": f"+22508{n:08}"}}
            for n in sequences
        ]
        body = {"id_appareil": device["id_appareil"], "operations": operations}
        return offline.post(f"/finances/caisses/{till}/lots", json=body).status_code

    lazy.execute("create table public.validations (n bigint generated always as identity, attend text)")
    lazy.execute("""create function public.noter() returns trigger language plpgsql security definer as $$ begin
        insert into public.validations (attend) values (current_setting('synchronous_commit')); return null; end $$""")
    lazy.execute("create trigger noter after insert on client.client for each row execute function public.noter()")
    try:
        assert send(1, 2, 3) == 200 and is_on_disk(lazy, end_of_wal(lazy))
        assert send(4, 6) == 409 and is_on_disk(lazy, end_of_wal(lazy))
        assert lazy.execute("select attend from public.validations").fetchall() == [("off",)] * 4
    finally:
        lazy.execute("drop function public.noter cascade")
        lazy.execute("drop table public.validations")


def test_the_commit_waits_for_a_synchronous_standby(lazy: psycopg.Connection[Any]) -> None:
    def commit_setting(waits: bool) -> str:
        with lazy.transaction():
            lazy.execute("set local synchronous_commit = on")
            lazy.execute("select core.contexte(null, null, null, null, p_disque_attendu => %s)", [waits])
            return str(lazy.execute("select current_setting('synchronous_commit')").fetchone()[0])  # type: ignore[index]

    assert (commit_setting(True), commit_setting(False)) == ("off", "on")
    lazy.execute("alter system set synchronous_standby_names = 'aucune'")
    try:
        lazy.execute("select pg_reload_conf()")
        eventually(lambda: lazy.execute("show synchronous_standby_names").fetchone() == ("aucune",))
        assert commit_setting(True) == "on"
    finally:
        lazy.execute("alter system reset synchronous_standby_names")
        lazy.execute("select pg_reload_conf()")


def test_a_watch_does_not_survive_a_crash_of_the_server(tmp_path: Path) -> None:
    """The server restarts between the commit and the wait. The new server knows nothing of the lost transaction."""

    async def scenario(postgres: Postgres) -> None:
        disk = Disk(postgres.url())
        watch = await disk.watch()
        await watch.on_disk()
        await asyncio.to_thread(crash, postgres)
        with pytest.raises((asyncpg.PostgresError, *LOST)):
            await watch.on_disk()
        assert await disk.watch() is not watch
        await (await disk.watch()).on_disk()
        await disk.close()

    with Postgres(tmp_path, LAZY) as postgres:
        asyncio.run(scenario(postgres))


class Held:
    """Stands for the connection of a watch. Each wait for the disk lasts until the test releases it."""

    def __init__(self) -> None:
        self.waits: list[asyncio.Future[None]] = []

    async def execute(self, _: str) -> None:
        self.waits.append(asyncio.get_running_loop().create_future())
        await self.waits[-1]


@in_a_loop
async def test_callers_of_the_meantime_share_the_next_wait() -> None:
    """A wait that has begun may miss later commits, so it serves only the callers that came before it."""
    held = Held()
    watch = Watch(held, direct=True)  # type: ignore[arg-type]
    first = asyncio.create_task(watch.on_disk())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    later = [asyncio.create_task(watch.on_disk()) for _ in range(5)]
    later[0].cancel()
    await asyncio.sleep(0)
    assert len(held.waits) == 1
    held.waits[0].set_result(None)
    await first
    await asyncio.sleep(0)
    assert len(held.waits) == 2 and not any(task.done() for task in later[1:])
    held.waits[1].set_exception(OSError("perdu"))
    failures = await asyncio.gather(*later, return_exceptions=True)
    assert [type(failure) for failure in failures] == [asyncio.CancelledError, *[OSError] * 4]
    again = asyncio.create_task(watch.on_disk())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    held.waits[2].set_result(None)
    await again
