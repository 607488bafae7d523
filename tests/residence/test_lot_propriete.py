"""After any sequence of collections and a termination, the instalments agree with a model in Python."""

from calendar import monthrange
from decimal import ROUND_HALF_UP, Decimal

import psycopg
from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from tests.examples import EXAMPLES

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
        self.due = [Decimal(100)] * 6
        self.paid = [Decimal(0)] * 6
        self.received = Decimal(0)
        self.unapplied = Decimal(0)
        self.credit = Decimal(0)
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
    lease = builders.contrat(db, date_debut="2026-01-01", date_fin_prevue="2026-06-30", montant_loyer="100")
    moyen = builders.moyen(db)
    rows = db.all("select id_echeance from residence.echeance where id_contrat = %s order by mois", [lease])
    ids = [row["id_echeance"] for row in rows]
    model = Model()
    for kind, montant, n in steps:
        if kind == "lot":
            answer = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease, montant=montant, id_moyen=moyen)
            rest = model.lot(montant)
            assert (answer["montant_non_affecte"] or 0, answer["montant_applique"]) == (rest, montant - rest)
            assert (answer["avertissement"] is not None) == (rest > 0)
        elif kind == "resilier" and model.active:
            answer = db.call("residence.contrat_resilier", id_contrat=lease, date_resiliation=f"2026-0{n}-15")
            assert answer["montant_a_rembourser"] == model.terminate(n)
        elif kind in ("un", "facture"):
            facture = db.one("select id_facture from facturation.facture where source_id = %s", [ids[n]])
            call = {"montant": montant, "id_moyen": moyen}
            if kind == "facture" and facture is None:
                continue
            name, key = (
                ("finances.paiement_creer", {"id_facture": facture})
                if kind == "facture"
                else ("residence.echeance_encaisser", {"id_echeance": ids[n]})
            )
            refusals = {"SURPAIEMENT"} if model.due[n] else {"SURPAIEMENT", "FACTURE_ANNULEE"}  # credited in full
            assert accepted(db, refusals, name, **key, **call) == model.pay_one(n, montant)
        check(db, lease, ids, model)


def accepted(db, refusals, function, **arguments):
    try:
        with db.connection.transaction():
            db.call(function, **arguments)
    except psycopg.Error as error:
        assert error.diag.constraint_name in refusals or error.sqlstate == "P0002", error
        return False
    return True


def check(db, lease, ids, model):
    """The payments of the lease equal the sum paid on its instalments and the unapplied amount."""
    rows = db.all(
        "select montant, montant_paye, annulee from residence.echeance where id_echeance = any(%s) order by mois", [ids]
    )
    assert [row["montant_paye"] for row in rows] == model.paid
    assert [row["montant"] if not row["annulee"] else Decimal(0) for row in rows] == model.due
    number = db.one("select numero_contrat from residence.contrat_location where id_contrat = %s", [lease])
    received = db.one("select coalesce(sum(montant), 0) from finances.paiement where motif = %s", [f"Loyer {number}"])
    named_by_invoice = db.one(
        "select coalesce(sum(montant), 0) from finances.paiement where motif like %s", [f"Loyer {number}, %"]
    )
    assert received + named_by_invoice == model.received == sum(model.paid) + model.credit + model.unapplied
    assert db.all("select * from jobs._controler()") == []
