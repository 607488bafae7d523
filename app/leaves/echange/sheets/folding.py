"""Folds words for comparison."""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """Lower case, without accents; anything but letters and digits is one space: « N° tél. » → « n tel »."""
    bare = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return " ".join("".join(c if c.isalnum() else " " for c in "".join(bare).casefold()).split())
