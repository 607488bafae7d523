"""The two lock files, for the service and for development, agree on versions and hashes."""

import re

from tests.house.rule import ROOT, holds

NO_WHEEL = {"docopt"}  # only the command line of num2words imports it, so the service does not install it


def locked(name: str) -> dict[str, set[str]]:
    entries = re.split(r"^(?=[a-z0-9])", (ROOT / name).read_text(), flags=re.MULTILINE)[1:]
    return {entry.split()[0]: set(re.findall(r"sha256:\w{64}", entry)) for entry in entries}


def test_the_service_installs_only_tested_packages() -> None:
    service, tested = locked("requirements-service.lock"), locked("requirements.lock")
    assert len(service) > 50
    holds(
        "The service installs only tested packages: the same versions and hashes.",
        [f"requirements-service.lock: {name}" for name in service if tested.get(name) != service[name]],
        "make lock",
    )


def test_the_service_installs_no_development_tool_and_only_wheels() -> None:
    names = {entry.partition("==")[0].partition("[")[0] for entry in locked("requirements-service.lock")}
    holds(
        "The service installs no development tool, and only packages with a wheel.",
        [
            f"requirements-service.lock: {name}"
            for name in names & (NO_WHEEL | {"pytest", "mypy", "ruff", "hypothesis", "schemathesis"})
        ],
        "move the package to the extra « dev » of pyproject.toml, then make lock",
    )
