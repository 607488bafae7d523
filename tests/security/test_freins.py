"""The request throttles at their limit: which caller a request counts for, and what happens without Valkey."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx
import pytest

from app import routes
from app.auth.kvstore import MemoryStore
from app.auth.redisstore import RedisStore
from tests import builders
from tests.conftest import Db, Http

THROTTLES = {route.path: route.throttle for route in routes.load().routes if route.throttle}
PEER = "127.0.0.1"  # the address of the test client
BODIES: dict[str, dict[str, Any]] = {
    "/api/v1/auth/login": {"login": "personne", "mot_de_passe": "faux et long"},
    "/api/v1/auth/inscription": {},
    "/api/v1/auth/mot-de-passe-oublie": {"login": "personne"},
    "/api/v1/auth/reinitialiser-mot-de-passe": {},
}
FORGOTTEN = "/api/v1/auth/mot-de-passe-oublie"


@pytest.fixture
def proxied(http: Http) -> Iterator[Http]:
    """The application behind a trusted proxy at the loopback address and another in 10.0.0.0/8."""
    settings = http.services.settings
    trusted = tuple(ipaddress.ip_network(text) for text in (PEER, "10.0.0.0/8"))
    http.services.settings = replace(settings, trusted_proxies=trusted)
    yield http
    http.services.settings = settings


def send(http: Http, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
    return http.post(path, json=BODIES[path], headers=headers) if path in BODIES else http.get(path, headers=headers)


def calls(http: Http, *forwarded: str, path: str = FORGOTTEN) -> list[int]:
    """Send one request for each X-Forwarded-For value, and return the statuses."""
    return [send(http, path, {"x-forwarded-for": value} if value else None).status_code for value in forwarded]


def test_an_address_registers_three_times_a_minute_and_signs_in_five_times() -> None:
    assert [(THROTTLES[path].limit, THROTTLES[path].seconds) for path in BODIES] == [(5, 60), (3, 60), (5, 60), (5, 60)]


@pytest.mark.parametrize("path", THROTTLES)
def test_a_throttle_refuses_at_its_limit_with_retry_after(http: Http, path: str) -> None:
    """A wrong body and a wrong password count like any other request."""
    http.services.store = MemoryStore(lambda: 1000.0)  # a window of a minute may pass while the requests are sent
    limit = THROTTLES[path].limit
    assert 429 not in calls(http, *[""] * limit, path=path)
    refused = send(http, path)
    assert (refused.status_code, refused.json()["code"]) == (429, "TOO_MANY_REQUESTS")
    assert 1 <= int(refused.headers["retry-after"]) <= THROTTLES[path].seconds
    other = next(name for name in THROTTLES if name != path)
    assert calls(http, "", path=other) != [429]


def test_a_right_password_beyond_the_limit_is_refused(http: Http, db: Db) -> None:
    builders.utilisateur(db, login="essai.frein")
    body = {"login": "essai.frein", "mot_de_passe": builders.PASSWORD}
    assert calls(http, *[""] * 5, path="/api/v1/auth/login") == [401] * 5
    assert http.post("/auth/login", json=body).status_code == 429


def test_x_forwarded_for_is_ignored_without_a_trusted_proxy(http: Http) -> None:
    assert calls(http, *(f"203.0.113.{n}" for n in range(7))) == [200] * 5 + [429] * 2


def test_behind_a_trusted_proxy_each_caller_has_its_own_count(proxied: Http) -> None:
    assert calls(proxied, *["203.0.113.1"] * 6) == [200] * 5 + [429]
    assert calls(proxied, "203.0.113.2") == [200]
    # The caller writes the left part of the header itself, so that part has no effect.
    assert calls(proxied, "198.51.100.7, 203.0.113.1", "garbage, 203.0.113.1", "203.0.113.1, 10.1.2.3") == [429] * 3


def test_addresses_of_one_ipv6_subnet_share_one_count(proxied: Http) -> None:
    assert calls(proxied, *(f"2001:db8:0:1::{n:x}" for n in range(6))) == [200] * 5 + [429]
    assert calls(proxied, "2001:db8:0:2::1") == [200]
    assert calls(proxied, *["203.0.113.9"] * 5, "::ffff:203.0.113.9") == [200] * 5 + [429]


def test_an_invalid_forwarded_address_counts_for_the_proxy(proxied: Http) -> None:
    garbage = ["unknown", "", "999.1.1.1", "_x", ",,,", "1" * 5000]
    assert calls(proxied, *garbage) == [200] * 5 + [429]


def test_each_process_throttles_and_revokes_alone_while_valkey_is_down(http: Http) -> None:
    """The process throttles with its own counts and refuses the tokens that it revoked. No client gets a 5xx."""
    admin = http.as_admin()
    http.services.store = RedisStore("redis://127.0.0.1:1/0", patience=0.2)
    assert calls(http, *[""] * 7) == [200] * 5 + [429] * 2
    assert admin.post("/auth/logout", json={"refresh_token": "x"}).status_code == 200
    assert admin.get("/auth/me").status_code == 401
    http.runner.run(http.services.store.close())
