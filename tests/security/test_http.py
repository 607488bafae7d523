"""HTTP attacks: requests that two servers read differently, disguised paths, headers, and details in errors."""

import re
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest

from app.database.database import Database
from tests.conftest import Http
from tests.server import Service


def connected(service: Service) -> socket.socket:
    parts = urlsplit(service.url)
    return socket.create_connection((parts.hostname, parts.port or 0), timeout=10)


def raw(service: Service, request: bytes) -> bytes:
    """Send these bytes, and return every byte of the answer until the server closes the connection."""
    with connected(service) as connection:
        connection.sendall(request)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    return answer


def statuses(answer: bytes) -> list[int]:
    return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


LOGIN = b"POST /api/v1/auth/login HTTP/1.1\r\nHost: essai\r\nContent-Type: application/json\r\n"
HIDDEN = b"GET /api/v1/health/live HTTP/1.1\r\nHost: essai\r\n\r\n"  # inside a body, so never a request


def test_head_and_get_are_answered_on_one_connection(module_service: Service) -> None:
    live = b" /api/v1/health/live HTTP/1.1\r\nHost: essai\r\n"
    with connected(module_service) as connection:
        for method, ends in ((b"HEAD", b"\r\n\r\n"), (b"GET", b"}"), (b"HEAD", b"\r\n\r\n")):
            connection.sendall(method + live + b"\r\n")
            answer = b""
            while not answer.endswith(ends) and (chunk := connection.recv(65536)):
                answer += chunk
            assert statuses(answer) == [200]


@pytest.mark.parametrize(
    "request_",
    [
        LOGIN + b"Content-Length: 2\r\nContent-Length: 60\r\n\r\n{}" + HIDDEN,
        LOGIN + b"Content-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,
        LOGIN + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        LOGIN + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + HIDDEN,
        LOGIN + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + HIDDEN,
        LOGIN + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        LOGIN + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}",
        LOGIN + b"Content-Length: -2\r\n\r\n{}",
        LOGIN + b"Content-Length: 0x2\r\n\r\n{}",
        LOGIN + b"Content-Length: 2, 2\r\n\r\n{}",
        LOGIN + b"Content-Length: 99999999999999999999999\r\n\r\n{}",
        LOGIN + b"Content-Length : 2\r\n\r\n{}",
        b"GET /api/v1/health/live HTTP/1.1\r\nHost: essai\r\nX-A: 1\0\r\n\r\n",
        b"GET http://autre/api/v1/health/live HTTP/1.1\r\nHost: essai\r\n\r\n",  # two hosts
        b"GET http://essai@autre/api/v1/health/live HTTP/1.1\r\nHost: essai\r\n\r\n",
        b"GET /api/v1/health/live HTTP/9.9\r\nHost: essai\r\n\r\n",
        b"GET /api/v1/health/live\x01 HTTP/1.1\r\nHost: essai\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
        b"G\0T / HTTP/1.1\r\n\r\n",
    ],
    ids=lambda request: request.removeprefix(LOGIN)[:40].decode("latin-1").encode("unicode_escape").decode(),
)
def test_an_ambiguous_request_is_refused_and_the_connection_closed(module_service: Service, request_: bytes) -> None:
    """The server answers 400 and closes. It never answers the request hidden in the body."""
    answer = raw(module_service, request_)
    assert statuses(answer) == [400]
    assert b"connection: close" in answer.lower()


@pytest.mark.parametrize(
    "path",
    ["//api/v1/auth/me", "/api//v1/auth/me", "/api/v1/../v1/auth/me", "/api/v1/%2e%2e/v1/auth/me",
     "/API/v1/auth/me", "/api/v1/auth/me/", "/api/v1/auth/me;a=b", "/api/v1/auth/me%00", "/api/v1/auth/%6de%20",
     "/docs/statique/../__init__.py", "/docs/statique/%2e%2e/%2e%2e/app/base/settings.py", "/docs/statique/..%5c..%5cx",
     "/docs/statique//etc/passwd", "/.env", "/.git/config", "/api/v1/client/clients/..%2f..%2fauth%2fme", "/%ff%fe",
     "/api/v1/core/parametres/%00", "http://ailleurs.invalid/api/v1/auth/me/", "*"],
)  # fmt: skip
def test_a_disguised_path_reaches_no_route(module_service: Service, path: str) -> None:
    headers = f"Host: essai\r\nAuthorization: {service_token(module_service)}\r\nConnection: close"
    assert statuses(raw(module_service, f"GET {path} HTTP/1.1\r\n{headers}\r\n\r\n".encode())) in ([400], [404])


def test_an_absolute_target_of_the_same_host_is_answered(module_service: Service) -> None:
    target = b"GET http://ESSAI/api/v1/health/live HTTP/1.1\r\nHost: essai\r\nConnection: close\r\n\r\n"
    assert statuses(raw(module_service, target)) == [200]


def test_a_percent_encoded_path_reaches_the_same_route_with_its_checks(module_service: Service) -> None:
    """The server decodes the path to the path of the route, and checks the token as usual."""
    # An escaped slash belongs to a value, such as a barcode, and separates nothing.
    for path, status in (("/api/v1/auth/%6d%65", 401), ("/%61pi/v1/auth/me", 401), ("/api/v1/auth%2fme", 404)):
        answer = raw(module_service, f"GET {path} HTTP/1.1\r\nHost: essai\r\nConnection: close\r\n\r\n".encode())
        assert statuses(answer) == [status], path


def service_token(service: Service) -> str:
    """Sign in once for all tests, because the login route allows only five requests a minute."""
    if not hasattr(service, "token"):
        service.token = service.login().headers["authorization"]  # type: ignore[attr-defined]
    return str(service.token)  # type: ignore[attr-defined]


def test_an_internal_error_answers_no_detail(http: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer holds a request id for the log, and neither the exception nor the statement nor its values."""

    async def fail(*_: Any) -> Any:
        raise RuntimeError("select mot_de_passe from auth.secret -- /srv/comptoir")

    monkeypatch.setattr(Database, "_retried", fail)
    answer = http.post("/auth/refresh", json={"refresh_token": "x"})
    assert (answer.status_code, answer.json()["code"]) == (500, "INTERNE")
    assert set(answer.json()) == {"success", "code", "message", "requestId", "path", "timestamp"}
    assert not re.search(r"select|secret|Runtime|Traceback|srv|\.py", answer.text)
