"""Two rates of one code, given at once for overlapping days: one of them is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from tests.conftest import Db
from tests.together import together

pytestmark = pytest.mark.promesse("Taxes : deux taux donnés à la fois à un code ne se chevauchent jamais")


@pytest.fixture
def shared(database_url: str) -> Iterator[Db]:
    """A connection that commits, on a database of this test alone."""
    with psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as connection:
        yield Db(connection)


def create(db: Db, n: int) -> Any:
    try:
        return db.call(
            "core.taxe_creer",
            code="TVA",
            libelle="TVA",
            taux="18",
            nature="TAUX",
            du=f"2026-01-{n % 4 + 1:02}",
            au="2026-06-30",
        )["id_taxe"]
    except psycopg.Error as error:
        return error.diag.constraint_name


@pytest.mark.parametrize("known", [False, True])
def test_one_of_the_overlapping_rates_given_at_once_is_accepted(database_url: str, shared: Db, known: bool) -> None:
    if known:
        shared.execute("insert into core.code_taxe (code) values ('TVA')")
    answers = together(database_url, 8, create)
    assert [answer for answer in answers if answer != "TAXE_CHEVAUCHEE"] == [
        shared.one("select id_taxe from core.taxe")
    ]
