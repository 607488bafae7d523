"""English comments, docstrings, test names and identifiers use plain words.

The lists are short: each word on them made sentences here hard to read. A noun that names the thing, or a subject that
names the actor, takes its place.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.house.rule import ROOT, holds

PYTHON = [path for folder in ("app", "bench", "outils", "tests") for path in sorted((ROOT / folder).rglob("*.py"))]
SQL = sorted((ROOT / "sql").rglob("*.sql"))  # a released migration is never edited

WORDS = re.compile(
    r"\b((?:that|those|the ones?) of|those (?:that|which)"
    r"|told|nobody|anybody|somebody|someone|whoever|whom|whomever|aught|naught|those who|to be had|of itself)\b"
    r"|(?:^|\. )(who|what)\b(?![^.]*\?)",  # a sentence that begins with « who » or « what » has no subject
    re.IGNORECASE,
)
IDENTIFIERS = {"asked", "found", "ones", "said", "those", "told", "who", "whoever", "whom"}
TEST_NAMES = re.compile(
    r"test_[^_]+(_[^_]+)?"  # fewer than three words
    r"|test_(it|its|they|their|what|who)_.*"
    r"|test_.*_ones"
    r"|test_(.*_)?(told|nobody|anybody|somebody|whoever|whom|aught|naught)(_.*)?"
)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(parse(path)):
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
            yield node.body[0].lineno, text


def comments(path: Path, mark: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each block of comments. A text of the program with this mark counts as one too."""
    lines = enumerate(path.read_text().splitlines(), 1)
    parts = ((number, *line.partition(mark)) for number, line in lines if mark in line)
    yield from blocks((number, not code.strip(), text.strip()) for number, code, _, text in parts)


def blocks(lines: Iterator[tuple[int, bool, str]]) -> Iterator[tuple[int, str]]:
    """Join comments that fill neighbouring lines; a comment after code stays a block of its own."""
    start, end, block = 0, 0, ""
    for number, fills_its_line, text in lines:
        if block and fills_its_line and number == end + 1:
            block += f" {text}"
        else:
            if block:
                yield start, block
            start, block = number, text
        end = number if fills_its_line else 0
    if block:
        yield start, block


def refused_words(text: str) -> list[str]:
    prose = re.sub(r"`[^`]*`", "…", " ".join(text.split()))  # code is no prose
    return [match[0].strip(". ") for match in WORDS.finditer(prose)]


def bound_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and name of each variable, attribute, parameter, function and class that the module binds."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.alias(asname=str(name)) | ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield node.lineno, name


def test_comments_use_plain_words() -> None:
    prose = [(path, *comment) for path in PYTHON for comment in docstrings(path)]
    prose += [(path, *comment) for path in PYTHON for comment in comments(path, "# ")]
    prose += [(path, *comment) for path in SQL for comment in comments(path, "--")]
    assert len(prose) > 2000
    holds(
        "A comment or a docstring names the actor and the thing.",
        [
            f"{path.relative_to(ROOT)}:{line}: « {', '.join(words)} » in: {' '.join(text.split())}"
            for path, line, text in prose
            if (words := refused_words(text))
        ],
        "name the user, caller, process, row or file, and begin the sentence with its subject",
    )


def test_identifiers_name_their_content() -> None:
    holds(
        f"A Python name says what it holds. It is none of: {', '.join(sorted(IDENTIFIERS))}.",
        [
            f"{path.relative_to(ROOT)}:{line}: {name}"
            for path in PYTHON
            for line, name in bound_names(parse(path))
            if name.strip("_").lower() in IDENTIFIERS
        ],
        "name the content: rows, answer, path, match, messages, user",
    )


def test_test_names_state_a_behaviour_of_a_subject() -> None:
    holds(
        "A test name is a sentence of three words or more about a named subject.",
        [
            f"{path.relative_to(ROOT)}:{line}: {name}"
            for path in PYTHON
            if path.name.startswith("test_")
            for line, name in bound_names(parse(path))
            if TEST_NAMES.fullmatch(name)
        ],
        "write test_<subject>_<verb>_<object>, as in test_a_closed_till_refuses_an_expense",
    )
