"""The throttles at their edge, through the application: who is counted as whom, and what goes on without the store."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from app import routes
from app.auth.redisstore import RedisStore
from tests import builders
from tests.conftest import Db, Http

THROTTLES = {route.path: route.throttle for route in routes.load().routes if route.throttle}
PEER = "127.0.0.1"  # who calls, in these tests
BODIES: dict[str, dict[str, Any]] = {
    "/api/v1/auth/login": {"login": "personne", "mot_de_passe": "faux et long"},
    "/api/v1/auth/inscription": {},
    "/api/v1/auth/mot-de-passe-oublie": {"login": "personne"},
    "/api/v1/auth/reinitialiser-mot-de-passe": {},
}
FORGOTTEN = "/api/v1/auth/mot-de-passe-oublie"


@pytest.fixture
def behind(http: Http) -> Iterator[Http]:
    """The application as it is behind a trusted proxy on this machine and another in 10.0.0.0/8."""
    kept = http.services.settings
    trusted = tuple(ipaddress.ip_network(text) for text in (PEER, "10.0.0.0/8"))
    http.services.settings = replace(kept, trusted_proxies=trusted)
    yield http
    http.services.settings = kept


def calls(http: Http, *forwarded: str, path: str = FORGOTTEN) -> list[int]:
    """One call for each X-Forwarded-For."""
    return [
        http.post(path, json=BODIES[path], headers={"x-forwarded-for": value} if value else None).status_code
        for value in forwarded
    ]


@pytest.mark.parametrize("path", THROTTLES)
def test_the_edge_is_exact_and_says_when_to_come_back(http: Http, path: str) -> None:
    """A wrong body and a wrong password count like any other call."""
    limit = THROTTLES[path].limit
    assert 429 not in calls(http, *[""] * limit, path=path)
    refused = http.post(path, json=BODIES[path])
    assert (refused.status_code, refused.json()["code"]) == (429, "TOO_MANY_REQUESTS")
    assert 1 <= int(refused.headers["retry-after"]) <= THROTTLES[path].seconds
    other = next(name for name in THROTTLES if name != path)
    assert calls(http, "", path=other) != [429]


def test_a_right_password_is_refused_beyond_the_edge_too(http: Http, db: Db) -> None:
    builders.utilisateur(db, login="essai.frein")
    right = {"login": "essai.frein", "mot_de_passe": builders.PASSWORD}
    assert calls(http, *[""] * 5, path="/api/v1/auth/login") == [401] * 5
    assert http.post("/auth/login", json=right).status_code == 429


def test_without_a_trusted_proxy_what_is_forwarded_is_not_read(http: Http) -> None:
    assert calls(http, *(f"203.0.113.{n}" for n in range(7))) == [200] * 5 + [429] * 2


def test_behind_one_each_caller_has_a_count(behind: Http) -> None:
    assert calls(behind, *["203.0.113.1"] * 6) == [200] * 5 + [429]
    assert calls(behind, "203.0.113.2") == [200]
    # What the caller wrote himself stands on the left, and changes nothing.
    assert calls(behind, "198.51.100.7, 203.0.113.1", "garbage, 203.0.113.1", "203.0.113.1, 10.1.2.3") == [429] * 3


def test_a_subscriber_of_ipv6_is_one_caller(behind: Http) -> None:
    assert calls(behind, *(f"2001:db8:0:1::{n:x}" for n in range(6))) == [200] * 5 + [429]
    assert calls(behind, "2001:db8:0:2::1") == [200]
    assert calls(behind, *["203.0.113.9"] * 5, "::ffff:203.0.113.9") == [200] * 5 + [429]


def test_garbage_is_counted_as_the_proxy(behind: Http) -> None:
    garbage = ["unknown", "", "999.1.1.1", "_x", ",,,", "1" * 5000]
    assert calls(behind, *garbage) == [200] * 5 + [429]


def test_with_the_store_down_each_process_counts_alone(http: Http) -> None:
    """Throttling goes on in this process, which refuses the tokens that it revoked itself; nobody gets a 5xx."""
    admin = http.as_admin()
    http.services.store = RedisStore("redis://127.0.0.1:1/0", patience=0.2)
    assert calls(http, *[""] * 7) == [200] * 5 + [429] * 2
    assert admin.post("/auth/logout", json={"refresh_token": "x"}).status_code == 200
    assert admin.get("/auth/me").status_code == 401
    http.runner.run(http.services.store.close())
