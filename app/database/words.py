"""French words for the names of the database and the API, from core.mot (sql/core/_mots.sql).

`masse_salariale` is « Masse salariale ». The words belong to the release, the same for every organisation, so a
process keeps one copy.
"""

import re
from collections.abc import Mapping
from typing import Any

import asyncpg

LONGEST = 60  # characters of a value in the sentence of a 404
WORDS: dict[tuple[str, str], str] = {}  # kind and name → words
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")


async def read(connection: "asyncpg.Connection[Any]") -> None:
    rows = await connection.fetch("select genre::text, nom, mots from core.mot_lister()")
    WORDS.update({(row["genre"], row["nom"]): row["mots"] for row in rows})


def label(name: str) -> str:
    """The heading of a column, of a part of a report or of a code. Any other text is returned unchanged."""
    if (words := WORDS.get(("TITRE", name))) is not None:
        return words
    if not _NAME.fullmatch(name):
        return name
    outside, _, own = name.rpartition(".")
    if outside:
        words = label(own)
        return f"{label(outside)}, {words if words[:2].isupper() else words[:1].lower() + words[1:]}"
    return spelled(name)


def row_of(key: str) -> str | None:
    """The word for the row that a key of a path names, such as `id_facture`. None for a key that names no row."""
    bare = key.removeprefix("id_")
    words = WORDS.get(("LIGNE", key))
    return words if words or bare == key else WORDS.get(("LIGNE", bare)) or spelled(bare)


def missing(keys: Mapping[str, str]) -> str:
    """The sentence of a 404, from the keys of its path: `Facture n° 12 introuvable.` A row that the caller may not see
    gets the same sentence as a missing row."""
    for key in reversed(list(keys)):
        if row := row_of(key):
            value = keys[key][:LONGEST]
            reference = f"n° {value}" if value.isdecimal() and key.startswith("id_") else f"« {value} »"
            return f"{row} {reference} introuvable."
    return "Ce que désigne la requête est introuvable."


def in_sheets(entity: str, field: str) -> frozenset[str]:
    """The words that sheets use for a field, in lower case and without accents."""
    words = WORDS.get(("FEUILLE", f"{entity}.{field}")) or WORDS.get(("FEUILLE", field))
    return frozenset(words.split(", ")) if words else frozenset()


def spelled(name: str) -> str:
    """The words of a name, with their accents."""
    words = " ".join(filter(None, (WORDS.get(("MOT", word), word) for word in name.lower().split("_"))))
    return words[:1].upper() + words[1:]
