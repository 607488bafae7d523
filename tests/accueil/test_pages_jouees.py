"""The commands of the documents, played as they are written against a real server on a new database."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server import ROOT, Service, running

ADDRESS = "http://127.0.0.1:8000"
SHELL = ["bash", "-euo", "pipefail", "-c"]
PYTHON = [sys.executable, "-c"]


@pytest.fixture
def service(database_url: str, tmp_path: Path) -> Iterator[Service]:
    with running(tmp_path, DATABASE_URL=database_url) as found:
        yield found


@pytest.mark.parametrize(
    ("page", "language", "command", "refused"),
    [
        ("README.md", "sh", SHELL, ["SURPAIEMENT"]),
        ("LISEZMOI.md", "sh", SHELL, ["SURPAIEMENT"]),
        ("docs/journee.md", "sh", SHELL, ["PERIODE_CAISSE_FERMEE"]),
        ("docs/journee.md", "python", PYTHON, []),
    ],
)
def test_the_page_does_what_it_says(
    service: Service, page: str, language: str, command: list[str], refused: list[str]
) -> None:
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    [script] = [block.replace(ADDRESS, service.url) for block in blocks if ADDRESS in block]
    done = subprocess.run([*command, script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    promised = re.findall(r"^# → (.*)$", script, re.MULTILINE)
    assert len(promised) >= 4
    rest = done.stdout
    for text in promised:  # each after the one before
        _, found, rest = rest.partition(text)
        assert found, f"{text!r} is not in what follows:\n{done.stdout}"
    assert re.findall(r'"success":false,"code":"(\w+)"', done.stdout) == refused
