"""The program runs without the folder of any leaf: it serves the other routes, and the leaf's commands are unknown."""

import re
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


@pytest.mark.parametrize("names", [LEAVES, ["echange"]], ids=["all", "echange"])
def test_the_program_runs_without_the_folders_of_leaves(names: list[str], tmp_path: Path, module_url: str) -> None:
    """No leaf imports another one, but for the removal of an organisation, which asks whether echange is there."""
    checkout = tmp_path / "sans"
    shutil.copytree(ROOT / "app", checkout / "app", ignore=shutil.ignore_patterns("__pycache__"))
    for name in names:
        shutil.rmtree(checkout / "app" / "leaves" / name)
    leaves = [import_module(f"app.leaves.{name}").LEAF for name in names]
    for folder in ("sql", "migrations"):
        (checkout / folder).symlink_to(ROOT / folder)
    # PYTHONSAFEPATH keeps the folder of the tests, which has the leaves, out of the way.
    extra = {"PYTHONPATH": str(checkout), "PYTHONSAFEPATH": "1", "DATABASE_URL": module_url}
    with running(tmp_path, **extra) as service:
        client = service.login()
        assert client.get("/core/parametres").status_code == 200
        gone = {slice for leaf in leaves for slice in leaf.routes}
        for route in [route for route in routes.load().routes if route.slice in gone]:
            answer = client.request(route.method, f"{service.url}{route.path}")
            assert answer.status_code in (404, 405)  # 405: the path has another method of the core
    unknown = [command for leaf in leaves for command in leaf.commands]
    assert {*unknown} <= {*COMMANDS}
    if unknown:
        refused = commands.run_apart(environment(extra), unknown[0])
        assert refused.returncode == 2 and f"{unknown[0]} n'existe pas" in refused.stderr
        _, _, known = refused.stderr.partition("il y a : ")
        assert known and not {*unknown} & {*re.findall(r"\w+", known)}
    if any(leaf.servers for leaf in leaves):
        refused = commands.run_apart(environment({**extra, "DATABASE_URL": ""}), "check")
        assert refused.returncode == 1 and "DATABASE_URL manque" in refused.stderr
