"""docs/journee.md played as it is written, against a real server on a new database: the page cannot go stale."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server import ROOT, Service, running

ADDRESS = "http://127.0.0.1:8000"
PAGE = (ROOT / "docs/journee.md").read_text()


@pytest.fixture
def service(database_url: str, tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path, DATABASE_URL=database_url) as found:
        yield found


@pytest.mark.parametrize(
    ("language", "command"), [("sh", ["bash", "-euo", "pipefail", "-c"]), ("python", [sys.executable, "-c"])]
)
def test_the_page_does_what_it_says(service: Service, language: str, command: list[str]) -> None:
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1 and ADDRESS in blocks[0]
    script = blocks[0].replace(ADDRESS, service.url)
    done = subprocess.run([*command, script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    promised = re.findall(r"^# → (.*)$", script, re.MULTILINE)
    assert len(promised) >= 5
    rest = done.stdout
    for text in promised:  # each after the one before
        _, found, rest = rest.partition(text)
        assert found, f"{text!r} is not in what follows:\n{done.stdout}"
    if language == "sh":
        refused = re.findall(r'"success":false,"code":"(\w+)"', done.stdout)
        assert refused == ["PERIODE_CAISSE_FERMEE"]  # and nothing else was
