"""After any sequence of operations, the ledger of prepaid units agrees with a model and no balance is below zero."""

from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import accepted
from tests.examples import EXAMPLES

PRICES = (Decimal("1500"), Decimal("333.33"))
KINDS = ("running", "ends first, two a day", "category only", "expired", "to come")
quantity = st.decimals(min_value="0.01", max_value="4", places=2)
action = st.one_of(
    st.tuples(
        st.just("order"),
        st.lists(st.tuples(st.integers(0, 1), quantity), min_size=1, max_size=3),
        st.booleans(),
        st.booleans(),
    ),
    st.tuples(st.just("cancel"), st.integers(0, 5)),
    st.tuples(st.just("adjust"), st.integers(0, 4), st.decimals(min_value=-6, max_value=6, places=3)),
    st.tuples(st.just("terminate"), st.integers(0, 4)),
    st.tuples(st.just("void"), st.integers(0, 4)),
    st.tuples(st.just("carry over"), st.integers(0, 4), st.integers(0, 4)),
    st.tuples(st.just("lose"), st.integers(0, 4)),
)
REFUSALS = {
    "ABONNEMENT_EXCEDENT", "SOLDE_NEGATIF", "QUANTITE_TROP_FINE", "mouvement_sens", "SOUSCRIPTION_CLOSE",
    "SOUSCRIPTION_NON_ACTIVE", "SOUSCRIPTION_CONSOMMEE", "FACTURE_ANNULEE", "RELIQUAT_SANS_OBJET",
    "RELIQUAT_CIBLE_INCOMPATIBLE", "RELIQUAT_CIBLE_INUTILISABLE", "TRANSITION_INTERDITE",
}  # fmt: skip


@dataclass
class Sold:
    kind: str
    balance: Decimal
    status: str = "ACTIVE"
    used_today: Decimal = Decimal(0)
    used: Decimal = Decimal(0)
    moved: bool = False

    @property
    def state(self):
        if self.status != "ACTIVE":
            return self.status
        if self.kind == "expired":
            return "EXPIREE"
        if self.kind == "to come":
            return "A_VENIR"
        return "ACTIVE" if self.balance > 0 else "EPUISEE"

    def room(self):
        limit = 2 - self.used_today if self.kind == "ends first, two a day" else self.balance
        return max(Decimal(0), min(self.balance, limit))


@dataclass
class Model:
    sold: list[Sold] = field(default_factory=list)
    orders: list[dict[str, Any]] = field(default_factory=list)

    def cover(self, lines):
        """The covered units of each line, the units drawn from each subscription, and whether there is an excess."""
        active = [n for n in (1, 0, 2) if self.sold[n].state == "ACTIVE"]  # by their last day
        room = {n: self.sold[n].room() for n in active}
        drawn = {}
        covered, excess = [], False
        for dish, wanted in lines:
            left, usable = wanted, False
            for n in active:
                if self.sold[n].kind == "category only" and dish != 0:
                    continue
                usable = True
                part = min(left, room[n])
                room[n] -= part
                left -= part
                drawn[n] = drawn.get(n, Decimal(0)) + part
            covered.append(wanted - left)
            excess = excess or (usable and left > 0)
        return covered, drawn, excess

    def allowed(self, step):
        """Whether the rules allow this step. An allowed step is applied to the model."""
        return bool(getattr(self, step[0].replace(" ", "_"))(*step[1:]))

    def order(self, lines, use, accept):
        covered, drawn, excess = self.cover(lines) if use else ([Decimal(0)] * len(lines), {}, False)
        if excess and not accept:
            return False
        for n, units in drawn.items():
            self.draw(n, units)
        self.orders.append({"drawn": drawn, "due": due(lines, covered), "cancelled": False})
        return True

    def draw(self, n, units):
        self.sold[n].balance -= units
        self.sold[n].used_today += units
        self.sold[n].used += units

    def cancel(self, n):
        if not self.orders:
            return True
        order = self.orders[n % len(self.orders)]
        if order["cancelled"]:
            return False
        order["cancelled"] = True
        for key, units in order["drawn"].items():
            self.draw(key, -units)
        return True

    def adjust(self, n, units):
        sold = self.sold[n]
        if sold.status != "ACTIVE" or units != round(units, 2) or units == 0 or sold.balance + units < 0:
            return False
        sold.balance += units
        return True

    def terminate(self, n):
        if self.sold[n].status != "ACTIVE" or (self.sold[n].state == "EXPIREE" and self.sold[n].balance > 0):
            return False
        self.sold[n].status = "RESILIEE"
        return True

    def void(self, n):
        sold = self.sold[n]
        if sold.status == "ANNULEE" or sold.used != 0 or sold.moved:
            return False
        sold.status = "ANNULEE"
        return True

    def carry_over(self, n, target):
        source, into = self.sold[n], self.sold[target]
        same = n != target and (source.kind == "category only") == (into.kind == "category only")
        if source.state != "EXPIREE" or source.balance <= 0 or not same:
            return False
        if into.state not in ("ACTIVE", "EPUISEE", "A_VENIR"):
            return False
        into.balance += source.balance
        source.balance = Decimal(0)
        source.moved = into.moved = True
        return True

    def lose(self, n):
        if self.sold[n].state != "EXPIREE" or self.sold[n].balance <= 0:
            return False
        self.sold[n].balance, self.sold[n].moved = Decimal(0), True
        return True


