"""The key-value store: in memory, in a real Valkey, and in a Valkey that dies during the test."""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
import redis
from redis.asyncio import Redis

from app.auth.kvstore import Hit, Store
from app.auth.redisstore import RedisStore
from app.base.settings import SettingsError
from app.commands.application import open_store
from bench.valkey import Valkey
from tests.auth_python.conftest import Clock, hanging, opened, send_signal

pytestmark = pytest.mark.anyio
KEY = "svc:throttle:/api/v1/auth/login:203.0.113.1"
OK = Hit(True, 0)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with Valkey(tmp_path_factory.mktemp("valkey")) as server:
        yield server


@pytest.fixture
def valkey(shared: Valkey) -> Valkey:
    with redis.Redis.from_url(shared.url) as client:
        client.flushall()
    return shared


@asynccontextmanager
async def client_of(server: Valkey) -> AsyncIterator[Redis]:
    async with Redis.from_url(server.url, decode_responses=True) as client:
        yield client


async def check_store(store: Store) -> None:
    assert await store.ping() is True
    assert await store.denied("a") is False
    await store.deny("a", 900)
    await store.deny("a", 900)
    assert (await store.denied("a"), await store.denied("b")) == (True, False)
    for ttl in (0, -1):
        await store.deny("expired", ttl)
    assert await store.denied("expired") is False
    assert [await store.hit(KEY, 3, 60) for _ in range(3)] == [OK] * 3
    for _ in range(2):
        refused = await store.hit(KEY, 3, 60)
        assert refused.allowed is False and 58 <= refused.retry_after <= 60 and refused.left == 0
    assert await store.hit(KEY + "0", 3, 60) == OK
    assert [(await store.hit(KEY + "1", 3, 60)).left for _ in range(4)] == [2, 1, 0, 0]
    assert [(await store.tried(KEY)).left for _ in range(2)] == [5, 5]
    assert [(await store.attempt(KEY)).left for _ in range(5)] == [4, 3, 2, 1, 0]
    rest = await store.tried(KEY)
    assert (rest.allowed, rest.left) == (True, 0) and 890 <= rest.reset <= 900
    assert [(await store.attempt(KEY)).retry_after for _ in range(2)] == [1, 1]
    assert (await store.tried(KEY)).allowed is False
    await store.forgive(KEY)
    assert (await store.tried(KEY)).left == 5


# --- in this process


async def test_the_memory_store_behaves_as_a_store() -> None:
    await check_store(Store())


async def test_in_memory_a_throttle_window_starts_at_its_first_call_and_expires_as_a_revocation_does() -> None:
    clock = Clock()
    store = Store(clock)
    await store.deny("a", 60)
    assert await store.hit(KEY, 2, 60) == OK
    clock.now += 59
    assert await store.hit(KEY, 2, 60) == OK
    clock.now += 0.9
    assert await store.hit(KEY, 2, 60) == Hit(False, 1) and await store.denied("a")
    clock.now += 0.1
    assert [await store.hit(KEY, 2, 60) for _ in range(3)] == [OK, OK, Hit(False, 60)]
    assert not await store.denied("a")


async def test_a_window_and_a_quota_are_never_longer_than_their_length() -> None:
    """At this time of the clock, the end of a window of 900 s minus the time is more than 900."""
    store = Store(lambda: 124.4 - 1e-14)
    assert (await store.hit(KEY, 2, 900)).reset == 900
    assert (await store.tried(KEY)).reset == 900


async def test_the_full_memory_store_drops_its_oldest_windows() -> None:
    store = Store(Clock(), capacity=100)
    await store.deny("revoked", 900)
    for number in range(1000):
        await store.hit(f"key {number}", 1, 60)
    assert len(store._windows._entries) == 100
    assert not (await store.hit("key 999", 1, 60)).allowed
    assert (await store.hit("key 0", 1, 60)).allowed
    assert await store.denied("revoked")  # many callers do not evict a revocation


async def test_the_memory_store_drops_expired_windows() -> None:
    clock = Clock()
    store = Store(clock)
    for number in range(50):
        await store.hit(f"key {number}", 1, 60)
    clock.now += 60
    await store.hit("key 25", 1, 60)
    assert list(store._windows._entries) == ["key 25"]


# --- in Valkey


async def test_the_redis_store_behaves_as_a_store(valkey: Valkey) -> None:
    async with opened(valkey.url) as store:
        await check_store(store)


async def test_the_redis_store_sets_the_names_and_the_expiry_of_its_keys(valkey: Valkey) -> None:
    async with opened(valkey.url) as store, client_of(valkey) as client:
        await store.deny("abcd", 123)
        await store.hit(KEY, 5, 60)
        assert sorted(await client.keys()) == ["svc:auth:jti:abcd", KEY]
        assert 121 <= await client.ttl("svc:auth:jti:abcd") <= 123
        assert 58_000 < await client.pttl(KEY) <= 60_000


async def test_in_redis_a_throttle_window_starts_at_its_first_call_and_expires(valkey: Valkey) -> None:
    async with opened(valkey.url) as store, client_of(valkey) as client:
        await store.hit(KEY, 1, 60)
        await client.pexpire(KEY, 5_500)  # as if 54.5 seconds had passed
        assert await store.hit(KEY, 1, 60) == Hit(False, 6)
        assert await client.pttl(KEY) <= 5_500
        await client.delete(KEY)
        assert await store.hit(KEY, 1, 60) == OK
        await client.persist(KEY)  # without an expiry, the window would refuse the caller for ever
        assert await store.hit(KEY, 1, 60) == Hit(False, 60)
        assert await client.pttl(KEY) > 0


