"""A list as a workbook, made in parts: neither the memory nor the disk that this needs grows with the list.

openpyxl makes every part of the file but the rows. It would write the rows of a sheet to the disk before it packs them,
ten times as many bytes, so this module packs them as they come.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile
from zoneinfo import ZoneInfo

from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel

from app.base.celltext import is_computed, printable
from app.database.catalogue import PgType
from app.documents.lists import columns, nested
from app.documents.texts import is_money
from app.documents.workbook import Sheets

ROWS = 1_000_000  # of a sheet; spreadsheets accept 1,048,576
LARGEST = 1_900_000_000  # bytes of a sheet; spreadsheets refuse the form of a zip file that allows 2 GiB and more
DIGITS = 15  # of a number in a spreadsheet
_SHAPES = dict.fromkeys(("int2", "int4", "int8"), "entier") | dict.fromkeys(("numeric", "float8"), "montant")
_SHAPES |= {"date": "date", "timestamptz": "instant", "bool": "booleen"}


class XlsxList:
    """The parts of a workbook with typed cells, as those of reports. A long list continues on the next sheet."""

    def __init__(self, title: str, returns: PgType, zone: str, cents: bool) -> None:
        self._title, self._cents = title, cents
        self._names = [name for name, _ in columns(returns)]
        self._columns = [
            (get_column_letter(position), name, _shape(pg_type, cents and is_money(name)))
            for position, (name, pg_type) in enumerate(columns(returns), 1)
        ]
        self._zone = ZoneInfo(zone)
        self._out = _Out()
        archive: Any = self._out  # it lacks what an archive that is only written never calls
        self._archive = ZipFile(archive, "w", ZIP_DEFLATED, compresslevel=1)
        files, self._styles = self._frame(2)
        # The first sheet is the selected one.
        self._frames = [files[f"xl/worksheets/sheet{number}.xml"].partition(b"</sheetData>") for number in (1, 2)]
        self._sheets = 0
        self._open()

    def head(self) -> bytes:
        return self._out.take()

    def part(self, page: Sequence[dict[str, Any]]) -> bytes:
        for row in page:
            if self._row > ROWS or self._size > LARGEST:
                self._close()
                self._open()
            self._row += 1
            line = self._line(row).encode()
            self._size += len(line)
            self._sheet.write(line)
        return self._out.take()

    def end(self) -> bytes:
        self._close()
        for name, body in self._frame(self._sheets)[0].items():
            if not name.startswith("xl/worksheets/sheet"):
                self._archive.writestr(name, body)
        self._archive.close()
        return self._out.take()

    def drop(self) -> None:
        """Close an unfinished workbook."""
        self._sheet.close()
        self._archive.close()

    def _frame(self, count: int) -> tuple[dict[str, bytes], dict[str, int]]:
        """The files of a workbook of so many sheets with a header only, and the styles of its cells."""
        sheets = Sheets(self._cents)
        for _ in range(count):
            styles = sheets.open(self._title, self._names).styles()
        out = io.BytesIO()
        sheets.book.save(out)
        with ZipFile(out) as archive:
            return {name: archive.read(name) for name in archive.namelist()}, styles

    def _open(self) -> None:
        self._sheets += 1
        self._sheet = self._archive.open(f"xl/worksheets/sheet{self._sheets}.xml", "w")
        self._sheet.write(self._frames[min(self._sheets, 2) - 1][0])
        self._row, self._size = 1, 0

    def _close(self) -> None:
        self._sheet.write(b"".join(self._frames[min(self._sheets, 2) - 1][1:]))
        self._sheet.close()

    def _line(self, row: dict[str, Any]) -> str:
        number = self._row
        cells = [
            self._cell(f"{letter}{number}", row[name], shape)
            for letter, name, shape in self._columns
            if row[name] is not None
        ]
        return f'<row r="{number}">{"".join(cells)}</row>'

    def _cell(self, place: str, value: Any, shape: str) -> str:
        if shape == "booleen":
            return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
        if shape != "texte":
            content = self._number(value, shape)
            if shape == "rond" and str(value).partition(".")[2].strip("0"):
                shape = "montant"
            if content is not None:
                return f'<c r="{place}" s="{self._styles[shape]}"><v>{content}</v></c>'
        text = printable(nested(value) if isinstance(value, dict | list) else str(value))
        style = f' s="{self._styles["formule"]}"' if is_computed(text) else ""
        return f'<c r="{place}"{style} t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'

    def _number(self, value: Any, shape: str) -> str | float | None:
        """The number in the cell, or None for a value that a spreadsheet cannot hold as a number."""
        if shape in ("montant", "rond"):
            return str(value)
        if shape == "entier":
            text = str(value)
            return text if len(text) <= DIGITS else None
        try:
            if shape == "date":
                day = date.fromisoformat(value)
                return to_excel(day) if day.year >= 1900 else None
            # Spreadsheets have no time zones.
            moment = datetime.fromisoformat(value).astimezone(self._zone).replace(tzinfo=None)
        except (ValueError, OverflowError):  # infinity
            return None
        return to_excel(moment) if moment.year >= 1900 else None


def _shape(pg_type: PgType, cents: bool) -> str:
    if pg_type.kind in ("composite", "array"):
        return "texte"
    shape = _SHAPES.get(pg_type.root.name, "texte")
    return "rond" if shape == "montant" and not cents else shape


class _Out:
    """Takes the bytes of the archive until they are sent. It cannot go back, as a connection cannot."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        taken, self._parts = b"".join(self._parts), []
        return taken
