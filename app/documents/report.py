"""What a report shows beside its tables."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chart:
    """Lists of a report, or parts of it, as a chart: a column of labels, and columns of values added up for each."""

    title: str
    tables: tuple[str, ...] = ("",)  # "" for the rows of a report that is one list
    label: str = "libelle"
    values: tuple[str, ...] = ("valeur",)
    lines: bool = False  # a course in time
    without: tuple[str, ...] = ()  # values of a part that are not of the same kind as the others


@dataclass(frozen=True, slots=True)
class Report:
    """What a report is as pages: its title, its charts, columns that are added up, and those that stay out."""

    title: str
    charts: tuple[Chart, ...] = ()
    totals: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    month: bool = False  # without a period it is of the current month, though its answer does not say so
