"""The code of sql/ uses one way to check the visibility of a row, take a lock and derive a sum; its lines are short."""

import re

import pytest

from app.database.release import HERE
from app.database.upgrade.locks import ADVISORY_LOCK
from tests.conftest import Db
from tests.house.rule import holds


@pytest.mark.parametrize(("pattern", "rule", "remedy"), [
    (
        r"core\.(activite|caisse)\(\)\)? is null or \w+\.id_|case when \(select core\.(activite|caisse)",
        "core._visible says whether a row is visible, never a comparison in its place.",
        "write core._visible(x.id_activite, (select core.activite())); sql/core/_visible.sql says why",
    ),
    (
        r"pg_(try_)?advisory_\w+\((?!core\._verrou\(|jobs\._verrou\(|hashtextextended\([^;]*core\._verrou\()",
        "An advisory lock is taken by its name.",
        "add its name and its number to sql/core/_verrous.sql and write core._verrou('NOM')",
    ),
    (
        r"\bupdate [\w.]+ (\w+) set (\w+) = \1\.\2\s*($|where|;)",
        "No column is set to itself so that a trigger computes it again.",
        "write what changes (montant_paye = montant_paye + …), or `default` where a trigger computes the value",
    ),
    (
        r"^(?!\s*'.*'[;,)]*$|comment on .* is ').{121}",
        "A line of sql/ has at most 120 characters; a sentence alone on its line may have more.",
        "break the line where the statement divides: clauses, arguments, conditions",
    ),
], ids=["visibility", "lock", "sum", "length"])  # fmt: skip
def test_no_line_of_code_goes_another_way(pattern: str, rule: str, remedy: str) -> None:
    """Comments are ignored."""
    lines = [
        f"{path.relative_to(HERE.root)}:{number} {line.strip()}"
        for path in HERE.code_files()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(pattern, line.partition("--")[0])
    ]
    holds(rule, lines, remedy)


def test_each_advisory_lock_has_a_number_of_its_own(db: Db) -> None:
    rows = db.all("select core._verrou(v) as number from unnest(enum_range(null::core.nom_verrou)) v")
    numbers = [row["number"] for row in rows]
    assert None not in numbers
    assert len({*numbers, ADVISORY_LOCK}) == len(numbers) + 1
