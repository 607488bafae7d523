"""The throttle on wrong passwords of one login: equal for unknown logins, and no user is locked out."""

import ipaddress
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from app.auth.kvstore import Hit, Store
from app.auth.redisstore import RedisStore
from tests import builders
from tests.auth_python.conftest import Clock
from tests.conftest import Db, Http

LOGIN = "essai.frein"
ADDRESSES = count(1)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def proxied(http: Http, db: Db, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Http:
    """The application behind a trusted proxy, so that each call has its own address, with a clock of the test.

    It has an account LOGIN.
    """
    builders.utilisateur(db, login=LOGIN)
    settings = replace(http.services.settings, trusted_proxies=(ipaddress.ip_network("127.0.0.1"),))
    monkeypatch.setattr(http.services, "settings", settings)
    http.services.store = Store(clock)
    return http


def sign_in(http: Http, password: str = "faux et long", address: str | None = None, login: str = LOGIN) -> Any:
    number = next(ADDRESSES)
    address = address or f"203.0.{number // 250}.{number % 250 + 1}"
    body = {"login": login, "mot_de_passe": password}
    return http.post("/auth/login", json=body, headers={"x-forwarded-for": address})


def attempt(http: Http, *arguments: str, **options: str) -> tuple[int, int]:
    """Sign in. Return the status of the answer and the pause in seconds."""
    answer = sign_in(http, *arguments, **options)
    return answer.status_code, int(answer.headers.get("retry-after", 0))


@pytest.mark.parametrize("login", [LOGIN, "personne.du.tout"])
def test_the_pause_doubles_from_the_sixth_wrong_password(proxied: Http, clock: Clock, login: str) -> None:
    """Neither the existence of the account, nor the address of the caller, nor the case makes a difference."""
    assert [attempt(proxied, login=login.upper()) for _ in range(5)] == [(401, 0)] * 5
    for pause in (1, 2, 4, 8, 16, 32, 60, 60):
        assert attempt(proxied, login=login) == (429, pause)
        clock.now += pause - 0.5
        # The server neither verifies nor counts this password.
        assert attempt(proxied, login=login) == (429, 1)
        clock.now += 0.5


def test_the_answer_is_the_same_for_an_unknown_account(proxied: Http, clock: Clock) -> None:
    bodies = []
    for login in (LOGIN, "personne.du.tout"):
        body = [sign_in(proxied, login=login).json() for _ in range(7)][-1]
        bodies.append(body | dict.fromkeys(("requestId", "timestamp")))
    assert bodies[0] == bodies[1]
    assert bodies[0]["code"] == "TOO_MANY_REQUESTS"


def test_the_right_password_is_accepted_after_the_pause(proxied: Http, clock: Clock) -> None:
    for _ in range(7):
        sign_in(proxied)
        clock.now += 1
    assert attempt(proxied, builders.PASSWORD) == (429, 1)
    clock.now += 1
    assert attempt(proxied, builders.PASSWORD) == (200, 0)
    assert [attempt(proxied) for _ in range(5)] == [(401, 0)] * 5  # the count starts again at zero


def test_a_wrong_password_counts_for_fifteen_minutes(proxied: Http, clock: Clock) -> None:
    """The window slides: each wrong password counts for fifteen minutes after it was sent."""
    for _ in range(5):
        assert attempt(proxied) == (401, 0)
        clock.now += 200
    clock.now -= 101  # 899 seconds after the first
    assert attempt(proxied) == (429, 1)
    clock.now += 202  # the first two no longer count
    assert attempt(proxied) == (401, 0)


def test_wrong_passwords_from_other_addresses_do_not_block_a_known_address(proxied: Http, clock: Clock) -> None:
    """An address from which the account has signed in has its own count."""
    assert attempt(proxied, builders.PASSWORD, "198.51.100.7") == (200, 0)
    for _ in range(12):
        sign_in(proxied)
        clock.now += 0.3
    assert attempt(proxied)[0] == 429
    assert attempt(proxied, builders.PASSWORD, "198.51.100.7") == (200, 0)
    assert attempt(proxied)[0] == 429  # the other addresses are still blocked


def test_a_known_address_is_throttled_too(proxied: Http, clock: Clock) -> None:
    sign_in(proxied, builders.PASSWORD, "198.51.100.7")
    clock.now += 61  # past the minute of the request throttle
    assert [attempt(proxied, address="198.51.100.7") for _ in range(5)] == [(401, 0)] * 5
    clock.now += 61
    assert attempt(proxied, address="198.51.100.7") == (429, 1)
    assert attempt(proxied) == (401, 0)


def test_the_pause_doubles_in_valkey(http: Http, valkey_url: str) -> None:
    store = RedisStore(valkey_url)
    key = f"essai-{id(store)}"

    async def calls() -> list[Hit]:
        hits = []
        for _ in range(14):
            hits.append(await store.attempt(key))
            await store._redis.delete(f"svc:auth:pause:{{{key}}}")  # as if the pause were over
        ttl = await store._redis.ttl(f"svc:auth:essais:{{{key}}}")
        assert 890 <= ttl <= 900
        await store.forgive(key)
        assert await store._redis.exists(f"svc:auth:essais:{{{key}}}", f"svc:auth:pause:{{{key}}}") == 0
        await store.close()
        return hits

    pauses = [0] * 5 + [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert http.runner.run(calls()) == [Hit(True, pause) for pause in pauses]


def test_the_process_counts_attempts_itself_while_valkey_is_down(proxied: Http) -> None:
    store = proxied.services.store = RedisStore("redis://127.0.0.1:1/0", patience=0.2)
    assert [attempt(proxied)[0] for _ in range(7)] == [401] * 5 + [429] * 2
    proxied.runner.run(store.close())


def test_the_store_holds_no_login(proxied: Http) -> None:
    """A user may type the password into the field of the login."""
    sign_in(proxied, login="mon-mot-de-passe")
    assert "mon-mot-de-passe" not in str(vars(vars(proxied.services.store)["_attempts"]))
