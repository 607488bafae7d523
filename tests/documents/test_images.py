"""The first page of each document is compared with its reference in images/.

Write the references again, and look at them, with: RENOUVELER_IMAGES=1 make test TESTS=tests/documents/test_images.py
"""

import os
from pathlib import Path
from typing import Any

import pytest

from app.documents import templates
from tests.conftest import Http
from tests.documents import browsers, paper
from tests.documents.fixed import DOCUMENTS

REFERENCES = Path(__file__).parent / "images"
TOLERANCE = 10.0  # of 255: other hinting or spacing stays below, a missing word does not


@pytest.fixture(autouse=True)
def browser() -> None:
    browsers.needed()


def printed(http: Http, template: str, data: dict[str, Any]) -> paper.Image:
    html = templates.render(template, data)
    return paper.page(http.runner.run(http.services.renderer.pdf(html, data.get("largeur"))))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_looks_like_its_reference(http: Http, name: str) -> None:
    image = printed(http, *DOCUMENTS[name])
    file = REFERENCES / f"{name}.png"
    if os.environ.get("RENOUVELER_IMAGES"):
        paper.write_png(file, image)
    difference = image.difference(paper.read_png(file))
    assert difference < TOLERANCE


def test_a_missing_word_differs_from_the_reference(http: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    reference = paper.read_png(REFERENCES / "recu-echeance.png")
    environment = templates._ENVIRONMENT
    source = environment.loader.get_source(environment, "recu.html")[0]  # type: ignore[union-attr]
    assert "Quittance de loyer" in source

    class Changed:
        def get_template(self, name: str) -> Any:
            assert name == "recu.html"
            return environment.from_string(source.replace("Quittance de loyer", "Quittance"))

    monkeypatch.setattr(templates, "_ENVIRONMENT", Changed())
    difference = printed(http, *DOCUMENTS["recu-echeance"]).difference(reference)
    assert difference > TOLERANCE
