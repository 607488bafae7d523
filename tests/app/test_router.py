"""The router finds the endpoint of a path."""

from typing import Any

import pytest
from starlette.routing import Match

from app.http.router import Paths
from tests.conftest import Http

ROUTES = [
    ("GET", "/clients"), ("POST", "/clients"),
    ("GET", "/clients/{id}"), ("PATCH", "/clients/{id}"), ("DELETE", "/clients/{id}"),
    ("GET", "/clients/export"), ("PATCH", "/clients/{id}/lots/{numero}"), ("GET", "/clients/export/lots/dernier"),
]  # fmt: skip


def find_route(method: str, path: str, **scope: Any) -> tuple[Match, Any]:
    """Return the endpoint and the values of its keys; for a refused method, the allowed methods."""
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
        # A literal segment wins over a key, in any order of declaration ...
        ("GET", "/clients/export", "GET /clients/export", {}),
        # ... unless only the route with the key has the rest of the path, or the method.
        ("DELETE", "/clients/export", "DELETE /clients/{id}", {"id": "export"}),
        ("PATCH", "/clients/export/lots/7", "PATCH /clients/{id}/lots/{numero}", {"id": "export", "numero": "7"}),
    ],
)
def test_a_path_finds_its_endpoint_and_keys(method: str, path: str, route: str, values: dict[str, str]) -> None:
    assert find_route(method, path) == (Match.FULL, (route, values))


def test_an_escaped_slash_belongs_to_the_value_of_a_key() -> None:
    expected = (Match.FULL, ("GET /clients/{id}", {"id": "LOT 7/B"}))
    assert find_route("GET", "/clients/LOT 7/B", raw_path=b"/clients/LOT%207%2FB") == expected
    assert find_route("GET", "/clients/export", raw_path=b"/clients%2fexport") == (Match.NONE, {})
    assert find_route("GET", "/clients/é/", raw_path=b"/clients/\xe9%2F")[0] == Match.FULL


@pytest.mark.parametrize("path", ["", "/", "/clients/", "//clients", "/clients//lots/7", "/Clients", "/clients/a/b"])
def test_an_unknown_path_matches_no_route(path: str) -> None:
    assert find_route("GET", path) == (Match.NONE, {})


def test_a_websocket_matches_no_route() -> None:
    assert find_route("GET", "/clients", type="websocket") == (Match.NONE, {})


def test_allowed_methods_include_routes_with_a_literal_and_with_a_key() -> None:
    assert find_route("PUT", "/clients/export") == (Match.PARTIAL, {"comptoir.allowed": {"GET", "PATCH", "DELETE"}})


def test_a_path_of_a_hundred_thousand_segments_is_handled() -> None:
    assert find_route("GET", "/clients" * 100_000) == (Match.NONE, {})


def test_a_path_has_one_spelling_and_a_405_names_the_rule(http: Http) -> None:
    answer = http.request("TRACE", "/client/clients")
    assert (answer.status_code, answer.json()["code"]) == (405, "METHODE_NON_PERMISE")
    assert http.get("/client/clients/").status_code == 404
