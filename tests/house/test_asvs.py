"""docs/asvs.md has a line for each requirement, and names only files that exist."""

import re

from tests.house.rule import ROOT, holds, same

PAGE = "docs/asvs.md"
TEXT = (ROOT / PAGE).read_text()
LINES = [tuple(line.strip("| ").split(" | ")) for line in TEXT.splitlines() if re.match(r"\| \d", line)]
STATES = {"tenu", "sans objet", "dehors", "non"}
LEVELS_1_AND_2 = 253  # requirements of OWASP ASVS 5.0.0


def test_each_requirement_has_one_line_with_a_known_state() -> None:
    assert {len(line) for line in LINES} == {4} and {state for _, _, state, _ in LINES} == STATES
    assert len({number for number, *_ in LINES}) == len(LINES) == LEVELS_1_AND_2


def test_the_list_of_requirements_that_do_not_hold_is_complete() -> None:
    same(
        "The summary names each requirement whose state is « non », and no other.",
        set(re.findall(r"\d+\.\d+\.\d+", TEXT.partition("Ce qui manque")[2].partition("\n\n")[0])),
        {number for number, _, state, _ in LINES if state == "non"},
        "change the state or the summary",
        PAGE,
    )


def test_each_file_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`((?:app|docs|sql|tests)/[^`]+|[A-Z]\w+\.md|Dockerfile|\.\w+)`", TEXT))
    holds(
        "The page names only files of this repository.",
        [f"{PAGE}: {path}" for path in sorted(named) if not (ROOT / path).exists()],
        "name the test that proves the requirement now, or say what is missing",
    )
    assert len(named) > 80
