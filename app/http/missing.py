"""The sentence of a 404: it names the row in the request's path."""

from __future__ import annotations

from collections.abc import Mapping

from app.database.words import row_of

LONGEST = 60  # characters of a value in the sentence


def sentence(keys: Mapping[str, str]) -> str:
    """`Facture n° 12 introuvable.` A row that the caller may not see gets the same sentence as a missing row."""
    for key in reversed(list(keys)):
        if row := row_of(key):
            value = keys[key][:LONGEST]
            reference = f"n° {value}" if value.isdecimal() and key.startswith("id_") else f"« {value} »"
            return f"{row} {reference} introuvable."
    return "Ce que désigne la requête est introuvable."
