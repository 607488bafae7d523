"""Hosts of a network: each host is a network namespace with one cable to a bridge, which has a namespace of its own.

A cable can be unplugged, and a host can be separated from some of the others. Names contain the process id, so two runs
do not meet.
"""

import ipaddress
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from app.leaves.embarque.server import NOBODY
from tests.server import eventually

BENCHMARKS = ipaddress.IPv4Network("198.18.0.0/15")  # reserved for tests of networks
LOST = "02:00:00:00:00:01"  # no host has this hardware address, so no host accepts such a frame


def ip(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout


class Network:
    """The hosts by name. This process is one more host of the network, at the last address."""

    def __init__(self, hosts: Sequence[str]) -> None:
        self._run = f"cpt{os.getpid()}"
        self._hub = f"{self._run}-pont"
        routes = ip("-4", "route", "show")
        self.subnet = next(net for net in BENCHMARKS.subnets(new_prefix=24) if str(net) not in routes)
        self._children: list[subprocess.Popen[bytes]] = []
        self.address = {host: str(address) for host, address in zip(hosts, self.subnet.hosts(), strict=False)}

    def create(self) -> None:
        self._add(self._hub)
        ip("-n", self._hub, "link", "add", "pont", "type", "bridge")
        ip("-n", self._hub, "link", "set", "pont", "up")
        for host, address in self.address.items():
            self._add(self._name(host))
            ip("-n", self._hub, "link", "add", host, "type", "veth", "peer", "name", "eth0", "netns", self._name(host))
            self._connect(host)
            self._configure(("-n", self._name(host)), "eth0", address)
        ip("link", "add", self._run, "type", "veth", "peer", "name", "essai", "netns", self._hub)
        self._connect("essai")
        self._configure((), self._run, str(self.subnet[-2]))

    def _add(self, namespace: str) -> None:
        ip("netns", "add", namespace)
        ip("-n", namespace, "link", "set", "lo", "up")

    def _connect(self, cable: str) -> None:
        ip("-n", self._hub, "link", "set", cable, "master", "pont")
        self.plug(cable)

    def _configure(self, where: Sequence[str], cable: str, address: str) -> None:
        ip(*where, "address", "add", f"{address}/{self.subnet.prefixlen}", "dev", cable)
        ip(*where, "link", "set", cable, "up")

    def _name(self, host: str) -> str:
        return f"{self._run}-{host}"

    def start(
        self, host: str, command: Sequence[str], log: Path, environment: Mapping[str, str] = {}
    ) -> subprocess.Popen[bytes]:
        """Start a program on a host, as the account `nobody`. It writes to the log."""
        account = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        settings = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(log.parent), **environment}
        with log.open("ab") as output:
            child = subprocess.Popen(
                ["ip", "netns", "exec", self._name(host), *account, *command], stdin=subprocess.DEVNULL,
                stdout=output, stderr=output, cwd=log.parent, env=settings, start_new_session=True,
            )  # fmt: skip
        self._children.append(child)
        return child

    def unplug(self, host: str) -> None:
        ip("-n", self._hub, "link", "set", host, "down")

    def plug(self, host: str) -> None:
        ip("-n", self._hub, "link", "set", host, "up")

    def separate(self, host: str, others: Sequence[str]) -> None:
        """Lose every frame between this host and the others, in silence. All other hosts still reach all of them."""
        for source, target in _pairs(host, others):
            wrong = [self.address[target], "lladdr", LOST, "dev", "eth0", "nud", "permanent"]
            ip("-n", self._name(source), "neigh", "replace", *wrong)

    def join(self, host: str, others: Sequence[str]) -> None:
        for source, target in _pairs(host, others):
            ip("-n", self._name(source), "neigh", "del", self.address[target], "dev", "eth0")

    def close(self) -> None:
        """Kill every process in the namespaces of this network, by its id, and remove them."""
        names = [line.split()[0] for line in ip("netns", "list").splitlines()]
        mine = [name for name in names if name.startswith(f"{self._run}-")]
        eventually(lambda: not any([_kill_all(namespace) for namespace in mine]))
        for child in self._children:
            child.wait()
        for namespace in mine:
            ip("netns", "delete", namespace)  # a cable disappears with one of its ends


def _kill_all(namespace: str) -> list[str]:
    pids = ip("netns", "pids", namespace).split()
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            psutil.Process(int(pid)).kill()
    return pids


def _pairs(host: str, others: Sequence[str]) -> list[tuple[str, str]]:
    return [pair for other in others for pair in ((host, other), (other, host))]


@contextmanager
def network(hosts: Sequence[str]) -> Iterator[Network]:
    """Create the network. Skip the test where this account may not."""
    made = Network(hosts)
    try:
        try:
            made.create()
        except subprocess.CalledProcessError as error:
            pytest.skip(f"pas d'espace de noms réseau ici : {error.stderr.strip()}")
        yield made
    finally:
        made.close()
