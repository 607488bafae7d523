"""Templates isolate typed names with <bdi>: a right-to-left name does not reorder the text beside it."""

from html.parser import HTMLParser
from typing import Any

import pytest

from app.documents.reports import Sheet
from app.documents.templates import render
from tests.documents.fixed import DOCUMENTS

# Fields that users type. The tests put a name in Hebrew letters into each.
TYPED = {
    "nom", "libelle", "client", "logement", "batiment", "vendeur", "prestation", "type_vetement", "moyen", "reference",
    "ville", "service", "profession", "lieu_naissance", "autorite", "titre", "activite",
}  # fmt: skip
NAME = "\u05d0\u05d5\u05d4"
BLOCKS = {"td", "th", "p", "div", "h1", "h2", "section"}  # browsers isolate the only text of such a block


class Lines(HTMLParser):
    """Counts the texts with the name, and collects texts that share their line with other text outside a <bdi>."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loose: list[str] = []
        self.count = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in ("meta", "br", "hr", "path"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if NAME not in data or {"title", "style", "text"} & set(self.open):
            return
        self.count += 1
        alone = data.strip() == NAME and self.open[-1] in BLOCKS
        if "bdi" not in self.open and not alone:
            self.loose.append(data.strip())


def with_name(value: Any, key: str = "") -> Any:
    """Return the data with the name in each typed field."""
    if isinstance(value, dict):
        return {key: with_name(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [with_name(item, key) for item in value]
    return NAME if isinstance(value, str) and key in TYPED else value


@pytest.mark.parametrize("document", DOCUMENTS)
def test_typed_names_are_isolated_from_the_text_around_them(document: str) -> None:
    template, data = DOCUMENTS[document]
    lines = Lines()
    lines.feed(render(template, with_name(data)))
    assert lines.count
    assert lines.loose == []


def test_typed_names_in_a_report_are_isolated() -> None:
    report = {
        "titre": "Ventes", "activite": NAME, "periode": "Mars 2026", "filtres": [("Client", NAME)],
        "etabli": "1 mars 2026", "signe": False, "vide": False, "tuiles": [(NAME, "12")], "graphiques": [],
        "groupes": [(NAME, [(NAME, "3")])],
        "tableaux": [Sheet(NAME, [(NAME, "")], [[NAME]])],
        "organisation": DOCUMENTS["facture"][1]["organisation"] | {"nom": NAME},
    }  # fmt: skip
    lines = Lines()
    lines.feed(render("rapport.html", report))
    assert lines.count == 9
    assert lines.loose == []
