"""A file that cannot be imported, or a cell. The message is for the user."""

from __future__ import annotations

from app.base.failure import Failure


class BadSheet(Failure):
    """The file, or its columns (`colonnes`), cannot be used. The message says what to do."""

    def __init__(self, message: str, field: str = "file") -> None:
        super().__init__(message)
        self.field = field


class BadCell(Exception):
    """A cell has more than one reading. The message names them."""
