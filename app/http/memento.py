"""Answers for a past instant: `?instant=` of an operation, and Memento-Datetime (RFC 7089).

Such an answer has no ETag: no write may depend on the version of a past state.
"""

from __future__ import annotations

from typing import Any


def memento(row: Any) -> dict[str, str]:
    """The header of an answer for a past instant; none for the present."""
    return {"Memento-Datetime": row["memento"]} if "memento" in row else {}
