"""Amounts of instalments by day, against cases worked out by hand."""

from itertools import pairwise

import pytest

from tests import builders

CASES = [
    # (type, rent, start, end) → first day and amount of each instalment
    # 17 days of January's 31: 95000 × 17/31 = 52097.004…; 10 days of March's 31: 30645.001…
    ("MENSUEL", "95000", "2026-01-15", "2026-03-10",
     {"2026-01-15": "52097.00", "2026-02-01": "95000.00", "2026-03-01": "30645.00"}),
    # A leap February: 1 of 29 days, then the rest of one whole rent.
    ("MENSUEL", "29000", "2028-02-29", "2028-03-29", {"2028-02-29": "1000.00", "2028-03-01": "28000.00"}),
    ("MENSUEL", "29000", "2028-02-29", "2028-03-30", {"2028-02-29": "1000.00", "2028-03-01": "28065.00"}),
    # From 31 January for one month: one whole rent.
    ("MENSUEL", "95000", "2026-01-31", "2026-02-27", {"2026-01-31": "3065.00", "2026-02-01": "91935.00"}),
    # Calendar years: 275 of 365 days, a whole year, then the rest of the second whole rent.
    ("ANNUEL", "366000", "2026-04-01", "2028-03-31",
     {"2026-04-01": "275753.00", "2027-01-01": "366000.00", "2028-01-01": "90247.00"}),
    # Across 29 February: one year costs one rent.
    ("ANNUEL", "100000", "2027-09-01", "2028-08-31", {"2027-09-01": "33425.00", "2028-01-01": "66575.00"}),
]  # fmt: skip


@pytest.mark.parametrize("kind, rent, start, end, expected", CASES)
def test_an_instalment_of_part_of_a_month_or_year_is_due_by_day(db, kind, rent, start, end, expected):
    lease = builders.contrat(
        db, type_location=kind, montant_loyer=rent, date_debut=start, date_fin_prevue=end, actif=False
    )
    rows = db.all(
        "select date_echeance, date_fin, montant, mois, annee from residence.echeance where id_contrat = %s order by 1",
        [lease],
    )
    assert {str(row["date_echeance"]): str(row["montant"]) for row in rows} == expected
    assert [(row["annee"], row["mois"]) for row in rows] == [
        (row["date_echeance"].year, row["date_echeance"].month) for row in rows
    ]
    # Each day is covered once: an instalment begins on the day after the end of the one before.
    assert str(rows[0]["date_echeance"]) == start and str(rows[-1]["date_fin"]) == end
    assert all((b["date_echeance"] - a["date_fin"]).days == 1 for a, b in pairwise(rows))


def test_the_last_instalment_of_a_lease_without_end_is_a_whole_month(db):
    lease = builders.contrat(db, date_debut="2090-01-15", date_fin_prevue=None, montant_loyer="31000", actif=False)
    rows = db.all(
        "select date_echeance, date_fin, montant from residence.echeance where id_contrat = %s order by 1", [lease]
    )
    assert len(rows) == 13
    assert [str(value) for value in rows[0].values()] == ["2090-01-15", "2090-01-31", "17000.00"]
    assert [str(value) for value in rows[-1].values()] == ["2091-01-01", "2091-01-31", "31000.00"]
