"""Run pytest with another clock: python -m tests.heure ARGUMENTS, with HEURE='2028-12-31 23:59:00' (UTC) and FUSEAU."""

from __future__ import annotations

import os
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

from app.documents.chromium import NAMES

HERE = Path(__file__).parent
BROWSERS = HERE.parents[1] / ".pytest_cache" / "heure"
LIBRARIES = ("/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib*/faketime/libfaketimeMT.so.1")


def environment(hour: str, zone: str) -> dict[str, str]:
    """Return the variables that shift the clock by a constant, so that all processes have the same time."""
    variables = {"ESSAIS_FUSEAU": zone} if zone else {}
    if hour:
        library = next((path for pattern in LIBRARIES for path in Path("/").glob(pattern.lstrip("/"))), None)
        if library is None:
            sys.exit("HEURE demande libfaketime : sudo apt install libfaketime.")
        ahead = round((datetime.fromisoformat(hour).replace(tzinfo=UTC) - datetime.now(UTC)).total_seconds())
        if ahead < 0:  # the timers of PostgreSQL would end at once, because its signal handlers see the real time
            sys.exit(f"HEURE doit être à venir, et {hour} est passée.")
        variables |= {
            "LD_PRELOAD": str(library),
            "FAKETIME": f"{ahead:+}",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "PYTHONPATH": str(HERE),
            "PATH": f"{_browsers()}:{os.environ['PATH']}",
        }
    return variables


def _browsers() -> Path:
    """Make a folder in which the name of each installed browser links to a script without libfaketime."""
    shutil.rmtree(BROWSERS, ignore_errors=True)
    BROWSERS.mkdir(parents=True)
    for name in filter(shutil.which, NAMES):
        (BROWSERS / name).symlink_to(HERE / "browser")
    return BROWSERS


if __name__ == "__main__":
    changed = environment(os.environ.get("HEURE", ""), os.environ.get("FUSEAU", ""))
    os.execve(sys.executable, [sys.executable, "-m", "pytest", *sys.argv[1:]], {**os.environ, **changed})
