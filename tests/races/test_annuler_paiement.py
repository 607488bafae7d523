"""Concurrent cancelling, applying, refunding and paying of one payment: the money goes back once, the sums hold."""

import pytest

from tests import builders
from tests.preuve import selon

pytestmark = pytest.mark.promesse(
    "Annulation : à plusieurs, un paiement n'est rendu qu'une fois et ne règle jamais plus que ce qui en reste"
)


def pay(db, montant, **fields):
    return db.call("finances.paiement_creer", montant=montant, id_moyen=1, **fields)["id_paiement"]


def cancel(db, payment):
    db.call("finances.paiement_annuler", id_paiement=payment, motif="Erreur")
    return "cancelled"


def refunded_amount(db, payment):
    return db.one("select coalesce(sum(montant), 0) from finances.paiement where id_paiement_origine = %s", [payment])


def test_a_cancellation_and_uses_of_the_excess_never_spend_the_same_money(shared, at_once):
    for _ in range(selon(3, 50)):
        first, second = builders.facture(shared, "300"), builders.facture(shared, "300.50")
        payment = pay(shared, "500.25", id_activite=2)
        shared.call("finances.paiement_appliquer", id_paiement=payment, id_facture=first)

        def act(db, n, payment=payment, second=second):
            if n == 0:
                return cancel(db, payment)
            if n % 2:
                db.call("finances.paiement_appliquer", id_paiement=payment, id_facture=second, montant="60.05")
                return "applied"
            db.call("finances.paiement_rembourser", id_paiement=payment, montant="60.05")
            return "refunded"

        outcomes = at_once(8, act)
        assert outcomes[0] == "cancelled"
        assert set(outcomes[1:]) <= {"applied", "refunded", "PAIEMENT_SANS_EXCEDENT", "EXCEDENT_DEPASSE"}
        assert str(refunded_amount(shared, payment)) == "500.25"
        assert shared.one("select coalesce(sum(montant_paye), 0) from facturation.facture") == 0


def test_cancelling_an_invoice_and_its_payments_refunds_each_payment_once(shared, at_once):
    for _ in range(selon(3, 50)):
        facture = builders.facture(shared, "1000")
        payments = [pay(shared, "100.10", id_facture=facture) for _ in range(4)]

        def act(db, n, payments=payments, facture=facture):
            if n == 0:
                return db.call("facturation.facture_annuler", id_facture=facture, motif="Erreur")["statut"]
            return cancel(db, payments[n % 4])

        outcomes = at_once(8, act)
        assert outcomes[0] == "ANNULEE"
        assert set(outcomes[1:]) <= {"cancelled", "PAIEMENT_DEJA_ANNULE", "PAIEMENT_DEJA_RENDU"}
        assert [str(refunded_amount(shared, payment)) for payment in payments] == ["100.10"] * 4


def test_rent_payments_during_cancellations_leave_the_exact_sum_paid(shared, at_once):
    contrat = builders.contrat(shared, date_debut="2026-01-17", date_fin_prevue="2026-09-20", montant_loyer="95000.50")

    def pay_rent(db, montant):
        lot = {"id_contrat": contrat, "montant": montant, "id_moyen": 1}
        return db.call("residence.contrat_encaisser_loyer_lot", **lot)["id_paiement"]

    lots = [pay_rent(shared, "120000") for _ in range(3)]

    def act(db, n):
        return cancel(db, lots[n]) if n < 3 else bool(pay_rent(db, "77000.25"))

    outcomes = at_once(7, act)
    assert outcomes == ["cancelled"] * 3 + [True] * 4
    assert str(shared.one("select sum(montant_paye) from residence.echeance")) == "308001.00"


def test_a_refund_during_the_closing_of_a_till_never_falls_after_the_closing(shared, at_once):
    for _ in range(selon(3, 50)):
        till = builders.caisse(shared)
        payment = pay(shared, "60.05", id_caisse=till)

        def act(db, n, payment=payment, till=till):
            return cancel(db, payment) if n else db.call("finances.caisse_fermer", id_caisse=till)["fermee"]

        assert at_once(2, act) == [True, "cancelled"]
        row = shared.one(
            "select p.id_caisse, p.date <= c.fermeture as inside from finances.paiement p"
            " left join finances.periode_caisse c using (id_periode) where p.id_paiement_origine = %s",
            [payment],
        )
        assert row in ({"id_caisse": till, "inside": True}, {"id_caisse": None, "inside": None})
