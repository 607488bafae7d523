"""The shares of the settlement after each change, in histoire.json."""

import json
import subprocess
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from bench.goal import Goal

HERE = Path(__file__).resolve().parent
FILE = HERE / "histoire.json"
GOALS = ("settlement-bare", "settlement-http", "settlement-scaling", "journal-cost")


def read() -> list[dict[str, Any]]:
    runs: list[dict[str, Any]] = json.loads(FILE.read_text())
    return runs


def add(goals: Sequence[Goal]) -> None:
    """Add this run under the subject of the present commit. A second run of a commit replaces the first."""
    command = ["git", "log", "-1", "--format=%s"]
    subject = subprocess.run(command, cwd=HERE, check=True, capture_output=True, text=True).stdout.strip()
    measured = {goal.name: round(goal.value, 3) for goal in goals if goal.name in GOALS}
    runs = [run for run in read() if run["commit"] != subject]
    runs.append({"commit": subject, "date": date.today().isoformat(), **measured})
    FILE.write_text(json.dumps(runs, indent=2, ensure_ascii=False) + "\n")
