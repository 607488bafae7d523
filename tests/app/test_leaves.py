"""The program runs without the folder of any leaf: it serves the other routes, and the leaf's commands are unknown."""

from __future__ import annotations

import shutil
from importlib import import_module
from pathlib import Path

import pytest

from app import routes
from app.__main__ import COMMANDS
from app.base.settings import ROOT
from app.database.release import SLICES
from tests import commands
from tests.server import environment, running

LEAVES = sorted(path.parent.name for path in (ROOT / "app" / "leaves").glob("*/__init__.py"))


def test_with_all_leaves_each_slice_has_its_routes() -> None:
    assert {*SLICES} <= {*routes.modules()}


@pytest.mark.parametrize("name", LEAVES)
def test_the_program_runs_without_the_folder_of_a_leaf(name: str, tmp_path: Path, module_url: str) -> None:
    checkout = tmp_path / "sans"
    shutil.copytree(ROOT / "app", checkout / "app", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(checkout / "app" / "leaves" / name)
    leaf = import_module(f"app.leaves.{name}").LEAF
    for folder in ("sql", "migrations"):
        (checkout / folder).symlink_to(ROOT / folder)
    # PYTHONSAFEPATH keeps the folder of the tests, which has the leaf, out of the way.
    extra = {"PYTHONPATH": str(checkout), "PYTHONSAFEPATH": "1", "DATABASE_URL": module_url}
    with running(tmp_path, **extra) as service:
        client = service.login()
        assert client.get("/core/parametres").status_code == 200
        for route in [route for route in routes.load().routes if route.slice in leaf.routes]:
            assert client.request(route.method, f"{service.url}{route.path}").status_code == 404
    for command in leaf.commands:
        assert command in COMMANDS
        refused = commands.run_apart(environment(extra), command)
        assert refused.returncode == 2 and f"{command} n'existe pas" in refused.stderr
    if leaf.servers:
        refused = commands.run_apart(environment({**extra, "DATABASE_URL": ""}), "check")
        assert refused.returncode == 1 and "DATABASE_URL manque" in refused.stderr
