"""Limits for unknown callers: headers and bodies have a maximum size, and a repeated header is refused."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from tests.conftest import _clone
from tests.security.test_http import LOGIN, raw, service_token, statuses
from tests.server import Service, running

LIVE = b"GET /api/v1/health/live HTTP/1.1\r\nHost: essai\r\nConnection: close\r\n"


@pytest.fixture(scope="module")
def service(worker_id: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with (
        _clone(f"essai_{worker_id}_bornes") as url,
        running(
            tmp_path_factory.mktemp("bornes"), DATABASE_URL=url, COMPTOIR_ETAT=str(tmp_path_factory.mktemp("e"))
        ) as running_service,
    ):
        yield running_service


def body(answer: bytes) -> dict[str, object]:
    return dict(json.loads(answer.partition(b"\r\n\r\n")[2]))


@pytest.mark.parametrize(
    "headers",
    [
        b"X-Grand: " + b"a" * 70_000 + b"\r\n",
        b"".join(b"X-%d: a\r\n" % n for n in range(99)),
        b"".join(b"X-%d: %b\r\n" % (n, b"a" * 1000) for n in range(70)),
    ],
    ids=["one header of 70 000 bytes", "101 headers", "70 headers of 1 000 bytes"],
)
def test_headers_beyond_the_limits_answer_431(service: Service, headers: bytes) -> None:
    answer = raw(service, LIVE + headers + b"\r\n")
    assert statuses(answer) == [431]
    assert (body(answer)["code"], body(answer)["path"]) == ("ENTETES_TROP_GRANDS", "/api/v1/health/live")


def test_a_hundred_headers_of_sixty_kibibytes_are_accepted(service: Service) -> None:
    headers = b"".join(b"X-%02d: %b\r\n" % (n, b"a" * 600) for n in range(98))
    assert statuses(raw(service, LIVE + headers + b"\r\n")) == [200]


def test_an_endless_header_is_refused_before_its_end(service: Service) -> None:
    """The header line never ends, and the server must not wait for its end."""
    parts = urlsplit(service.url)
    with socket.create_connection((parts.hostname, parts.port or 0), timeout=10) as connection:
        connection.sendall(LIVE + b"X-Grand: ")
        sent, answer = 0, b""
        try:
            while sent < 10_000_000:
                connection.sendall(b"a" * 8192)
                sent += 8192
        except (BrokenPipeError, ConnectionResetError):
            pass
        try:
            while chunk := connection.recv(65536):
                answer += chunk
        except ConnectionResetError:
            pass  # the server closed the connection with unread bytes, so its answer may be lost
    assert sent < 10_000_000
    assert statuses(answer) in ([431], [])


def test_a_trailer_that_never_ends_closes_the_connection(service: Service) -> None:
    start = LOGIN + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Grand: "
    parts = urlsplit(service.url)
    with socket.create_connection((parts.hostname, parts.port or 0), timeout=10) as connection:
        connection.sendall(start)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            for _ in range(2000):
                connection.sendall(b"a" * 8192)


@pytest.mark.parametrize("name", ["Authorization", "Host", "Content-Type", "Idempotency-Key"])
def test_a_repeated_header_is_refused(service: Service, name: str) -> None:
    token = service_token(service).encode()
    values = {"Authorization": token, "Host": b"essai"}
    value = values.get(name, b"application/json")
    request = b"GET /api/v1/auth/me HTTP/1.1\r\nConnection: close\r\n"
    request += b"".join(
        b"%b: %b\r\n" % (key.encode(), header_value) for key, header_value in values.items() if key != name
    )
    doubled = b"%b: %b\r\n" % (name.encode(), value) * 2
    answer = raw(service, request + doubled + b"\r\n")
    assert statuses(answer) == [400]
    assert body(answer)["code"] == "ENTETE_EN_DOUBLE"
    assert name in str(body(answer)["message"])


def test_a_public_route_accepts_16_kibibytes_and_other_routes_1_mebibyte(service: Service) -> None:
    large = {"login": "a" * 17_000, "mot_de_passe": "b"}
    refused = service.client.post("/auth/login", json=large)
    assert (refused.status_code, refused.json()["code"]) == (413, "CORPS_TROP_GRAND")
    assert "16 Kio" in refused.json()["message"]
    headers = {"authorization": service_token(service)}
    signed_in = service.client.post("/core/parametres", json={"cle": "A" * 17_000, "valeur": "b"}, headers=headers)
    assert signed_in.status_code == 400  # the field is too long, but not the body
    refused = service.client.post("/core/parametres", json={"cle": "A", "valeur": "b" * 1_100_000}, headers=headers)
    assert (refused.status_code, "1 Mio" in refused.json()["message"]) == (413, True)


def test_validation_stops_at_twenty_problems(service: Service) -> None:
    lines = [{"id_produit": "x", "quantite": "y"} for _ in range(5000)]
    headers = {"authorization": service_token(service)}
    answer = service.client.post("/market/ventes", json={"lignes": lines}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert len(answer.json()["details"]) == 20
    unknown = {f"inconnu_{n}": 1 for n in range(5000)}
    assert len(service.client.post("/market/ventes", json=unknown, headers=headers).json()["details"]) == 20
