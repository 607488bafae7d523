"""A list as a workbook, written to the disk row by row: the memory that this needs does not grow with the list."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import datetime
from typing import Any, BinaryIO
from zoneinfo import ZoneInfo

from app.database.catalogue import PgType
from app.documents.lists import columns, nested
from app.documents.tables import Value, is_nested, typed
from app.documents.workbook import Sheets

ROWS = 1_000_000  # of a sheet; spreadsheets accept 1,048,576


class XlsxList:
    """A workbook with typed cells, as those of reports. A list that one sheet cannot hold continues on the next one."""

    def __init__(self, title: str, returns: PgType, zone: str) -> None:
        self._title = title
        self._columns = columns(returns)
        self._zone = ZoneInfo(zone)
        self._sheets = Sheets()
        self._open()

    def add(self, page: Sequence[dict[str, Any]]) -> None:
        for row in page:
            if not self._left:
                self._open()
            self._left -= 1
            self._cells.append([self._value(row[name], pg_type) for name, pg_type in self._columns])

    def file(self) -> BinaryIO:
        """The finished workbook, in a file that disappears when it is closed."""
        file = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
        try:
            self._sheets.book.save(file)
        except BaseException:
            file.close()
            raise
        return file

    def drop(self) -> None:
        """Remove the temporary files of a workbook that was not finished."""
        self._sheets.drop()

    def _open(self) -> None:
        self._cells = self._sheets.open(self._title, [name for name, _ in self._columns])
        self._left = ROWS

    def _value(self, value: Any, pg_type: PgType) -> Value:
        if value is None:
            return None
        if isinstance(value, dict | list):
            return nested(value)
        if is_nested(pg_type):
            return str(value)
        cell = typed(value, pg_type)
        # Spreadsheets have no time zones.
        return cell.astimezone(self._zone).replace(tzinfo=None) if isinstance(cell, datetime) else cell
