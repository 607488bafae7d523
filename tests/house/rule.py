"""A house test fails with one screen: the rule, each offender with its file, and what to do."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHOWN = 12
WIDTH = 220
_NAME = re.compile(r"[a-z_]+\.[a-z0-9_]+")


def holds(rule: str, broken: Iterable[object], to_do: str) -> None:
    """Fail if anything breaks the rule. An item that begins with the name of a database object gets its file."""
    __tracebackhide__ = True
    if items := [str(item) for item in broken]:
        pytest.fail(screen(rule, [f"{_file(item)}{item}" for item in items[:SHOWN]], to_do, len(items)), pytrace=False)


def same(rule: str, actual: Iterable[str], expected: Iterable[str], to_do: str, file: str) -> None:
    """Fail if two sets of names differ; show each name that only one set has."""
    __tracebackhide__ = True
    actual, expected = set(actual), set(expected)
    broken = [f"{file}: {name} is missing" for name in sorted(expected - actual)]
    holds(rule, broken + [f"{file}: {name} is too many" for name in sorted(actual - expected)], to_do)


def screen(rule: str, places: list[str], to_do: str, count: int) -> str:
    lines = [f"  {place[:WIDTH]}" for place in places]
    if count > len(places):
        lines.append(f"  … and {count - len(places)} more")
    return "\n".join([f"Rule:  {rule}", "Broken by:", *lines, f"To do: {to_do}"])


def _file(item: str) -> str:
    """Return the file that creates or declares the function, view, type or table whose name begins the item."""
    if (name := _NAME.match(item)) is None:
        return ""
    created = re.compile(rf"^(create (\w+ )*|call core\.\w+\('){re.escape(name[0])}\b", re.MULTILINE | re.IGNORECASE)
    files = [*sorted((ROOT / "migrations").glob("*.sql")), *sorted((ROOT / "sql").rglob("*.sql"))]
    return next((f"{path.relative_to(ROOT)}: " for path in files if created.search(path.read_text())), "")
