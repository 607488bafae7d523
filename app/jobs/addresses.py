"""The addresses to which the service may connect on behalf of a user: public ones, and the networks of WEBHOOK_RESEAUX.

The check is on the resolved address that is connected to. A name that resolves to another address a moment later
therefore reaches nothing else.
"""

import ipaddress
from collections.abc import Sequence

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from app.base.settings import IpNetwork

GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# Python calls these global, and they are not: 6to4 and its relays, Teredo, the addresses of examples. A gateway would
# translate the first ones to an internal address.
SPECIAL = [ipaddress.ip_network(text) for text in ("192.88.99.0/24", "2002::/16", "2001::/32", "3fff::/20")]
ISATAP = (0x00005EFE, 0x02005EFE)  # the upper half of an interface identifier that carries an IPv4 address


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
    if not _is_global_unicast(address):
        raise ForbiddenAddress(
            "Cette adresse est privée ou réservée : les événements ne partent que vers une adresse publique, "
            "ou de WEBHOOK_RESEAUX (pour essayer sur sa machine : 127.0.0.1)."
        )


def _is_global_unicast(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address):
        isatap = int(address) >> 32 & 0xFFFFFFFF in ISATAP
        if isatap or address not in GLOBAL_UNICAST:
            return False
    special = any(address in network for network in SPECIAL if network.version == address.version)
    return address.is_global and not address.is_multicast and not special


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
