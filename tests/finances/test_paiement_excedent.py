"""The excess of a payment: it is applied to another debt of the same client, or refunded."""

import json

import pytest

from tests import builders
from tests.builders import payer as pay
from tests.conftest import refused
from tests.finances.test_paiement_annuler import cancel, cancel_invoice, counter_of, sound


def apply(db, payment, **fields):
    return db.call("finances.paiement_appliquer", id_paiement=payment, **fields)


def refund(db, payment, **fields):
    return db.call("finances.paiement_rembourser", id_paiement=payment, **fields)


def balance(db, client):
    return str(db.call("client.credit_detail", id_client=client)["solde"])


@pytest.fixture
def lease(db):
    """A lease of three instalments from the 17th, and a rent payment with an excess of 500."""
    client = builders.client(db)
    contrat = builders.contrat(db, id_client=client, date_debut="2026-01-17", date_fin_prevue="2026-03-20")
    owed = db.one("select sum(montant - montant_paye) from residence.echeance where id_contrat = %s", [contrat])
    lot = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=contrat, montant=str(owed + 500), id_moyen=1)
    assert lot["montant_non_affecte"] == 500
    return {"client": client, "contrat": contrat, "payment": lot["id_paiement"]}


def test_the_excess_of_a_rent_payment_pays_an_invoice_of_the_same_client(db, lease):
    facture = builders.facture(db, "300.75", id_client=lease["client"])
    answer = apply(db, lease["payment"], id_facture=facture)
    numero = db.one("select numero from facturation.facture where id_facture = %s", [facture])
    assert (str(answer["montant_applique"]), answer["numero"]) == ("300.75", numero)
    with refused("SURPAIEMENT", 409):
        apply(db, lease["payment"], id_facture=facture)
    other = builders.facture(db, "1000", id_client=lease["client"])
    with refused("EXCEDENT_DEPASSE", 409) as refusal:
        apply(db, lease["payment"], id_facture=other, montant="200")
    assert json.loads(refusal["details"]) == {"libre": "199.25"}
    apply(db, lease["payment"], id_facture=other)
    assert str(db.one("select reste from facturation.facture where id_facture = %s", [other])) == "800.75"
    with refused("PAIEMENT_SANS_EXCEDENT", 409):
        refund(db, lease["payment"])
    assert sound(db)


def test_the_excess_pays_an_instalment_and_issues_its_invoice(db, lease):
    second = builders.contrat(db, id_client=lease["client"], date_debut="2026-05-17", date_fin_prevue="2026-08-20")
    echeance = db.one("select min(id_echeance) from residence.echeance where id_contrat = %s", [second])
    answer = apply(db, lease["payment"], id_echeance=echeance, montant="123.45")
    assert str(answer["montant_applique"]) == "123.45"
    row = db.one("select montant_paye, id_paiement from residence.echeance where id_echeance = %s", [echeance])
    assert (str(row["montant_paye"]), row["id_paiement"]) == ("123.45", lease["payment"])
    apply(db, lease["payment"], id_echeance=echeance)
    assert str(db.one("select montant_paye from residence.echeance where id_echeance = %s", [echeance])) == "500.00"
    issued = "select count(*) from facturation.facture where source_type = 'LOCATION' and source_id = %s"
    assert db.one(issued, [echeance]) == 1
    assert sound(db)


def test_the_excess_of_a_client_never_pays_an_invoice_of_another_client(db, lease):
    # No instalment is left to pay, so the whole second payment is excess. Only the lease says whose money it is.
    lot = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease["contrat"], montant="77.70", id_moyen=1)
    stranger = builders.client(db, nom="Autre")
    for payment in (lease["payment"], lot["id_paiement"]):
        for client in (stranger, None):
            with refused("CLIENT_DIFFERENT", 409):
                apply(db, payment, id_facture=builders.facture(db, id_client=client))
    apply(db, lot["id_paiement"], id_facture=builders.facture(db, id_client=lease["client"]))


def test_the_excess_is_refunded_in_parts(db, lease):
    back = refund(db, lease["payment"], montant="100.25", id_moyen=2)
    expected = {"type": "DECAISSEMENT", "id_moyen": 2, "id_paiement_origine": lease["payment"], "annule": False}
    assert expected.items() <= back.items() and str(back["montant"]) == "100.25"
    rest = refund(db, lease["payment"])
    assert (str(rest["montant"]), rest["id_moyen"]) == ("399.75", 1)
    with refused("PAIEMENT_SANS_EXCEDENT", 409):
        refund(db, lease["payment"])
    # The rest of the payment, which paid the rents, can still be cancelled.
    cancel(db, lease["payment"])
    assert db.one("select sum(montant_paye) from residence.echeance") == 0
    assert sound(db)


def test_a_refund_requires_an_active_method_or_that_of_the_payment(db):
    payment = pay(db, "60", id_activite=2)
    db.execute("update finances.moyen_paiement set actif = false where id_moyen = 3")
    with refused("MOYEN_PAIEMENT_INACTIF", 409):
        refund(db, payment, id_moyen=3)
    with refused("paiement_moyen_inconnu", 422):
        refund(db, payment, id_moyen=987654)
    db.execute("update finances.moyen_paiement set actif = false where id_moyen = 1")
    refund(db, payment)  # without a method in the request: the method of the payment, even inactive


