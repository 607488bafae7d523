"""After any sequence of collections and a termination, the instalments agree with a model in Python."""

from calendar import monthrange
from decimal import ROUND_HALF_UP, Decimal

from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import accepted
from tests.examples import EXAMPLES
from tests.residence.leases import instalments, numero, terminate

CENT = Decimal("0.01")
amount = st.decimals(min_value=CENT, max_value=400, places=2)
step = st.one_of(
    st.tuples(st.just("lot"), amount, st.just(0)),
    st.tuples(st.just("un"), amount, st.integers(0, 5)),
    st.tuples(st.just("facture"), amount, st.integers(0, 5)),
    st.tuples(st.just("resilier"), st.just(CENT), st.integers(1, 6)),
)


class Model:
    """Six months at 100: for each month the amount due and the amount paid, and all payments received."""

    def __init__(self):
        self.due, self.paid = [Decimal(100)] * 6, [Decimal(0)] * 6
        self.received = self.unapplied = self.credit = Decimal(0)
        self.active = True

    def lot(self, montant):
        self.received += montant
        for n, due in enumerate(self.due):
            part = min(montant, due - self.paid[n])
            self.paid[n] += part
            montant -= part
        self.unapplied += montant
        return montant

    def pay_one(self, n, montant):
        """Pay one instalment. Return whether the model accepts the payment."""
        if self.paid[n] + montant > self.due[n]:
            return False
        self.paid[n] += montant
        self.received += montant
        return True

    def terminate(self, last):
        """Terminate on the 15th of month `last`, so later months owe nothing. Return the credit."""
        self.active = False
        days = Decimal(15) / monthrange(2026, last)[1]
        owed = [(100 * days).quantize(Decimal(1), ROUND_HALF_UP)] + [Decimal(0)] * (6 - last)
        for n, due in enumerate(owed, start=last - 1):
            self.due[n] = due
            self.credit += max(self.paid[n] - due, Decimal(0))
            self.paid[n] = min(due, self.paid[n])
        return self.credit


@EXAMPLES
@given(steps=st.lists(step, max_size=12))
def test_collections_agree_with_the_model_after_every_step(db, steps):
    with db.connection.transaction(force_rollback=True):
        _run(db, steps)


def _run(db, steps):
    lease = builders.contrat(db, date_fin_prevue="2026-06-30", montant_loyer="100")
    ids = [row["id_echeance"] for row in instalments(db, lease)]
    model = Model()
    for kind, montant, n in steps:
        payment = {"montant": montant, "id_moyen": builders.moyen(db)}
        if kind == "lot":
            answer = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, **payment)
            rest = model.lot(montant)
            assert (answer["montant_non_affecte"] or 0, answer["montant_applique"]) == (rest, montant - rest)
            assert (answer["avertissement"] is not None) == (rest > 0)
        elif kind == "resilier" and model.active:
            assert terminate(db, lease, f"2026-0{n}-15")["montant_a_rembourser"] == model.terminate(n)
        elif kind in ("un", "facture"):
            facture = db.one("select id_facture from facturation.facture where source_id = %s", [ids[n]])
            if kind == "facture" and facture is None:
                continue
            name, key = (
                ("finances.paiement_creer", {"id_facture": facture})
                if kind == "facture"
                else ("residence.echeance_encaisser", {"id_echeance": ids[n]})
            )
            # An instalment that owes nothing is credited in full, and P0002 is NOT_FOUND.
            refusals = {"SURPAIEMENT", "P0002"} | (set() if model.due[n] else {"FACTURE_ANNULEE"})
            assert accepted(db, refusals, db.call, name, **key, **payment) == model.pay_one(n, montant)
        check(db, lease, model)


def check(db, lease, model):
    """The payments of the lease equal the sum paid on its instalments and the unapplied amount."""
    rows = instalments(db, lease)
    assert [row["montant_paye"] for row in rows] == model.paid
    assert [row["montant"] if not row["annulee"] else Decimal(0) for row in rows] == model.due
    reasons = [f"Loyer {numero(db, lease)}", f"Loyer {numero(db, lease)}, %"]  # the second names an invoice
    query = "select coalesce(sum(montant), 0) from finances.paiement where motif = %s or motif like %s"
    assert db.one(query, reasons) == model.received == sum(model.paid) + model.credit + model.unapplied
    assert db.all("select * from jobs._controler()") == []
