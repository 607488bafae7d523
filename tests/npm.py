"""Packages of npm in a folder of their own. A test that needs one is skipped where npm or its registry is missing."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

OFFLINE = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|ERR_SOCKET|CERT|network", re.IGNORECASE)
OPTIONS = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", "--fetch-retries=1"]


def installed(folder: Path, *packages: str) -> Path:
    """Install the packages into the folder. Return its node_modules."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"npm is not installed: {', '.join(packages)} cannot be had")
    result = run(folder, npm, "install", *OPTIONS, *packages)
    reason = [line for line in result.stderr.splitlines() if OFFLINE.search(line)]
    if result.returncode and reason:
        pytest.skip(f"the npm registry cannot be reached: {reason[0]}")
    assert result.returncode == 0, result.stderr
    return folder / "node_modules"


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)
