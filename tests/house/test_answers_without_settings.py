"""What a user is told names no environment variable: only who runs the service can change one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.house.rule import holds

ROOT = Path(__file__).parents[2]
RULE = "What a user reads names no environment variable: only the operator can change one."
TO_DO = "say what the user can do; name the variable in a command's message or in docs/operations.md"
# What an answer, the list of backups or a notification tells; commands tell more, to who runs them.
TOLD = {
    "Refusal", "unavailable", "not_found", "forbidden", "unauthorized", "validation", "BackupError", "PowerlessError",
    "CipherError",
}  # fmt: skip


def settings() -> set[str]:
    return set(re.findall(r'"([A-Z][A-Z0-9]*_[A-Z0-9_]+)"', (ROOT / "app/base/settings.py").read_text()))


def told(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each text in a call that makes an answer, and its line."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) in TOLD:
            for node in ast.walk(call):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.lineno, node.value


def test_no_answer_of_the_program_names_a_setting() -> None:
    names = settings()
    assert len(names) > 15
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in sorted((ROOT / "app").rglob("*.py"))
        for line, text in told(ast.parse(path.read_text()))
        if any(name in text for name in names)
    ]
    holds(RULE, found, TO_DO)


def test_no_refusal_of_the_database_names_a_setting() -> None:
    # A parameter of the organisation may be named: an administrator changes it in the application.
    names = settings()
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in sorted((ROOT / "sql").rglob("*.sql"))
        for text in re.findall(r"'([^'\n]*(?:''[^'\n]*)*)'", path.read_text())
        if any(re.search(rf"\b{name}\b", text) for name in names) and " " in text
    ]
    holds(RULE, found, TO_DO)
