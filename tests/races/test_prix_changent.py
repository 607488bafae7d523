"""The meaning of prices, a rate or the regime changes while the counters sell: each accepted sale is paid in full."""

from decimal import Decimal
from typing import Any

import psycopg
import pytest

from tests import builders
from tests.conftest import Db, connected
from tests.facturation.test_taxe import rate
from tests.preuve import selon
from tests.together import AtOnce, waiting

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
def shared(shared: Db) -> Db:
    """A database where the counters sell with tax."""
    rate(shared)
    shared.execute(CODE.format("'TVA'"))
    return shared


def meal(db: Db, dish: int, paid: dict[str, Any]) -> None:
    lines = [{"id_plat": dish, "quantite": "1"}]
    db.call("restaurant.commande_creer", type="SUR_PLACE", lignes=lines, paiement=paid)


def sale(db: Db, product: int, paid: dict[str, Any]) -> None:
    db.call("market.vente_creer", lignes=[{"id_produit": product, "quantite": "1"}], paiement=paid)


def assert_all_paid(db: Db) -> None:
    assert db.all("select numero, montant_total, montant_paye from facturation.facture where statut <> 'PAYEE'") == []


@pytest.mark.parametrize("trade", ["restaurant", "shop"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_while_a_sale_waits_for_its_number_leaves_no_sale_partly_paid(
    database_url: str, shared: Db, trade: str, change: str
) -> None:
    prices, amount, statement = CHANGES[change]
    shared.execute(SET_PRICES, [prices])
    paid = {"montant": amount, "id_moyen": builders.moyen(shared)}
    article = builders.plat(shared, "1000") if trade == "restaurant" else builders.produit(shared, prix="1000")
    buy = meal if trade == "restaurant" else sale
    with connected(database_url, autocommit=True) as seller, connected(database_url) as holder:
        holder.execute("select core._numeroter('FAC', extract(year from core.aujourdhui())::integer)")
        with waiting(seller, holder, lambda: buy(seller, article, paid)) as sold:
            shared.execute(statement)
            holder.connection.rollback()
            error = sold.exception()
    assert isinstance(error, psycopg.Error) and error.diag.constraint_name == "PAIEMENT_DIFFERENT_DU_TOTAL"
    assert_all_paid(shared)


def test_sales_taken_while_everything_changes_are_all_paid(shared: Db, at_once: AtOnce) -> None:
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
            paid = {"montant": ["1181.50", "1001.50", "1091.50"][turn % 3], "id_moyen": method}
            try:
                meal(db, dish, paid) if n % 2 else sale(db, products[n - 1], paid)
                accepted += 1
            except psycopg.Error as error:
                assert error.diag.constraint_name == "PAIEMENT_DIFFERENT_DU_TOTAL", error
        return accepted

    accepted = at_once(5, act)
    assert all(isinstance(count, int) for count in accepted), accepted
    assert shared.one("select count(*) from facturation.facture") == sum(accepted) > 0
    assert shared.one("select sum(montant) from finances.paiement") >= Decimal("1001.50")
    assert_all_paid(shared)
