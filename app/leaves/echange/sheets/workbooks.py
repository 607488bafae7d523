"""The workbooks of an import: the empty model, and the report of a trial."""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from app.base.celltext import is_computed, printable
from app.database.catalogue import PgType
from app.leaves.echange.sheets.columns import explanation, label

TO_CORRECT = "À corriger"
_BOLD = Font(name="Calibri", size=11, bold=True)  # without a name, a serif
_WRONG = PatternFill("solid", fgColor="FFF4B6B6")
_ROW = PatternFill("solid", fgColor="FFFBE3E3")
_KNOWN = PatternFill("solid", fgColor="FFE5E5E5")
_DAY = re.compile(r"(?:19|20)\d\d-[01]\d-[0-3]\d")
_LIST_LIMIT = 255  # characters of the list of a validation
_ROWS = 1000  # rows below the header where a list of values is offered


def model(entity: PgType) -> bytes:
    """The columns of an entity to fill in, and a second sheet that explains each."""
    book = Workbook()
    sheet, notes = book.active, book.create_sheet("Explications")
    sheet.title = entity.name.capitalize()
    sheet.freeze_panes = "A2"
    notes.append(["Colonne", "Obligatoire", "Explication", "Valeurs possibles", "Nom dans l'API"])
    for position, attribute in enumerate(entity.attributes, 1):
        letter, name = get_column_letter(position), label(attribute)
        required, kind = not attribute.nullable, attribute.type
        values = ["oui", "non"] if kind.root.name == "bool" else kind.labels
        cell = sheet.cell(1, position, name)
        cell.font = _BOLD
        if required:
            cell.fill = _WRONG
        cell.comment = Comment(f"{'Obligatoire. ' if required else ''}{explanation(attribute)}", "Comptoir")
        sheet.column_dimensions[letter].width = max(14, len(name) + 4)
        choices = f'"{",".join(values)}"'
        if values and len(choices) <= _LIST_LIMIT:
            offered = DataValidation("list", formula1=choices, allow_blank=True)
            sheet.add_data_validation(offered)
            offered.add(f"{letter}2:{letter}{_ROWS}")
        notes.append([name, "oui" if required else "non", explanation(attribute), ", ".join(values), attribute.name])
    for letter, width in zip("ABCDE", (26, 12, 70, 60, 20), strict=True):
        notes.column_dimensions[letter].width = width
        notes[f"{letter}1"].font = _BOLD
    return _saved(book)


def report(headers: Sequence[str], fields: Mapping[str, str | None], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """The same sheet, with a column that says what is wrong, and the wrong cells in colour."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet("Rapport")
    sheet.freeze_panes = "A2"
    for position, header in enumerate([*headers, TO_CORRECT], 1):
        sheet.column_dimensions[get_column_letter(position)].width = max(14, min(len(header) + 4, 40))
    sheet.column_dimensions[get_column_letter(len(headers) + 1)].width = 90
    sheet.append([_cell(sheet, header, bold=True) for header in [*headers, TO_CORRECT]])
    labels = {field: header for header, field in fields.items() if field is not None}
    for row in rows:
        named = [(labels.get(error["champ"], error["champ"]), error["message"]) for error in row["erreurs"]]
        wrong = {labels.get(error["champ"]) for error in row["erreurs"]}
        refused = row["issue"] == "REFUSEE"
        base = _ROW if refused else _KNOWN if row["issue"] == "DEJA" else None
        cells = [
            _cell(sheet, value, _WRONG if header in wrong else base)
            for header, value in zip(headers, row["cellules"], strict=False)
        ]
        text = "Existe déjà." if row["issue"] == "DEJA" else ""
        if refused:
            text = " ".join(f"{name} : {message}" if name else message for name, message in named)
        sheet.append([*cells, _cell(sheet, text, _WRONG if refused else base)])
    return _saved(book)


def _cell(sheet: Any, value: Any, fill: PatternFill | None = None, bold: bool = False) -> Any:
    if isinstance(value, str):
        value = printable(value)
        if _DAY.fullmatch(value):
            with suppress(ValueError):
                value = date.fromisoformat(value)
    computed = isinstance(value, str) and is_computed(value)
    if fill is None and not bold and not computed and not isinstance(value, date):
        return value
    cell = WriteOnlyCell(sheet, value if value != "" else None)
    if isinstance(value, str) and value:
        cell.data_type = "s"  # never a formula
        cell.quotePrefix = computed
    if isinstance(value, date):
        cell.number_format = "dd/mm/yyyy"
    if fill is not None:
        cell.fill = fill
    if bold:
        cell.font = _BOLD
    return cell


def _saved(book: Workbook) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
