"""/docs and /docs-json: a browser may cache them, and the page loads nothing from another host."""

import gzip
import re
from pathlib import Path

import pytest

from app.openapi import docs
from tests.conftest import Http


def test_the_document_is_small(http: Http) -> None:
    content = http.get("/docs-json").content
    assert len(content) < 1_400_000 and len(gzip.compress(content)) < 150_000


@pytest.mark.parametrize(
    "path, media_type, cache",
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
def test_the_page_and_its_assets_are_served_with_type_and_cache(
    http: Http, path: str, media_type: str, cache: str
) -> None:
    answer = http.get(path)
    expected = {"content-type": media_type, "cache-control": cache, "x-content-type-options": "nosniff"}
    assert answer.status_code == 200 and expected.items() <= answer.headers.items()


def test_the_page_loads_nothing_from_another_host(http: Http) -> None:
    page = http.get("/docs")
    paths = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(paths) == 5 and all(http.get(path).status_code == 200 for path in paths)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy and "http" not in policy


@pytest.mark.parametrize(
    "name",
    ["swagger-editor-bundle.js", "swagger-editor-bundle.js.map", "swagger-ui-es-bundle.js", "LICENSE", "index.css", "",
     "../__init__.py", "%2e%2e/__init__.py", "/etc/passwd"],
)  # fmt: skip
def test_other_files_of_the_swagger_package_are_not_served(http: Http, name: str) -> None:
    assert http.get(f"/docs/statique/{name}").status_code in (404, 405)
    assert name not in docs.ASSETS


def test_no_french_word_of_the_page_is_translated_again() -> None:
    """The page observes its own changes. A translation that is also a source word would loop forever."""
    words = re.findall(r"^  '(.+)': '(.+)',$", (Path(docs.__file__).parent / "public/docs.js").read_text(), re.M)
    assert len(words) > 40 and not {word for word, _ in words} & {translation for _, translation in words}
