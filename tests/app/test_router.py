"""Which endpoint a path belongs to."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.routing import Match

from app.http.router import Paths
from tests.conftest import Http

ROUTES = [
    ("GET", "/clients"),
    ("POST", "/clients"),
    ("GET", "/clients/{id}"),
    ("PATCH", "/clients/{id}"),
    ("DELETE", "/clients/{id}"),
    ("GET", "/clients/export"),
    ("PATCH", "/clients/{id}/lots/{numero}"),
    ("GET", "/clients/export/lots/dernier"),
]


def found(method: str, path: str, **scope: Any) -> tuple[Match, Any]:
    """The route taken, and the values of its keys; of a refusal the methods that would do."""
    paths = Paths((method, path, f"{method} {path}") for method, path in ROUTES)  # type: ignore[misc]
    match, more = paths.matches({"type": "http", "method": method, "path": path, **scope})
    return match, (more.get("endpoint"), more.get("path_params")) if match == Match.FULL else more


@pytest.mark.parametrize(
    "method, path, route, values",
    [
        ("GET", "/clients", "GET /clients", {}),
        ("POST", "/clients", "POST /clients", {}),
        ("HEAD", "/clients", "GET /clients", {}),
        ("GET", "/clients/a-1", "GET /clients/{id}", {"id": "a-1"}),
        ("GET", "/clients/{id}", "GET /clients/{id}", {"id": "{id}"}),
        ("PATCH", "/clients/a/lots/7", "PATCH /clients/{id}/lots/{numero}", {"id": "a", "numero": "7"}),
        # A name comes before a key, wherever the key was declared ...
        ("GET", "/clients/export", "GET /clients/export", {}),
        # ... unless what follows, or the method, is only found behind the key.
        ("DELETE", "/clients/export", "DELETE /clients/{id}", {"id": "export"}),
        ("PATCH", "/clients/export/lots/7", "PATCH /clients/{id}/lots/{numero}", {"id": "export", "numero": "7"}),
    ],
)
def test_the_endpoint_and_its_keys(method: str, path: str, route: str, values: dict[str, str]) -> None:
    assert found(method, path) == (Match.FULL, (route, values))


@pytest.mark.parametrize("path", ["", "/", "/clients/", "//clients", "/clients//lots/7", "/Clients", "/clients/a/b"])
def test_no_route(path: str) -> None:
    assert found("GET", path) == (Match.NONE, {})


def test_a_websocket_is_not_for_it() -> None:
    assert found("GET", "/clients", type="websocket") == (Match.NONE, {})


def test_the_methods_that_would_do_are_those_of_the_name_and_of_the_key() -> None:
    assert found("PUT", "/clients/export") == (Match.PARTIAL, {"comptoir.allowed": {"GET", "PATCH", "DELETE"}})


def test_a_path_of_a_hundred_thousand_segments_is_no_trouble() -> None:
    assert found("GET", "/clients" * 100_000) == (Match.NONE, {})


def test_a_refused_method_is_told_which_would_do(http: Http) -> None:
    answer = http.put("/client/clients", json={})
    assert (answer.status_code, answer.json()["code"]) == (405, "METHODE_NON_PERMISE")
    assert answer.headers["allow"] == "GET, HEAD, POST"
    assert http.get("/client/clients/").status_code == 404  # no other spelling of a path
    assert http.as_admin().request("HEAD", "/client/clients").status_code == 200
