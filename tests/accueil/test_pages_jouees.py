"""The examples of the documents run as written, on a real server with a new database."""

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
    with running(tmp_path, DATABASE_URL=database_url) as server:
        yield server


@pytest.mark.parametrize(
    ("page", "language", "command", "refused"),
    [
        ("README.md", "sh", SHELL, ["SURPAIEMENT"]),
        ("LISEZMOI.md", "sh", SHELL, ["SURPAIEMENT"]),
        ("docs/journee.md", "sh", SHELL, ["PERIODE_CAISSE_FERMEE"]),
        ("docs/journee.md", "python", PYTHON, []),
    ],
)
def test_the_examples_of_a_page_print_the_documented_output(
    service: Service, page: str, language: str, command: list[str], refused: list[str]
) -> None:
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    [script] = [block.replace(ADDRESS, service.url) for block in blocks if ADDRESS in block]
    completed = subprocess.run([*command, script], capture_output=True, text=True)
    assert completed.returncode == 0, f"{completed.stdout}\n{completed.stderr}"
    expected = re.findall(r"^# → (.*)$", script, re.MULTILINE)
    assert len(expected) >= 4
    rest = completed.stdout
    for text in expected:  # in the order of the page
        _, match, rest = rest.partition(text)
        assert match, f"{text!r} is missing or out of order in the output:\n{completed.stdout}"
    assert re.findall(r'"success":false,"code":"(\w+)"', completed.stdout) == refused
