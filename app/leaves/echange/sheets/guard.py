"""Measures a workbook before it is parsed: a small file can hold gigabytes, or name billions of cells.

The parser allocates every cell between the first and the last one. So the real cells are counted here, whatever the
file says about its dimensions. The parser gets a copy of the parts that were measured, and of no others.
"""

import re
import zipfile
import zlib
from collections import Counter
from functools import reduce
from typing import IO, BinaryIO
from xml.parsers import expat

from app.base.failure import Failure

SIZE = 200 << 20  # bytes of all parts, uncompressed, and of the texts of all cells
PARTS = 1000
CELLS = 3_000_000  # rows × columns
_CHUNK = 1 << 16
_PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_NUMBER = re.compile(r"[0-9]{1,9}")
_NEEDED = re.compile(r"(?i)(xl|_rels)/.*\.(xml|rels)")
NO_SHEET = "Ce fichier n'est ni un classeur .xlsx ni un texte .csv."
_BROKEN = (zipfile.BadZipFile, zlib.error, expat.ExpatError, RuntimeError, EOFError, OSError, ValueError)
_TOO_LARGE = f"Ce classeur dépasse {SIZE >> 20} Mio une fois décompressé."
UNREADABLE = "Ce classeur n'est pas lisible : enregistrez-le de nouveau en .xlsx."


class BadSheet(Failure):
    """The file, or its columns (`colonnes`), cannot be used. The message says to the user what to do."""

    def __init__(self, message: str, field: str = "file") -> None:
        super().__init__(message)
        self.field = field


def copy(file: BinaryIO, target: IO[bytes], rows: int, columns: int) -> None:
    """Write the parts that a parser needs to `target`. Raise BadSheet for macros, merged cells, a doctype, or too many
    bytes, parts, rows or cells."""
    named: Counter[int] = Counter()
    lengths: list[int] = []
    try:
        with (
            zipfile.ZipFile(file) as archive,
            zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as copied,
        ):
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
                raise BadSheet(_TOO_LARGE)
            for part in parts:
                if not _NEEDED.fullmatch(part.filename):
                    continue
                parser = _measuring(rows, columns, named, lengths)  # any part: a relation may name it as a sheet
                with archive.open(part) as stream, copied.open(part.filename, "w") as written:
                    while chunk := stream.read(_CHUNK):  # to the end: a size that lies fails the checksum of its part
                        if b"\0" in chunk:  # UTF-16, which the parser would read as other tags
                            raise BadSheet(UNREADABLE)
                        parser.Parse(chunk)
                        written.write(chunk)
                    parser.Parse(b"", True)
            # The parser copies a shared text into each cell that names it.
            if sum(length * named[place] for place, length in enumerate(lengths)) > SIZE:
                raise BadSheet(_TOO_LARGE)
    except BadSheet:
        raise
    except _BROKEN:
        raise BadSheet(UNREADABLE) from None


def _measuring(rows: int, columns: int, named: Counter[int], lengths: list[int]) -> expat.XMLParserType:
    """A parser that raises BadSheet when the cells of a sheet take more rows or columns. It counts in `named` how many
    cells name each shared text, and writes the length of each to `lengths`."""
    row = column = last_row = last_column = 0
    shared = False  # whether the cell names a shared text
    number: str | None = None  # of this text
    place = -1  # of the shared text that is open, in `lengths`
    texts = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, last_row, last_column, shared, number, place, texts
        local = name.rpartition(" ")[2]
        if local == "row":
            row, column = int(attributes.get("r", row + 1)), 0
        elif local == "v" and shared:
            number = ""
        elif local == "si":
            if place >= 0 or texts >= CELLS:
                raise BadSheet(UNREADABLE)
            place, texts = texts, texts + 1
            lengths.extend([0] * (texts - len(lengths)))
        elif local == "c":
            shared = attributes.get("t") == "s"
            if "r" not in attributes:
                column += 1
            elif (cell := _PLACE.fullmatch(attributes["r"])) is not None:
                row, column = int(cell[2]), reduce(lambda number, letter: number * 26 + ord(letter) - 64, cell[1], 0)
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

    def text(data: str) -> None:
        nonlocal number
        if place >= 0:
            lengths[place] += len(data.encode())
        if number is not None:
            number += data
            # Each beginning counts: the parser stops at a comment or an entity, and takes what is no number for 0.
            if not _NUMBER.fullmatch(number) or int(number) >= CELLS:
                raise BadSheet(UNREADABLE)
            named[int(number)] += 1

    def end(name: str) -> None:
        nonlocal number, place
        local = name.rpartition(" ")[2]
        if local == "v":
            number = None
        elif local == "si":
            place = -1

    def refuse(*_: object) -> None:
        raise BadSheet(UNREADABLE)

    parser = expat.ParserCreate("utf-8", namespace_separator=" ")  # whatever it declares: the parser knows no other
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    parser.StartDoctypeDeclHandler = refuse
    return parser
