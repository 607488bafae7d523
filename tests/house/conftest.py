"""Fixtures that call every operation of the OpenAPI document, and the short report of a broken rule."""

from collections.abc import Generator
from typing import Any

import pytest

from tests.house.rule import SHOWN, screen
from tests.witness import document, keys, witness

__all__ = ["document", "keys", "witness"]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report a failed assert by the rule of its test, its line and the first lines of the difference; -vv shows all."""
    report = yield
    if call.excinfo is None or item.config.option.verbose > 1:
        return report
    error = call.excinfo.value
    if isinstance(error, AssertionError):
        path, line, _ = item.location
        own = [entry.lineno for entry in call.excinfo.traceback if str(entry.path).endswith(path)]
        place = f"{path}:{own[-1] + 1 if own else line}"
        lines = [text for text in str(error).splitlines() if text.strip()]
        report.longrepr = screen(_rule(item), [place, *lines[: SHOWN - 1]], f"read the test at {place}", len(lines) + 1)
    if isinstance(report.longrepr, str) or isinstance(error, pytest.fail.Exception):
        report.sections = []  # the log of the program does not help to understand the rule
    return report


def _rule(item: pytest.Item) -> str:
    """Return the first paragraph of the docstring, or the name of the test as a sentence."""
    test: Any = getattr(item, "function", None)
    document = (test.__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(document.split()) or item.name.removeprefix("test_").replace("_", " ")
