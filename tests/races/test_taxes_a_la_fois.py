"""Two rates of one code, given at once for overlapping days: one of them is refused."""

from typing import Any

import pytest

from tests.conftest import Db
from tests.together import AtOnce

pytestmark = pytest.mark.promesse("Taxes : deux taux donnés à la fois à un code ne se chevauchent jamais")


def create(db: Db, n: int) -> Any:
    rate = {"code": "TVA", "libelle": "TVA", "taux": "18", "nature": "TAUX"}
    return db.call("core.taxe_creer", **rate, du=f"2026-01-{n % 4 + 1:02}", au="2026-06-30")["id_taxe"]


@pytest.mark.parametrize("known", [False, True])
def test_one_of_the_overlapping_rates_given_at_once_is_accepted(shared: Db, at_once: AtOnce, known: bool) -> None:
    if known:
        shared.execute("insert into core.code_taxe (code) values ('TVA')")
    answers = at_once(8, create)
    assert [answer for answer in answers if answer != "TAXE_CHEVAUCHEE"] == [
        shared.one("select id_taxe from core.taxe")
    ]
