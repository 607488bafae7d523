"""`make client` has valid inputs. Where npx and uvx are available, it writes the TypeScript and the Python client."""

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
[TYPESCRIPT], [PYTHON] = (
    re.findall(rf"{name}\S*\d", MAKEFILE) for name in ("openapi-typescript@", "openapi-python-client==")
)

LIBRARIES = ("httpx", "attrs", "python-dateutil", "types-python-dateutil")
MYPY = ["uvx", *(word for name in LIBRARIES for word in ("--with", name)), "mypy", "--strict", "comptoir_client"]
TSC = ["npx", "--yes", "--package", "typescript@5.9.3", "tsc", "--noEmit", "--strict", "--target", "es2022"]
CLIENT_TS = """
import type { components, paths } from "./comptoir";

type Facture = components["schemas"]["FactureDetail"];
type Posted<B> = { post: { requestBody: { content: { "application/json": B } } } };
type Body<P extends keyof paths> = paths[P] extends Posted<infer B> ? B : never;

export const numero = (facture: Facture): string => facture.numero;
export const client = (facture: Facture): string => facture.client_nom ?? "";
export const total = (facture: Facture): number => facture.lignes.reduce((sum, ligne) => sum + Number(ligne.total), 0);
export const login: Body<"/api/v1/auth/login"> = { login: "awa.exemple", mot_de_passe: "motdepasse" };
export const facturer: Body<"/api/v1/facturation/prestations/{id_prestation}/facturer"> = {
  montant: "5000.00", id_moyen: 1, lignes: [{ libelle: "Chaises", prix_unitaire: "500" }],
};
// @ts-expect-error the password is required
export const incomplete: Body<"/api/v1/auth/login"> = { login: "awa.exemple" };
// @ts-expect-error a client's name may be null
export const nullable = (facture: Facture): string => facture.client_nom;
"""


@pytest.fixture
def schemas(http: Any) -> dict[str, Any]:
    definitions: dict[str, Any] = http.get("/docs-json").json()["components"]["schemas"]
    return definitions


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def make_client(target: Path) -> None:
    """Run `make client` without a database, as in a fresh checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DATABASE_")}
    environment["COMPTOIR_ETAT"] = str(target / "etat")
    command = ["make", "client", f"CLIENT={target}"]
    completed = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert completed.returncode == 0, completed.stderr
    assert "omitted" not in completed.stdout + completed.stderr  # the generator omits media types that python.yml lacks


def test_the_configuration_renames_existing_schemas_to_unused_names(schemas: dict[str, Any]) -> None:
    assert f"--config {CONFIGURATION.relative_to(ROOT)}" in MAKEFILE
    renamed = yaml.safe_load(CONFIGURATION.read_text())["class_overrides"]
    assert renamed and set(renamed) <= set(schemas)
    assert not {override["class_name"] for override in renamed.values()} & set(schemas)


def is_available(*command: str) -> bool:
    """Return whether the tool is installed and its package is cached or can be downloaded."""
    if shutil.which(command[0]) is None:
        return False
    try:
        return subprocess.run(command, capture_output=True, timeout=100, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def test_make_client_writes_the_typescript_and_the_python_client(tmp_path: Path, schemas: dict[str, Any]) -> None:
    if not is_available("npx", "--yes", TYPESCRIPT, "--version"):
        pytest.skip("npx is missing, or the npm registry is unreachable")
    make_client(tmp_path)
    assert set(json.loads((tmp_path / "comptoir.json").read_text())["components"]["schemas"]) == set(schemas)
    typescript = (tmp_path / "comptoir.ts").read_text()
    assert all(re.search(rf'^ +"?{name}"?: ', typescript, re.MULTILINE) for name in schemas)
    (tmp_path / "client.ts").write_text(CLIENT_TS)
    compiled = run(tmp_path, *TSC, "client.ts")
    assert compiled.returncode == 0, compiled.stdout
    if not is_available("uvx", "--from", PYTHON, "openapi-python-client", "--version"):
        pytest.skip("uvx is missing, or PyPI is unreachable")
    models = tmp_path / "comptoir_client/models"
    assert "class FicheClient" in (models / "fiche_client.py").read_text()
    modules = list((tmp_path / "comptoir_client").rglob("*.py"))
    assert len(modules) > len(schemas)
    for path in modules:
        assert path.name.isascii() and path.parent.name.isascii()  # importable by a name that any keyboard types
        ast.parse(path.read_text(), str(path))
    checked = run(tmp_path, *MYPY)
    assert checked.returncode == 0, checked.stdout
