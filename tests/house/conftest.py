"""The objects that the API's document is tried on, and the one screen of a rule that is broken."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from tests.house.rule import SHOWN, screen
from tests.witness import document, known, witness

__all__ = ["document", "known", "witness"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A bare assert shows its test's first sentence, its line and the first lines of what differs; -vv shows all."""
    report = yield
    if call.excinfo is None or item.config.option.verbose > 1:
        return report
    error = call.excinfo.value
    if isinstance(error, AssertionError):
        path, line, _ = item.location
        own = [entry.lineno for entry in call.excinfo.traceback if str(entry.path).endswith(path)]
        place = f"{path}:{own[-1] + 1 if own else line}"
        said = [text for text in str(error).splitlines() if text.strip()]
        report.longrepr = screen(_rule(item), [place, *said[: SHOWN - 1]], f"read the test at {place}", len(said) + 1)
    if isinstance(report.longrepr, str) or isinstance(error, pytest.fail.Exception):
        report.sections = []  # what the program logged says nothing of the rule
    return report


def _rule(item: pytest.Item) -> str:
    """The docstring of the test, or its name as a sentence."""
    test: Any = getattr(item, "function", None)
    document = (test.__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(document.split()) or item.name.removeprefix("test_").replace("_", " ")
