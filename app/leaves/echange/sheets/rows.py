"""The rows of a sheet by the fields of a type, for a reader that is not an import of rows."""

from collections.abc import Iterator, Mapping
from typing import BinaryIO

from app.database.catalogue import PgType
from app.leaves.echange.sheets import cells, columns, reading
from app.leaves.echange.sheets.guard import BadSheet


def read(
    file: BinaryIO, kind: PgType, words: Mapping[str, str]
) -> tuple[set[str], Iterator[tuple[int, dict[str, str]]]]:
    """The fields that a sheet has, and its rows with their lines: the cells that are not empty, as texts. `words` are
    other names of columns, and their fields. Raises BadSheet, also while the rows are iterated."""
    headers, rows = reading.read(file)
    folded = {cells.folded(word): name for word, name in words.items()}
    given = {header: folded[cells.folded(header)] for header in headers if cells.folded(header) in folded}
    fields = columns.recognise(headers, kind, given)
    types = {attribute.name: attribute.type for attribute in kind.attributes}
    named = [(place, name) for place, header in enumerate(headers) if (name := fields.get(header))]
    converted = [(place, name, cells.converter(types[name])) for place, name in named]
    return {name for _, name in named}, _rows(rows, converted)


def _rows(
    rows: reading.Rows, converted: list[tuple[int, str, cells.Converter]]
) -> Iterator[tuple[int, dict[str, str]]]:
    for line, row in rows:
        try:
            yield line, {name: convert(row[place]) for place, name, convert in converted if row[place] != ""}
        except cells.BadCell as problem:
            raise BadSheet(f"Ligne {line} : {problem}") from None
