"""After any sequence of operations on payslips, payslips and payments agree with a model in Python."""

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import accepted
from tests.examples import EXAMPLES

PERIODS = ("2026-07", "2026-08")
amount = st.decimals(min_value=-300, max_value=300, places=2)
position = st.integers(0, 5)
action = st.one_of(
    st.tuples(st.just("create"), st.integers(0, 1), st.sampled_from(PERIODS), amount.map(abs)),
    st.tuples(
        st.just("element"), position, st.sampled_from(["PRIME", "AVANCE", "RETENUE", "HEURE_SUP", "AUTRE"]), amount
    ),
    st.tuples(st.just("salary"), st.integers(0, 1), amount.map(abs)),
    st.tuples(st.just("month"), st.sampled_from(PERIODS)),
    st.tuples(st.sampled_from(["recalculer", "valider", "payer", "annuler"]), position),
)
TRANSITIONS = {
    "valider": ({"CALCULEE"}, "VALIDEE"),
    "payer": ({"VALIDEE"}, "PAYEE"),
    "annuler": ({"CALCULEE", "VALIDEE"}, "ANNULEE"),
}
REFUSALS = {"paie_existante", "element_montant", "NET_NEGATIF", "PAIE_FIGEE", "TRANSITION_INTERDITE"}


class Model:
    def __init__(self):
        self.salaries = [Decimal(180), Decimal(180)]
        self.slips = []

    def slip(self, number):
        return self.slips[number % len(self.slips)]

    def slips_of(self, employe, period):
        return [slip for slip in self.slips if (slip["employe"], slip["period"]) == (employe, period)]

    def create(self, employe, period, base):
        if any(slip["statut"] != "ANNULEE" for slip in self.slips_of(employe, period)):
            return False
        slip = {"employe": employe, "period": period, "base": base, "known_salary": self.salaries[employe]}
        self.slips.append(slip | {"elements": [], "statut": "CALCULEE"})
        return True

    def element(self, slip, kind, montant):
        if kind in ("AVANCE", "RETENUE"):
            montant = -abs(montant)
        wrong = montant == 0 or (kind in ("PRIME", "HEURE_SUP") and montant < 0)
        if wrong or slip["statut"] != "CALCULEE" or net(slip) + montant < 0:
            return False
        slip["elements"].append(montant)
        return True

    def refresh(self, slip):
        salary = self.salaries[slip["employe"]]
        if slip["statut"] != "CALCULEE":
            return False
        if salary != slip["known_salary"]:
            if salary + sum(slip["elements"]) < 0:
                return False
            slip.update(base=salary, known_salary=salary)
        return True

    def move(self, slip, verb):
        allowed, target = TRANSITIONS[verb]
        if slip["statut"] not in allowed:
            return False
        slip["statut"] = target
        return True

    def month(self, period):
        for employe in (0, 1):
            if not self.slips_of(employe, period):
                self.create(employe, period, self.salaries[employe])
        for slip in self.slips:
            if slip["period"] == period:
                self.refresh(slip)
        return True

    def step(self, step):
        """Whether the rules allow this step. An allowed step is applied to the model."""
        name = step[0]
        if name == "create":
            return self.create(*step[1:])
        if name == "salary":
            self.salaries[step[1]] = step[2]
            return True
        if name == "month":
            return self.month(step[1])
        if not self.slips:
            return True
        slip = self.slip(step[1])
        if name == "element":
            return self.element(slip, *step[2:])
        return self.refresh(slip) if name == "recalculer" else self.move(slip, name)


def net(slip):
    return slip["base"] + sum(slip["elements"])


@pytest.fixture
def staff(db):
    return [builders.employe(db, "180"), builders.employe(db, "180")]


# Every verb in every state; the second payslip has a net of zero, the third is cancelled.
VERBS = [("recalculer", 0), ("payer", 0), ("valider", 0), ("element", 0, "PRIME", Decimal(1))]
STATES = [
    ("create", 0, PERIODS[0], Decimal(100)), *VERBS, *VERBS, *VERBS, ("annuler", 0),
    ("create", 1, PERIODS[0], Decimal(50)), ("element", 1, "AVANCE", Decimal(50)), ("valider", 1), ("payer", 1),
    ("payer", 1), ("create", 1, PERIODS[1], Decimal(50)), ("annuler", 2), ("annuler", 2), ("valider", 2), ("payer", 2),
]  # fmt: skip


@EXAMPLES
@example(actions=STATES)
@given(actions=st.lists(action, min_size=1, max_size=18))
def test_payslips_and_payments_agree_with_the_model_after_every_step(db, staff, actions):
    with db.connection.transaction(force_rollback=True):
        model = Model()
        moyen = builders.moyen(db)
        before = db.one("select coalesce(max(id_paie), 0) from rh.paie")
        for step in actions:
            rows = db.all("select id_paie from rh.paie where id_paie > %s order by 1", [before])
            ids = [row["id_paie"] for row in rows]
            assert accepted(db, REFUSALS, run, db, staff, ids, step, moyen) == model.step(step), step
            check(db, staff, model)


def run(db, staff, ids, step, moyen):
    name = step[0]
    if name == "create":
        db.call("rh.paie_creer", id_employe=staff[step[1]], periode=step[2], salaire_base=step[3])
    elif name == "salary":
        db.call("rh.employe_modifier", id_employe=staff[step[1]], champs={"salaire_base": str(step[2])})
    elif name == "month":
        db.call("jobs.recalculer_paie", periode=step[1])
    elif ids:
        paie = ids[step[1] % len(ids)]
        if name == "element":
            db.call("rh.element_salaire_ajouter", id_paie=paie, type=step[2], libelle="Essai", montant=step[3])
        else:
            db.call(f"rh.paie_{name}", id_paie=paie, **({"id_moyen": moyen} if name == "payer" else {}))


def check(db, staff, model):
    rows = db.all("select * from rh.paie order by id_paie")
    assert len(rows) == len(model.slips)
    for row, slip in zip(rows, model.slips, strict=True):
        assert (row["id_employe"], row["periode"]) == (staff[slip["employe"]], slip["period"])
        assert (row["salaire_base"], row["statut"]) == (slip["base"], slip["statut"])
        assert row["total_elements"] == sum(e for e in slip["elements"] if e > 0)
        assert row["total_retenues"] == -sum(e for e in slip["elements"] if e < 0)
        assert row["montant_a_payer"] == net(slip) >= 0
        assert (row["id_paiement"] is not None) == (slip["statut"] == "PAYEE" and net(slip) > 0)
    # Each payment belongs to one payslip and has its net, and there is no other payment.
    paid = db.all("select p.montant, b.montant_a_payer from finances.paiement p left join rh.paie b using (id_paiement)"
                  " where p.type = 'DECAISSEMENT'")  # fmt: skip
    assert all(row["montant"] == row["montant_a_payer"] for row in paid)
    assert len(paid) == sum(slip["statut"] == "PAYEE" and net(slip) > 0 for slip in model.slips)
