"""Limits for unknown callers: headers and bodies have a maximum size, and a repeated header is refused."""

import json
from contextlib import suppress

import pytest

from tests.security.test_http import LOGIN, connected, raw, service_token, statuses
from tests.server import Service

LIVE = b"GET /api/v1/health/live HTTP/1.1\r\nHost: essai\r\nConnection: close\r\n"


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
def test_headers_beyond_the_limits_answer_431(module_service: Service, headers: bytes) -> None:
    answer = raw(module_service, LIVE + headers + b"\r\n")
    assert statuses(answer) == [431]
    assert (body(answer)["code"], body(answer)["path"]) == ("ENTETES_TROP_GRANDS", "/api/v1/health/live")


def test_a_hundred_headers_of_sixty_kibibytes_are_accepted(module_service: Service) -> None:
    headers = b"".join(b"X-%02d: %b\r\n" % (n, b"a" * 600) for n in range(98))
    assert statuses(raw(module_service, LIVE + headers + b"\r\n")) == [200]


def test_an_endless_header_is_refused_before_its_end(module_service: Service) -> None:
    """The header line never ends, and the server must not wait for its end."""
    with connected(module_service) as connection:
        connection.sendall(LIVE + b"X-Grand: ")
        sent, answer = 0, b""
        with suppress(BrokenPipeError, ConnectionResetError):
            while sent < 10_000_000:
                connection.sendall(b"a" * 8192)
                sent += 8192
        with suppress(ConnectionResetError):  # the server closed it with unread bytes, so its answer may be lost
            while chunk := connection.recv(65536):
                answer += chunk
    assert sent < 10_000_000
    assert statuses(answer) in ([431], [])


def test_a_trailer_that_never_ends_closes_the_connection(module_service: Service) -> None:
    start = LOGIN + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Grand: "
    with connected(module_service) as connection, pytest.raises((BrokenPipeError, ConnectionResetError)):
        connection.sendall(start)
        for _ in range(2000):
            connection.sendall(b"a" * 8192)


@pytest.mark.parametrize("name", ["Authorization", "Host", "Content-Type", "Idempotency-Key"])
def test_a_repeated_header_is_refused(module_service: Service, name: str) -> None:
    token = service_token(module_service).encode()
    headers = {"Authorization": token, "Host": b"essai", "Connection": b"close"}
    headers |= {name: headers.get(name, b"application/json")}
    lines = [b"%b: %b\r\n" % (header.encode(), value) * (1 + (header == name)) for header, value in headers.items()]
    answer = raw(module_service, b"GET /api/v1/auth/me HTTP/1.1\r\n" + b"".join(lines) + b"\r\n")
    assert (statuses(answer), body(answer)["code"]) == ([400], "ENTETE_EN_DOUBLE")
    assert name in str(body(answer)["message"])


def test_a_public_route_accepts_16_kibibytes_and_other_routes_1_mebibyte(module_service: Service) -> None:
    large = {"login": "a" * 17_000, "mot_de_passe": "b"}
    refused = module_service.client.post("/auth/login", json=large)
    assert (refused.status_code, refused.json()["code"]) == (413, "CORPS_TROP_GRAND")
    assert "16 Kio" in refused.json()["message"]
    admin = module_service.new_client(authorization=service_token(module_service))
    assert admin.post("/core/parametres", json={"cle": "A" * 17_000, "valeur": "b"}).status_code == 400
    refused = admin.post("/core/parametres", json={"cle": "A", "valeur": "b" * 1_100_000})
    assert (refused.status_code, "1 Mio" in refused.json()["message"]) == (413, True)


def test_validation_stops_at_twenty_problems(module_service: Service) -> None:
    lines = [{"id_produit": "x", "quantite": "y"} for _ in range(5000)]
    admin = module_service.new_client(authorization=service_token(module_service))
    answer = admin.post("/market/ventes", json={"lignes": lines})
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert len(answer.json()["details"]) == 20
    unknown = {f"inconnu_{n}": 1 for n in range(5000)}
    assert len(admin.post("/market/ventes", json=unknown).json()["details"]) == 20
