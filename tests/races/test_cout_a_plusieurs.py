"""The value of a stock with several clerks at once: each movement starts from what another one has left."""

from collections import Counter

import psycopg
import pytest

from tests import builders
from tests.conftest import Db
from tests.preuve import selon
from tests.together import AtOnce

pytestmark = pytest.mark.promesse("Stock : à plusieurs, la valeur d'un produit reste la somme de ses mouvements")


def test_sales_entries_and_corrections_of_one_product_at_once_lose_no_value(shared: Db, at_once: AtOnce) -> None:
    product = builders.produit(shared, "500", "10", prix_achat="7.77")

    def act(db: Db, n: int) -> str:
        for turn in range(selon(8, 60)):
            if n == 0:
                db.call("market.stock_reesolder")
            elif n < 3:
                cost = {} if turn % 3 == 0 else {"cout_unitaire": str(3 + turn)}
                db.call("market.mouvement_stock_creer", id_produit=product, type="ENTREE", quantite="1.25", **cost)
            elif n == 3:
                entries = "select id_mouvement from market.mouvement_stock where type = 'ENTREE' and id_vente is null"
                entry = db.one(f"{entries} order by random() limit 1")
                db.call("market.mouvement_stock_corriger", id_mouvement=entry, cout_unitaire=str(5 + turn % 7))
            else:
                line = {"id_produit": product, "quantite": "1"}
                db.call("market.vente_creer", lignes=[line, line], paiement={"montant": "20", "id_moyen": 1})
                if turn % 4 == 0:
                    sale = db.one("select id_vente from market.vente where statut = 'PAYEE' order by random() limit 1")
                    try:
                        db.call("market.vente_annuler", id_vente=sale)
                    except psycopg.Error as error:
                        assert error.diag.constraint_name == "TRANSITION_INTERDITE", error
        return "done"

    assert at_once(8, act) == ["done"] * 8
    moves = shared.all(
        "select stock_resultant - delta as q0, valeur_resultante - valeur as v0, stock_resultant as q1,"
        " valeur_resultante as v1 from market.mouvement_stock"
    )
    [final] = shared.all("select quantite_stock, valeur_stock from market.produit")
    before = Counter((move["q0"], move["v0"]) for move in moves)
    after = Counter((move["q1"], move["v1"]) for move in moves)
    assert before + Counter([tuple(final.values())]) == after + Counter([(0, 0)])
