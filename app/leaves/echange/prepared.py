"""A sheet prepared for the database: columns recognised, cells converted and checked as the body of a request is.

It runs in a thread, row by row. The rows wait in a temporary file, a batch a line, so that memory holds one batch.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import msgspec

from app.base.refusal import Refusal
from app.database.catalogue import PgType
from app.http.arguments import Problems, record
from app.http.values import encode
from app.leaves.echange.sheets import cells, columns, reading
from app.leaves.echange.sheets.problem import BadCell, BadSheet

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
        for line in self._rows:
            yield line.decode()

    def close(self) -> None:
        self._rows.close()


def prepare(file: BinaryIO, entity: PgType, given: Mapping[str, str | None]) -> Prepared:
    """Raises BadSheet for a file, or columns, that cannot be used."""
    sheet = reading.read(file)
    fields = columns.recognise(sheet.headers, entity, given)
    converter = _Rows(sheet.headers, fields, entity)
    rows: tempfile.SpooledTemporaryFile[bytes] = tempfile.SpooledTemporaryFile(_MEMORY)  # noqa: SIM115 - it outlives this function
    try:
        count, batch = 0, []
        for line, values in sheet.rows:
            batch.append(converter.row(line, values))
            count += 1
            if len(batch) == BATCH:
                rows.write(msgspec.json.encode(batch) + b"\n")
                batch = []
        if batch:
            rows.write(msgspec.json.encode(batch) + b"\n")
    except BaseException:
        rows.close()
        raise
    if count == 0:
        rows.close()
        raise BadSheet("Cette feuille n'a pas de ligne sous celle qui nomme les colonnes.")
    return Prepared(sheet.headers, fields, count, rows)


class _Rows:
    """Converts the rows of one sheet."""

    def __init__(self, headers: list[str], fields: Mapping[str, str | None], entity: PgType) -> None:
        types = {attribute.name: attribute.type for attribute in entity.attributes}
        self._fields = [
            (position, name, cells.converter(types[name]))
            for position, header in enumerate(headers)
            if (name := fields.get(header)) is not None
        ]
        self._check = record(entity)

    def row(self, line: int, values: list[reading.Cell]) -> dict[str, Any]:
        """The line, its cells for the report, its fields, and what is wrong with them."""
        given: dict[str, str] = {}
        unclear: dict[str, list[str]] = {}
        for position, name, convert in self._fields:
            try:
                value = convert(values[position])
            except BadCell as problem:
                unclear[name] = [str(problem)]
            else:
                if value is not None:
                    given[name] = value
        problems = Problems()
        try:
            clean = self._check(given, "", problems)
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