def test_an_excess_needs_exactly_one_known_target(db):
    payment = pay(db, "60", id_activite=2)
    for target, rule, status in (
        ({}, "CIBLE_UNIQUE", 400),
        ({"id_facture": 1, "id_echeance": 1}, "CIBLE_UNIQUE", 400),
        ({"id_facture": 987654}, "NOT_FOUND", 404),
        ({"id_echeance": 987654}, "NOT_FOUND", 404),
    ):
        with refused(rule, status):
            apply(db, payment, **target)
    with refused("NOT_FOUND", 404):
        apply(db, 987654, id_facture=builders.facture(db))


def test_a_cancelled_payment_or_invoice_has_no_excess_and_takes_none(db):
    facture, other = builders.facture(db, "100"), builders.facture(db, "100")
    refunded, cancelled = pay(db, "60", id_facture=facture), pay(db, "60", id_facture=other)
    cancel_invoice(db, facture)
    with refused("FACTURE_ANNULEE", 409):
        apply(db, pay(db, "60", id_activite=2), id_facture=facture)
    cancel(db, cancelled)
    for payment in (refunded, cancelled, counter_of(db, cancelled)["id_paiement"]):
        with refused("PAIEMENT_SANS_EXCEDENT", 409):
            refund(db, payment)
    with refused("PAIEMENT_SANS_EXCEDENT", 409):
        apply(db, cancelled, id_facture=other)


@pytest.fixture
def closed(db):
    """A lease terminated on 10 June 2026, after two payments had paid its rents until August."""
    client = builders.client(db)
    contrat = builders.contrat(db, id_client=client, date_debut="2026-03-17", date_fin_prevue="2026-08-20")
    owed = db.one("select sum(montant) from residence.echeance where id_contrat = %s", [contrat])
    rents = {"id_contrat": contrat, "id_moyen": 1}
    lots = [db.call("residence.contrat_encaisser_loyer_lot", **rents, montant=m) for m in ("250000", owed - 250000)]
    payments = [lot["id_paiement"] for lot in lots]
    left = db.call("residence.contrat_resilier", id_contrat=contrat, date_resiliation="2026-06-10")
    return {"client": client, "contrat": contrat, "payments": payments, "excess": left["montant_a_rembourser"]}


def test_rent_paid_beyond_the_end_of_a_lease_can_pay_another_invoice(db, closed):
    facture = builders.facture(db, "1000.50", id_client=closed["client"])
    answer = apply(db, closed["payments"][1], id_facture=facture)
    assert str(answer["montant_applique"]) == "1000.50"
    left = db.one("select residence._a_rembourser(%s)", [closed["contrat"]])
    assert left == closed["excess"] - answer["montant_applique"]
    db.call("residence.contrat_rembourser", id_contrat=closed["contrat"], id_moyen=1)
    assert db.one("select residence._a_rembourser(%s)", [closed["contrat"]]) == 0
    with refused("PAIEMENT_SANS_EXCEDENT", 409):
        refund(db, closed["payments"][1])
    assert sound(db)


def test_a_cancelled_payment_takes_its_excess_back_from_the_credit(db, lease):
    """The excess went to the credit of the client. Then the cheque bounces."""
    refund(db, lease["payment"], montant="300", id_moyen=builders.moyen(db, "Crédit client"))
    refund(db, lease["payment"], montant="50", id_moyen=2)
    assert balance(db, lease["client"]) == "300.00"
    cancel(db, lease["payment"])
    received = db.one("select montant from finances.paiement where id_paiement = %s", [lease["payment"]])
    query = "select montant from finances.paiement where id_paiement_origine = %s and annulation"
    assert db.one(query, [lease["payment"]]) == received - 50
    assert balance(db, lease["client"]) == "0.00"
    [taken] = db.all("select id_paiement from finances.paiement where type = 'ENCAISSEMENT' and credit")
    for undo, rule in ((cancel, "PAIEMENT_NON_ANNULABLE"), (refund, "PAIEMENT_SANS_EXCEDENT")):
        with refused(rule, 409):
            undo(db, taken["id_paiement"])
    assert sound(db)
    totals = "select sum(coalesce(debit, 0) - coalesce(credit, 0)) as s from compta.ecriture_vue where compte like %s"
    assert [str(db.one(totals, [account])) for account in ("4191%", "5%")] == ["0.00", "0.00"]


def test_an_excess_that_is_all_credit_is_taken_back_unless_it_is_used(db, lease):
    method = builders.moyen(db, "Crédit client")
    lot = db.call("residence.contrat_encaisser_loyer_lot", id_contrat=lease["contrat"], montant="77.70", id_moyen=1)
    refund(db, lot["id_paiement"], id_moyen=method)
    use = pay(db, "70", id_facture=builders.facture(db, id_client=lease["client"]), id_moyen=method)
    with refused("CREDIT_INSUFFISANT", 409):
        cancel(db, lot["id_paiement"])
    cancel(db, use)
    cancel(db, lot["id_paiement"])
    assert balance(db, lease["client"]) == "0.00"
    with refused("PAIEMENT_DEJA_ANNULE", 409):
        cancel(db, lot["id_paiement"])
    assert sound(db)
