"""Reads a sheet, csv or xlsx, into a header and rows. The first bytes decide, not the name.

Limits hold before a file is parsed: csv rows are read one by one, and a workbook is measured by guard.py first.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import BinaryIO

from app.base.formulas import original
from app.sheets import guard
from app.sheets.problem import BadSheet

ROWS = 100_000
COLUMNS = 200
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_SEPARATORS = (";", ",", "\t", "|")
_NO_TEXT = frozenset(range(9)) | frozenset(range(14, 32)) - {27}

Cell = str | int | float | bool | date | datetime | time | timedelta


@dataclass(frozen=True, slots=True)
class Sheet:
    """The names of the columns, and the rows with their line. Empty rows are left out."""

    headers: list[str]
    rows: Iterator[tuple[int, list[Cell]]]


def read(file: BinaryIO) -> Sheet:
    """Raises BadSheet. The rows are read while they are iterated, so that may raise it too."""
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
    lines = _workbook(file) if start.startswith(_ZIP) else _text(file)
    return _sheet(enumerate(lines, 1))


def _sheet(lines: Iterator[tuple[int, list[Cell]]]) -> Sheet:
    headers: list[str] = []
    for _, cells in lines:
        headers = [str(cell).strip() for cell in cells]
        if any(headers):
            break
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
    return Sheet(headers, _rows(lines, len(headers)))


def _rows(lines: Iterator[tuple[int, list[Cell]]], width: int) -> Iterator[tuple[int, list[Cell]]]:
    count = 0
    for line, cells in lines:
        if not any(cell != "" for cell in cells):
            continue
        count += 1
        if count > ROWS:
            raise BadSheet(f"Cette feuille a plus de {ROWS} lignes : coupez-la en plusieurs fichiers.")
        if any(cell != "" for cell in cells[width:]):
            raise BadSheet(f"La ligne {line} a une cellule hors des colonnes nommées par la première ligne.")
        yield line, [*cells[:width], *[""] * (width - len(cells))]


# ---- workbooks


def _workbook(file: BinaryIO) -> Iterator[list[Cell]]:
    guard.check(file, ROWS, COLUMNS)
    from python_calamine import CalamineError, CalamineWorkbook  # seldom used

    file.seek(0)
    try:
        with CalamineWorkbook.from_filelike(file) as book:
            sheet = book.get_sheet_by_index(0)
            if sheet.height == 0:
                raise BadSheet("Cette feuille est vide : la première ligne nomme les colonnes.")
            for row in sheet.iter_rows():
                yield [cell.strip() if isinstance(cell, str) else cell for cell in row]
    except BaseException as error:
        # A panic of the parser is no Exception, so the thread would not survive it.
        if isinstance(error, CalamineError) or type(error).__name__ == "PanicException":
            raise BadSheet("Ce classeur n'est pas lisible : enregistrez-le de nouveau en .xlsx.") from None
        raise


# ---- texts


def _text(file: BinaryIO) -> Iterator[list[Cell]]:
    raw = file.read()
    text = _decoded(raw)
    if "\0" in text or any(ord(char) in _NO_TEXT for char in text[:4096]):
        raise BadSheet("Ce fichier n'est ni un classeur .xlsx ni un texte .csv.")
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep=") and len(first.strip()) == 5:
        separator, text = first.strip()[4], rest  # a line that a spreadsheet reads and does not show
    else:
        separator = _separator(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            yield [original(cell.strip()) for cell in row]
    except csv.Error:
        raise BadSheet(
            f"La ligne {reader.line_num} n'est pas lisible : "
            "un guillemet n'est pas fermé, ou une cellule est trop longue."
        ) from None


def _decoded(raw: bytes) -> str:
    """UTF-8, UTF-16 with its mark, else Windows-1252, which older spreadsheets write."""
    try:
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            return raw.decode("utf-16")
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def _separator(text: str) -> str:
    """The separator that the header has most often outside quotes."""
    counts = dict.fromkeys(_SEPARATORS, 0)
    quoted = False
    for char in text.lstrip("\r\n")[:65_536]:
        if char == '"':
            quoted = not quoted
        elif char in "\r\n" and not quoted:
            break
        elif char in counts and not quoted:
            counts[char] += 1
    return max(counts, key=lambda separator: counts[separator])
