"""Measures a workbook before it is parsed: a small file can hold gigabytes, or name billions of cells.

The parser allocates every cell between the first and the last one. So the real cells are counted here, whatever the
file says about its dimensions.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from typing import BinaryIO
from xml.parsers import expat

from app.leaves.echange.sheets.problem import BadSheet

SIZE = 200 << 20  # bytes of all parts, uncompressed
PARTS = 1000
CELLS = 3_000_000  # rows × columns
_CHUNK = 1 << 16
_PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_UNREADABLE = "Ce classeur n'est pas lisible : enregistrez-le de nouveau en .xlsx."


def check(file: BinaryIO, rows: int, columns: int) -> None:
    """Raise BadSheet for macros, merged cells, a doctype, or too many bytes, parts, rows or cells."""
    try:
        with zipfile.ZipFile(file) as archive:
            parts = archive.infolist()
            names = {part.filename for part in parts}
            if len(parts) > PARTS or len(names) < len(parts):
                raise BadSheet(_UNREADABLE)
            if any(name.lower().endswith("vbaproject.bin") for name in names):
                raise BadSheet("Ce classeur contient des macros : enregistrez-le en .xlsx, qui n'en a pas.")
            if "EncryptedPackage" in names:
                raise BadSheet("Ce classeur est protégé par un mot de passe : enlevez-le.")
            if "xl/workbook.xml" not in names:
                raise BadSheet("Ce fichier n'est ni un classeur .xlsx ni un texte .csv.")
            if sum(part.file_size for part in parts) > SIZE:
                raise BadSheet(f"Ce classeur dépasse {SIZE >> 20} Mio une fois décompressé.")
            for part in parts:
                _check_part(archive, part, rows, columns)
    except BadSheet:
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        expat.ExpatError,
        NotImplementedError,
        RuntimeError,
        EOFError,
        OSError,
        ValueError,
    ):
        raise BadSheet(_UNREADABLE) from None


def _check_part(archive: zipfile.ZipFile, part: zipfile.ZipInfo, rows: int, columns: int) -> None:
    """Read a part to its end: a directory that lies about a size fails its checksum."""
    sheet = (
        _Cells(rows, columns) if part.filename.startswith("xl/worksheets/") and part.filename.endswith(".xml") else None
    )
    with archive.open(part) as stream:
        while chunk := stream.read(_CHUNK):
            if sheet is not None:
                sheet.feed(chunk)
    if sheet is not None:
        sheet.end()


class _Cells:
    """Counts the rows and columns of a sheet from its cells."""

    def __init__(self, rows: int, columns: int) -> None:
        self._rows, self._columns = rows + 1000, columns  # some empty rows above and between are no harm
        self._row = self._column = self._last_row = self._last_column = 0
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, chunk: bytes) -> None:
        self._parser.Parse(chunk, False)

    def end(self) -> None:
        self._parser.Parse(b"", True)

    def _refuse(self, *_: object) -> None:
        raise BadSheet(_UNREADABLE)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if local == "row":
            self._row = int(attributes["r"]) if "r" in attributes else self._row + 1
            self._column = 0
        elif local == "c":
            if (place := _PLACE.fullmatch(attributes.get("r", ""))) is not None:
                self._row, self._column = int(place[2]), _number(place[1])
            elif "r" in attributes:
                raise BadSheet(_UNREADABLE)
            else:
                self._column += 1
            self._count()
        elif local == "mergeCell":
            raise BadSheet(
                f"Des cellules sont fusionnées ({attributes.get('ref', '')[:20]}) : "
                "défusionnez-les, une valeur par cellule."
            )

    def _count(self) -> None:
        self._last_row, self._last_column = max(self._last_row, self._row), max(self._last_column, self._column)
        if self._last_row > self._rows:
            raise BadSheet(f"Cette feuille a plus de {self._rows - 1000} lignes : coupez-la en plusieurs fichiers.")
        if self._last_column > self._columns:
            raise BadSheet(f"Cette feuille a plus de {self._columns} colonnes.")
        if self._last_row * self._last_column > CELLS:
            raise BadSheet(f"Cette feuille a plus de {CELLS} cellules : coupez-la en plusieurs fichiers.")


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
