"""What a start reads: every service, command and test waits for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RARE = {"aioboto3", "jinja2", "openpyxl", "procrastinate", "pygal", "pyppeteer", "redis", "socketio"}


def test_what_few_requests_need_is_read_by_the_first_of_them() -> None:
    script = "import sys, app.application; print(*sys.modules)"
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    assert not RARE & set(done.stdout.split())
