"""Texts that a spreadsheet would compute: an apostrophe before them keeps them texts."""

import re

FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # first characters of a text that a spreadsheet would compute
_DANGEROUS = re.compile(f"[ ']*[{re.escape(''.join(FORMULA))}]")


def harmless(text: str) -> str:
    """Prefix a text that a spreadsheet would compute with an apostrophe, so it stays a text.

    A text that already has such a prefix gets another one, so that `original` is exact.
    """
    return f"'{text}" if _DANGEROUS.match(text) else text


def original(text: str) -> str:
    """The text before `harmless`."""
    return text[1:] if text.startswith("'") and _DANGEROUS.match(text) else text
