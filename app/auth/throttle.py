"""Throttles: calls of public routes by address, wrong passwords by account, and the address of a caller."""

import hashlib
import ipaddress
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from app.auth.kvstore import TRIES, TRIES_SECONDS
from app.base.refusal import Refusal
from app.base.settings import IpNetwork

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

UNKNOWN = ipaddress.IPv4Address(0)  # a caller on a Unix socket has no address
SUBSCRIBER = 64  # bits of an IPv6 prefix: one subscriber has every address in it
WITH_PORT = re.compile(r"\[(?P<v6>[^]]+)\](?::\d+)?|(?P<v4>[^:]+):\d+")


@dataclass(frozen=True, slots=True)
class Throttle:
    """A maximum of `limit` calls in `seconds` for one address."""

    limit: int
    seconds: int


PASSWORDS = Throttle(TRIES, TRIES_SECONDS)  # wrong passwords for one account before the first pause


def throttle_key(route: str, address: str) -> str:
    """The key that counts the calls of one address at one route."""
    return f"svc:throttle:{route}:{subscriber(address)}"


def subscriber(address: str) -> str:
    """The address, or the /64 network of an IPv6 address."""
    return str(ipaddress.IPv6Network((address, SUBSCRIBER), strict=False)) if ":" in address else address


def account_key(login: str, address: str | None) -> str:
    """The key that counts wrong passwords of a login, whether the account exists or not.

    An address from which the account has signed in has its own counter. Attempts from other addresses share one
    counter (address None), so a stranger's attempts do not lock the owner out.
    """
    subject = f"{login.lower()}\0{subscriber(address) if address else ''}"
    return hashlib.sha256(subject.encode(errors="replace")).hexdigest()


def too_many_attempts(seconds: int) -> Refusal:
    """The 429 refusal. It names the seconds to wait."""
    message = f"Trop de tentatives : réessayez dans {seconds} s."
    return Refusal(429, "TOO_MANY_REQUESTS", message, headers={"Retry-After": str(seconds)})


def client_address(scope: Mapping[str, Any], trusted_proxies: Sequence[IpNetwork]) -> str:
    """The caller's address, always valid. Only entries of X-Forwarded-For that trusted proxies wrote count.

    Each proxy appends the address of its caller, so the list is read from the right up to the first address that is
    not a trusted proxy.
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
    """The address as text, cached: formatting costs more than the rest of client_address."""
    return str(_parse(text) or UNKNOWN)


@lru_cache(4096)
def _parse(text: str) -> IpAddress | None:
    """Parse an address with or without a port. An IPv4-mapped IPv6 address becomes an IPv4 address."""
    if match := WITH_PORT.fullmatch(text):
        text = match["v6"] or match["v4"]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        return address.ipv4_mapped or ipaddress.IPv6Address(int(address))  # without its zone, which is free text
    return address
