"""Measures a workbook before it is parsed: a small file can hold gigabytes, or name billions of cells.

The parser allocates every cell between the first and the last one. So the real cells are counted here, whatever the
file says about its dimensions.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from functools import reduce
from typing import BinaryIO
from xml.parsers import expat

from app.base.failure import Failure

SIZE = 200 << 20  # bytes of all parts, uncompressed
PARTS = 1000
CELLS = 3_000_000  # rows × columns
_CHUNK = 1 << 16
_PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
NO_SHEET = "Ce fichier n'est ni un classeur .xlsx ni un texte .csv."
_BROKEN = (zipfile.BadZipFile, zlib.error, expat.ExpatError, RuntimeError, EOFError, OSError, ValueError)
UNREADABLE = "Ce classeur n'est pas lisible : enregistrez-le de nouveau en .xlsx."


class BadSheet(Failure):
    """The file, or its columns (`colonnes`), cannot be used. The message says to the user what to do."""

    def __init__(self, message: str, field: str = "file") -> None:
        super().__init__(message)
        self.field = field


def check(file: BinaryIO, rows: int, columns: int) -> None:
    """Raise BadSheet for macros, merged cells, a doctype, or too many bytes, parts, rows or cells."""
    try:
        with zipfile.ZipFile(file) as archive:
            parts = archive.infolist()
            names = {part.filename for part in parts}
            if len(parts) > PARTS or len(names) < len(parts):
                raise BadSheet(UNREADABLE)
            if any(name.lower().endswith("vbaproject.bin") for name in names):
                raise BadSheet("Ce classeur contient des macros : enregistrez-le en .xlsx, qui n'en a pas.")
            if "EncryptedPackage" in names:
                raise BadSheet("Ce classeur est protégé par un mot de passe : enlevez-le.")
            if "xl/workbook.xml" not in names:
                raise BadSheet(NO_SHEET)
            if sum(part.file_size for part in parts) > SIZE:
                raise BadSheet(f"Ce classeur dépasse {SIZE >> 20} Mio une fois décompressé.")
            for part in parts:
                with archive.open(part) as stream:
                    if part.filename.endswith(".xml"):  # a relation may name any part as a sheet
                        _Cells(rows, columns).parser.ParseFile(stream)
                    former = b""
                    while chunk := stream.read(_CHUNK):  # to the end: a size that lies fails the checksum of its part
                        if b"sheetData" in former[-16:] + chunk:
                            raise BadSheet(UNREADABLE)
                        former = chunk
    except BadSheet:
        raise
    except _BROKEN:
        raise BadSheet(UNREADABLE) from None


class _Cells:
    """Counts the rows and columns of a sheet from its cells."""

    def __init__(self, rows: int, columns: int) -> None:
        self._rows, self._columns = rows + 1000, columns  # some empty rows above and between are no harm
        self._row = self._column = self._last_row = self._last_column = 0
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.StartDoctypeDeclHandler = self._refuse

    def _refuse(self, *_: object) -> None:
        raise BadSheet(UNREADABLE)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if local == "row":
            self._row = int(attributes.get("r", self._row + 1))
            self._column = 0
        elif local == "c":
            if (place := _PLACE.fullmatch(attributes.get("r", ""))) is not None:
                letters, self._row = place[1], int(place[2])
                self._column = reduce(lambda number, letter: number * 26 + ord(letter) - 64, letters, 0)
            elif "r" in attributes:
                raise BadSheet(UNREADABLE)
            else:
                self._column += 1
            self._last_row, self._last_column = max(self._last_row, self._row), max(self._last_column, self._column)
            if self._last_row > self._rows:
                raise BadSheet(f"Cette feuille a plus de {self._rows - 1000} lignes : coupez-la en plusieurs fichiers.")
            if self._last_column > self._columns:
                raise BadSheet(f"Cette feuille a plus de {self._columns} colonnes.")
            if self._last_row * self._last_column > CELLS:
                raise BadSheet(f"Cette feuille a plus de {CELLS} cellules : coupez-la en plusieurs fichiers.")
        elif local == "mergeCell":
            merged = attributes.get("ref", "")[:20]
            raise BadSheet(f"Des cellules sont fusionnées ({merged}) : défusionnez-les, une valeur par cellule.")
