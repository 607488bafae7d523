"""A list as a workbook. A long list continues on the next sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from app.database.catalogue import PgType
from app.documents.lists import columns, nested
from app.documents.tables import Value, local, typed
from app.documents.workbook import Book

ROWS = 1_000_000  # of a sheet; spreadsheets accept 1,048,576
LARGEST = 1_900_000_000  # bytes of a sheet; spreadsheets refuse the form of a zip file that allows 2 GiB and more


class XlsxList:
    """The parts of the file."""

    def __init__(self, title: str, returns: PgType, zone: str, cents: bool) -> None:
        self._title = title
        self._columns = columns(returns)
        self._zone = ZoneInfo(zone)
        self._book = Book(cents)
        self._open()

    def head(self) -> bytes:
        return self._book.take()

    def part(self, page: Sequence[dict[str, Any]]) -> bytes:
        for row in page:
            if self._book.rows == ROWS or self._book.size > LARGEST:
                self._book.close()
                self._open()
            self._book.append(self._value(row[name], pg_type) for name, pg_type in self._columns)
        return self._book.take()

    def end(self) -> bytes:
        self._book.close()
        self._book.end()
        return self._book.take()

    def drop(self) -> None:
        self._book.drop()

    def _open(self) -> None:
        self._book.open(self._title, [name for name, _ in self._columns])

    def _value(self, value: Any, pg_type: PgType) -> Value:
        return nested(value) if isinstance(value, dict | list) else local(typed(value, pg_type), self._zone)
