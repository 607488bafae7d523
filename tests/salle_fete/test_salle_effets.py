"""Section 3 of the specification, side effects of the hall: one test for each sentence."""

import json

from tests import builders
from tests.conftest import refused
from tests.salle_fete.test_salle_reservation import (
    ACTIVITE,
    amener,
    annuler,
    facture,
    payer,
    reservation,
    reserver,
    trace,
)  # fmt: skip


def amounts(row, *names):
    return [str(row[name]) for name in names]


def test_hall_reservation_confirmer_collects_an_advance_and_creates_a_reservation_fete_invoice_partielle(db):
    client = builders.client(db)
    id_reservation = reserver(db, id_client=client)
    assert facture(db, id_reservation) is None
    answer = payer(db, "confirmer", id_reservation, "50000")
    invoice, row = facture(db, id_reservation), reservation(db, id_reservation)
    assert amounts(invoice, "montant_total", "montant_paye", "reste") == ["200000.00", "50000.00", "150000.00"]
    assert (invoice["statut"], invoice["id_client"]) == ("PARTIELLE", client)
    assert invoice["id_activite"] == builders.activite(db, ACTIVITE)
    assert answer["numero"] == invoice["numero"]
    assert (row["statut"], row["id_facture"]) == ("CONFIRMEE", invoice["id_facture"])
    assert amounts(row, "acompte", "solde") == ["50000.00", "150000.00"]


def test_realiser_collects_the_balance_on_the_same_invoice(db):
    id_reservation = amener(db, "CONFIRMEE")
    before = facture(db, id_reservation)
    payer(db, "realiser", id_reservation, "150000")
    after, row = facture(db, id_reservation), reservation(db, id_reservation)
    assert (after["id_facture"], after["numero"]) == (before["id_facture"], before["numero"])
    assert (after["statut"], str(after["reste"]), row["statut"]) == ("PAYEE", "0.00", "REALISEE")
    assert amounts(row, "acompte", "solde") == ["200000.00", "0.00"]


def test_the_advance_is_above_zero_and_at_most_the_price(db):
    id_reservation = reserver(db)
    before = trace(db)
    with refused("montant_strictement_positif", 400):
        payer(db, "confirmer", id_reservation, "0")
    with refused("SURPAIEMENT", 409) as refusal:
        payer(db, "confirmer", id_reservation, "200000.01")
    assert json.loads(refusal["details"]) == {"reste": "200000.00"}
    assert trace(db) == before


def test_after_an_advance_of_the_whole_price_no_balance_is_collected(db):
    id_reservation = reserver(db)
    payer(db, "confirmer", id_reservation, "200000")
    assert facture(db, id_reservation)["statut"] == "PAYEE"
    with refused("SURPAIEMENT", 409):
        payer(db, "realiser", id_reservation, "0.01")
    assert payer(db, "realiser", id_reservation, "0")["id_paiement"] is None
    assert reservation(db, id_reservation)["statut"] == "REALISEE"


def test_realiser_requires_exactly_the_balance(db):
    id_reservation = amener(db, "CONFIRMEE")
    before = trace(db)
    for amount, rule in (("149999.99", "SOLDE_INCOMPLET"), ("0", "SOLDE_INCOMPLET"), ("150000.01", "SURPAIEMENT")):
        with refused(rule, 409) as refusal:
            payer(db, "realiser", id_reservation, amount)
        assert json.loads(refusal["details"]) == {"reste": "150000.00"}
    assert trace(db) == before


def test_collecting_a_payment_changes_montant_paye_reste_and_statut_through_database_recomputation(db):
    id_reservation = amener(db, "CONFIRMEE")
    invoice = facture(db, id_reservation)["id_facture"]
    db.call("finances.paiement_creer", montant="150000", id_moyen=builders.moyen(db), id_facture=invoice)
    assert facture(db, id_reservation)["statut"] == "PAYEE"
    row = reservation(db, id_reservation)
    assert (amounts(row, "acompte", "solde"), row["statut"]) == (["200000.00", "0.00"], "CONFIRMEE")


def test_cancelling_something_paid_writes_a_counter_payment_and_voids_the_invoice(db):
    till = builders.caisse(db, activite_code=ACTIVITE)
    db.acting(builders.utilisateur(db, caisse=till))
    id_reservation = amener(db, "CONFIRMEE")
    annuler(db, id_reservation, motif="Report")
    invoice, row = facture(db, id_reservation), reservation(db, id_reservation)
    assert (invoice["statut"], str(invoice["montant_paye"])) == ("ANNULEE", "0.00")
    paid, back = db.all("select * from finances.paiement where id_caisse = %s order by id_paiement", [till])
    assert (back["type"], str(back["montant"]), back["motif"]) == ("DECAISSEMENT", "50000.00", "Report")
    assert back["id_paiement_origine"] == paid["id_paiement"]
    assert db.one("select finances._montant_attendu(%s, core.aujourdhui())", [till]) == 0
    assert (row["statut"], row["id_facture"], row["motif_annulation"]) == ("ANNULEE", None, "Report")
    assert amounts(row, "acompte", "solde") == ["0.00", "0.00"]


def test_cancelling_an_unpaid_booking_writes_no_payment(db):
    before = trace(db)
    amener(db, "ANNULEE")
    after = trace(db)
    assert (after["paiements"], after["factures"]) == (before["paiements"], before["factures"])


def test_a_closed_till_refuses_collections_and_refunds(db):
    till = builders.caisse(db, activite_code=ACTIVITE)
    db.acting(builders.utilisateur(db, caisse=till))
    paid, unpaid = amener(db, "CONFIRMEE"), reserver(db, date_evenement="2030-06-16")
    db.call("finances.caisse_fermer", id_caisse=till)
    before = trace(db)
    for act in (
        lambda: payer(db, "confirmer", unpaid, "1"),
        lambda: payer(db, "realiser", paid, "150000"),
        lambda: annuler(db, paid),
    ):
        with refused("PERIODE_CAISSE_FERMEE", 409):
            act()
    assert trace(db) == before
    annuler(db, unpaid)
