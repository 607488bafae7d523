"""How often an address may call the public routes, how often a password may be wrong, and which address is calling."""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from app.auth.kvstore import Hit, Store
from app.base.refusal import Refusal
from app.base.settings import IpNetwork

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

UNKNOWN = ipaddress.IPv4Address(0)  # a caller on a Unix socket has no address
SUBSCRIBER = 64  # bits of an IPv6 address: below them, one subscriber has as many as he likes
WITH_PORT = re.compile(r"\[(?P<v6>[^]]+)\](?::\d+)?|(?P<v4>[^:]+):\d+")


@dataclass(frozen=True, slots=True)
class Throttle:
    """So many calls in so many seconds for one address."""

    limit: int
    seconds: int


async def hit(store: Store, throttle: Throttle, route: str, address: str) -> Hit:
    """Count one call of a route."""
    return await store.hit(throttle_key(route, address), throttle.limit, throttle.seconds)


def throttle_key(route: str, address: str) -> str:
    """The key of a caller at a route."""
    return f"svc:throttle:{route}:{subscriber(address)}"


def subscriber(address: str) -> str:
    """The address, or the /64 of an IPv6 one."""
    return str(ipaddress.IPv6Network((address, SUBSCRIBER), strict=False)) if ":" in address else address


def account_key(login: str, address: str | None) -> str:
    """The key under which wrong passwords of an account count, existing or not: for the world, or for one address.

    An address from which the account has signed in counts by itself, so that strangers who try keep nobody out.
    """
    of_whom = f"{login.lower()}\0{subscriber(address) if address else ''}"
    return hashlib.sha256(of_whom.encode(errors="replace")).hexdigest()


def braked(seconds: int) -> Refusal:
    """The 429 refusal, which tells the caller how many seconds to wait."""
    message = f"Trop de tentatives : réessayez dans {seconds} s."
    return Refusal(429, "TOO_MANY_REQUESTS", message, headers={"Retry-After": str(seconds)})


def client_address(scope: Mapping[str, Any], trusted_proxies: Sequence[IpNetwork]) -> str:
    """The caller's address: always a valid one, and X-Forwarded-For only as far as trusted proxies wrote it.

    Each proxy appends who called it, so the list is read from the right and ends at the first stranger.
    """
    client = scope.get("client")
    host = client[0] if client else ""
    peer = _parse(host) or UNKNOWN
    if not _within(peer, trusted_proxies):
        return _plain(host)
    headers = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    for entry in reversed(",".join(headers).split(",")):
        if not entry.strip():
            continue
        address = _parse(entry.strip())
        if address is None:
            break
        if not _within(address, trusted_proxies):
            return str(address)
    return _plain(host)


def _within(address: IpAddress, networks: Sequence[IpNetwork]) -> bool:
    return any(address in network for network in networks)


@lru_cache(4096)
def _plain(text: str) -> str:
    """The same as text: making it anew costs more than all the rest."""
    return str(_parse(text) or UNKNOWN)


@lru_cache(4096)
def _parse(text: str) -> IpAddress | None:
    """An address, with or without a port; an IPv4 one in IPv6 clothes is an IPv4 one."""
    if match := WITH_PORT.fullmatch(text):
        text = match["v6"] or match["v4"]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        return address.ipv4_mapped or ipaddress.IPv6Address(int(address))  # the zone, free text, is dropped
    return address
