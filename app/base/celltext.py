"""Texts in the cells of a workbook: characters that a spreadsheet refuses, and texts that it would compute."""

from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from app.base.formulas import FORMULA

_LIMIT = 32_767  # characters of a cell
_COMPUTED = (*FORMULA, "#")  # openpyxl reads `#N/A` as an error value


def printable(text: str) -> str:
    """The text without the characters that a spreadsheet refuses, up to the length of a cell."""
    return str(ILLEGAL_CHARACTERS_RE.sub("", text)[:_LIMIT])


def is_computed(text: str) -> bool:
    """Whether a spreadsheet would compute the text if the cell were edited."""
    return text.startswith(_COMPUTED)
