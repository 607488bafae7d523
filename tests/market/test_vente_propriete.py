"""After any sequence of sales, movements and cancellations, stock, invoices and till agree with a model in Python."""

from decimal import Decimal
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import accepted
from tests.examples import EXAMPLES

PRICES = (Decimal("100"), Decimal("33.33"), Decimal("0.50"))
quantity = st.decimals(min_value=0, max_value=12, places=2)
signed = st.decimals(min_value=-8, max_value=8, places=2)
product = st.integers(0, len(PRICES) - 1)
action = st.one_of(
    st.tuples(
        st.just("sell"),
        st.lists(st.tuples(product, quantity), min_size=0, max_size=3),
        st.decimals(min_value=0, max_value=300, places=2),
        st.sampled_from([Decimal(0), Decimal(0), Decimal(0), Decimal("0.01"), Decimal("-0.01")]),
    ),
    st.tuples(st.just("move"), product, st.sampled_from(["ENTREE", "SORTIE", "AJUSTEMENT"]), signed),
    st.tuples(st.just("cancel"), st.integers(0, 5)),
    st.tuples(st.just("till")),
    st.tuples(st.just("rebuild")),
)
REFUSALS = {
    "VENTE_SANS_LIGNE", "quantite_positive", "quantite_du_mouvement", "montant_positif", "STOCK_INSUFFISANT",
    "REMISE_EXCESSIVE", "PAIEMENT_DIFFERENT_DU_TOTAL", "PERIODE_CAISSE_FERMEE", "TRANSITION_INTERDITE",
}  # fmt: skip


class Shop:
    def __init__(self, products, till):
        self.products = products
        self.till = till
        self.stock = [Decimal(20)] * len(products)
        self.open = True
        self.money = Decimal(0)
        self.sales: list[dict[str, Any]] = []

    def sell(self, basket, discount, error):
        """Apply this sale and return its total, or None when the model refuses the sale."""
        if discount > self.sum(basket):
            return None
        total = self.sum(basket) - discount
        quantities = self.quantities(basket)
        short = any(quantities[n] > self.stock[n] for n in quantities)
        wrong = paid(self, basket, discount, error) != total
        if not basket or any(q == 0 for _, q in basket) or wrong or short or (total > 0 and not self.open):
            return None
        for n, q in quantities.items():
            self.stock[n] -= q
        self.money += total
        self.sales.append({"quantities": quantities, "total": total, "live": True})
        return total

    @staticmethod
    def sum(basket):
        return sum(((PRICES[n] * q).quantize(Decimal("0.01"), "ROUND_HALF_UP") for n, q in basket), Decimal(0))

    @staticmethod
    def quantities(basket):
        quantities = {}
        for n, q in basket:
            quantities[n] = quantities.get(n, Decimal(0)) + q
        return quantities

    def move(self, n, kind, q):
        delta = -q if kind == "SORTIE" else q
        if q == 0 or (q < 0 and kind != "AJUSTEMENT") or self.stock[n] + delta < 0:
            return False
        self.stock[n] += delta
        return True

    def cancel(self, sale):
        if not sale["live"] or (sale["total"] > 0 and not self.open):
            return False
        for n, q in sale["quantities"].items():
            self.stock[n] += q
        self.money -= sale["total"]
        sale["live"] = False
        return True


@EXAMPLES
@given(actions=st.lists(action, min_size=1, max_size=14))
@example(actions=[("sell", [(2, Decimal("0.01"))], Decimal("0.01"), Decimal("-0.01"))])  # the customer owes nothing
@example(actions=[  # sales that are refused and cancelled, with the till open and closed
    ("sell", [(0, Decimal(1)), (1, Decimal("2.5")), (0, Decimal(3))], Decimal(10), Decimal(0)), ("till",),
    ("cancel", 0), ("sell", [(0, Decimal(1))], Decimal(100), Decimal(0)), ("cancel", 1),
    ("sell", [(0, Decimal(1))], Decimal(0), Decimal(0)), ("till",), ("cancel", 0), ("cancel", 0),
    ("move", 0, "SORTIE", Decimal(21)), ("sell", [(0, Decimal(21))], Decimal(0), Decimal(0)),
])  # fmt: skip
def test_stock_invoices_and_till_agree_with_the_model_after_every_step(db, actions):
    with db.connection.transaction(force_rollback=True):
        till = builders.caisse(db, activite_code="VENTE_MARCHANDISES")
        shop = Shop([builders.produit(db, "20", str(price)) for price in PRICES], till)
        db.acting(builders.utilisateur(db, role="RESPONSABLE_MAGASIN", caisse=till))
        for step in actions:
            assert accepted(db, REFUSALS, run, db, shop, step) == allowed(shop, step), step
            check(db, shop)
        db.acting(None)


def paid(shop, basket, discount, error):
    """Return what the customer pays: the total and the error of the cashier, but never less than nothing."""
    return max(shop.sum(basket) - discount + error, Decimal(0))


def run(db, shop, step):
    if step[0] == "sell":
        db.call(
            "market.vente_creer",
            lignes=[{"id_produit": shop.products[n], "quantite": str(q)} for n, q in step[1]],
            paiement={"montant": str(paid(shop, *step[1:])), "id_moyen": 1},
            remise=step[2],
        )
    elif step[0] == "move":
        db.call("market.mouvement_stock_creer", id_produit=shop.products[step[1]], type=step[2], quantite=step[3])
    elif step[0] == "cancel" and shop.sales:
        db.call("market.vente_annuler", id_vente=sales(db)[step[1] % len(shop.sales)]["id_vente"])
    elif step[0] == "till":
        db.call(f"finances.caisse_{'fermer' if shop.open else 'ouvrir'}", id_caisse=shop.till)
    elif step[0] == "rebuild":
        assert db.one("select cardinality((market.stock_reesolder()).ecarts)") == 0


def allowed(shop, step):
    if step[0] == "sell":
        return shop.sell(*step[1:]) is not None
    if step[0] == "move":
        return shop.move(*step[1:])
    if step[0] == "cancel" and shop.sales:
        return shop.cancel(shop.sales[step[1] % len(shop.sales)])
    if step[0] == "till":
        shop.open = not shop.open
    return True


def sales(db):
    return db.all(
        "select v.id_vente, v.total, v.statut::text, f.montant_total, f.montant_paye, f.statut::text as facture"
        "  from market.vente v join facturation.facture f on f.source_type = 'VENTE' and f.source_id = v.id_vente"
        " order by v.id_vente"
    )


def check(db, shop):
    rows = db.all(
        "select p.quantite_stock, sum(m.delta), (array_agg(m.stock_resultant order by m.id_mouvement desc))[1]"
        "  from market.produit p join market.mouvement_stock m using (id_produit)"
        " where p.id_produit = any(%s) group by p.id_produit order by p.id_produit",
        [shop.products],
    )
    assert [tuple(row.values()) for row in rows] == [(stock, stock, stock) for stock in shop.stock]
    assert db.one("select finances._montant_attendu(%s, core.aujourdhui())", [shop.till]) == shop.money
    assert [tuple(row.values())[1:] for row in sales(db)] == [
        (sale["total"], "PAYEE", sale["total"], sale["total"], "PAYEE") if sale["live"]
        else (sale["total"], "ANNULEE", sale["total"], 0, "ANNULEE")
        for sale in shop.sales
    ]  # fmt: skip
