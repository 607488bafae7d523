"""Reads a sheet, csv or xlsx, into a header and rows. The first bytes decide, not the name.

Limits hold before a file is parsed: csv rows are read one by one, and guard.py measures a workbook first.
"""

import codecs
import csv
import io
import re
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import BinaryIO

from app.base.formulas import original
from app.leaves.echange.sheets import guard
from app.leaves.echange.sheets.guard import BadSheet

ROWS = 100_000
COLUMNS = 200
LINE = 64 * 1024  # characters of a row
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SEPARATORS = (";", ",", "\t", "|")
_NO_TEXT = frozenset(range(9)) | frozenset(range(14, 32)) - {27}

Cell = str | int | float | bool | date | datetime | time | timedelta
Rows = Iterator[tuple[int, list[Cell]]]  # with their line


def read(file: BinaryIO) -> tuple[list[str], Rows]:
    """The names of the columns, and the rows that are not empty. Raises BadSheet, also while the rows are iterated."""
    file.seek(0)
    start = file.read(8)
    file.seek(0)
    if not start:
        raise BadSheet("Ce fichier est vide.")
    if start.startswith(_OLE):
        raise BadSheet(
            "Ce classeur est protégé par un mot de passe, ou de l'ancien format .xls : "
            "enregistrez-le en .xlsx, sans mot de passe."
        )
    lines = enumerate(_workbook(file) if start.startswith(_ZIP) else _text(file), 1)
    headers = next(filter(any, ([str(cell).strip() for cell in cells] for _, cells in lines)), [])
    while headers and not headers[-1]:
        headers.pop()
    if not headers:
        raise BadSheet("Cette feuille est vide : la première ligne nomme les colonnes.")
    if len(headers) > COLUMNS:
        raise BadSheet(f"Cette feuille a plus de {COLUMNS} colonnes.")
    seen: set[str] = set()
    for header in filter(None, headers):
        if len(header) > 200:
            raise BadSheet("Le nom d'une colonne compte 200 caractères au plus : est-ce bien une feuille ?")
        if header.casefold() in seen:
            raise BadSheet(f"Deux colonnes s'appellent « {header} » : renommez ou retirez l'une d'elles.")
        seen.add(header.casefold())
    return headers, _rows(lines, len(headers))


def _rows(lines: Rows, width: int) -> Rows:
    filled = ((line, cells) for line, cells in lines if any(cell != "" for cell in cells))
    for count, (line, cells) in enumerate(filled, 1):
        if count > ROWS:
            raise BadSheet(f"Cette feuille a plus de {ROWS} lignes : coupez-la en plusieurs fichiers.")
        if any(cell != "" for cell in cells[width:]):
            raise BadSheet(f"La ligne {line} a une cellule hors des colonnes nommées par la première ligne.")
        yield line, [*cells[:width], *[""] * (width - len(cells))]


# ---- workbooks


def _workbook(file: BinaryIO) -> Iterator[list[Cell]]:
    from python_calamine import CalamineError, CalamineWorkbook  # seldom used

    try:
        with tempfile.NamedTemporaryFile(suffix=".xlsx") as copy:  # this name chooses the parser of .xlsx, and no other
            guard.copy(file, copy, ROWS, COLUMNS)
            book = CalamineWorkbook.from_path(copy.name)
        with book:
            for number, row in enumerate(book.get_sheet_by_index(0).iter_rows(), 1):
                if sum(len(cell) for cell in row if isinstance(cell, str)) > LINE:
                    raise _too_long(number)
                yield [cell.strip() if isinstance(cell, str) else cell for cell in row]
    except BaseException as error:
        # A panic of the parser is no Exception, so the thread would not survive it.
        if isinstance(error, CalamineError) or type(error).__name__ == "PanicException":
            raise BadSheet(guard.UNREADABLE) from None
        raise


# ---- texts


def _text(file: BinaryIO) -> Iterator[list[Cell]]:
    text = io.TextIOWrapper(file, encoding=_encoding(file), errors="replace", newline="")
    try:
        yield from _records(text)
    finally:
        with suppress(ValueError):  # the caller has closed its file
            text.detach()


def _records(text: io.TextIOWrapper) -> Iterator[list[Cell]]:
    start = text.read(LINE)
    if any(ord(char) in _NO_TEXT for char in start[:4096]):
        raise BadSheet(guard.NO_SHEET)
    first = start.partition("\n")[0].strip()
    marked = first.lower().startswith("sep=") and len(first) == 5  # a line that a spreadsheet reads and does not show
    text.seek(0)
    size = 0  # of a row, which may have several lines, in quotes

    def read_lines() -> Iterator[str]:
        nonlocal size
        for number, line in enumerate(iter(partial(text.readline, LINE + 1), ""), 1):
            size += len(line)
            if size > LINE:
                raise _too_long(number)
            if "\0" in line:
                raise BadSheet(guard.NO_SHEET)
            yield line

    lines = read_lines()
    if marked:
        next(lines)
    reader = csv.reader(lines, delimiter=first[4] if marked else _separator(start), strict=True)
    try:
        for row in reader:
            size = 0
            if len(row) > COLUMNS:
                raise BadSheet(f"La ligne {reader.line_num} a plus de {COLUMNS} colonnes.")
            yield [original(cell.strip()) for cell in row]
    except csv.Error:
        raise BadSheet(
            f"La ligne {reader.line_num} n'est pas lisible : "
            "un guillemet n'est pas fermé, ou une cellule est trop longue."
        ) from None


def _too_long(number: int) -> BadSheet:
    return BadSheet(f"La ligne {number} est trop longue : {LINE // 1024} Kio au plus.")


def _encoding(file: BinaryIO) -> str:
    """UTF-8, UTF-16 with its mark, else Windows-1252, which older spreadsheets write."""
    start, decoder = file.read(2), codecs.getincrementaldecoder("utf-8")()
    file.seek(0)
    if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    try:
        while chunk := file.read(1 << 20):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "cp1252"
    finally:
        file.seek(0)
    return "utf-8-sig"


def _separator(text: str) -> str:
    """The separator that the header has most often outside quotes."""
    bare = re.sub(r'"[^"]*("|$)', "", text.lstrip("\r\n")[:65_536])
    return max(_SEPARATORS, key=re.split("[\r\n]", bare, maxsplit=1)[0].count)
