"""After any sequence of orders, status changes and cancellations, orders, invoices and till agree with a model."""

import itertools
from decimal import Decimal
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import accepted
from tests.examples import EXAMPLES

PRICES = (Decimal("3500"), Decimal("333.33"), Decimal(0))
STATES = ("EN_COURS", "EN_PREPARATION", "SERVIE", "PAYEE", "ANNULEE")
basket = st.lists(st.tuples(st.integers(0, 2), st.decimals(min_value=0, max_value=9, places=2)), max_size=3)
action = st.one_of(
    st.tuples(st.just("order"), basket, st.sampled_from([Decimal(0), Decimal(0), Decimal("0.01"), Decimal("-0.01")])),
    st.tuples(st.just("move"), st.integers(0, 4), st.sampled_from(STATES)),
    st.tuples(st.just("move on"), st.integers(0, 4)), st.tuples(st.just("cancel"), st.integers(0, 4)),
    st.tuples(st.just("dish"), st.integers(0, 2)), st.tuples(st.just("till")),
)  # fmt: skip
REFUSALS = {
    "COMMANDE_SANS_LIGNE", "nombre_positif", "montant_positif", "PLAT_INDISPONIBLE", "PAIEMENT_DIFFERENT_DU_TOTAL",
    "PERIODE_CAISSE_FERMEE", "TRANSITION_INTERDITE", "ANNULATION_SANS_REMBOURSEMENT",
}  # fmt: skip


class Kitchen:
    def __init__(self, dishes, till):
        self.dishes = dishes
        self.till = till
        self.available = [True] * len(dishes)
        self.open = True
        self.money = Decimal(0)
        self.orders: list[dict[str, Any]] = []

    def total(self, lines):
        return sum(((PRICES[n] * q).quantize(Decimal("0.01"), "ROUND_HALF_UP") for n, q in lines), Decimal(0))

    def allowed(self, step):
        """Whether the rules allow this step. An allowed step is applied to the model."""
        if step[0] == "order":
            total = self.total(step[1])
            if not step[1] or step[2] or any(q == 0 or not self.available[n] for n, q in step[1]):
                return False
            if total > 0 and not self.open:
                return False
            self.money += total
            self.orders.append({"statut": "EN_COURS", "total": total})
        elif step[0] == "dish":
            self.available[step[1]] = not self.available[step[1]]
        elif step[0] == "till":
            self.open = not self.open
        elif self.orders:
            order = self.orders[step[1] % len(self.orders)]
            if step[0] == "cancel":
                if order["statut"] == "ANNULEE" or (order["total"] > 0 and not self.open):
                    return False
                order["statut"] = "ANNULEE"
                self.money -= order["total"]
            else:
                target = self.target(step, order)
                if (order["statut"], target) not in itertools.pairwise(STATES[:4]):
                    return False
                order["statut"] = target
        return True

    @staticmethod
    def target(step, order):
        return step[2] if step[0] == "move" else STATES[min(STATES.index(order["statut"]) + 1, 3)]


# Every move from every state, and a cancellation while the till is closed.
EVERY_MOVE = [("move", 0, state) for state in reversed(STATES)]
PAID = ("order", [(0, Decimal(2)), (1, Decimal(3))], Decimal(0))


@EXAMPLES
@example(
    actions=[PAID, *EVERY_MOVE * 4, ("till",), ("cancel", 0), ("till",), ("cancel", 0), ("cancel", 0), *EVERY_MOVE]
)
@given(actions=st.lists(action, min_size=1, max_size=16))
def test_status_invoice_and_till_agree_with_the_model_after_every_step(db, actions):
    with db.connection.transaction(force_rollback=True):
        till = builders.caisse(db, activite_code="RESTAURATION")
        kitchen = Kitchen([builders.plat(db, str(price)) for price in PRICES], till)
        db.acting(builders.utilisateur(db, role="RESPONSABLE_RESTAURANT", caisse=till))
        for step in actions:
            assert accepted(db, REFUSALS, run, db, kitchen, step) == kitchen.allowed(step), step
            check(db, kitchen)
        db.acting(None)


def run(db, kitchen, step):
    if step[0] == "order":
        db.call(
            "restaurant.commande_creer",
            type="SUR_PLACE",
            lignes=[{"id_plat": kitchen.dishes[n], "quantite": str(q)} for n, q in step[1]],
            paiement={"montant": str(kitchen.total(step[1]) + step[2]), "id_moyen": 1},
        )
    elif step[0] == "dish":
        champs = {"disponible": not kitchen.available[step[1]]}
        db.call("restaurant.plat_modifier", id_plat=kitchen.dishes[step[1]], champs=champs)
    elif step[0] == "till":
        db.call(f"finances.caisse_{'fermer' if kitchen.open else 'ouvrir'}", id_caisse=kitchen.till)
    elif kitchen.orders:
        n = step[1] % len(kitchen.orders)
        key = orders(db)[n]["id_commande"]
        if step[0] == "cancel":
            db.call("restaurant.commande_annuler", id_commande=key)
        else:
            db.call("restaurant.commande_avancer", id_commande=key, statut=kitchen.target(step, kitchen.orders[n]))


def orders(db):
    return db.all(
        "select c.id_commande, c.total, c.statut::text, f.montant_total, f.montant_paye, f.statut::text as facture"
        "  from restaurant.commande c"
        "  join facturation.facture f on f.source_type = 'COMMANDE_RESTAURANT' and f.source_id = c.id_commande"
        " order by c.id_commande"
    )


def check(db, kitchen):
    assert db.one("select finances._montant_attendu(%s, core.aujourdhui())", [kitchen.till]) == kitchen.money
    expected = []
    for order in kitchen.orders:
        cancelled, total = order["statut"] == "ANNULEE", order["total"]
        expected.append((total, order["statut"], total, 0 if cancelled else total, "ANNULEE" if cancelled else "PAYEE"))
    assert [tuple(row.values())[1:] for row in orders(db)] == expected
