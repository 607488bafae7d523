"""The imports at the start: every service, command and test waits for them."""

import subprocess
import sys
from pathlib import Path

RARE = {"aioboto3", "jinja2", "openpyxl", "procrastinate", "pygal", "pyppeteer", "redis", "socketio"}


def test_the_start_does_not_import_rarely_used_packages() -> None:
    script = "import sys, app.commands.application; print(*sys.modules)"
    root = Path(__file__).parents[2]
    result = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    assert not RARE & set(result.stdout.split())
