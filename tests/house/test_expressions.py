"""No regular expression of app/ takes more than linear time, whatever a request holds.

Hostile inputs are made from the expression itself: a beginning that matches, one or two of its characters repeated, and
an end that does not match. Where the time of the longer ones grows faster than their length, the expression is named.
"""

import ast
import gc
import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from time import perf_counter, process_time
from typing import Any

import pytest

from tests.conftest import Http
from tests.house.rule import ROOT, holds

METHODS = ("match", "fullmatch", "search", "sub", "split", "findall", "finditer")
CALLS = {f"re.{name}" for name in ("compile", *METHODS)}
SHORT, LONG = 512, 16 * 1024
SUSPECT, SLOW = 0.0002, 0.005  # seconds: a short input worth a longer one; of processor time: a long input
PATIENCE = 0.5  # seconds of processor time for one search


@dataclass(frozen=True)
class Expression:
    place: str
    pattern: re.Pattern[Any]
    method: str


def expressions() -> Iterator[Expression | str]:
    """Each expression and each method that is called on it; the place of an expression that cannot be read here."""
    trees = {path: ast.parse(path.read_text()) for path in sorted((ROOT / "app").rglob("*.py"))}
    calls = {
        (ast.unparse(node.func.value).rpartition(".")[2], node.func.attr)
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    for path, tree in trees.items():
        names = {
            id(node.value): ast.unparse(node.targets[0])
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in CALLS:
                yield from _read(path, node, names.get(id(node)), calls)


def _read(path: Path, node: ast.Call, name: str | None, calls: set[tuple[str, str]]) -> Iterator[Expression | str]:
    place = f"{path.relative_to(ROOT)}:{node.lineno}"
    module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    method = ast.unparse(node.func).removeprefix("re.")
    flags = [word.value for word in node.keywords if word.arg == "flags"]
    flags += node.args[1:] if method == "compile" else []
    try:
        pattern = _evaluated(node.args[0], module)
        flag = re.RegexFlag(sum(_evaluated(value, module) for value in flags))
    except NameError:
        yield place
        return
    used = [used for used in METHODS if (name, used) in calls] if method == "compile" else [method]
    for called in used or ["fullmatch"]:
        yield Expression(place, re.compile(pattern, flag), called)


def _evaluated(node: ast.expr, module: Any) -> Any:
    return eval(compile(ast.Expression(node), "", "eval"), vars(module))


def time(expression: Expression, text: str, clock: Callable[[], float] = process_time) -> float:
    """The time of one search, up to PATIENCE."""
    given: Any = text if isinstance(expression.pattern.pattern, str) else text.encode("latin-1", "replace")
    search: Callable[..., Any] = getattr(expression.pattern, expression.method)
    empty = given[:0]

    def stop(*_: object) -> None:
        raise TimeoutError

    former = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    gc.disable()  # a collection, which the matches of finditer may start, takes longer than the search
    before = clock()
    try:
        matches = search(empty, given) if expression.method == "sub" else search(given)
        if expression.method == "finditer":
            list(matches)
        return clock() - before
    except TimeoutError:
        return PATIENCE
    finally:
        gc.enable()
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)


def inputs(pattern: str) -> Iterator[tuple[str, str, str]]:
    """A beginning, what is repeated, and an end."""
    sample, letters = _sample(parser.parse(pattern))
    letters = [*dict.fromkeys([*letters[:12], *'"\\; a0'])]
    beginnings = {sample[:end] for end in range(min(len(sample), 12) + 1)}
    pumps = {*letters, *(first + second for first, second in product(letters, repeat=2) if first != second)}
    yield from product(sorted(beginnings), sorted(pumps), ("", "\x01"))


def _sample(parsed: Any) -> tuple[str, list[str]]:
    """A short text that the expression matches, nearly, and the characters that it names."""
    text, letters = "", []
    for code, value in parsed:
        if code in (codes.LITERAL, codes.NOT_LITERAL):
            letter = chr(value if code is codes.LITERAL else value + 1)
            text, letters = text + letter, [*letters, letter, chr(value)]
        elif code is codes.IN:
            some = [letter for item in value for letter in _letters(item)] or ["a"]
            text, letters = text + some[0], [*letters, *some]
        elif code is codes.ANY:
            text, letters = text + "x", [*letters, "x"]
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            low, _, inner = value
            part, some = _sample(inner)
            text, letters = text + part * max(1, min(low, 4)), letters + some
        elif code is codes.SUBPATTERN:
            part, some = _sample(value[3])
            text, letters = text + part, letters + some
        elif code is codes.BRANCH:
            parts = [_sample(branch) for branch in value[1]]
            text, letters = text + parts[0][0], letters + [letter for _, some in parts for letter in some]
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            letters = letters + _sample(value[1])[1]
    return text, letters


def _letters(item: Any) -> list[str]:
    code, value = item
    if code is codes.LITERAL:
        return [chr(value)]
    if code is codes.RANGE:
        return [chr(value[0])]
    if code is codes.CATEGORY:
        return {codes.CATEGORY_DIGIT: ["0"], codes.CATEGORY_SPACE: [" ", "\n"], codes.CATEGORY_WORD: ["a"]}.get(
            value, ["-"]
        )
    return []


def growth(expression: Expression) -> str | None:
    """The input on which the time grows faster than the length, or None."""
    pattern = expression.pattern.pattern
    for beginning, pump, end in inputs(pattern if isinstance(pattern, str) else pattern.decode("latin-1")):

        def of(
            length: int, clock: Callable[[], float] = process_time, parts: tuple[str, str, str] = (beginning, pump, end)
        ) -> float:
            return time(expression, parts[0] + parts[1] * (length // len(parts[1])) + parts[2], clock)

        # The clock of the processor may go in steps of milliseconds.
        if of(32, perf_counter) >= SUSPECT or of(SHORT, perf_counter) >= SUSPECT:
            # The least of three: a busy machine makes one search longer.
            slow, half = (min(of(length) for _ in range(3)) for length in (LONG, LONG // 2))
            if slow >= PATIENCE or (slow > SLOW and slow > 3 * half):
                return f"{expression.method}({beginning!r} + {pump!r} * n + {end!r}) takes {slow:.3f} s"
    return None


# Expressions whose text is only known at run time.
ELSEWHERE = {
    "app/leaves/embarque/server.py": "the option of a program of ours, searched in the arguments of a process",
    "app/database/catalogue.py": "the constraints of the domains: read from the catalogue below",
    "app/documents/templates.py": "one class of characters",
}


def test_no_expression_takes_more_than_linear_time(http: Http) -> None:
    slow, unknown = [], []
    read = [*expressions()]
    types = http.services.catalogue.types.values()
    read += [
        Expression(f"constraint {check.rule}", check.pattern, "search")
        for check in {check.rule: check for pg_type in types for check in pg_type.checks}.values()
        if check.pattern
    ]
    for expression in read:
        if isinstance(expression, str):
            if expression.partition(":")[0] not in ELSEWHERE:
                unknown.append(f"{expression}: its text is not known")
        elif message := growth(expression):
            slow.append(f"{expression.place} {expression.pattern.pattern!r}: {message}")
    assert len(read) > 60
    holds(
        "a regular expression takes linear time on every input",
        unknown + slow,
        "let no character match in two ways and no search begin anew at each place, or read the text in one pass",
    )


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(a+)+b", "fullmatch"),
        (r"\s+$", "sub"),
    ],
)
def test_an_expression_that_takes_longer_is_found(pattern: str, method: str) -> None:
    assert growth(Expression("", re.compile(pattern), method)) is not None
