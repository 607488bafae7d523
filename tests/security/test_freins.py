"""The request throttles at their limit: which caller a request counts for, and what happens without Valkey."""

import ipaddress
from dataclasses import replace

import pytest

from app.auth.redisstore import RedisStore
from tests.conftest import Http

FORGOTTEN = "/auth/mot-de-passe-oublie"


@pytest.fixture
def proxied(http: Http, monkeypatch: pytest.MonkeyPatch) -> Http:
    """The application behind a trusted proxy at the loopback address and another in 10.0.0.0/8."""
    trusted = tuple(ipaddress.ip_network(text) for text in ("127.0.0.1", "10.0.0.0/8"))
    monkeypatch.setattr(http.services, "settings", replace(http.services.settings, trusted_proxies=trusted))
    return http


def calls(http: Http, *forwarded: str) -> list[int]:
    """Send one request for each X-Forwarded-For value, and return the statuses."""
    headers = [{"x-forwarded-for": value} if value else {} for value in forwarded]
    return [http.post(FORGOTTEN, json={"login": "personne"}, headers=named).status_code for named in headers]


def test_x_forwarded_for_is_ignored_without_a_trusted_proxy(http: Http) -> None:
    assert calls(http, *(f"203.0.113.{n}" for n in range(7))) == [200] * 5 + [429] * 2


def test_behind_a_trusted_proxy_each_caller_has_its_own_count(proxied: Http) -> None:
    assert calls(proxied, *["203.0.113.1"] * 6) == [200] * 5 + [429]
    assert calls(proxied, "203.0.113.2") == [200]
    # The caller writes the left part of the header itself, so that part has no effect.
    assert calls(proxied, "198.51.100.7, 203.0.113.1", "garbage, 203.0.113.1", "203.0.113.1, 10.1.2.3") == [429] * 3


def test_each_process_throttles_and_revokes_alone_while_valkey_is_down(http: Http) -> None:
    """The process throttles with its own counts and refuses the tokens that it revoked. No client gets a 5xx."""
    admin = http.as_admin()
    http.services.store = RedisStore("redis://127.0.0.1:1/0", patience=0.2)
    assert calls(http, *[""] * 7) == [200] * 5 + [429] * 2
    assert admin.post("/auth/logout", json={"refresh_token": "x"}).status_code == 200
    assert admin.get("/auth/me").status_code == 401
    http.runner.run(http.services.store.close())
