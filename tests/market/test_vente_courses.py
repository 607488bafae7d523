"""Concurrent work in the shop: the last pieces are sold once, and baskets never deadlock."""

import psycopg

from tests import builders
from tests.together import together


def buy(db, basket, price):
    lignes = [{"id_produit": product, "quantite": "1"} for product in basket]
    db.call("market.vente_creer", lignes=lignes, paiement={"montant": str(price * len(basket)), "id_moyen": 1})
    return "sold"


def test_32_concurrent_buyers_buy_the_last_10_pieces_once(database_url, committed):
    product = builders.produit(committed, "10", "100")
    outcomes = together(database_url, 32, lambda db, n: buy(db, [product], 100))
    assert sorted(outcomes) == ["STOCK_INSUFFISANT"] * 22 + ["sold"] * 10
    row = committed.one(
        "select p.quantite_stock::int as stock, (select sum(delta)::int from market.mouvement_stock) as moved,"
        " (select count(*) from market.vente where statut = 'PAYEE') as sales,"
        " (select count(*) from facturation.facture where statut = 'PAYEE') as invoices,"
        " (select sum(montant)::int from finances.paiement) as money,"
        " (select valeur from core.compteur where type = 'FAC') as numbers from market.produit p"
    )
    assert row == {"stock": 0, "moved": 0, "sales": 10, "invoices": 10, "money": 1000, "numbers": 10}


def test_concurrent_sales_cancellations_and_stock_recomputations_lose_nothing(database_url, committed):
    products = [builders.produit(committed, "1000", "10") for _ in range(3)]

    def act(db, n):
        for turn in range(10):
            if n == 0:
                assert db.call("market.stock_reesolder")["produits"] == 3
            elif n < 4:
                buy(db, products[:: 1 if n % 2 else -1], 10)
            else:
                buy(db, products[turn % 2 :][::-1], 10)
                sale = db.one("select id_vente from market.vente where statut = 'PAYEE' order by random() limit 1")
                try:
                    if sale is not None:
                        db.call("market.vente_annuler", id_vente=sale)
                except psycopg.Error as error:
                    assert error.diag.constraint_name == "TRANSITION_INTERDITE", error
        return "done"

    assert together(database_url, 8, act) == ["done"] * 8
    assert committed.call("market.stock_reesolder") == {"produits": 3, "ecarts": "{}"}
    sold = committed.one(
        "select coalesce(sum(quantite), 0) from market.vente_ligne join market.vente using (id_vente)"
        " where statut = 'PAYEE'"
    )
    assert 3000 - committed.one("select sum(quantite_stock) from market.produit") == sold
    money = committed.one(
        "select sum(case type when 'ENCAISSEMENT' then montant else -montant end) from finances.paiement"
    )
    assert money == sold * 10
    assert committed.all("select * from jobs._controler()") == []


def test_concurrent_movements_never_take_more_than_the_stock(database_url, committed):
    product = builders.produit(committed, "10", "100")

    def move(db, n):
        kind, quantity = [("SORTIE", "1"), ("AJUSTEMENT", "-1")][n % 2]
        return db.call("market.mouvement_stock_creer", id_produit=product, type=kind, quantite=quantity)["type"]

    assert together(database_url, 16, move).count("STOCK_INSUFFISANT") == 6
    rows = committed.all("select stock_resultant::int as left from market.mouvement_stock order by id_mouvement")
    assert sorted(row["left"] for row in rows) == list(range(11))
    assert committed.one("select quantite_stock from market.produit") == 0


def test_concurrent_cancellations_cancel_a_sale_once(database_url, committed):
    buy(committed, [builders.produit(committed, "5", "100")], 100)
    sale = committed.one("select id_vente from market.vente")
    outcomes = together(database_url, 8, lambda db, n: db.call("market.vente_annuler", id_vente=sale)["statut"])
    assert sorted(outcomes) == ["ANNULEE"] + ["TRANSITION_INTERDITE"] * 7
    assert committed.one("select quantite_stock from market.produit") == 5
