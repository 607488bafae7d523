"""`make client`: what it reads is there and fits together; where its tools can be had, both clients come out."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()
CONFIGURATION = ROOT / "deploiement/client/python.yml"
TYPESCRIPT, PYTHON = (
    re.findall(rf"{name}\S*\d", MAKEFILE) for name in ("openapi-typescript@", "openapi-python-client==")
)


@pytest.fixture
def schemas(http: Any) -> dict[str, Any]:
    found: dict[str, Any] = http.get("/docs-json").json()["components"]["schemas"]
    return found


def make_client(target: Path) -> subprocess.CompletedProcess[str]:
    """As in a fresh checkout: no database yet."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DATABASE_")}
    environment["COMPTOIR_ETAT"] = str(target / "etat")
    command = ["make", "client", f"CLIENT={target}"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)


def test_the_configuration_renames_schemas_that_exist_to_names_that_are_free(schemas: dict[str, Any]) -> None:
    assert f"--config {CONFIGURATION.relative_to(ROOT)}" in MAKEFILE
    renamed = yaml.safe_load(CONFIGURATION.read_text())["class_overrides"]
    assert renamed and set(renamed) <= set(schemas)
    assert not {override["class_name"] for override in renamed.values()} & set(schemas)


def test_the_tools_have_a_fixed_version() -> None:
    assert len(TYPESCRIPT) == len(PYTHON) == 1


def can_be_had(*command: str) -> bool:
    """The tool is installed, and the package that it runs is at hand or can be downloaded."""
    if shutil.which(command[0]) is None:
        return False
    try:
        return subprocess.run(command, capture_output=True, timeout=100, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


@pytest.mark.timeout(600)
def test_both_clients_come_out(tmp_path: Path, schemas: dict[str, Any]) -> None:
    if not can_be_had("npx", "--yes", *TYPESCRIPT, "--version"):
        pytest.skip("no npx, or no way to npm")
    if not can_be_had("uvx", "--from", *PYTHON, "openapi-python-client", "--version"):
        pytest.skip("no uvx, or no way to PyPI")
    done = make_client(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "omitted" not in done.stdout + done.stderr  # a file's type that python.yml does not know
    assert set(json.loads((tmp_path / "comptoir.json").read_text())["components"]["schemas"]) == set(schemas)
    typescript = (tmp_path / "comptoir.ts").read_text()
    assert all(re.search(rf'^ +"?{name}"?: ', typescript, re.MULTILINE) for name in schemas)
    models = tmp_path / "comptoir_client/models"
    assert "class FicheClient" in (models / "fiche_client.py").read_text()
    written = list((tmp_path / "comptoir_client").rglob("*.py"))
    assert len(written) > len(schemas)
    for path in written:
        ast.parse(path.read_text(), str(path))
