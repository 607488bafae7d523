"""The time that a rehearsal, or a write that depends on a version, may take."""

import asyncio
from types import SimpleNamespace

import psycopg
import pytest

from app.base.refusal import Refusal
from app.database.database import Database
from app.database.pool import Pool
from app.http.caller import Caller
from app.http.mode import Mode
from app.http.transaction import transact
from app.leaves.embarque.postgres import Postgres
from tests.server import eventually

SECONDS = 0.2
WRITE = "insert into public.essai values (1) returning 1"
# The commit of a transaction waits for a standby that does not exist, if the transaction asks for it.
STANDBY = "alter system set synchronous_standby_names = '{}'"
WAIT = "select set_config('synchronous_commit', 'on', true)"
LATE = """select count(*) from pg_stat_activity
           where wait_event = 'SyncRep' and clock_timestamp() - state_change > make_interval(secs => %s)"""


@pytest.fixture(scope="module")
def lonely(tmp_path_factory):
    with Postgres(tmp_path_factory.mktemp("duree"), {"synchronous_commit": "local"}) as server:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute("create role comptoir_app; create table public.essai (n int)")
            connection.execute("grant insert on public.essai to comptoir_app")
            connection.execute(STANDBY.format("aucune"))
            connection.execute("select pg_reload_conf()")
        yield server


@pytest.fixture
def admin(lonely):
    with psycopg.connect(lonely.url(), autocommit=True) as connection:
        yield connection


async def write(server, *statements):
    """Run these statements as a write that is kept, in the time that it may take."""

    async def steps(transaction):
        for statement in statements:
            await transaction.run(statement, ())
        return "gardée"

    database = Database(Pool(server.url(), 1, 0), {})
    place = SimpleNamespace(database=database)
    try:
        return await transact((), Caller(place, "essai", "127.0.0.1"), Mode(), SECONDS, steps)
    finally:
        await database.close()


def count(admin, query, *values):
    [number] = admin.execute(query, values).fetchone() or ()
    return int(number)


def test_a_write_that_takes_too_long_leaves_nothing(lonely, admin):
    with pytest.raises(Refusal) as refusal:
        asyncio.run(write(lonely, WRITE, "select pg_sleep(60)"))
    assert (refusal.value.status, refusal.value.code) == (503, "OPERATION_TROP_LONGUE")
    assert count(admin, "select count(*) from public.essai") == 0


def test_a_slow_commit_is_not_stopped(lonely, admin):
    """If the commit were stopped, the rows would stay, and the answer would say that nothing remains."""

    async def scenario():
        writing = asyncio.create_task(write(lonely, WAIT, WRITE))
        await asyncio.to_thread(eventually, lambda: writing.done() or count(admin, LATE, 2 * SECONDS) == 1)
        admin.execute(STANDBY.format(""))
        admin.execute("select pg_reload_conf()")
        return await writing

    assert asyncio.run(scenario()) == "gardée"
    assert count(admin, "select count(*) from public.essai") == 1
