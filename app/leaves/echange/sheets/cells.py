"""A cell as a French sheet writes it → the text that the checker of an operation takes.

A cell that is not understood stays as it is: the checker refuses it in the words of the API. A number with two readings
is refused here, because the checker would take one of them.
"""

import re
import unicodedata
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal, InvalidOperation

from app.database.catalogue import PgType
from app.leaves.echange.sheets.reading import Cell

_GAPS = re.compile(r"[\s'’]+")  # between the thousands of a number
_MONEY = re.compile(r"(?:f\s?cfa|fcfa|cfa|xof|xaf|eur|euros?|€|\$|f)\.?$", re.IGNORECASE)
# Sign, digits in a row or in groups of three behind one separator, decimals behind another one.
_NUMBER = re.compile(
    r"([+-]?) ?([0-9]{0,30}|[1-9][0-9]{0,2}([ .,])[0-9]{3}(?:\3[0-9]{3}){0,9})(?:(?!\3)[.,]([0-9]{0,30}))?"
)
_ISO = re.compile(r"(?P<year>\d{4})[/.\-](?P<month>\d{1,2})[/.\-](?P<day>\d{1,2})(?:[ T][0-9:.]+Z?)?")
_DAY = re.compile(r"(?P<day>\d{1,2})[/.\- ](?P<month>\d{1,2})[/.\- ](?P<year>\d{4}|\d{2})(?:[ T]0{1,2}:00(?::00)?)?")
_WORDS = re.compile(r"(?:\w+\.? )?(?P<day>\d{1,2})(?:er)? (?P<month>[a-z]+)\.? (?P<year>\d{4})")
_MONTHS = ("janv", "fev", "mars", "avr", "mai", "juin", "juil", "aou", "sept", "oct", "nov", "dec")
_EPOCH = date(1899, 12, 30)  # day 0 of a spreadsheet
_SERIAL = range(10_000, 80_000)  # 1927 to 2119
_YES = frozenset(("oui", "o", "vrai", "true", "x", "1", "yes", "y"))
_NO = frozenset(("non", "n", "faux", "false", "0", "no"))
_WORDS_OF_ENUMS = {
    "client.sexe": {"homme": "M", "masculin": "M", "h": "M", "m": "M", "femme": "F", "feminin": "F", "f": "F"},
    "residence.type_location": {
        "mois": "MENSUEL", "mensuelle": "MENSUEL", "an": "ANNUEL", "annee": "ANNUEL", "annuelle": "ANNUEL",
    },
}  # fmt: skip


class BadCell(Exception):
    """A cell has more than one reading. The message, for the user, names them."""


Converter = Callable[[Cell], str]


def converter(pg_type: PgType) -> Converter:
    """The conversion of the cells of a column of this type, except empty ones. It raises BadCell."""
    root, name = pg_type.root.name, f"{pg_type.schema}.{pg_type.name}"
    if pg_type.kind == "enum":
        words = _WORDS_OF_ENUMS.get(name, {})
        return lambda cell: words.get(folded(_text(cell)), _text(cell))
    if name == "core.telephone":
        return _telephone
    if root in ("numeric", "int8", "int4", "int2"):
        _, decimals = pg_type.precision or ((0, 3) if root == "numeric" else (0, 0))
        return lambda cell: _number(cell, decimals)
    return {"date": _date, "bool": _boolean}.get(root, _text)


def folded(text: str) -> str:
    """Lower case, without accents; anything but letters and digits is one space: « N° tél. » → « n tel »."""
    bare = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in "".join(bare).casefold()).split())


def plain(cell: Cell) -> str | int | float:
    """A cell as it is kept for the report: a number, or a text; dates are ISO."""
    if isinstance(cell, str):
        return cell.replace("\0", "")
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() and abs(cell) < 1e15 else cell
    return cell if isinstance(cell, int) and not isinstance(cell, bool) else _text(cell)


def _text(cell: Cell) -> str:
    if isinstance(cell, bool):
        return "oui" if cell else "non"
    if isinstance(cell, float):
        return _decimal(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time() else cell.isoformat(sep=" ", timespec="seconds")
    return cell.isoformat(timespec="minutes") if isinstance(cell, time) else str(cell)


def _decimal(number: float) -> str:
    """A binary number without the digits that its binary form adds: 0.30000000000000004 is 0.3."""
    try:
        return format(Decimal(repr(number)).quantize(Decimal("0.000001")).normalize(), "f")
    except InvalidOperation:  # too large, or not a number
        return repr(number)


def _number(cell: Cell, decimals: int) -> str:
    """1 234,50 FCFA → 1234.50, for a column that keeps so many decimals.

    Three digits after a single comma or point are thousands or decimals: « 1.500 ». A column of three decimals takes
    them as decimals, as « 0,500 » is everywhere: no group of thousands begins a number with a zero.
    """
    if not isinstance(cell, str):
        return _text(cell)
    text = _GAPS.sub(" ", _MONEY.sub("", cell.strip())).replace("−", "-").strip()
    match = _NUMBER.fullmatch(text)
    if match is None or not any(char.isdigit() for char in text):
        return cell
    sign, whole, fraction = match[1].strip("+"), re.sub("[ .,]", "", match[2]), match[4] or ""
    if len(fraction) == 3 and decimals < 3 and whole.strip("0"):
        decimal = f"{whole},{fraction}".rstrip("0").rstrip(",")
        raise BadCell(f"« {text} » se lit {sign}{whole}{fraction} ou {sign}{decimal} : écrivez l'un ou l'autre.")
    return f"{sign}{whole}.{fraction}" if fraction else sign + whole


def _date(cell: Cell) -> str:
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    if not isinstance(cell, str):
        if not isinstance(cell, bool | date | time | timedelta) and _SERIAL.start <= cell < _SERIAL.stop:
            return (_EPOCH + timedelta(days=int(cell))).isoformat()
        return _text(cell)
    text = " ".join(cell.split())
    if match := _ISO.fullmatch(text) or _DAY.fullmatch(text) or _WORDS.fullmatch(folded(text)):
        year, month, day = match["year"], match["month"], match["day"]
        if len(year) == 2:
            year = ("20" if int(year) < 70 else "19") + year
        if not month.isdecimal():
            month = next((number for number, name in enumerate(_MONTHS, 1) if month.startswith(name)), 0)
        try:
            return date(int(year), int(month), int(day)).isoformat()
        except ValueError:
            return cell
    if text.isascii() and text.isdigit() and len(text) == 5 and int(text) in _SERIAL:
        return (_EPOCH + timedelta(days=int(text))).isoformat()
    return cell


def _boolean(cell: Cell) -> str:
    word = folded(_text(cell))
    return "true" if word in _YES else "false" if word in _NO else _text(cell)


def _telephone(cell: Cell) -> str:
    """A spreadsheet makes a number of 0701020304 and drops its zero; of +2250701020304 it drops the sign."""
    digits = re.sub(r"[\s\u00a0\u202f.()/_-]", "", _text(cell))
    if digits.startswith("00"):
        digits = "+" + digits[2:]
    if not digits.isascii() or not digits.removeprefix("+").isdigit():
        return _text(cell)
    if len(digits) == 9 and digits[0] != "0":
        return "0" + digits
    return "+" + digits if len(digits) > 10 and digits[0] not in "0+" else digits
