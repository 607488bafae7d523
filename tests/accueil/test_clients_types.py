"""`make client` has valid inputs. Where npx and uvx are available, it writes the TypeScript and the Python client."""

import ast
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()
CONFIGURATION = ROOT / "deploiement/client/python.yml"
TYPESCRIPT, PYTHON = (
    re.findall(rf"{name}\S*\d", MAKEFILE) for name in ("openapi-typescript@", "openapi-python-client==")
)

LIBRARIES = ("httpx", "attrs", "python-dateutil", "types-python-dateutil")
MYPY = ["uvx", *(word for name in LIBRARIES for word in ("--with", name)), "mypy", "--strict", "comptoir_client"]


@pytest.fixture
def schemas(http):
    return http.get("/docs-json").json()["components"]["schemas"]


def make_client(target):
    """Run `make client` without a database, as in a fresh checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DATABASE_")}
    environment["COMPTOIR_ETAT"] = str(target / "etat")
    command = ["make", "client", f"CLIENT={target}"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def test_the_configuration_renames_existing_schemas_to_unused_names(schemas):
    assert f"--config {CONFIGURATION.relative_to(ROOT)}" in MAKEFILE
    renamed = yaml.safe_load(CONFIGURATION.read_text())["class_overrides"]
    assert renamed and set(renamed) <= set(schemas)
    assert not {override["class_name"] for override in renamed.values()} & set(schemas)


def test_the_makefile_pins_one_version_of_each_generator():
    assert len(TYPESCRIPT) == len(PYTHON) == 1


def is_available(*command):
    """Return whether the tool is installed and its package is cached or can be downloaded."""
    if shutil.which(command[0]) is None:
        return False
    try:
        return subprocess.run(command, capture_output=True, timeout=100, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def test_make_client_writes_the_typescript_and_the_python_client(tmp_path, schemas):
    if not is_available("npx", "--yes", *TYPESCRIPT, "--version"):
        pytest.skip("npx is missing, or the npm registry is unreachable")
    if not is_available("uvx", "--from", *PYTHON, "openapi-python-client", "--version"):
        pytest.skip("uvx is missing, or PyPI is unreachable")
    completed = make_client(tmp_path)
    assert completed.returncode == 0, completed.stderr
    assert "omitted" not in completed.stdout + completed.stderr  # the generator omits media types that python.yml lacks
    assert set(json.loads((tmp_path / "comptoir.json").read_text())["components"]["schemas"]) == set(schemas)
    typescript = (tmp_path / "comptoir.ts").read_text()
    assert all(re.search(rf'^ +"?{name}"?: ', typescript, re.MULTILINE) for name in schemas)
    models = tmp_path / "comptoir_client/models"
    assert "class FicheClient" in (models / "fiche_client.py").read_text()
    modules = list((tmp_path / "comptoir_client").rglob("*.py"))
    assert len(modules) > len(schemas)
    for path in modules:
        assert path.name.isascii() and path.parent.name.isascii()  # importable by a name that any keyboard types
        ast.parse(path.read_text(), str(path))
    checked = subprocess.run(MYPY, cwd=tmp_path, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
