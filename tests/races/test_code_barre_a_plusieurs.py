"""A barcode given several times at once belongs to one product, and a product gets one code."""

from tests import builders
from tests.conftest import Db
from tests.together import AtOnce

SUPPLIER = "3017620422003"  # a valid EAN-13


def test_of_concurrent_products_with_a_code_one_keeps_it(at_once: AtOnce) -> None:
    def act(db: Db, n: int) -> str:
        fields = {"nom": f"Article {n}", "prix_achat": "1", "prix_vente": "2", "code_barre": SUPPLIER}
        return db.call("market.produit_creer", **fields)["code_barre"]

    outcomes = at_once(6, act)
    assert sorted(outcomes) == [SUPPLIER] + ["code_barre_existant"] * 5


def test_concurrent_requests_give_a_product_one_code(shared: Db, at_once: AtOnce) -> None:
    key = builders.produit(shared)

    def act(db: Db, _: int) -> str:
        return str(db.call("market.produit_code_barre_creer", id_produit=key)["code_barre"])

    outcomes = at_once(6, act)
    assert outcomes.count("CODE_BARRE_DEJA_DONNE") == 5, outcomes
