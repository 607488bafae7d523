"""Temporary folders: one left behind by a killed process is removed when the next of its kind is made."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

LOCK = "verrou"  # held while the process that made the folder lives


class Scratch:
    """A new folder whose name begins with `prefix`; the folders of that prefix whose process is gone are removed."""

    def __init__(self, prefix: str) -> None:
        for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
            with suppress(OSError):
                _remove_abandoned(folder)
        self.path = Path(tempfile.mkdtemp(prefix=prefix))
        # The lock's file gets its name once it is held: a folder without that name is being made.
        making = self.path / f"{LOCK}.nouveau"
        self._lock = os.open(making, os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        making.rename(self.path / LOCK)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.remove()

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def _remove_abandoned(folder: Path) -> None:
    """Raises OSError where the folder is being made, is in use, or cannot be opened."""
    if folder.lstat().st_uid != os.geteuid():
        return
    held = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(held)
