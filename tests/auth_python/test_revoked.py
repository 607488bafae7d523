"""The denylist by client tracking: a token that is not revoked costs no round trip, and no revocation is missed."""

import asyncio
import math
from collections.abc import Iterator
from typing import Any

import pytest
from redis.asyncio import Redis
from redis.asyncio.client import PubSub

from app.auth import revoked
from app.auth.redisstore import DENYLIST, RedisStore
from app.auth.revoked import Revoked
from bench.valkey import Valkey
from tests.auth_python.conftest import hanging, opened
from tests.server import until

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with Valkey(tmp_path_factory.mktemp("revoked") / "valkey") as server:
        yield server


async def not_listening(store: RedisStore) -> bool:
    return not store._revoked.certainly_lacks("nobody's")


async def listening(store: RedisStore) -> None:
    await until(lambda: store._revoked.certainly_lacks("nobody's"))


async def deafen(client: Redis) -> None:
    """End the subscriptions of all stores."""
    for listener in await client.client_list(_type="pubsub"):
        await client.client_kill_filter(_id=listener["id"])


async def lookups(client: Redis) -> int:
    """Return how many tokens the server was asked for."""
    counts = await client.info("commandstats")
    return int(counts.get("cmdstat_exists", {"calls": 0})["calls"])


async def test_a_token_that_is_not_revoked_costs_no_round_trip(valkey: Valkey) -> None:
    async with opened(valkey.url) as store, Redis.from_url(valkey.url) as client:
        await listening(store)
        before = await lookups(client)
        assert not any([await store.denied(f"good-{turn}") for turn in range(50)])
        assert await lookups(client) == before
        await client.set(f"{DENYLIST}bad", 1, ex=900)  # written by another process
        await client.ping()
        assert await store.denied("bad")
        assert await lookups(client) == before + 1
        await store.deny("own", 900)
        assert await store.denied("own")
        assert await lookups(client) == before + 1


async def test_every_write_of_a_denylist_key_is_received(valkey: Valkey) -> None:
    async with opened(valkey.url) as one, opened(valkey.url) as other, Redis.from_url(valkey.url) as client:
        await listening(one)
        await listening(other)
        for turn in range(100):
            await one.deny(f"heard-{turn}", 900)
            await client.ping()  # a real request takes at least one network round trip
            assert await other.denied(f"heard-{turn}")
        await client.set(f"{DENYLIST}by-hand", 1, ex=900)
        await client.ping()
        assert await one.denied("by-hand") and await other.denied("by-hand")


async def test_a_key_that_is_not_text_does_not_end_the_subscription(valkey: Valkey) -> None:
    async with opened(valkey.url) as store, Redis.from_url(valkey.url) as client:
        await client.set(DENYLIST.encode() + b"\xfe", 1, ex=60)
        await listening(store)
        await client.set(DENYLIST.encode() + b"\xff", 1, ex=60)
        await store.deny("after", 900)
        assert await store.denied("after")
        assert await not_listening(store) is False


async def test_revocations_before_and_during_the_first_read_are_known(valkey: Valkey) -> None:
    async with opened(valkey.url) as late, Redis.from_url(valkey.url) as client:
        await client.mset({f"{DENYLIST}early-{turn}": 1 for turn in range(5000)})
        await late.denied("x")  # the store starts to listen
        for turn in range(200):
            await client.set(f"{DENYLIST}meanwhile-{turn}", 1)
            await asyncio.sleep(0)
        await listening(late)
        assert all([await late.denied(f"early-{turn}") for turn in range(0, 5000, 50)])
        assert all([await late.denied(f"meanwhile-{turn}") for turn in range(200)])


async def test_a_store_without_its_subscription_asks_the_server(
    valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key written while the connection is lost is looked up on the server."""
    monkeypatch.setattr(revoked, "TRUST", 1000)
    monkeypatch.setattr(revoked, "PAUSE", 1000)
    async with opened(valkey.url) as store, Redis.from_url(valkey.url) as client:
        await listening(store)
        await deafen(client)
        await client.set(f"{DENYLIST}unheard", 1)
        await until(lambda: store.denied("unheard"))


async def test_a_lost_subscription_is_opened_again(valkey: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revoked, "PAUSE", 0.01)
    async with opened(valkey.url) as store, Redis.from_url(valkey.url) as client:
        await listening(store)
        await deafen(client)
        await until(lambda: not_listening(store))
        await client.set(f"{DENYLIST}missed", 1)
        await listening(store)
        assert await store.denied("missed")


async def test_known_revocations_stay_revoked_without_the_server(mortal: Valkey) -> None:
    async with opened(mortal.url) as one, opened(mortal.url) as other:
        await listening(one)
        await listening(other)
        await one.deny("heard", 900)
        mortal.stop()
        await until(lambda: not_listening(other))
        assert [await store.denied("heard") for store in (one, other)] == [True, True]
        assert [await store.denied("good") for store in (one, other)] == [False, False]


async def test_the_store_resumes_listening_after_the_server_was_silent(
    mortal: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revoked, "BEAT", 0.05)
    monkeypatch.setattr(revoked, "TRUST", 0.2)
    async with opened(mortal.url) as store:
        await listening(store)
        with hanging(mortal):
            await until(lambda: not_listening(store))
        await listening(store)


async def test_an_answer_from_the_server_is_as_old_as_its_request(
    valkey: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A revocation written while the answer is under way is not in this answer."""
    now, get_message = 0.0, PubSub.get_message

    async def slow(*arguments: Any, **options: Any) -> Any:
        nonlocal now
        message = await get_message(*arguments, **options)
        now += 2 * revoked.TRUST
        return message

    monkeypatch.setattr(PubSub, "get_message", slow)
    revoked_keys = Revoked(valkey.url, DENYLIST, 5.0, lambda: now)
    try:
        revoked_keys.certainly_lacks("nobody's")
        await until(lambda: revoked_keys._confirmed_at > -math.inf)
        assert not revoked_keys.certainly_lacks("nobody's")
    finally:
        await revoked_keys.close()


async def test_a_server_that_forbids_client_tracking_is_asked_for_each_token(valkey: Valkey) -> None:
    async with Redis.from_url(valkey.url) as client:
        await client.execute_command(
            "ACL", "SETUSER", "sourd", "on", ">secret", "~*", "+@all", "-client|tracking", "&*"
        )
        address = valkey.url.replace("redis://", "redis://sourd:secret@")
        async with opened(address) as store:
            before = await lookups(client)
            assert not await store.denied("b")
            await client.set(f"{DENYLIST}c", 1, ex=900)
            assert await store.denied("c")
            assert await lookups(client) == before + 2


async def test_the_store_closes_at_any_time(valkey: Valkey) -> None:
    for turn in range(60):
        store = RedisStore(valkey.url)
        await store.denied("a")
        for _ in range(turn):
            await asyncio.sleep(0)
        async with asyncio.timeout(5):
            await store.close()
