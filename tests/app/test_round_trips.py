"""A request makes one round trip to PostgreSQL; a proxy counts the round trips."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests import builders
from tests.conftest import migrated_postgres
from tests.server import Service, eventually, running

ENCRYPTION_REQUESTS = ((80877103).to_bytes(4), (80877104).to_bytes(4))  # SSLRequest, GSSENCRequest
SYNC_OR_QUERY = (b"S", b"Q")  # after a Sync or a simple Query the client waits for the server


class Wire:
    """A proxy before the server that counts the round trips of its clients."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname and parts.port
        self._server = (parts.hostname, parts.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        account = parts.netloc.rpartition("@")[0]
        self.url = urlunsplit(parts._replace(netloc=f"{account}@127.0.0.1:{port}", query="sslmode=disable"))
        self.round_trips = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._server)
                threading.Thread(target=self._forward_requests, args=(client, server), daemon=True).start()
                threading.Thread(target=self._forward_answers, args=(server, client), daemon=True).start()

    def _forward_requests(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError), client, server, client.makefile("rb") as stream:
            started = False
            while not started:  # requests for encryption and the startup message have no type byte
                size = stream.read(4)
                rest = stream.read(int.from_bytes(size) - 4)
                started = rest[:4] not in ENCRYPTION_REQUESTS
                server.sendall(size + rest)
            while message_type := stream.read(1):
                size = stream.read(4)
                self.round_trips += message_type in SYNC_OR_QUERY
                server.sendall(message_type + size + stream.read(int.from_bytes(size) - 4))

    def _forward_answers(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                client.sendall(data)
            client.shutdown(socket.SHUT_RDWR)


# Each transaction is on disk before the next request, and only the test makes WAL: no request waits for the disk.
DURABLE = {
    "synchronous_commit": "on", "fsync": "off", "autovacuum": "off", "wal_level": "minimal", "max_wal_senders": "0",
}  # fmt: skip


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    with migrated_postgres(tmp_path_factory.mktemp("postgres") / "base", DURABLE) as server:
        proxy = Wire(server.url())
        yield proxy
        proxy.close()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, wire: Wire) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("service"), DATABASE_URL=wire.url, DATABASE_POOL="1") as process:
        yield process


def test_a_request_makes_one_round_trip(service: Service, wire: Wire) -> None:
    admin = service.login()
    till = admin.post("/finances/caisses", json={"libelle": "Accueil", "id_activite": "1"}).json()["id_caisse"]
    admin.post(f"/finances/caisses/{till}/ouvrir", json={"fond_initial": "0"})
    paid = {"montant": "5", "id_moyen": "1", "id_caisse": till}
    numbers = iter(range(1000))

    def round_trips(method: str, path: str, body: Any = None, key: bool = False, status: int = 200) -> int:
        before = wire.round_trips
        headers = {"idempotency-key": f"cle-{next(numbers)}"} if key else {}
        assert admin.request(method, path, json=body, headers=headers).status_code == status
        return wire.round_trips - before

    requests: dict[str, tuple[Any, ...]] = {
        "a new row": ("POST", "/client/clients", builders.CLIENT, False, 201),  # the other requests read this client
        "one": ("GET", "/client/clients/1"),
        "a list with its total": ("GET", "/client/clients?limit=1"),
        "a report": ("GET", "/finances/tableau-de-bord"),
        "a change": ("PATCH", "/client/clients/1", {"nom": "Autre"}),
        "a payment": ("POST", "/finances/paiements", paid, False, 201),
        "a payment under a key": ("POST", "/finances/paiements", paid, True, 201),
        "a refusal": ("GET", "/client/clients/999999", None, False, 404),
    }
    for request in requests.values():
        round_trips(*request)  # first calls prepare the statement and read the permissions of the role
    # At its start the service also makes round trips of its own, for live notifications; wait until they are over.
    eventually(lambda: sum(round_trips(*request) for request in requests.values()) == len(requests))
    assert {name: round_trips(*request) for name, request in requests.items()} == dict.fromkeys(requests, 1)


def test_user_whose_role_changed_after_login_still_needs_one_round_trip(service: Service, wire: Wire) -> None:
    admin = service.login()
    roles = {row["code"]: row["id_role"] for row in admin.get("/admin/roles").json()}
    account = {"login": "essai.promue", "mot_de_passe": "un mot de passe d'essai", "id_role": roles["RH"]}
    created = admin.post("/admin/utilisateurs", json=account).json()
    user = service.login(account["login"], account["mot_de_passe"])

    def round_trips(path: str, status: int) -> int:
        before = wire.round_trips
        assert user.get(path).status_code == status
        return wire.round_trips - before

    round_trips("/client/clients", 403)
    eventually(lambda: round_trips("/client/clients", 403) == 1)  # a refusal first reads the present role of the user
    role = {"id_role": roles["DIRIGEANT"]}
    assert admin.patch(f"/admin/utilisateurs/{created['id_utilisateur']}", json=role).status_code == 200
    round_trips("/client/clients", 200)  # the token still contains the role RH
    eventually(lambda: round_trips("/client/clients", 200) == round_trips("/rh/employes", 200) == 1)
