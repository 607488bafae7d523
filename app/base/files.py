"""Temporary folders, and files that other programs read while they are written."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

LOCK = "verrou"  # locked while the process that created the folder lives


class Scratch:
    """Creates a temporary folder whose name begins with `prefix`, and removes those whose process was killed."""

    def __init__(self, prefix: str) -> None:
        for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
            with suppress(OSError):
                _remove_abandoned(folder)
        self.path = Path(tempfile.mkdtemp(prefix=prefix))
        # The lock file gets its final name once it is locked: a folder without that name is still being created.
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
    """Raises OSError when the folder is being created, is in use, or cannot be opened."""
    if folder.lstat().st_uid != os.geteuid():
        return
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)


def write_whole(file: Path, text: str) -> None:
    """Write a file and its folder. A reader never sees half of it, and a killed process leaves the former file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f"{file.name}.nouveau")
    partial.write_text(text)
    partial.replace(file)


def own_key(file: Path, make: Callable[[], str]) -> str:
    """The key of a development machine, in a file beside its data. Concurrent processes get the same key."""
    with suppress(FileNotFoundError):
        return file.read_text().strip()
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    new.touch(mode=0o600)
    new.write_text(f"{make()}\n")
    with suppress(FileExistsError):
        os.link(new, file)
    new.unlink()
    return file.read_text().strip()
