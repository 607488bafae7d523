"""The layout of a report: title, charts, totals, hidden columns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of lists or parts of a report. The values of rows with the same label are added up."""

    title: str
    tables: tuple[str, ...] = ("",)  # names of lists or parts; "" when the report is one list
    label: str = "libelle"
    values: tuple[str, ...] = ("valeur",)
    lines: bool = False  # lines over time instead of bars
    without: tuple[str, ...] = ()  # values of a part to leave out, because their meaning differs


@dataclass(frozen=True, slots=True)
class Report:
    """A printed report: its title, its charts, the columns with totals, and the columns to hide."""

    title: str
    charts: tuple[Chart, ...] = ()
    totals: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    month: bool = False  # without a period the report covers the current month, though its answer does not say so
