"""The result of this room, a file with its name and media type, and the layout of a report."""

import re
from dataclasses import dataclass

MEDIA = {
    "beancount": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "hledger": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "png": "image/png",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@dataclass(frozen=True, slots=True)
class Document:
    name: str  # of the file
    media_type: str
    body: bytes


def file_name(text: str) -> str:
    """The text as a file name that is valid in a header and on every file system."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", text)


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
    day: bool = False  # the report says what is there at the end of one day, today without « au »
    signed: bool = False  # a financial statement: rows in capitals are sums, and the page ends with two signatures
    month: bool = False  # without a period the report covers the current month, though its answer does not say so