async def test_several_stores_share_one_throttle_count(valkey: Valkey) -> None:
    async with opened(valkey.url) as one, opened(valkey.url) as other:
        hits = await asyncio.gather(*(store.hit(KEY, 25, 60) for store in (one, other) for _ in range(20)))
        assert sum(hit.allowed for hit in hits) == 25


async def test_many_requests_share_few_connections(valkey: Valkey) -> None:
    async with opened(valkey.url) as store, client_of(valkey) as client:
        await store.deny("a", 900)
        assert all(await asyncio.gather(*(store.denied("a") for _ in range(500))))
        assert len(await client.client_list()) <= 32 + 2 + 1  # commands, the subscription, and this client


async def test_a_connection_closed_while_idle_is_replaced(valkey: Valkey) -> None:
    async with opened(valkey.url) as store, client_of(valkey) as client:
        await store.deny("a", 900)
        await client.client_kill_filter(_type="normal", skipme=True)
        assert await store.denied("a")


async def test_a_cancelled_request_leaves_no_answer_behind(valkey: Valkey) -> None:
    async with opened(valkey.url) as store:
        await store.deny("a", 900)
        for turn in range(50):
            request = asyncio.create_task(store.hit(KEY, 5, 60))
            for _ in range(turn % 10):
                await asyncio.sleep(0)
            request.cancel()
            await asyncio.gather(request, return_exceptions=True)
            assert (await store.denied("a"), await store.denied("b")) == (True, False)


async def test_a_server_that_refuses_writes_still_answers_reads(
    valkey: Valkey, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(valkey.url) as store, client_of(valkey) as client:
        await store.deny("a", 900)
        await client.config_set("maxmemory", 1)
        try:
            await store.deny("b", 900)
            assert [await store.hit(KEY, 1, 60) for _ in range(2)] == [OK, Hit(False, 60)]  # counted in memory
            assert (await store.denied("a"), await store.ping()) == (True, True)
        finally:
            await client.config_set("maxmemory", 0)
    assert len(caplog.records) == 1 and "maxmemory" in caplog.text


# --- without a server


async def test_the_store_works_without_a_killed_server_and_reconnects(
    mortal: Valkey, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    async with opened(mortal.url, clock=clock) as store:
        await store.deny("a", 900)
        assert await store.denied("a")
        send_signal(mortal, signal.SIGKILL)
        assert await store.denied("unknown") is False  # fails open
        assert await store.ping() is False
        await store.deny("b", 900)
        hits = [await store.hit(KEY, 2, 60) for _ in range(3)]
        assert hits == [OK, OK, Hit(False, 60)]
        mortal.start()
        assert await store.ping() is False  # the store retries after one second
        clock.now += 1
        assert await store.ping() is True
        await store.deny("c", 900)
        assert await store.denied("c") is True
        assert await store.hit(KEY, 2, 60) == OK
    assert len(caplog.records) == 1


def count_commands(store: RedisStore, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The commands that the store sends from now on."""
    commands: list[object] = []
    execute = store._redis.execute_command

    async def counted(*command: str | int) -> object:
        commands.append(command)
        return await execute(*command)

    monkeypatch.setattr(store._redis, "execute_command", counted)
    return commands


async def test_a_dead_server_is_tried_once_a_second_and_logged_once_a_minute(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    caplog.set_level(logging.WARNING, "comptoir.kvstore")
    async with opened("redis://127.0.0.1:1/0", clock=clock) as store:
        tries = count_commands(store, monkeypatch)
        for _ in range(120):
            clock.now += 1
            assert await store.denied("a") is False
            assert await store.ping() is False
            assert await store.hit(f"{KEY} {clock.now}", 1, 60) == OK
    assert len(tries) == 120  # of 360 calls
    assert len(caplog.records) == 2
    assert "KVSTORE_URL" in caplog.text


async def test_a_hanging_server_delays_one_request_a_second(mortal: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:

    async def send_fifty(store: RedisStore) -> int:
        """Send fifty requests. Return how many were sent to the server; the others do not wait."""
        tries.clear()
        assert not any(await asyncio.gather(*(store.denied("a") for _ in range(50))))
        return len(tries)

    clock = Clock()
    async with opened(mortal.url, clock=clock) as store:
        await store._ask("SET", "svc:auth:jti:a", 1, "EX", 900)  # another process revokes the token
        tries = count_commands(store, monkeypatch)
        with hanging(mortal), monkeypatch.context() as impatient:
            impatient.setattr(store, "_patience", 0.2)
            assert await send_fifty(store) > 1  # the store does not know yet that the server hangs
            for _ in range(2):
                assert await send_fifty(store) == 0
                clock.now += 1
                assert await send_fifty(store) == 1
        clock.now += 1
        assert [await store.denied("a"), await store.denied("b")] == [True, False]


# --- the factory


def test_without_an_address_the_store_is_in_memory() -> None:
    assert open_store(None).mode == "in-memory"


async def test_with_an_address_the_store_is_redis(valkey: Valkey) -> None:
    store = open_store(valkey.url)
    assert (store.mode, await store.ping()) == ("redis", True)
    await store.close()


@pytest.mark.parametrize("url", ["http://127.0.0.1", "127.0.0.1:6379", "", "redis://:motdepasse@hote:port"])
def test_an_invalid_address_is_refused_and_not_printed(url: str) -> None:
    with pytest.raises(SettingsError, match="KVSTORE_URL") as refused:
        open_store(url)
    assert "motdepasse" not in str(refused.value)
