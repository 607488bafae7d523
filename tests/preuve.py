"""Collects the promises of the service and the results of their tests: short in `make test`, long in `make proof`.

A promise is the French sentence of a `promesse` mark. It holds if every test with this mark passes. A test reports
its measurements with `record_property`. `make proof` prints the table at its end.
"""

import os
from dataclasses import dataclass, field
from typing import TypeVar

import pytest

T = TypeVar("T")

LONGUE = os.environ.get("PREUVE") == "longue"
FOLDERS = {"faults", "security", "races", "fuzz"}
WIDTH = 120


def selon(court: T, long: T) -> T:
    """Return the first value in `make test`, the second in `make proof`."""
    return long if LONGUE else court


@dataclass
class Promise:
    tests: int = 0
    passed: int = 0
    seconds: float = 0.0
    figures: dict[str, str] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        return self.passed == self.tests


class Proof:
    """Collects promises from the reports of all workers."""

    def __init__(self) -> None:
        self.promises: dict[str, Promise] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            mark = item.get_closest_marker("promesse")
            if mark is not None:
                item.user_properties.append(("promesse", mark.args[0]))
            elif item.path.parent.name in FOLDERS:  # without a mark, the test counts as a promise of its own
                name = getattr(item, "originalname", item.name)
                item.user_properties.append(("promesse", f"{item.path.parent.name}/{item.path.stem} : {name}"))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        properties = dict(report.user_properties)
        sentence = properties.pop("promesse", None)
        if sentence is None:
            return
        promise = self.promises.setdefault(str(sentence), Promise())
        promise.seconds += report.duration
        if report.when == "setup":
            promise.tests += 1
        if report.when == "call":
            promise.passed += report.passed
            promise.figures |= {name: str(value) for name, value in properties.items()}
        if report.when == "teardown" and report.failed:
            promise.passed -= 1

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        if LONGUE and self.promises and not hasattr(config, "workerinput"):
            print("\n" + "\n".join(self.table()), flush=True)

    def table(self) -> list[str]:
        lines = ["", f"{'':8}{'promesse':{WIDTH}} secondes", "─" * (WIDTH + 17)]
        for sentence, promise in self.promises.items():
            verdict = "tient" if promise.holds else "ROMPUE"
            lines.append(f"{verdict:8}{sentence:{WIDTH}} {promise.seconds:8.1f}")
            lines += [f"{'':10}{name} : {value}" for name, value in promise.figures.items()]
        held = sum(promise.holds for promise in self.promises.values())
        return [*lines, "", f"proof: {held} of {len(self.promises)} hold"]


def register(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "promesse(phrase): ce que le service promet, prouvé par cet essai")
    config.pluginmanager.register(Proof(), "preuve")
