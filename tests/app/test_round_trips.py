"""One round trip to PostgreSQL for a request, counted on the wire."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest

from tests.server import Service, eventually, running

WISHES = ((80877103).to_bytes(4), (80877104).to_bytes(4))  # SSLRequest, GSSENCRequest
ASKS = (b"S", b"Q")  # Sync and simple Query: after each of them a client waits for the server


class Wire:
    """Hands everything on to the server, and counts how often a client waits for it."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname and parts.port
        self._server = (parts.hostname, parts.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        account = parts.netloc.rpartition("@")[0]
        self.url = urlunsplit(parts._replace(netloc=f"{account}@127.0.0.1:{port}", query="sslmode=disable"))
        self.asked = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._server)
                threading.Thread(target=self._questions, args=(client, server), daemon=True).start()
                threading.Thread(target=self._answers, args=(server, client), daemon=True).start()

    def _questions(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError), client, server, client.makefile("rb") as stream:
            started = False
            while not started:  # messages before the start have no type: wishes for encryption, then the start-up
                size = stream.read(4)
                rest = stream.read(int.from_bytes(size) - 4)
                started = rest[:4] not in WISHES
                server.sendall(size + rest)
            while kind := stream.read(1):
                size = stream.read(4)
                self.asked += kind in ASKS
                server.sendall(kind + size + stream.read(int.from_bytes(size) - 4))

    def _answers(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(65536):
                client.sendall(data)
            client.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def wire(database_url: str) -> Iterator[Wire]:
    found = Wire(database_url)
    yield found
    found.close()


@pytest.fixture
def service(tmp_path: Path, wire: Wire) -> Iterator[Service]:
    with running(tmp_path, DATABASE_URL=wire.url, DATABASE_POOL="1") as found:
        yield found


def test_a_request_is_one_round_trip(service: Service, wire: Wire) -> None:
    admin = service.login()
    client = {"nom": "Exemple", "prenoms": "Awa", "tel_principal": "+2250700000000", "type_client": "PASSAGE"}
    till = admin.post("/finances/caisses", json={"libelle": "Accueil", "id_activite": "1"}).json()["id_caisse"]
    admin.post(f"/finances/caisses/{till}/ouvrir", json={"fond_initial": "0"})
    paid = {"montant": "5", "id_moyen": "1", "id_caisse": till}
    numbers = iter(range(1000))

    def asked(method: str, path: str, body: Any = None, key: bool = False, status: int = 200) -> int:
        before = wire.asked
        headers = {"idempotency-key": f"cle-{next(numbers)}"} if key else {}
        answer = admin.request(method, path, json=body, headers=headers)
        assert answer.status_code == status, answer.text
        return wire.asked - before

    requests: dict[str, dict[str, Any]] = {
        "one": {"method": "GET", "path": "/client/clients/1"},
        "a list with its total": {"method": "GET", "path": "/client/clients?limit=1"},
        "a report": {"method": "GET", "path": "/finances/tableau-de-bord"},
        "a new row": {"method": "POST", "path": "/client/clients", "body": client, "status": 201},
        "a change": {"method": "PATCH", "path": "/client/clients/1", "body": {"nom": "Autre"}},
        "a payment": {"method": "POST", "path": "/finances/paiements", "body": paid, "status": 201},
        "a payment under a key": {
            "method": "POST",
            "path": "/finances/paiements",
            "body": paid,
            "key": True,
            "status": 201,
        },
        "a refusal": {"method": "GET", "path": "/client/clients/999999", "status": 404},
    }
    requests = {"a new row": requests.pop("a new row"), **requests}  # others read the first one
    for request in requests.values():
        asked(**request)  # prepares its statement, and reads the permissions of the role once
    # What the service does of itself, for its live notifications, is over by then.
    eventually(lambda: sum(asked(**request) for request in requests.values()) == len(requests))
    assert {name: asked(**request) for name, request in requests.items()} == dict.fromkeys(requests, 1)


def test_user_with_another_role_than_the_token_s_is_one_round_trip_once_known(service: Service, wire: Wire) -> None:
    admin = service.login()
    roles = {row["code"]: row["id_role"] for row in admin.get("/admin/roles").json()}
    account = {"login": "essai.promue", "mot_de_passe": "un mot de passe d'essai", "id_role": roles["RH"]}
    made = admin.post("/admin/utilisateurs", json=account).json()
    user = service.login(account["login"], account["mot_de_passe"])

    def asked(path: str, status: int) -> int:
        before = wire.asked
        assert user.get(path).status_code == status
        return wire.asked - before

    asked("/client/clients", 403)
    eventually(lambda: asked("/client/clients", 403) == 1)  # a refusal asks which role the user has
    role = {"id_role": roles["DIRIGEANT"]}
    assert admin.patch(f"/admin/utilisateurs/{made['id_utilisateur']}", json=role).status_code == 200
    asked("/client/clients", 200)  # with the token that still says RH
    eventually(lambda: asked("/client/clients", 200) == asked("/rh/employes", 200) == 1)
