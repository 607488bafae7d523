"""The notes of the users who have just written: in memory, in a real Valkey, and in a Valkey that fails."""

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from redis.asyncio import Redis

from app.auth.kvstore import Store
from app.auth.redisstore import PATIENCE, WRITES, RedisStore
from bench.valkey import Valkey
from tests.auth_python.conftest import hanging, opened, send_signal
from tests.server import until

pytestmark = pytest.mark.anyio
LONG = 3600.0


@asynccontextmanager
async def stores(server: Valkey) -> AsyncIterator[tuple[RedisStore, RedisStore, Redis]]:
    """The stores of two processes and a client, on a server that has run for long."""
    url = server.url
    async with opened(url, PATIENCE) as one, opened(url, PATIENCE) as other, Redis.from_url(url) as client:
        await client.zadd(WRITES, {"": -1})
        yield one, other, client


async def test_in_memory_a_note_lasts_from_the_last_write_of_its_user() -> None:
    now = 1000.0
    store = Store(lambda: now)
    await store.note_write("1", 6)
    now += 4
    await store.note_write("1", 6)
    await store.note_write("2", 6)
    now += 5.9
    assert await store.may_have_written("1", 6)
    now += 0.1
    assert not await store.may_have_written("1", 6)
    await store.note_write("3", 6)
    assert list(store._writes._ends) == ["3"]


async def test_a_note_of_every_user_counts_for_all_processes_until_its_end(mortal: Valkey) -> None:
    memory = Store()
    await memory.note_every_user(LONG)
    assert await memory.may_have_written("1", LONG)
    async with stores(mortal) as (one, other, _):
        assert not await other.may_have_written("1", LONG)
        await one.note_every_user(LONG)
        for store in (one, other):
            assert await store.may_have_written("1", LONG)
        await until(lambda: _lacks(other, "1", 0.01))


async def test_a_note_of_one_process_is_visible_to_another_until_its_end(mortal: Valkey) -> None:
    async with stores(mortal) as (one, other, client):
        await one.note_write("1", LONG)
        assert await one.may_have_written("1", LONG) and await other.may_have_written("1", LONG)
        assert not await other.may_have_written("2", LONG)
        await client.zincrby(WRITES, -LONG * 1000 + 200, "1")  # as if nearly an hour had passed
        assert await other.may_have_written("1", LONG)
        await until(lambda: _lacks(other, "1"))
        await one.note_write("2", 6)
        assert await client.ttl(WRITES) == -1  # the notes do not expire as keys of the server
        assert sorted(await client.zrange(WRITES, 0, -1)) == [b"", b"2"]  # the server removes what has ended


async def _lacks(store: RedisStore, user: str, seconds: float = LONG) -> bool:
    return not await store.may_have_written(user, seconds)


async def test_a_server_without_its_memory_makes_every_user_doubtful_for_a_while(mortal: Valkey) -> None:
    async with stores(mortal) as (one, other, client):
        await one.note_write("1", LONG)
        await client.flushall()
        assert await other.may_have_written("1", LONG) and await other.may_have_written("2", LONG)
        await until(lambda: _lacks(other, "1", 0.01))  # the doubt ends


async def test_a_restart_of_the_server_makes_every_user_doubtful(mortal: Valkey) -> None:
    async with stores(mortal) as (one, other, _):
        await one.note_write("1", LONG)
        send_signal(mortal, signal.SIGKILL)
        mortal.start()
        assert await other.may_have_written("1", LONG)


async def test_a_server_that_did_not_answer_makes_every_user_doubtful_after_its_return(mortal: Valkey) -> None:
    """Another process may have written meanwhile, and it may not have warned this one yet."""
    async with stores(mortal) as (_, other, _):
        assert not await other.may_have_written("1", LONG)
        with hanging(mortal):
            assert await other.may_have_written("1", LONG)
        await until(other.ping)
        assert await other.may_have_written("1", LONG)


async def test_a_process_warns_the_others_of_a_write_that_the_server_lacks(mortal: Valkey) -> None:
    """The server refuses the notes of this process only."""
    async with stores(mortal) as (_, other, client):
        await client.acl_setuser("refuse", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-eval"])
        async with opened(mortal.url.replace("//", "//refuse:x@")) as refused:
            assert not await other.may_have_written("1", LONG)
            await refused.note_write("1", LONG)
            await until(lambda: other.may_have_written("1", LONG))


async def test_a_full_server_makes_every_user_doubtful(mortal: Valkey) -> None:
    """It refuses the notes of every process."""
    async with stores(mortal) as (_, other, client):
        assert not await other.may_have_written("1", LONG)
        await client.config_set("maxmemory", "1")
        assert await other.may_have_written("1", LONG)
