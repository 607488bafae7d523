"""Files that other programs read while they are written."""

from __future__ import annotations

from pathlib import Path


def write_whole(file: Path, text: str) -> None:
    """Write a file and its folder. A reader never sees half of it, and a killed process leaves the former file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f"{file.name}.nouveau")
    partial.write_text(text)
    partial.replace(file)
