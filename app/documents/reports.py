"""Reports as PDF (?format=pdf): tables with headline figures, charts and totals."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from app.database import words
from app.database.words import label
from app.documents.charts import series, to_svg
from app.documents.document import Report
from app.documents.tables import OWN, Table, Value, own_values
from app.documents.templates import render
from app.documents.texts import is_money, long_date, period, plain_amount

ROWS = 1000  # most rows of all tables together: about thirty pages and half a second of printing
WIDEST = 9  # most columns of a page; a wider table is transposed
ABREAST = WIDEST - 1  # most rows of a transposed table side by side
TEXT = 200  # most characters of a cell
CODES = ("statut", "type", "niveau", "genre", "nature", "regle")  # columns whose values are codes
PERIODS = ("periode", "mois")
YEAR_BEFORE = "_precedent"  # a column that is left out where the books have no year before
HEAD = ("periode.du", "periode.au", "activite", "code", "libelle", "id_compte", "calcule_le")  # shown under the title

SHORT = 24  # letters of a text that keeps one line
FEW = 3  # one row in so many: a column that fewer rows fill leaves its room to the others
RARE = 15  # letters across such a column
ACROSS = 100  # letters across the page, about
WORDS = 85  # letters of the longest words of all headings of a table
ONE_LINE = 70  # letters together of the columns that keep their texts on one line
NO_FILTERS = ("du", "au", "code", "activite", "id_compte", "limit", "offset")


@dataclass(slots=True)
class Sheet:
    """A printed table."""

    title: str
    columns: list[tuple[str, str]]  # label and CSS class: n for numbers, d for dates, bref and rare for texts
    rows: list[list[str]]
    totals: list[str] = field(default_factory=list)
    left_out: int = 0
    at_least: bool = False  # more rows may be left out

    @property
    def longest(self) -> list[int]:
        """The letters of the longest value of each column."""
        return [max((len(row[place]) for row in self.rows), default=0) for place in range(len(self.columns))]

    @property
    def dense(self) -> bool:
        """Whether the columns stand closer, because the page has no room for each value on one line."""
        return len(self.columns) >= WIDEST or sum(self.longest) > ACROSS

    @property
    def whole_words(self) -> bool:
        """Whether the page has room for the longest word of each heading."""
        return sum(max(map(len, name.split()), default=0) for name, _ in self.columns) <= WORDS


def page(tables: list[Table], report: Report, organisation: Any, query: Mapping[str, Any]) -> str:
    """The HTML of a report."""
    values = own_values(tables)
    currency, cents = organisation["devise"], organisation["decimales"] > 0
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, value in values.items():
        if name not in HEAD and value is not None:
            group, _, own = name.rpartition(".")
            groups.setdefault(group, []).append((label(own), _text(own, value, cents, currency)))
    day_alone = [name for name, lines in groups.items() if [own for own, _ in lines] == [label("jour")]]
    days = {name: groups.pop(name)[0][1] for name in day_alone}
    rows_left = ROWS
    sheets = []
    for table in tables:
        if table.columns != OWN and (table.rows or not groups):  # an empty list is left out beside other figures
            title = "" if len(tables) == 1 else _title(table.title, days)
            sheet = _sheet(table, title, report, rows_left, cents)
            rows_left -= len(sheet.rows)
            sheets += _transposed(sheet) if len(sheet.columns) > WIDEST else [sheet]
    now = datetime.now(ZoneInfo(organisation["fuseau"]))
    data = {
        "organisation": organisation,
        "titre": report.title,
        "activite": values.get("libelle") or label(str(values.get("activite") or "")),
        "periode": _period(values, query, report),
        "filtres": [
            (label(name), words.WORDS.get(("TITRE", value), value))
            for name, value in query.items()
            if name not in NO_FILTERS
        ],
        "etabli": f"{long_date(now.isoformat())} à {now:%H h %M}",
        "tuiles": groups.pop("", []) or _sums(tables, cents, currency),
        "groupes": [(label(name), lines) for name, lines in groups.items()],
        "graphiques": [(one.title, to_svg(one)) for one in series(report.charts, tables)],
        "tableaux": sheets,
        "signe": report.signed,
        "vide": not any(sheet.rows for sheet in sheets) and not values,
    }
    return render("rapport.html", data)


def _title(name: str, days: Mapping[str, str]) -> str:
    """The title of a list, with the day of its part if nothing else of that part is printed."""
    day = next((day for part, day in days.items() if name.startswith(f"{part}.")), "")
    return f"{label(name)} – {day}" if day else label(name)


def _sheet(table: Table, title: str, report: Report, room: int, cents: bool) -> Sheet:
    filled = {name for row in table.rows for name, value in row.items() if value not in (None, "")}
    if report.signed:
        before = {name for name in filled if name.endswith(YEAR_BEFORE)}
        filled -= {name for name in before if not any(row.get(name) for row in table.rows)}
    shown = [name for name in table.columns if name not in report.hidden and (name in filled or not table.rows)]
    lines = [row for row in table.rows if not _is_total(row)]
    rows = [[_text(name, row.get(name), cents) for name in shown] for row in lines[: max(room, 0)]]
    total = _total(table) if len(rows) > 1 else {}
    totals = [_text(name, total.get(name), cents).replace("TOTAL", "") for name in shown] if total else []
    if totals and not totals[0]:
        totals[0] = "Total"
    if report.signed:  # as printed accounts have it
        rows = [["" if text == "0" else text for text in row] for row in rows]
    columns = [(label(name), _class(row.get(name) for row in table.rows)) for name in shown]
    left_out = int(table.length.removesuffix("+") or len(lines)) - len(rows)
    sheet = Sheet(title, columns, rows, totals, left_out, table.length.endswith("+"))
    _share_width(sheet)
    return sheet


def _class(values: Iterable[Value]) -> str:
    present = [value for value in values if value is not None]
    if any(_is_number(value) for value in present):
        return "n"
    return "d" if present and all(isinstance(value, date) for value in present) else ""


def _share_width(sheet: Sheet) -> None:
    """Narrow a column of long texts that few rows have, where texts wrap: the other columns get its room."""
    lengths, dense = sheet.longest, sheet.dense
    taken = sum(length for length, (_, kind) in zip(lengths, sheet.columns, strict=True) if kind)
    for place, (name, kind) in enumerate(sheet.columns):
        filled = sum(row[place] != "" for row in sheet.rows)
        if not kind and dense and filled * FEW < len(sheet.rows) and lengths[place] > RARE:
            sheet.columns[place] = (name, "rare")
        elif not kind and lengths[place] <= SHORT and taken + lengths[place] <= ONE_LINE:
            sheet.columns[place] = (name, "bref")
            taken += lengths[place]


def _transposed(sheet: Sheet) -> list[Sheet]:
    """Transpose a table that is too wide for a page: ABREAST rows become columns side by side."""
    names = [name for name, _ in sheet.columns]
    rows = [*sheet.rows, *([sheet.totals] if sheet.totals else [])]
    sheets = []
    abreast = -(-len(rows) // -(-len(rows) // ABREAST)) if rows else ABREAST  # the same number on each page
    for first in range(0, len(rows), abreast):
        group = rows[first : first + abreast]
        columns = [(names[0], ""), *((row[0], "n") for row in group)]
        lines = [[name, *(row[place] for row in group)] for place, name in enumerate(names) if place]
        sheets.append(Sheet("" if first else sheet.title, columns, lines))
    if sheets:
        sheets[-1].left_out, sheets[-1].at_least = sheet.left_out, sheet.at_least
    return sheets or [sheet]


def _total(table: Table) -> dict[str, Value]:
    """The totals computed by the database: a row of the answer, or separate sums."""
    return next((row for row in table.rows if _is_total(row)), table.totals)


def _is_total(row: Mapping[str, Value]) -> bool:
    return "TOTAL" in (row.get("code"), row.get("compte"))


def _sums(tables: list[Table], cents: bool, currency: str) -> list[tuple[str, str]]:
    """Headline figures: all totals of a single list, or the last total of each of several lists."""
    lists = [table for table in tables if table.rows and table.columns != OWN]
    totals = [
        (table.title, {n: v for n, v in _total(table).items() if _is_number(v) and (v or not n.endswith(YEAR_BEFORE))})
        for table in lists
    ]
    if len(tables) == 1:
        return [(label(name), _text(name, value, cents, currency)) for _, row in totals for name, value in row.items()]
    return [(label(title), _text(*list(total.items())[-1], cents, currency)) for title, total in totals if total]


def _is_number(value: Value) -> bool:
    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _text(name: str, value: Value, cents: bool, currency: str = "") -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "oui" if value else "non"
    if isinstance(value, Decimal):
        return f"{plain_amount(value, cents)} {currency}".strip() if is_money(name) else plain_amount(value)
    if isinstance(value, int):
        return str(value) if name.startswith("id") else plain_amount(value)
    if isinstance(value, datetime):
        return f"{value:%d/%m/%Y %H:%M}"
    if isinstance(value, date):
        return f"{value:%d/%m/%Y}"
    if name in PERIODS:
        return period(value)
    if re.fullmatch(r"\d\d:\d\d:\d\d", value):
        return value[:5].replace(":", " h ")
    text = label(value) if name in CODES and re.fullmatch("[A-Z_]+", value) else value
    return text if len(text) <= TEXT else f"{text[:TEXT]}…"


def _period(values: Mapping[str, Value], query: Mapping[str, Any], report: Report) -> str:
    first, last = (str(values.get(f"periode.{name}") or query.get(name) or "") for name in ("du", "au"))
    if report.day:
        return f"Au {long_date(last)}" if last else "À ce jour"
    if first and last:
        return f"Du {long_date(first)} au {long_date(last)}"
    if first:
        return f"Depuis le {long_date(first)}"
    if last:
        return f"{'Du premier du mois au' if report.month else 'Jusqu’au'} {long_date(last)}"
    return "Mois en cours" if report.month else "Toutes les dates"
