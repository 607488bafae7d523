"""Balance, general ledger, result and balance sheet: their figures, over random ledgers too."""

from datetime import date

import pytest

from tests import etats
from tests.preuve import selon

FIRST = date(2023, 11, 1)


@pytest.mark.promesse("Aucune suite d'écritures ne donne un bilan dont les deux côtés diffèrent.")
@pytest.mark.parametrize("tenth", range(10))
def test_no_ledger_makes_a_balance_sheet_whose_sides_differ(db, tenth):
    for seed in range(tenth, selon(20, 2000), 10):
        with db.connection.transaction(force_rollback=True):
            etats.write(db, seed, FIRST, 3 + seed % 16, 5 + seed % 60)
            assert etats.wrong(db, date(2023, 12, 31), date(2024, 2, 29), date(2024, 5, 12), date(2026, 1, 1)) == []
            assert etats.wrong_pages(db, date(2024, 1, 20), 1 + seed % 9) == []
