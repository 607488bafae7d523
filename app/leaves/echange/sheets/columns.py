"""Finds the field of each column of a sheet: by its name in the API, by the label of the model, by common words.

The type echange.<entite> has the fields. The comment of each is « Label : explanation. »
"""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from app.database import words
from app.database.catalogue import Attribute, PgType
from app.leaves.echange.sheets.cells import folded
from app.leaves.echange.sheets.guard import BadSheet


def label(attribute: Attribute) -> str:
    return (attribute.comment or attribute.name).partition(" : ")[0]


def explanation(attribute: Attribute) -> str:
    return (attribute.comment or "").partition(" : ")[2]


def recognise(headers: Sequence[str], entity: PgType, given: Mapping[str, str | None]) -> dict[str, str | None]:
    """The field of each named column, None for a column that is left out. `given` corrects: a column → its field.

    A name of the API beats a label, and a label beats a common word. Raises BadSheet when two columns are for one
    field, unless one of them has its name in the API.
    """
    named = [header for header in headers if header]
    fields = {attribute.name: attribute for attribute in entity.attributes}
    by_fold = {folded(header): header for header in named}
    chosen: dict[str, str | None] = {}
    for column, field in given.items():
        header = column if column in named else by_fold.get(folded(column))
        if header is None:
            raise BadSheet(f"Cette feuille n'a pas de colonne « {column[:100]} ».", "colonnes")
        if field is not None and field not in fields:
            raise BadSheet(f"« {field[:100]} » n'est pas un champ. Les champs : {', '.join(fields)}.", "colonnes")
        if field is not None and field in chosen.values():
            raise BadSheet(f"Deux colonnes sont données pour « {field} ».", "colonnes")
        chosen[header] = field
    # The name of a field in the API, its labels, and common words.
    names: dict[str, tuple[Collection[str], ...]] = {}
    for name, attribute in fields.items():
        labels = {folded(text) for text in (label(attribute), words.label(name), name)}
        names[name] = {name}, labels, words.in_sheets(entity.name, name)
    by_word: dict[str, str] = {}
    for rank in range(3):
        for name in [name for name in fields if name not in chosen.values()]:
            wanted = names[name][rank]
            candidates = [h for h in named if h not in chosen and (h if rank == 0 else folded(h)) in wanted]
            if len(candidates) > 1:
                raise _ambiguous(candidates[0], candidates[1], fields[name])
            if candidates:
                chosen[candidates[0]] = name
                if rank > 0:
                    by_word[name] = candidates[0]
    for name, first in by_word.items():
        for other in named:
            if other not in chosen and folded(other) in names[name][2]:
                raise _ambiguous(first, other, fields[name])
    if not any(chosen.values()):
        possible = ", ".join(f"« {label(attribute)} »" for attribute in entity.attributes)
        raise BadSheet(f"Aucune colonne de cette feuille n'est reconnue. Colonnes possibles : {possible}.")
    return {header: chosen.get(header) for header in named}


def _ambiguous(header: str, other: str, field: Attribute) -> BadSheet:
    return BadSheet(
        f"Les colonnes « {header} » et « {other} » peuvent toutes deux être « {label(field)} » ({field.name}) : "
        "dites laquelle par « colonnes », ou renommez l'autre.",
        "colonnes",
    )


def parse_given(text: str | None) -> dict[str, str | None]:
    """The object {column: field} that the form may hold. Raises BadSheet."""
    try:
        given = msgspec.json.decode(text or "{}", type=dict[str, str | None])
    except (msgspec.DecodeError, UnicodeError):
        raise BadSheet(
            "« colonnes » est un objet JSON : le nom d'une colonne, et son champ ou null.", "colonnes"
        ) from None
    return {column: field or None for column, field in given.items()}
