"""The addresses to which the service may connect on behalf of a user: public ones, and the networks of WEBHOOK_RESEAUX.

The check is on the resolved address that is connected to. A name that resolves to another address a moment later
therefore reaches nothing else.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from app.base.settings import IpNetwork

# Prefixes that carry an IPv4 address: NAT64, 6to4, Teredo. A gateway would translate it to an internal address.
TRANSLATED = [ipaddress.IPv6Network(text) for text in ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")]


class ForbiddenAddress(OSError):
    """The service does not connect to this address. The message is French."""


def refuse_literal(url: str, networks: Sequence[IpNetwork]) -> None:
    """Raise ForbiddenAddress for a URL whose host is a forbidden IP address. A name is checked when it is resolved."""
    try:
        host = (URL(url).host or "").partition("%")[0]  # as aiohttp reads it: « 127。0。0。1 » is an address too
        ipaddress.ip_address(host)
    except ValueError:  # a name, or no URL: aiohttp refuses that one
        return
    refuse(host, networks)


def refuse(text: str, networks: Sequence[IpNetwork]) -> None:
    """Raise ForbiddenAddress unless this IP address is public or in one of the networks."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if any(address in network for network in networks):
        return
    translated = any(address in network for network in TRANSLATED if network.version == address.version)
    if translated or not address.is_global or address.is_multicast:
        raise ForbiddenAddress(
            "Cette adresse est privée ou réservée : les événements ne partent que vers une adresse publique, "
            "ou de WEBHOOK_RESEAUX (pour essayer sur sa machine : 127.0.0.1)."
        )


class Resolver(AbstractResolver):
    """Resolves names, and refuses a name of which one address is forbidden."""

    def __init__(self, networks: Sequence[IpNetwork]) -> None:
        self.networks = networks
        self.system: AbstractResolver | None = None  # made when it is needed, because it needs the event loop

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[ResolveResult]:
        if self.system is None:
            self.system = aiohttp.ThreadedResolver()
        results = await self.system.resolve(host, port, family)  # type: ignore[arg-type]
        for result in results:
            refuse(result["host"], self.networks)
        return results

    async def close(self) -> None:
        if self.system is not None:
            await self.system.close()
