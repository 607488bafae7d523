"""Webhooks reach public addresses only, whatever their URL looks like and whatever a name resolves to."""

import asyncio
import ipaddress
import socket
import threading
from typing import Any

import pytest

from app.auth.encrypted import WEBHOOK
from app.jobs.addresses import ForbiddenAddress, Resolver, refuse
from app.jobs.webhooks import Sender, Sent
from tests.receiver import receiving
from tests.server import SECRETS

pytestmark = pytest.mark.promesse(
    "Webhooks : aucun envoi vers une adresse privée, ni par un nom, ni par une redirection"
)

KEYS = [SECRETS.encrypt("whsec_" + "A" * 43 + "=", WEBHOOK)]
REFUSAL = "Cette adresse est privée ou réservée"


def send(url: str, resolver: Any = None, times: int = 1) -> Sent:
    """Send a delivery so many times, each over a connection of its own. Return what became of the last one."""

    async def run() -> Sent:
        sender = Sender([], SECRETS, encrypted=False)
        if resolver is not None:
            sender.resolver = resolver
        for number in range(times):
            try:
                sent = await sender.send(url, KEYS, number, "{}")
            finally:
                await sender.close()
        return sent

    return asyncio.run(run())


@pytest.mark.parametrize("address", [
    "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254",
    "192.0.2.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::", "2001:db8::1",
    "fec0::1", "::10.1.2.3", "::1.1.1.1", "5f00::1", "3fff::1", "192.88.99.1", "2606:4700::5efe:10.0.0.1",
    "2606:4700::200:5efe:101:101", "100::1", "8000::1",
])  # fmt: skip
def test_a_private_or_reserved_address_is_refused(address: str) -> None:
    with pytest.raises(ForbiddenAddress, match="WEBHOOK_RESEAUX"):
        refuse(address, [])


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_a_public_address_is_accepted(address: str) -> None:
    refuse(address, [])


def test_a_listed_network_is_accepted_and_its_neighbour_is_not() -> None:
    networks = [ipaddress.ip_network("10.9.0.0/16"), ipaddress.ip_network("fd00::/64")]
    for address in ("10.9.1.1", "::ffff:10.9.1.1", "fd00::5"):
        refuse(address, networks)
    for address in ("10.8.1.1", "fd00:0:0:1::5", "127.0.0.1"):
        with pytest.raises(ForbiddenAddress):
            refuse(address, networks)


@pytest.mark.parametrize("host", [
    "127.0.0.1", "localhost", "LOCALHOST.", "127.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0", "[::1]",
    "[::ffff:127.0.0.1]", "[0:0:0:0:0:ffff:7f00:1]", "127。0。0。1",
])  # fmt: skip
def test_no_form_of_the_loopback_address_reaches_a_receiver(host: str) -> None:
    with receiving() as receiver:
        sent = send(f"http://{host}:{receiver.server_port}/recu")
        assert sent.code is None and receiver.deliveries == []
        assert REFUSAL in sent.text or "Connexion impossible" in sent.text


class Rebinding:
    """A name server that answers a public address first and the loopback address afterwards."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.calls = 0

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_INET) -> list[Any]:
        self.calls += 1
        address = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return [{"hostname": host, "host": address, "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}]

    async def close(self) -> None:
        pass


def test_a_name_that_resolves_to_a_private_address_is_refused() -> None:
    with receiving() as receiver:
        sent = send(f"http://compta.example.com:{receiver.server_port}/", _checked("127.0.0.1"))
        assert REFUSAL in sent.text and receiver.deliveries == []


def test_one_private_address_among_public_ones_is_refused() -> None:
    class Both(Rebinding):
        async def resolve(self, *arguments: Any) -> list[Any]:
            return [(await Rebinding(address).resolve(*arguments))[0] for address in ("203.0.114.9", "10.0.0.1")]

    resolver = _checked()
    resolver.system = Both()
    assert REFUSAL in send("http://compta.example.com/", resolver).text


def test_the_checked_address_is_the_connected_one() -> None:
    """Each connection resolves the name once. A second answer of the name server is checked like the first."""
    with receiving() as receiver:
        url = f"http://compta.example.com:{receiver.server_port}/"
        for times in (1, 2):
            resolver = _checked("127.0.0.1", "127.0.0.2", network="127.0.0.1/32")
            sent = send(url, resolver, times)
            assert (sent.code == 200, REFUSAL in sent.text) == (times == 1, times == 2)
            assert resolver.system.calls == times
        assert len(receiver.deliveries) == 2


def _checked(*addresses: str, network: str | None = None) -> Resolver:
    resolver = Resolver([ipaddress.ip_network(network)] if network else [])
    resolver.system = Rebinding(*addresses)
    return resolver


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_the_loopback_address_is_not_followed(status: int) -> None:
    with receiving() as inner, receiving() as outer:
        outer.answer, outer.location = (lambda _: status), inner.url
        resolver = _checked("127.0.0.1", network="127.0.0.0/8")
        assert send(f"http://compta.example.com:{outer.server_port}/", resolver).code == status
        assert inner.deliveries == []


@pytest.mark.parametrize("url", ["http://compta.example.com/", "HTTP://compta.example.com/"])
def test_production_sends_over_tls_only(url: str) -> None:
    with pytest.raises(ForbiddenAddress, match="chiffrés"):
        Sender([], SECRETS, encrypted=True).refuse(url)


def test_a_slow_receiver_is_left_after_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.jobs.webhooks.TIMEOUT", 0.2)
    left = threading.Event()
    with receiving() as receiver:
        receiver.answer = lambda _: 200 if left.wait(30) else 500
        resolver = _checked("127.0.0.1", network="127.0.0.0/8")
        sent = send(f"http://compta.example.com:{receiver.server_port}/", resolver)
        left.set()
    assert sent.code is None and sent.text.startswith("Pas de réponse")
