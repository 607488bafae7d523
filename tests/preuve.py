"""What the service promises, and what its proof found: `make test` proves in short, `make proof` at length.

A promise is the French sentence of a `promesse` mark; it holds when every test under it passes. What a test measures
it tells by `record_property`. The table comes at the end of `make proof`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TypeVar

import pytest

T = TypeVar("T")

LONGUE = os.environ.get("PREUVE") == "longue"
FOLDERS = {"faults", "security", "races", "fuzz"}
WIDTH = 120


def selon(court: T, long: T) -> T:
    """How much of it: of the short form, or of the long one."""
    return long if LONGUE else court


@dataclass
class Promise:
    tests: int = 0
    kept: int = 0
    seconds: float = 0.0
    figures: dict[str, str] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        return self.kept == self.tests


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
            elif item.path.parent.name in FOLDERS:  # a promise that nobody has put into words yet counts as well
                name = getattr(item, "originalname", item.name)
                item.user_properties.append(("promesse", f"{item.path.parent.name}/{item.path.stem} : {name}"))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        told = dict(report.user_properties)
        sentence = told.pop("promesse", None)
        if sentence is None:
            return
        promise = self.promises.setdefault(str(sentence), Promise())
        promise.seconds += report.duration
        if report.when == "setup":
            promise.tests += 1
        if report.when == "call":
            promise.kept += report.passed
            promise.figures |= {name: str(value) for name, value in told.items()}
        if report.when == "teardown" and report.failed:
            promise.kept -= 1

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
