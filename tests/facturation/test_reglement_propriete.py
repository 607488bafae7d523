"""After any sequence of payments, refusals and cancellations, the sums of an invoice equal the sums of its rows."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import accepted
from tests.examples import EXAMPLES

amount = st.decimals(min_value=0, max_value=300, places=2)
action = st.one_of(
    st.tuples(st.just("issue"), st.lists(amount, min_size=1, max_size=3), amount, amount),
    st.tuples(st.just("pay"), st.integers(0, 5), amount),
    st.tuples(st.just("pay all"), st.integers(0, 5)),
    st.tuples(st.just("cancel"), st.integers(0, 5)),
)
REFUSALS = {"SURPAIEMENT", "REMISE_EXCESSIVE", "FACTURE_ANNULEE", "montant_strictement_positif"}


@pytest.fixture
def ids(db):
    return {"prestation": builders.prestation(db), "moyen": builders.moyen(db)}


@EXAMPLES
@given(actions=st.lists(action, min_size=1, max_size=12))
def test_any_sequence_of_operations_keeps_sums_state_and_numbers_consistent(db, ids, actions):
    with db.connection.transaction(force_rollback=True):
        invoices = []  # id, total, paid, cancelled: the expected values
        numbers = []
        for step in actions:
            expected = allowed(step, invoices)
            assert accepted(db, REFUSALS, run, db, ids, step, invoices, numbers) == expected, step
            check(db, invoices)
        suffixes = [int(number.rsplit("-", 1)[1]) for number in numbers]
        assert suffixes == list(range(suffixes[0], suffixes[0] + len(suffixes))) if suffixes else True


def allowed(step, invoices):
    """Return whether the rules allow this step."""
    if step[0] == "issue":
        total = sum(step[1]) - step[2]
        return total >= 0 and step[3] <= total
    if not invoices:
        return True
    invoice = invoices[step[1] % len(invoices)]
    if step[0] == "cancel":
        return not invoice["cancelled"]
    paid = step[2] if step[0] == "pay" else invoice["total"] - invoice["paid"]
    return 0 < paid <= invoice["total"] - invoice["paid"] and not invoice["cancelled"]


def run(db, ids, step, invoices, numbers):
    if step[0] == "issue":
        answer = db.call(
            "facturation.prestation_facturer",
            id_prestation=ids["prestation"],
            id_moyen=ids["moyen"],
            montant=step[3],
            lignes=[{"libelle": "Ligne", "prix_unitaire": str(price)} for price in step[1]],
            remise=step[2],
        )
        invoices.append(
            {"id": answer["id_facture"], "total": sum(step[1]) - step[2], "paid": step[3], "cancelled": False}
        )
        numbers.append(answer["numero"])
        return
    if not invoices:
        return
    invoice = invoices[step[1] % len(invoices)]
    if step[0] == "cancel":
        db.one("select finances._facture_annuler(%s, 'Essai')", [invoice["id"]])
        invoice.update(paid=Decimal(0), cancelled=True)
    else:
        paid = step[2] if step[0] == "pay" else invoice["total"] - invoice["paid"]
        answer = db.call("finances.paiement_creer", montant=paid, id_moyen=ids["moyen"], id_facture=invoice["id"])
        invoice["paid"] += paid
        assert answer["id_facture"] == invoice["id"]


def check(db, invoices):
    for invoice in invoices:
        row = db.one(
            "select f.*, coalesce(a.applique, 0) as applique, coalesce(a.argent, 0) as argent"
            "  from facturation.facture f left join ("
            "    select a.id_facture, sum(a.montant) as applique,"
            "           sum(case p.type when 'ENCAISSEMENT' then p.montant else -p.montant end) as argent"
            "      from finances.imputation_vue a join finances.paiement p using (id_paiement)"
            "     group by a.id_facture) a using (id_facture)"
            " where f.id_facture = %s",
            [invoice["id"]],
        )
        assert (row["montant_total"], row["montant_paye"]) == (invoice["total"], invoice["paid"])
        assert row["montant_paye"] == row["applique"] == row["argent"]
        owed = Decimal(0) if invoice["cancelled"] else row["montant_total"] - row["montant_paye"]
        assert row["reste"] == owed >= 0
        if invoice["cancelled"]:
            statut = "ANNULEE"
        elif row["reste"] == 0:
            statut = "PAYEE"
        else:
            statut = "PARTIELLE" if row["montant_paye"] else "IMPAYEE"
        assert row["statut"] == statut
