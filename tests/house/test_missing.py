"""A 404 names the missing object: every key of a path that identifies a row has a French name."""

from __future__ import annotations

import re

from app import routes
from app.http import missing
from tests.conftest import Http
from tests.house.rule import same


def test_every_key_of_a_path_has_a_french_name() -> None:
    keys = {key for route in routes.load().routes for key in re.findall(r"{(id_\w+|cle|code\w*)}", route.path)}
    assert len(keys) > 30
    same(
        "Every key of a path has a French name, and no other key has one.",
        missing.NAMES,
        keys,
        "add the key of the path to NAMES, or remove the key that no path has",
        "app/http/missing.py",
    )


def test_a_404_names_the_object_and_its_number(http: Http) -> None:
    admin = http.as_admin()
    for path, words in (
        ("/facturation/factures/999999", "Facture n° 999999 introuvable."),
        ("/residence/contrats/999999", "Contrat n° 999999 introuvable."),
        ("/core/parametres/SANS_NOM", "Paramètre « SANS_NOM » introuvable."),
        ("/rien", "Cette route n'existe pas."),
    ):
        answer = admin.get(path)
        assert (answer.status_code, answer.json()["code"], answer.json()["message"]) == (404, "NOT_FOUND", words)


def test_a_404_names_the_last_key_of_the_path(http: Http) -> None:
    assert missing.sentence({"id_client": "1", "id_piece": "2"}) == "Pièce d'identité n° 2 introuvable."
    assert missing.sentence({"cle": "x" * 500}) == f"Paramètre « {'x' * 60} » introuvable."
    assert missing.sentence({}) == "Ce que désigne la requête est introuvable."
