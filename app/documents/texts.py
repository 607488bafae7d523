"""Amounts, quantities and dates as people read them in French."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

MONTHS = (
    *("janvier", "février", "mars", "avril", "mai", "juin"),
    *("juillet", "août", "septembre", "octobre", "novembre", "décembre"),
)


def plain_amount(value: Any) -> str:
    """`95 000`, its spaces unbreakable; cents only where there are any."""
    rounded = Decimal(str(value)).quantize(Decimal("0.01"), ROUND_HALF_UP)
    digits = f"{rounded:,.2f}".removesuffix(".00")
    return digits.replace(",", "\N{NO-BREAK SPACE}").replace(".", ",").replace("-", "\N{MINUS SIGN}")


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
