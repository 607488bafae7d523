"""The examples of the documents run as written, on a real server with a new database.

LISEZMOI.md has the same commands as README.md: tests/house/test_front_door.py.
"""

import re
import subprocess
import sys

import pytest

from tests.server import ROOT, running

ADDRESS = "http://127.0.0.1:8000"
COMMANDS = {"sh": ["bash", "-euo", "pipefail", "-c"], "python": [sys.executable, "-c"]}


@pytest.mark.parametrize(
    "examples",
    [
        {("README.md", "sh"): ["SURPAIEMENT"], ("docs/journee.md", "python"): []},
        {("docs/journee.md", "sh"): ["PERIODE_CAISSE_FERMEE"]},
    ],
)
def test_the_examples_of_a_page_print_the_documented_output(database_url, tmp_path, examples):
    with running(tmp_path, DATABASE_URL=database_url) as service:
        for (page, language), refused in examples.items():
            blocks = re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
            [script] = [block.replace(ADDRESS, service.url) for block in blocks if ADDRESS in block]
            completed = subprocess.run([*COMMANDS[language], script], capture_output=True, text=True)
            assert completed.returncode == 0, f"{page}: {completed.stdout}\n{completed.stderr}"
            expected = re.findall(r"^# → (.*)$", script, re.MULTILINE)
            assert len(expected) >= 4
            rest = completed.stdout
            for text in expected:  # in the order of the page
                _, match, rest = rest.partition(text)
                assert match, f"{page}: {text!r} is missing or out of order in the output:\n{completed.stdout}"
            assert re.findall(r'"success":false,"code":"(\w+)"', completed.stdout) == refused
