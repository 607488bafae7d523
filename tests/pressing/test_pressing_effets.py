"""Section 3 of the specification, side effects of the laundry: one test for each sentence."""

import json
from decimal import Decimal

import pytest

from tests import builders
from tests.conftest import refused
from tests.pressing.test_pressing_commande import agir, avancer, commande, deposer, facture, retirer, trace

CENT = Decimal("0.01")


def test_pressing_deposit_may_carry_an_advance_when_it_does_a_commande_pressing_invoice_partielle_is_created(db):
    client = builders.client(db)
    without, answer = deposer(db, id_client=client)
    assert facture(db, without) is None and answer["facture"] is None
    id_commande, answer = deposer(db, "3000", id_client=client)
    invoice = facture(db, id_commande)
    assert (invoice["statut"], invoice["id_client"]) == ("PARTIELLE", client)
    amounts = [str(invoice[key]) for key in ("montant_total", "montant_paye", "reste")]
    assert amounts == ["7000.00", "3000.00", "4000.00"]
    assert invoice["id_activite"] == builders.activite(db, "PRESSING")
    assert answer["numero"] == invoice["numero"] and answer["id_paiement"] is not None
    rows = db.all("select libelle, total::text from facturation.facture_ligne order by id_ligne")
    assert [tuple(row.values()) for row in rows] == [
        ("Chemise : Lavage", "4000.00"), ("Costume : Nettoyage à sec", "3000.00"),
    ]  # fmt: skip
    assert str(commande(db, id_commande)["reste_a_payer"]) == "4000.00"


def test_an_advance_equal_to_the_total_makes_the_invoice_payee(db):
    id_commande, _ = deposer(db, "7000")
    assert facture(db, id_commande)["statut"] == "PAYEE"
    avancer(db, id_commande, "PRET")
    with refused("SURPAIEMENT", 409):
        retirer(db, id_commande, "0.01")
    assert retirer(db, id_commande, "0")["id_paiement"] is None
    assert commande(db, id_commande)["statut"] == "RETIRE"


def test_pressing_pickup_settles_the_balance_on_that_same_invoice(db):
    id_commande, _ = deposer(db, "3000")
    before = facture(db, id_commande)
    avancer(db, id_commande, "PRET")
    retirer(db, id_commande, "4000")
    after = facture(db, id_commande)
    assert (after["id_facture"], after["numero"], after["statut"]) == (before["id_facture"], before["numero"], "PAYEE")
    assert str(after["reste"]) == "0.00"
    order = commande(db, id_commande)
    assert (order["statut"], str(order["acompte"]), str(order["reste_a_payer"])) == ("RETIRE", "7000.00", "0.00")
    assert order["date_retrait_reelle"] is not None


def test_pickup_without_an_advance_creates_the_invoice(db):
    id_commande, _ = deposer(db)
    avancer(db, id_commande, "PRET")
    assert facture(db, id_commande) is None
    retirer(db, id_commande, "7000")
    assert facture(db, id_commande)["statut"] == "PAYEE"


@pytest.mark.parametrize("advance", [None, "3000"])
def test_pickup_requires_exactly_the_balance(db, advance):
    id_commande, _ = deposer(db, advance)
    avancer(db, id_commande, "PRET")
    before, left = trace(db), 7000 - Decimal(advance or 0)
    for amount, rule in ((left - CENT, "SOLDE_INCOMPLET"), (0, "SOLDE_INCOMPLET"), (left + CENT, "SURPAIEMENT")):
        with refused(rule, 409) as refusal:
            retirer(db, id_commande, str(amount))
        assert json.loads(refusal["details"]) == {"reste": f"{left}.00"}
    assert trace(db) == before


def test_pressing_cancellation_is_allowed_only_while_no_invoice_exists_for_the_order(db):
    id_commande, _ = deposer(db)
    avancer(db, id_commande, "ANNULEE")
    paid, _ = deposer(db, "1")
    before = trace(db)
    for statut in ("DEPOSE", "EN_TRAITEMENT", "PRET"):
        avancer(db, paid, statut)
        with refused("COMMANDE_FACTUREE", 409):
            agir(db, "annuler", paid)
        assert commande(db, paid)["statut"] == statut
    assert trace(db)["factures"] == before["factures"] and trace(db)["paiements"] == before["paiements"]


def test_collecting_a_payment_changes_invoice_montant_paye_reste_and_statut_through_database_recomputation(db):
    id_commande, _ = deposer(db, "3000")
    invoice = facture(db, id_commande)["id_facture"]
    db.call("finances.paiement_creer", montant="1000", id_moyen=builders.moyen(db), id_facture=invoice)
    row = facture(db, id_commande)
    assert (str(row["montant_paye"]), str(row["reste"]), row["statut"]) == ("4000.00", "3000.00", "PARTIELLE")
    order = commande(db, id_commande)
    assert (str(order["acompte"]), str(order["reste_a_payer"])) == ("4000.00", "3000.00")
    avancer(db, id_commande, "RETIRE")
    assert facture(db, id_commande)["statut"] == "PAYEE"
