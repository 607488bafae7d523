"""The meaning of prices, a rate or the regime changes while the counters sell: each accepted sale is paid in full."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db
from tests.facturation.test_taxe import rate
from tests.preuve import selon
from tests.server import eventually
from tests.together import together

pytestmark = pytest.mark.promesse(
    "Comptoirs : un réglage, un taux ou un régime qui change pendant la vente ne laisse aucune vente à moitié payée"
)

SET_PRICES = "update core.parametre set valeur = %s where cle = 'TAXES_PRIX'"
SET_ROUNDING = "update core.parametre set valeur = %s where cle = 'TAXES_ARRONDI'"
CODE = "update core.activite set code_taxe = {} where code in ('RESTAURATION', 'VENTE_MARCHANDISES')"
RATE = """insert into core.taxe (code, libelle, taux, nature, du)
          values ('TVA', 'TVA 9 %', 9, 'TAUX', core.aujourdhui())"""
REGIME = "insert into core.regime (du, regime) values (core.aujourdhui(), 'NON_ASSUJETTI')"
CHANGES = {
    "tax goes on top": ("TTC", "1000", SET_PRICES.replace("%s", "'HT'")),
    "tax goes inside": ("HT", "1180", SET_PRICES.replace("%s", "'TTC'")),
    "a rate begins": ("HT", "1180", RATE),
    "a regime begins": ("HT", "1180", REGIME),
}


@pytest.fixture
def shared(database_url: str) -> Iterator[Db]:
    """A connection that commits, on a database of this test alone, where the counters sell with tax."""
    with psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as connection:
        db = Db(connection)
        rate(db)
        db.execute(CODE.format("'TVA'"))
        yield db


def meal(db: Db, dish: int, method: int, amount: str) -> None:
    db.call("restaurant.commande_creer", type="SUR_PLACE", lignes=[{"id_plat": dish, "quantite": "1"}],
            paiement={"montant": amount, "id_moyen": method})  # fmt: skip


def sale(db: Db, product: int, method: int, amount: str) -> None:
    db.call("market.vente_creer", lignes=[{"id_produit": product, "quantite": "1"}],
            paiement={"montant": amount, "id_moyen": method})  # fmt: skip


def assert_all_paid(db: Db) -> None:
    assert db.all("select numero, montant_total, montant_paye from facturation.facture where statut <> 'PAYEE'") == []
    assert db.all("select * from jobs._controler()") == []


@pytest.mark.parametrize("trade", ["restaurant", "shop"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_while_a_sale_waits_for_its_number_leaves_no_sale_partly_paid(
    database_url: str, shared: Db, trade: str, change: str
) -> None:
    prices, amount, statement = CHANGES[change]
    shared.execute(SET_PRICES, [prices])
    method = builders.moyen(shared)
    article = builders.plat(shared, "1000") if trade == "restaurant" else builders.produit(shared, prix="1000")
    buy = meal if trade == "restaurant" else sale
    with (
        psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as seller,
        psycopg.connect(database_url) as holder,
        ThreadPoolExecutor(1) as pool,
    ):
        holder.execute("select core._numeroter('FAC', extract(year from core.aujourdhui())::integer)")
        selling = pool.submit(buy, Db(seller), article, method, amount)
        waits = "select %s = any (pg_blocking_pids(%s))"
        pids = [holder.info.backend_pid, seller.info.backend_pid]
        eventually(lambda: selling.done() or shared.one(waits, pids))
        shared.execute(statement)
        holder.rollback()
        error = selling.exception()
    assert isinstance(error, psycopg.Error) and error.diag.constraint_name == "PAIEMENT_DIFFERENT_DU_TOTAL"
    assert_all_paid(shared)


def test_sales_taken_while_everything_changes_are_all_paid(database_url: str, shared: Db) -> None:
    method, dish = builders.moyen(shared), builders.plat(shared, "1001.50")
    products = [builders.produit(shared, stock="1000", prix="1001.50") for _ in range(4)]
    rounds = selon(25, 400)

    def act(db: Db, n: int) -> int:
        if n == 0:
            for turn in range(rounds * 3):
                db.execute(SET_PRICES, [["HT", "TTC"][turn % 2]])
                db.execute(SET_ROUNDING, [["FACTURE", "LIGNE"][turn // 2 % 2]])
                db.execute(CODE.format(["null", "'TVA'"][turn // 3 % 2]))
            db.execute(RATE)
            db.execute(REGIME)
            return 0
        accepted = 0
        for turn in range(rounds):
            # 1001.50 with its tax of 18 % or 9 % on top, or in it
            amount = ["1181.50", "1001.50", "1091.50"][turn % 3]
            try:
                meal(db, dish, method, amount) if n % 2 else sale(db, products[n - 1], method, amount)
                accepted += 1
            except psycopg.Error as error:
                assert error.diag.constraint_name == "PAIEMENT_DIFFERENT_DU_TOTAL", error
        return accepted

    accepted = together(database_url, 5, act)
    assert all(isinstance(count, int) for count in accepted), accepted
    assert shared.one("select count(*) from facturation.facture") == sum(accepted) > 0
    assert shared.one("select sum(montant) from finances.paiement") >= Decimal("1001.50")
    assert_all_paid(shared)