def due(lines, covered):
    rest = [(PRICES[dish] * (wanted - paid)) for (dish, wanted), paid in zip(lines, covered, strict=True)]
    return sum((amount.quantize(Decimal("0.01"), "ROUND_HALF_UP") for amount in rest), Decimal(0))


TWO, MANY = [(0, Decimal(2)), (1, Decimal("2.5"))], [(1, Decimal(9))]


@EXAMPLES
@example(actions=[  # drawn by their last day within the limit of a day, given back, used up, terminated
    ("order", TWO, True, False), ("cancel", 0), ("cancel", 0), ("order", MANY, False, False),
    ("order", MANY, True, False), ("order", MANY, True, True), ("order", MANY, True, False), ("order", TWO, True, True),
    ("cancel", 2), ("terminate", 0), ("order", TWO, True, True), ("void", 0), ("adjust", 1, Decimal(-9)),
])  # fmt: skip
@given(actions=st.lists(action, min_size=1, max_size=14))
def test_balances_states_and_invoices_agree_with_the_model_after_every_step(db, actions):
    with db.connection.transaction(force_rollback=True):
        client = builders.client(db)
        category = db.call("restaurant.categorie_plat_creer", libelle="Plats")["id_categorie_plat"]
        dishes = [builders.plat(db, "1500", id_categorie_plat=category), builders.plat(db, "333.33")]
        day = db.today()
        offers = {
            "running": {"quota": "5"},
            "ends first, two a day": {"quota": "3.5", "max_par_jour": "2"},
            "category only": {"quota": "4", "id_categorie_plat": category},
            "expired": {"quota": "2.25"},
            "to come": {"quota": "1"},
        }
        shift = {"running": -3, "ends first, two a day": -4, "category only": 0, "expired": -30, "to come": 1}
        model = Model([Sold(kind, Decimal(offers[kind]["quota"])) for kind in KINDS])
        keys = [
            builders.souscription(
                db, id_client=client, date_debut=day + timedelta(days=shift[kind]), offre=offers[kind]
            )
            for kind in KINDS
        ]
        for step in actions:
            done = accepted(db, REFUSALS, run, db, model, step, keys, client, dishes)
            assert done == model.allowed(step), step
            check(db, model, keys)


def run(db, model, step, keys, client, dishes):
    kind = step[0]
    if kind == "order":
        covered = model.cover(step[1])[0] if step[2] else [Decimal(0)] * len(step[1])
        db.call(
            "restaurant.commande_creer", type="SUR_PLACE",
            lignes=[{"id_plat": dishes[n], "quantite": str(units)} for n, units in step[1]],
            paiement={"montant": str(due(step[1], covered)), "id_moyen": 1}, id_client=client,
            utiliser_abonnement=step[2], accepter_excedent=step[3],
        )  # fmt: skip
    elif kind == "cancel":
        orders = db.all("select id_commande from restaurant.commande order by id_commande")
        if orders:
            db.call("restaurant.commande_annuler", id_commande=orders[step[1] % len(orders)]["id_commande"])
    elif kind == "adjust":
        db.call("abonnement.souscription_ajuster", id_souscription=keys[step[1]], quantite=str(step[2]), motif="Essai")
    elif kind == "terminate":
        db.call("abonnement.souscription_resilier", id_souscription=keys[step[1]], motif="Essai")
    elif kind == "void":
        invoice = db.one("select id_facture from abonnement.souscription where id_souscription = %s", [keys[step[1]]])
        db.call("facturation.facture_annuler", id_facture=invoice, motif="Essai")
    else:
        fields = {"decision": "PERDU"}
        if kind == "carry over":
            fields = {"decision": "REPORTE", "id_souscription_cible": str(keys[step[2]])}
        db.call("abonnement.souscription_decider_reliquat", id_souscription=keys[step[1]], **fields)


def check(db, model, keys):
    rows = db.all(
        "select v.solde, v.etat::text, v.reliquat_a_decider, v.consomme_aujourdhui,"
        "       v.quota + (select coalesce(sum(m.quantite), 0) from abonnement.mouvement m"
        "                   where m.id_souscription = v.id_souscription) as recomputed"
        "  from abonnement.souscription_vue v order by v.id_souscription"
    )
    assert len(rows) == len(keys)
    for row, sold in zip(rows, model.sold, strict=True):
        assert row["solde"] == row["recomputed"] == sold.balance >= 0
        assert (row["etat"], row["consomme_aujourdhui"]) == (sold.state, sold.used_today)
        assert row["reliquat_a_decider"] == (sold.state == "EXPIREE" and sold.balance > 0)
    invoiced = db.one(
        "select coalesce(sum(montant_total), 0) from facturation.facture"
        " where source_type = 'COMMANDE_RESTAURANT' and not annulee"
    )
    assert invoiced == sum((order["due"] for order in model.orders if not order["cancelled"]), Decimal(0))
    assert db.all("select * from jobs._controler()") == []
