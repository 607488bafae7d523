"""/docs and /docs-json: sent again only when they changed, and nothing from elsewhere."""

from __future__ import annotations

import gzip
import re

import pytest

from app.openapi import docs
from tests.conftest import Http


def test_it_is_sent_again_only_when_it_changed(http: Http) -> None:
    first = http.get("/docs-json")
    assert first.headers["cache-control"] == "no-cache"
    again = http.get("/docs-json", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert len(first.content) < 1_000_000 and len(gzip.compress(first.content)) < 100_000


@pytest.mark.parametrize(
    "path, kind, cache",
    [
        ("/docs", "text/html; charset=utf-8", "no-cache"),
        ("/docs/page.js", "text/javascript; charset=utf-8", "no-cache"),
        ("/docs/page.css", "text/css; charset=utf-8", "no-cache"),
        ("/docs-json", "application/json", "no-cache"),
        ("/docs/statique/swagger-ui.css", "text/css; charset=utf-8", "public, max-age=86400"),
        ("/docs/statique/swagger-ui-bundle.js", "text/javascript; charset=utf-8", "public, max-age=86400"),
        ("/docs/icone.svg", "image/svg+xml", "no-cache"),
    ],
)
def test_the_page_and_its_assets(http: Http, path: str, kind: str, cache: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == kind
    assert answer.headers["cache-control"] == cache
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert http.get(path, headers={"if-none-match": answer.headers["etag"]}).status_code == 304


def test_the_page_names_nothing_from_elsewhere(http: Http) -> None:
    page = http.get("/docs")
    named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(named) == 5 and all(http.get(path).status_code == 200 for path in named)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "http" not in policy


@pytest.mark.parametrize(
    "name",
    ["swagger-editor-bundle.js", "swagger-editor-bundle.js.map", "swagger-ui-es-bundle.js", "LICENSE", "index.css", "",
     "../__init__.py", "%2e%2e/__init__.py", "/etc/passwd"],
)  # fmt: skip
def test_nothing_else_of_the_package_is_served(http: Http, name: str) -> None:
    assert http.get(f"/docs/statique/{name}").status_code in (404, 405)
    assert name not in docs.ASSETS


def test_no_word_of_the_page_is_replaced_by_one_that_is_replaced_again() -> None:
    """The page looks at each change that it makes: a word that stood for itself would go round for ever."""
    assert not set(docs._FRENCH) & set(docs._FRENCH.values())
