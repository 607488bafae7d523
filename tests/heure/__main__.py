"""Run pytest at another hour: python -m tests.heure ARGUMENTS, with HEURE='2026-12-31 23:59:00' (UTC) and FUSEAU."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
LIBRARIES = ("/usr/lib/*/faketime/libfaketimeMT.so.1", "/usr/lib*/faketime/libfaketimeMT.so.1")


def environment(hour: str, zone: str) -> dict[str, str]:
    """The clock moved by a constant: it runs on, the same for each process whenever it starts."""
    found = {"ESSAIS_FUSEAU": zone} if zone else {}
    if hour:
        library = next((path for pattern in LIBRARIES for path in Path("/").glob(pattern.lstrip("/"))), None)
        if library is None:
            sys.exit("HEURE demande libfaketime : sudo apt install libfaketime.")
        ahead = round((datetime.fromisoformat(hour).replace(tzinfo=UTC) - datetime.now(UTC)).total_seconds())
        found |= {
            "LD_PRELOAD": str(library),
            "FAKETIME": f"{ahead:+}",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "PYTHONPATH": str(HERE),
            "PATH": f"{HERE}:{os.environ['PATH']}",
        }
    return found


if __name__ == "__main__":
    changed = environment(os.environ.get("HEURE", ""), os.environ.get("FUSEAU", ""))
    os.execve(sys.executable, [sys.executable, "-m", "pytest", *sys.argv[1:]], {**os.environ, **changed})
