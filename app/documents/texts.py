"""Amounts, quantities and dates as French text."""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from zoneinfo import ZoneInfo

from app.database.words import label

MONTHS = (
    *("janvier", "février", "mars", "avril", "mai", "juin"),
    *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
)

SHORT_MONTHS = ("janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc.")
CODED = re.compile(r"(statut|type|niveau|periodicite)(_|$)")  # fields whose values are codes
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+\d\d:\d\d")
NOT_MONEY = re.compile(r"heures|duree|quantite|seuil")
PERIOD = re.compile(r"(\d{4})-(?:W(\d\d)|(0[1-9]|1[0-2])(?:-(\d\d))?)")  # a week, a month, a day


def typographic(text: str) -> str:
    """The text with typographic apostrophes. Names in the database and words of users have straight ones."""
    return text.replace("'", "’")


def plain_amount(value: Any, cents: bool = False) -> str:
    """`95 000` with no-break spaces. Cents that are zero appear only on request."""
    rounded = Decimal(str(value)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    digits = f"{rounded:,.2f}"
    digits = digits if cents else digits.removesuffix(".00")
    return digits.replace(",", "\N{NO-BREAK SPACE}").replace(".", ",").replace("-", "\N{MINUS SIGN}")


def is_money(name: str) -> bool:
    """Whether decimals in this column are amounts of money."""
    return NOT_MONEY.search(name) is None


def number(value: Any) -> str:
    """A quantity: `2`, `1,5`, `1 250`."""
    return f"{Decimal(str(value)).normalize():,f}".replace(",", " ").replace(".", ",")


def long_date(value: str) -> str:
    """`2026-03-01` as `1er mars 2026`."""
    day = date.fromisoformat(value[:10])
    return f"{'1er' if day.day == 1 else day.day} {MONTHS[day.month - 1]} {day.year}"


def short_date(value: str) -> str:
    """`2026-03-01` as `01/03/2026`."""
    return f"{date.fromisoformat(value[:10]):%d/%m/%Y}"


def month(value: str) -> str:
    """`2026-03` as `mars 2026`."""
    return f"{MONTHS[int(value[5:7]) - 1]} {value[:4]}"


def recorded(value: str, field: str, zone: str) -> str:
    """A value of the journal: `01/03/2026` for a date, `160 000` for an amount, `oui`, the label of a code."""
    if value in ("true", "false"):
        return "oui" if value == "true" else "non"
    with suppress(ArithmeticError, ValueError):  # a user's text that only resembles a date or an amount stays as it is
        if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            return short_date(value)
        if INSTANT.fullmatch(value):
            return f"{datetime.fromisoformat(value).astimezone(ZoneInfo(zone)):%d/%m/%Y %H:%M:%S}"
        if re.fullmatch(r"-?\d+\.\d\d", value):
            return plain_amount(value)
    return label(value) if CODED.match(field) and re.fullmatch("[A-Z_]+", value) else value


def period(value: str) -> str:
    """`2026-08-01` as `01/08/2026`, `2026-08` as `août 2026`, `2026-W32` as `semaine 32, 2026`; else unchanged."""
    match = PERIOD.fullmatch(value)
    if match is None:
        return value
    year, week, _, day = match.groups()
    if week:
        return f"semaine {int(week)}, {year}"
    return short_date(value) if day else month(value)


def axis(values: Sequence[str]) -> list[str]:
    """Short labels of an axis: `01/08`, `août 2026`, `S32`. They carry the year when there are several years."""
    matches = [PERIOD.fullmatch(value) for value in values]
    several = len({match[1] for match in matches if match}) > 1
    return [value if match is None else _short(match, several) for value, match in zip(values, matches, strict=True)]


def _short(match: re.Match[str], with_year: bool) -> str:
    year, week, month_, day = match.groups()
    if week:
        return f"S{int(week)}" + (f" {year}" if with_year else "")
    if day:
        return f"{day}/{month_}" + (f"/{year[2:]}" if with_year else "")
    return f"{SHORT_MONTHS[int(month_) - 1]} {year}"
