"""No text for a user names an environment variable: only the operator can change one."""

import ast
import re
from collections.abc import Iterator

from tests.house.rule import ROOT, holds

RULE = "No text for a user names an environment variable: only the operator can change one."
TO_DO = "write what the user can do; name the variable in a command's message or in docs/reference.md"
# Calls whose texts reach a user in an answer, the list of backups or a notification. Messages of commands are for
# the operator and may name a variable.
USER_TEXTS = {
    "Refusal", "unavailable", "not_found", "forbidden", "unauthorized", "validation", "BackupError", "PowerlessError",
    "CipherError",
}  # fmt: skip


def settings() -> set[str]:
    return set(re.findall(r'"([A-Z][A-Z0-9]*_[A-Z0-9_]+)"', (ROOT / "app/base/settings.py").read_text()))


def user_texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and text of each string in these calls."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) in USER_TEXTS:
            for node in ast.walk(call):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.lineno, node.value


def test_no_answer_of_the_program_names_a_setting() -> None:
    names = settings()
    assert len(names) > 15
    offenders = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in sorted((ROOT / "app").rglob("*.py"))
        for line, text in user_texts(ast.parse(path.read_text()))
        if any(name in text for name in names)
    ]
    holds(RULE, offenders, TO_DO)


def test_no_refusal_of_the_database_names_a_setting() -> None:
    # A refusal may name a parameter of the organisation: an administrator can change it in the application.
    names = settings()
    offenders = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in sorted((ROOT / "sql").rglob("*.sql"))
        for text in re.findall(r"'([^'\n]*(?:''[^'\n]*)*)'", path.read_text())
        if any(re.search(rf"\b{name}\b", text) for name in names) and " " in text
    ]
    holds(RULE, offenders, TO_DO)
