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
        "Une ligne est visible ou non selon core._visible, jamais par une comparaison écrite sur place.",
        "écrire core._visible(x.id_activite, (select core.activite())) ; sql/core/_visible.sql dit pourquoi.",
    ),
    (
        r"pg_(try_)?advisory_\w+\((?!core\._verrou\(|jobs\._verrou\(|hashtextextended\([^;]*core\._verrou\()",
        "Un verrou consultatif se prend par son nom.",
        "ajouter son nom et son numéro à sql/core/_verrous.sql et écrire core._verrou('NOM').",
    ),
    (
        r"\bupdate [\w.]+ (\w+) set (\w+) = \1\.\2\s*($|where|;)",
        "Une colonne n'est pas réécrite par elle-même pour qu'un déclencheur la refasse.",
        "écrire ce qui change (montant_paye = montant_paye + …), ou « default » où un déclencheur calcule la valeur.",
    ),
    (
        r"^(?!\s*'.*'[;,)]*$|comment on .* is ').{121}",
        "Une ligne de sql/ a 120 caractères au plus ; une phrase seule sur sa ligne peut en avoir plus.",
        "couper la ligne là où l'instruction se partage : clauses, arguments, conditions.",
    ),
])  # fmt: skip
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
