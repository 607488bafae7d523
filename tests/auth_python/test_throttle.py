"""The client address and the throttles of each address."""

import ipaddress
from typing import Any

import pytest

from app import routes
from app.auth.kvstore import Hit, Store
from app.auth.throttle import Throttle, client_address, throttle_key

pytestmark = pytest.mark.anyio
THROTTLES = {route.path: route.throttle for route in routes.load().routes if route.throttle}
LOGIN = "/api/v1/auth/login"
PROXIES = [ipaddress.ip_network(text) for text in ("10.0.0.0/8", "127.0.0.1", "fd00::/8")]


def address(peer: str | None, *forwarded: str) -> str:
    """Return the address of a caller behind the trusted proxies. Each text is one header line."""
    headers = [(b"host", b"comptoir"), *((b"x-forwarded-for", text.encode("latin-1")) for text in forwarded)]
    scope: dict[str, Any] = {"client": peer and (peer, 40_000), "headers": headers}
    return client_address(scope, PROXIES)


def test_public_routes_that_cost_or_guess_are_throttled() -> None:
    assert {
        "/api/v1/auth/login": Throttle(5, 60),
        "/api/v1/auth/inscription": Throttle(3, 60),
        "/api/v1/auth/mot-de-passe-oublie": Throttle(5, 60),
        "/api/v1/auth/reinitialiser-mot-de-passe": Throttle(5, 60),
        "/verifier/{jeton}": Throttle(60, 60),
        "/verifier/{jeton}/preuve": Throttle(60, 60),
        "/verifier/racines": Throttle(60, 60),
        "/verifier/coherence": Throttle(60, 60),
        "/.well-known/comptoir-sceau.json": Throttle(60, 60),
        "/api/v1/market/vitrine": Throttle(60, 60),
        "/api/v1/market/vitrine/{id_produit}/image": Throttle(600, 60),
        "/api/v1/restaurant/vitrine": Throttle(60, 60),
        "/api/v1/restaurant/vitrine/{id_plat}/image": Throttle(600, 60),
        "/api/v1/tresorerie/avis/{jeton}": Throttle(600, 60),
    } == THROTTLES


async def test_each_route_and_each_address_has_a_separate_count() -> None:
    store = Store(lambda: 0.0)
    verdicts = [await store.hit(throttle_key(LOGIN, "203.0.113.1"), 5, 60) for _ in range(6)]
    assert verdicts == [Hit(True, 0)] * 5 + [Hit(False, 60)]
    assert (await store.hit(throttle_key(LOGIN, "203.0.113.2"), 5, 60)).allowed
    assert (await store.hit(throttle_key("/verifier/{jeton}", "203.0.113.1"), 5, 60)).allowed


def test_a_throttle_key_names_the_route_and_the_address_or_the_network_of_ipv6() -> None:
    assert throttle_key(LOGIN, "203.0.113.1") == f"svc:throttle:{LOGIN}:203.0.113.1"
    one = throttle_key(LOGIN, "2001:db8:1:2::1")
    assert one == f"svc:throttle:{LOGIN}:2001:db8:1:2::/64"
    assert throttle_key(LOGIN, "2001:db8:1:2:ffff:ffff:ffff:ffff") == one
    assert throttle_key(LOGIN, "2001:db8:1:3::1") != one


@pytest.mark.parametrize(("peer", "expected"), [
    ("203.0.113.1", "203.0.113.1"),
    ("2001:DB8::0001", "2001:db8::1"),
    ("::ffff:203.0.113.1", "203.0.113.1"),
    ("fe80::1%eth0", "fe80::1"),
    (None, "0.0.0.0"),
    ("", "0.0.0.0"),
    ("testclient", "0.0.0.0"),
])  # fmt: skip
def test_without_a_trusted_proxy_the_client_address_is_the_peer(peer: str | None, expected: str) -> None:
    assert address(peer) == expected
    assert address(peer, "198.51.100.9") == expected  # an untrusted peer's header is ignored


@pytest.mark.parametrize("proxy", ["10.1.2.3", "127.0.0.1", "fd00::1", "::ffff:10.1.2.3", "::ffff:127.0.0.1"])
def test_behind_a_trusted_proxy_the_client_address_is_the_peer_of_the_proxy(proxy: str) -> None:
    assert address(proxy, "203.0.113.1") == "203.0.113.1"


@pytest.mark.parametrize(("forwarded", "expected"), [
    (["198.51.100.9, 203.0.113.1"], "203.0.113.1"),  # the client may invent the left address
    (["198.51.100.9", "203.0.113.1"], "203.0.113.1"),  # two header lines are one list
    (["203.0.113.1, 10.9.9.9"], "203.0.113.1"),
    (["203.0.113.1 ,10.9.9.9,\t127.0.0.1 , fd00::2"], "203.0.113.1"),
    (["203.0.113.1", "10.9.9.9", ""], "203.0.113.1"),
    (["203.0.113.1,, ,"], "203.0.113.1"),
    (["n'importe quoi, 203.0.113.1"], "203.0.113.1"),
    (["203.0.113.1:51234"], "203.0.113.1"),
    (["2001:db8::1"], "2001:db8::1"),
    (["[2001:db8::1]"], "2001:db8::1"),
    (["[2001:db8::1]:51234, 10.9.9.9:80"], "2001:db8::1"),
    (["::ffff:203.0.113.1"], "203.0.113.1"),
    (["203.0.113.1, ::ffff:10.9.9.9"], "203.0.113.1"),
    (["2001:db8::1%\r\nlibre"], "2001:db8::1"),
])  # fmt: skip
def test_forwarded_addresses_are_read_from_the_right(forwarded: list[str], expected: str) -> None:
    assert address("10.1.2.3", *forwarded) == expected


def test_a_malformed_header_leaves_the_address_of_the_proxy() -> None:
    for text in (
        "", " , ,", "10.9.9.9", "unknown", "203.0.113.1, unknown", "203.0.113.1, unknown, 10.9.9.9", "203.0.113.256",
        "203.0.113.01", "203.0.113.1/24", "3405803777", "[203.0.113.1", "_secret", "\xe9", "1" * 50_000,
    ):  # fmt: skip
        assert address("10.1.2.3", text) == "10.1.2.3", text
    assert address("10.1.2.3") == "10.1.2.3"
    # No proxy is trusted by default.
    scope = {"client": ("127.0.0.1", 1), "headers": [(b"x-forwarded-for", b"203.0.113.1")]}
    assert client_address(scope, ()) == "127.0.0.1"
