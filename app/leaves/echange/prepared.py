"""A sheet prepared for the database: columns recognised, cells converted and checked as the body of a request is.

It runs in a thread, row by row. The rows wait in a temporary file, a batch a line, so that memory holds one batch.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, BinaryIO

import msgspec

from app.base.refusal import Refusal
from app.database.catalogue import PgType
from app.http.arguments import Checker, Problems, composite
from app.http.values import encode
from app.leaves.echange.sheets import cells, columns, reading
from app.leaves.echange.sheets.cells import BadCell
from app.leaves.echange.sheets.guard import BadSheet

BATCH = 1000  # rows
_MEMORY = 4 << 20  # bytes of waiting rows before they go to the disk


@dataclass(slots=True)
class Prepared:
    """A sheet, ready to be stored."""

    headers: list[str]
    columns: dict[str, str | None]
    count: int
    _rows: tempfile.SpooledTemporaryFile[bytes]

    def batches(self) -> Iterator[str]:
        """The rows, as JSON lists."""
        self._rows.seek(0)
        return map(bytes.decode, self._rows)

    def close(self) -> None:
        self._rows.close()


def prepare(file: BinaryIO, entity: PgType, given: Mapping[str, str | None]) -> Prepared:
    """Raises BadSheet for a file, or columns, that cannot be used."""
    headers, lines = reading.read(file)
    fields = columns.recognise(headers, entity, given)
    types = {attribute.name: attribute.type for attribute in entity.attributes}
    named = ((position, fields.get(header)) for position, header in enumerate(headers))
    converters = [(position, name, cells.converter(types[name])) for position, name in named if name is not None]
    row = partial(_row, converters, composite(entity))
    rows: tempfile.SpooledTemporaryFile[bytes] = tempfile.SpooledTemporaryFile(_MEMORY)  # noqa: SIM115 - it outlives this function
    count = 0
    try:
        while batch := [row(line, values) for line, values in islice(lines, BATCH)]:
            rows.write(msgspec.json.encode(batch) + b"\n")
            count += len(batch)
        if count == 0:
            raise BadSheet("Cette feuille n'a pas de ligne sous celle qui nomme les colonnes.")
    except BaseException:
        rows.close()
        raise
    return Prepared(headers, fields, count, rows)


def _row(
    converters: Sequence[tuple[int, str, cells.Converter]], check: Checker, line: int, values: list[reading.Cell]
) -> dict[str, Any]:
    """The line, its cells for the report, its fields, and what is wrong with them."""
    given: dict[str, str] = {}
    unclear: dict[str, list[str]] = {}
    for position, name, convert in converters:
        try:
            if (cell := values[position]) != "":
                given[name] = convert(cell)
        except BadCell as problem:
            unclear[name] = [str(problem)]
    problems = Problems()
    try:
        clean = check(given, "", problems)
    except Refusal:  # at the twentieth field
        clean = {}
    problems.update(unclear)  # the checker took them for empty
    errors = [{"champ": name, "message": message} for name, messages in problems.items() for message in messages]
    return {
        "ligne": line,
        "cellules": [cells.plain(value) for value in values],
        "donnees": {} if errors else msgspec.Raw(encode(clean)),
        "erreurs": errors,
    }
