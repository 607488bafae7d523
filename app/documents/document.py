"""The result of this room: a file with its name and media type."""

from __future__ import annotations

import re
from dataclasses import dataclass

MEDIA = {
    "csv": "text/csv; charset=utf-8",
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
