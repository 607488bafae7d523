"""Measures a workbook before it is parsed: a small file can hold gigabytes, or name billions of cells.

The parser allocates every cell between the first and the last one. So the real cells are counted here, whatever the
file says about its dimensions.
"""

import re
import zipfile
import zlib
from functools import reduce
from typing import IO, BinaryIO
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
                        _count_cells(stream, rows, columns)
                    former = b""
                    while chunk := stream.read(_CHUNK):  # to the end: a size that lies fails the checksum of its part
                        if b"sheetData" in former[-16:] + chunk:
                            raise BadSheet(UNREADABLE)
                        former = chunk
    except BadSheet:
        raise
    except _BROKEN:
        raise BadSheet(UNREADABLE) from None


def _count_cells(stream: IO[bytes], rows: int, columns: int) -> None:
    """Raise BadSheet when the cells of a sheet take more rows or columns."""
    row = column = last_row = last_column = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, last_row, last_column
        local = name.rpartition(" ")[2]
        if local == "row":
            row, column = int(attributes.get("r", row + 1)), 0
        elif local == "c":
            if "r" not in attributes:
                column += 1
            elif (place := _PLACE.fullmatch(attributes["r"])) is not None:
                row, column = int(place[2]), reduce(lambda number, letter: number * 26 + ord(letter) - 64, place[1], 0)
            else:
                raise BadSheet(UNREADABLE)
            last_row, last_column = max(last_row, row), max(last_column, column)
            if last_row > rows + 1000:  # some empty rows above and between are no harm
                raise BadSheet(f"Cette feuille a plus de {rows} lignes : coupez-la en plusieurs fichiers.")
            if last_column > columns:
                raise BadSheet(f"Cette feuille a plus de {columns} colonnes.")
            if last_row * last_column > CELLS:
                raise BadSheet(f"Cette feuille a plus de {CELLS} cellules : coupez-la en plusieurs fichiers.")
        elif local == "mergeCell":
            merged = attributes.get("ref", "")[:20]
            raise BadSheet(f"Des cellules sont fusionnées ({merged}) : défusionnez-les, une valeur par cellule.")

    def refuse(*_: object) -> None:
        raise BadSheet(UNREADABLE)

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler, parser.StartDoctypeDeclHandler = start, refuse
    parser.ParseFile(stream)
