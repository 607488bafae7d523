"""Three PostgreSQL under Patroni, with HAProxy and PgBouncer in front, as deploiement/patroni configures them."""

import os
import secrets
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from string import Template
from tempfile import mkdtemp
from typing import Any

import httpx
import psutil
import psycopg
import pytest

from app.leaves.embarque.server import NOBODY
from tests.namespaces import Network, network
from tests.server import ROOT, eventually

FILES = ROOT / "deploiement/patroni"
NODES = ("n1", "n2", "n3")
RELAY = "relais"
UNSAFE_WITH_ETCD3 = (3, 0, 2)  # the last version of Patroni that needs the second API of etcd
START = 120.0  # seconds for a node that copies the leader again on a busy machine
LOG_CHARACTERS = 10_000

POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
PROGRAMS = ("patroni", "etcd", "haproxy", "pgbouncer", "setpriv", "ip")
MISSING = [name for name in PROGRAMS if not shutil.which(name)] + ([] if POSTGRES else ["postgresql"])
needs_patroni = [
    pytest.mark.skipif(bool(MISSING), reason=f"absents de cette machine : {', '.join(MISSING)} (paquets de Debian)"),
    pytest.mark.skipif(os.geteuid() != 0, reason="seul root crée des espaces de noms réseau"),
]


class Node:
    """One host: PostgreSQL, its Patroni and a member of etcd."""

    def __init__(self, name: str, folder: Path, net: Network, values: dict[str, str]) -> None:
        self.name = name
        self.address = net.address[name]
        self.folder = folder / name
        self._network = net
        where = {"dossier": str(self.folder), "dossier_etcd": str(self.folder / "etcd-data")}
        _write(self.folder, values | where | {"noeud": name, "adresse": self.address}, "patroni.yml", "etcd")
        self.start_etcd()

    def start_etcd(self) -> None:
        lines = shlex.split((self.folder / "etcd").read_text(), comments=True)
        settings = dict(line.split("=", 1) for line in lines)
        self.etcd = self._network.start(self.name, ["etcd"], self.folder / "etcd.log", settings)

    def start_patroni(self) -> None:
        command = ["patroni", str(self.folder / "patroni.yml")]
        self.patroni = self._network.start(self.name, command, self.folder / "patroni.log")

    def kill_postgres(self) -> None:
        """Kill the server with all its processes, as a crash of the whole server does."""
        postmaster = psutil.Process(int((self.folder / "data/postmaster.pid").read_text().split()[0]))
        assert postmaster.name() == "postgres"
        for process in (postmaster, *postmaster.children()):
            with suppress(psutil.NoSuchProcess):
                process.kill()

    def leads(self) -> bool:
        """Whether Patroni of this node says that it holds the key of the leader."""
        with suppress(httpx.HTTPError):
            return httpx.get(f"http://{self.address}:8008/primary", timeout=1).status_code == 200
        return False

    def leads_etcd(self) -> bool:
        status = self._ask("POST", ":2379/v3/maintenance/status", json={})
        return bool(status) and status["leader"] == status["header"]["member_id"]

    def reaches_etcd(self) -> bool:
        """Whether etcd of this node is a member of a majority."""
        return self._ask("GET", ":2379/health").get("health") == "true"

    def members(self) -> list[dict[str, Any]]:
        """Return the nodes as Patroni of this node sees them."""
        return list(self._ask("GET", ":8008/cluster").get("members", []))

    def _ask(self, method: str, place: str, **options: Any) -> dict[str, Any]:
        """The answer of this host; nothing if it does not answer."""
        with suppress(httpx.HTTPError):
            return dict(httpx.request(method, f"http://{self.address}{place}", timeout=1, **options).json())
        return {}


