"""A barcode given several times at once belongs to one product, and a product gets one code."""

from __future__ import annotations

import psycopg
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db
from tests.together import together

SUPPLIER = "3017620422003"  # a valid EAN-13


def test_of_concurrent_products_with_a_code_one_keeps_it(database_url: str) -> None:
    def act(db: Db, n: int) -> str:
        fields = {"nom": f"Article {n}", "prix_achat": "1", "prix_vente": "2", "code_barre": SUPPLIER}
        return db.call("market.produit_creer", **fields)["code_barre"]

    outcomes = together(database_url, 6, act)
    assert sorted(outcomes) == [SUPPLIER] + ["code_barre_existant"] * 5


def test_concurrent_requests_give_a_product_one_code(database_url: str) -> None:
    with psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as connection:
        key = builders.produit(Db(connection))

    def act(db: Db, _: int) -> str:
        return str(db.call("market.produit_code_barre_creer", id_produit=key)["code_barre"])

    outcomes = together(database_url, 6, act)
    assert outcomes.count("CODE_BARRE_DEJA_DONNE") == 5, outcomes
