"""The brake on wrong passwords of one account: the same for accounts that do not exist, and no way to lock one out."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import httpx
import pytest

from app.auth.kvstore import MemoryStore
from app.auth.redisstore import RedisStore
from tests import builders
from tests.conftest import Db, Http

LOGIN = "essai.frein"
STRANGERS = count(1)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def behind(http: Http, clock: Clock) -> Iterator[Http]:
    """The application behind a proxy, so that each call may come from an address of its own; its clock is ours."""
    kept = http.services.settings
    http.services.settings = replace(kept, trusted_proxies=(ipaddress.ip_network("127.0.0.1"),))
    http.services.store = MemoryStore(clock)
    yield http
    http.services.settings = kept


def sign_in(http: Http, password: str = "faux et long", address: str | None = None, login: str = LOGIN) -> Any:
    number = next(STRANGERS)
    address = address or f"203.0.{number // 250}.{number % 250 + 1}"
    body = {"login": login, "mot_de_passe": password}
    return http.post("/auth/login", json=body, headers={"x-forwarded-for": address})


def told(answer: httpx.Response) -> tuple[int, int]:
    return answer.status_code, int(answer.headers.get("retry-after", 0))


@pytest.mark.parametrize("login", [LOGIN, LOGIN.upper(), "personne.du.tout"])
def test_pauses_double_from_the_sixth_wrong_password(behind: Http, db: Db, clock: Clock, login: str) -> None:
    """Whether the account exists makes no difference, and neither does the address that each call comes from."""
    builders.utilisateur(db, login=LOGIN)
    assert [told(sign_in(behind, login=login)) for _ in range(5)] == [(401, 0)] * 5
    for pause in (1, 2, 4, 8, 16, 32, 60, 60):
        assert told(sign_in(behind, login=login)) == (429, pause)
        clock.now += pause - 0.5
        assert told(sign_in(behind, login=login)) == (429, 1)  # nothing is verified, nothing is counted
        clock.now += 0.5


def test_the_answer_is_the_same_for_an_unknown_account(behind: Http, db: Db, clock: Clock) -> None:
    builders.utilisateur(db, login=LOGIN)
    for login in (LOGIN, "personne.du.tout"):
        for _ in range(6):
            sign_in(behind, login=login)
    bodies = []
    for login in (LOGIN, "personne.du.tout"):
        answer = sign_in(behind, login=login)
        varying = {"requestId", "timestamp"}
        bodies.append({key: value for key, value in answer.json().items() if key not in varying})
    assert bodies[0] == bodies[1]
    assert bodies[0]["code"] == "TOO_MANY_REQUESTS"


def test_the_right_password_goes_through_once_the_pause_is_over(behind: Http, db: Db, clock: Clock) -> None:
    builders.utilisateur(db, login=LOGIN)
    for _ in range(7):
        sign_in(behind)
        clock.now += 1
    pause = told(sign_in(behind, builders.PASSWORD))
    assert pause == (429, 1)
    clock.now += 1
    assert told(sign_in(behind, builders.PASSWORD)) == (200, 0)
    assert [told(sign_in(behind)) for _ in range(5)] == [(401, 0)] * 5  # nothing counts any more


def test_wrong_passwords_are_forgotten_after_fifteen_minutes(behind: Http, db: Db, clock: Clock) -> None:
    """Each at its time: those of the last fifteen minutes count, however they lie to a quarter of the clock."""
    builders.utilisateur(db, login=LOGIN)
    for _ in range(5):
        assert told(sign_in(behind)) == (401, 0)
        clock.now += 200
    clock.now -= 101  # 899 seconds after the first
    assert told(sign_in(behind)) == (429, 1)
    clock.now += 202  # the first two have gone
    assert told(sign_in(behind)) == (401, 0)


def test_strangers_do_not_keep_out_who_signed_in_from_there_before(behind: Http, db: Db, clock: Clock) -> None:
    """An address that the account has signed in from counts by itself."""
    builders.utilisateur(db, login=LOGIN)
    assert told(sign_in(behind, builders.PASSWORD, "198.51.100.7")) == (200, 0)
    for _ in range(12):
        sign_in(behind)
        clock.now += 0.3
    assert told(sign_in(behind))[0] == 429
    assert told(sign_in(behind, builders.PASSWORD, "198.51.100.7")) == (200, 0)
    assert told(sign_in(behind))[0] == 429  # for the others nothing has changed


def test_a_known_address_has_a_brake_too(behind: Http, db: Db, clock: Clock) -> None:
    builders.utilisateur(db, login=LOGIN)
    sign_in(behind, builders.PASSWORD, "198.51.100.7")
    clock.now += 61  # its own throttle
    assert [told(sign_in(behind, address="198.51.100.7")) for _ in range(5)] == [(401, 0)] * 5
    clock.now += 61
    assert told(sign_in(behind, address="198.51.100.7")) == (429, 1)
    assert told(sign_in(behind)) == (401, 0)


def test_a_crowd_gets_no_more_tries_than_one(behind: Http, db: Db) -> None:
    """Tries are counted before they are verified."""
    builders.utilisateur(db, login=LOGIN)
    store = behind.services.store
    found = [behind.runner.run(store.attempt("cle")) for _ in range(20)]
    assert [hit.allowed for hit in found] == [True] * 6 + [False] * 14


def test_the_brake_counts_across_processes(http: Http, valkey_url: str) -> None:
    one, other = RedisStore(valkey_url), RedisStore(valkey_url)
    key = f"essai-{id(one)}"

    async def calls() -> list[tuple[bool, int]]:
        found = [tuple(await store.attempt(key)) for store in (one, other, one, other, one, other, one)]
        await other.forgive(key)
        found.append(tuple(await one.attempt(key)))
        await one.forgive(key)
        return found

    async def close() -> None:
        await one.close()
        await other.close()

    assert http.runner.run(calls()) == [(True, 0)] * 5 + [(True, 1), (False, 1), (True, 0)]
    http.runner.run(close())


def test_pauses_double_in_the_store_as_well(http: Http, valkey_url: str) -> None:
    store = RedisStore(valkey_url)
    key = f"essai-{id(store)}"

    async def calls() -> list[tuple[bool, int]]:
        found = []
        for _ in range(14):
            found.append(tuple(await store.attempt(key)))
            await store._redis.delete(f"svc:auth:pause:{{{key}}}")  # as if the pause were over
        life = await store._redis.ttl(f"svc:auth:essais:{{{key}}}")
        assert 890 <= life <= 900
        await store.forgive(key)
        assert await store._redis.exists(f"svc:auth:essais:{{{key}}}", f"svc:auth:pause:{{{key}}}") == 0
        await store.close()
        return found

    pauses = [0] * 5 + [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert http.runner.run(calls()) == [(True, pause) for pause in pauses]


def test_without_the_store_this_process_goes_on_counting(behind: Http, db: Db) -> None:
    builders.utilisateur(db, login=LOGIN)
    store = behind.services.store = RedisStore("redis://127.0.0.1:1/0", patience=0.2)
    assert [told(sign_in(behind))[0] for _ in range(7)] == [401] * 5 + [429] * 2
    behind.runner.run(store.close())


def test_no_login_is_kept_in_the_store(behind: Http, db: Db) -> None:
    """People type their password into the wrong field."""
    sign_in(behind, login="mon-mot-de-passe")
    assert "mon-mot-de-passe" not in str(vars(vars(behind.services.store)["_attempts"]))