class Cluster:
    """The three nodes, and a relay with HAProxy and PgBouncer."""

    def __init__(self, folder: Path, net: Network) -> None:
        self.network = net
        self._folder = folder
        self._values = {
            "relais": net.address[RELAY],
            "reseau": str(net.subnet),
            "api_etcd": "etcd3" if _version() > UNSAFE_WITH_ETCD3 else "etcd",
            "programmes": str(POSTGRES[-1].parent),
            "comptes": str(folder / RELAY / "comptes.txt"),
            **{f"noeud_{n}": node for n, node in enumerate(NODES, 1)},
            **{f"adresse_{n}": net.address[node] for n, node in enumerate(NODES, 1)},
            **{
                f"mot_de_passe_{account}": secrets.token_hex(12)
                for account in ("postgres", "replication", "rembobinage", "patroni", "api")
            },
        }
        self.nodes = {name: Node(name, folder, net, self._values) for name in NODES}
        self._relay()
        self.etcd_leader()
        for node in self.nodes.values():
            node.start_patroni()

    def _relay(self) -> None:
        folder = self._folder / RELAY
        _write(folder, self._values, "haproxy.cfg", "pgbouncer.ini", "comptes.txt")
        self.network.start(RELAY, ["haproxy", "-db", "-f", str(folder / "haproxy.cfg")], folder / "haproxy.log")
        self.network.start(RELAY, ["pgbouncer", str(folder / "pgbouncer.ini")], folder / "pgbouncer.log")

    def direct_url(self, database: str, node: Node | None = None) -> str:
        """The address of one node, or of HAProxy, which follows the leader. The account is a superuser."""
        where = f"{node.address}:5432" if node else f"{self.network.address[RELAY]}:5000"
        return f"postgresql://postgres:{self._values['mot_de_passe_postgres']}@{where}/{database}"

    @property
    def api_password(self) -> str:
        return self._values["mot_de_passe_api"]

    def pooled_url(self) -> str:
        """The address of PgBouncer, for the account of the API."""
        return f"postgresql://comptoir_api:{self.api_password}@{self.network.address[RELAY]}:6432/comptoir"

    def leader(self, *, but: Node | None = None) -> Node:
        """Wait until a node leads, other than `but`, and return it."""
        nodes = [node for node in self.nodes.values() if node is not but]
        return eventually(lambda: next((node for node in nodes if node.leads()), None), START)  # type: ignore[no-any-return]

    def etcd_leader(self) -> Node:
        return eventually(lambda: next((n for n in self.nodes.values() if n.leads_etcd()), None), START)  # type: ignore[no-any-return]

    def recover(self) -> None:
        """Wait until both replicas stream from the leader, one of them synchronously."""
        eventually(self._whole, START)

    def _whole(self) -> bool:
        leaders = [node for node in self.nodes.values() if node.leads()]
        return (
            len(leaders) == 1
            and len(self._streaming(leaders[0])) == 2
            and sorted(member["role"] for member in leaders[0].members()) == ["leader", "replica", "sync_standby"]
            and all(node.reaches_etcd() for node in self.nodes.values())
        )

    def _streaming(self, leader: Node) -> set[str]:
        query = "select application_name from pg_stat_replication where state = 'streaming'"
        with suppress(psycopg.Error), psycopg.connect(self.direct_url("postgres", leader)) as connection:
            return {row[0] for row in connection.execute(query).fetchall()} & set(NODES)
        return set()

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Print the ends of all logs if the block fails."""
        try:
            yield
        except BaseException:
            for log in sorted(self._folder.glob("*/*.log")):
                print(f"--- {log.relative_to(self._folder)}\n{log.read_text(errors='replace')[-LOG_CHARACTERS:]}")
            raise


def _version() -> tuple[int, ...]:
    answer = subprocess.run(["patroni", "--version"], check=True, capture_output=True, text=True).stdout
    return tuple(int(part) for part in answer.split()[-1].split("."))


def _write(folder: Path, values: dict[str, str], *names: str) -> None:
    """Write these files of deploiement/patroni with their values, for the account that runs the servers."""
    folder.mkdir(mode=0o700)
    for name in names:
        (folder / name).write_text(Template((FILES / name).read_text()).substitute(values))
    os.chown(folder, NOBODY, NOBODY)


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Run a new cluster until it is whole. Nothing of it is left afterwards."""
    folder = Path(mkdtemp(prefix="comptoir-patroni-"))
    folder.chmod(0o711)
    try:
        with network((*NODES, RELAY)) as net:
            running = Cluster(folder, net)
            with running.explained():
                running.recover()
            yield running
    finally:
        shutil.rmtree(folder)
