"""Names of people and things in every template stand apart: one written from right to left moves nothing beside it."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

from app.documents.templates import render
from tests.documents.fixed import DOCUMENTS

# What people type: a name in Hebrew letters stands for each.
TYPED = {
    "nom", "libelle", "client", "logement", "batiment", "vendeur", "prestation", "type_vetement", "moyen", "reference",
    "ville", "service", "profession", "lieu_naissance", "autorite", "titre", "activite",
}  # fmt: skip
NAME = "\u05d0\u05d5\u05d4"
BLOCKS = {"td", "th", "p", "div", "h1", "h2", "section"}  # style sheets of browsers isolate what is alone in these


class Lines(HTMLParser):
    """Texts with the name in them that share their line with another text, and stand in no <bdi>."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loose: list[str] = []
        self.found = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in ("meta", "br", "hr", "path"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if NAME not in data or {"title", "style", "text"} & set(self.open):
            return
        self.found += 1
        alone = data.strip() == NAME and self.open[-1] in BLOCKS
        if "bdi" not in self.open and not alone:
            self.loose.append(data.strip())


def named(value: Any, key: str = "") -> Any:
    """The same data, with the name wherever people type."""
    if isinstance(value, dict):
        return {key: named(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [named(item, key) for item in value]
    return NAME if isinstance(value, str) and key in TYPED else value


@pytest.mark.parametrize("document", DOCUMENTS)
def test_names_are_isolated_from_the_text_around_them(document: str) -> None:
    template, data = DOCUMENTS[document]
    lines = Lines()
    lines.feed(render(template, named(data)))
    assert lines.found
    assert lines.loose == []


def test_names_of_a_report_are_isolated_too() -> None:
    report = {
        "titre": "Ventes", "activite": NAME, "periode": "Mars 2026", "filtres": [("Client", NAME)],
        "etabli": "1 mars 2026", "vide": False, "tuiles": [(NAME, "12")], "graphiques": [],
        "groupes": [(NAME, [(NAME, "3")])],
        "tableaux": [{"title": NAME, "columns": [(NAME, False)], "rows": [[NAME]], "totals": None, "left_out": 0}],
        "organisation": DOCUMENTS["facture"][1]["organisation"] | {"nom": NAME},
    }  # fmt: skip
    lines = Lines()
    lines.feed(render("rapport.html", report))
    assert lines.found == 9
    assert lines.loose == []
