"""Two lock files: what the service needs, and all that tests and checks need beside it. Both name the same files."""

from __future__ import annotations

import re
from pathlib import Path

from tests.house.rule import holds

ROOT = Path(__file__).parents[2]
NO_WHEEL = {"docopt"}  # num2words imports it for its command line alone: the service goes without it


def locked(name: str) -> dict[str, set[str]]:
    """Package and version → its hashes."""
    entries = re.split(r"^(?=[a-z0-9])", (ROOT / name).read_text(), flags=re.MULTILINE)[1:]
    return {entry.split()[0]: set(re.findall(r"sha256:\w{64}", entry)) for entry in entries}


def test_the_service_installs_a_part_of_what_is_tested() -> None:
    service, tested = locked("requirements-service.lock"), locked("requirements.lock")
    assert len(service) > 50
    holds(
        "The service installs what is tested: the same versions and hashes.",
        [f"requirements-service.lock: {name}" for name in service if tested.get(name) != service[name]],
        "make lock",
    )


def test_the_service_goes_without_what_has_no_wheel() -> None:
    names = {entry.partition("==")[0].partition("[")[0] for entry in locked("requirements-service.lock")}
    holds(
        "The service installs no development tool, and nothing that has no wheel.",
        [
            f"requirements-service.lock: {name}"
            for name in names & (NO_WHEEL | {"pytest", "mypy", "ruff", "hypothesis", "schemathesis"})
        ],
        "move the package to the extra « dev » of pyproject.toml, then make lock",
    )
