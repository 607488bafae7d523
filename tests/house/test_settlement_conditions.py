"""A settlement evaluates no condition that PostgreSQL reads from its text (docs/decisions/0044)."""

import pytest

from outils.lint import CONDITIONS
from tests.conftest import Db
from tests.house.rule import holds


def test_a_settlement_evaluates_no_condition_of_its_tables(db: Db) -> None:
    holds(
        "The tables of a settlement have no CHECK, no generated column and no WHEN that a settlement evaluates.",
        [row["c"] for row in db.all(f"select c from ({CONDITIONS}) x (c)", [])],
        "write the condition in a body of sql/finances/reglement/",
    )


@pytest.mark.parametrize(
    "change",
    [
        "alter table finances.paiement add constraint essai check (montant > 0)",
        "create trigger t20_essai before insert on finances.application_paiement for each row when (new.montant > 9)"
        " execute function core._t20_refuser('409', 'ESSAI', 'Essai.')",
    ],
)
def test_each_condition_that_a_settlement_would_evaluate_is_counted(db: Db, change: str) -> None:
    db.alter(change)
    assert len(db.all(f"select c from ({CONDITIONS}) x (c)", [])) == 1
