"""Section 3 of the specification, side effects of the hall: one test for each sentence."""

import json

from tests import builders
from tests.conftest import refused
from tests.salle_fete.test_salle_reservation import ACTIVITE, facture, payer, reservation, reserver, trace


def test_hall_reservation_confirmer_collects_an_advance_and_creates_a_reservation_fete_invoice_partielle(db):
    client = builders.client(db)
    id_reservation = reserver(db, id_client=client)
    assert facture(db, id_reservation) is None
    answer = payer(db, "confirmer", id_reservation, "50000")
    invoice = facture(db, id_reservation)
    assert (invoice["statut"], str(invoice["montant_total"]), str(invoice["montant_paye"]), str(invoice["reste"])) == (
        "PARTIELLE", "200000.00", "50000.00", "150000.00",
    )  # fmt: skip
    assert (invoice["id_client"], invoice["id_activite"]) == (client, builders.activite(db, ACTIVITE))
    assert answer["numero"] == invoice["numero"]
    row = reservation(db, id_reservation)
    assert (row["statut"], str(row["acompte"]), str(row["solde"]), row["id_facture"]) == (
        "CONFIRMEE", "50000.00", "150000.00", invoice["id_facture"],
    )  # fmt: skip


def test_realiser_collects_the_balance_on_the_same_invoice(db):
    id_reservation = reserver(db)
    payer(db, "confirmer", id_reservation, "50000")
    before = facture(db, id_reservation)
    payer(db, "realiser", id_reservation, "150000")
    after = facture(db, id_reservation)
    assert (after["id_facture"], after["numero"], after["statut"], str(after["reste"])) == (
        before["id_facture"], before["numero"], "PAYEE", "0.00",
    )  # fmt: skip
    row = reservation(db, id_reservation)
    assert (row["statut"], str(row["acompte"]), str(row["solde"])) == ("REALISEE", "200000.00", "0.00")


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
    id_reservation = reserver(db)
    payer(db, "confirmer", id_reservation, "50000")
    before = trace(db)
    for amount, rule in (("149999.99", "SOLDE_INCOMPLET"), ("0", "SOLDE_INCOMPLET"), ("150000.01", "SURPAIEMENT")):
        with refused(rule, 409) as refusal:
            payer(db, "realiser", id_reservation, amount)
        assert json.loads(refusal["details"]) == {"reste": "150000.00"}
    assert trace(db) == before


def test_collecting_a_payment_changes_montant_paye_reste_and_statut_through_database_recomputation(db):
    id_reservation = reserver(db)
    payer(db, "confirmer", id_reservation, "50000")
    invoice = facture(db, id_reservation)["id_facture"]
    db.call("finances.paiement_creer", montant="150000", id_moyen=builders.moyen(db), id_facture=invoice)
    assert facture(db, id_reservation)["statut"] == "PAYEE"
    row = reservation(db, id_reservation)
    assert (str(row["acompte"]), str(row["solde"]), row["statut"]) == ("200000.00", "0.00", "CONFIRMEE")


def test_cancelling_something_paid_writes_a_counter_payment_and_voids_the_invoice(db):
    till = builders.caisse(db, activite_code=ACTIVITE)
    db.acting(builders.utilisateur(db, caisse=till))
    id_reservation = reserver(db)
    payer(db, "confirmer", id_reservation, "50000")
    db.call("salle_fete.reservation_annuler", id_reservation=id_reservation, motif="Report")
    invoice = facture(db, id_reservation)
    assert (invoice["statut"], str(invoice["montant_paye"])) == ("ANNULEE", "0.00")
    payments = db.all("select * from finances.paiement where id_caisse = %s order by id_paiement", [till])
    assert [(p["type"], str(p["montant"]), p["id_paiement_origine"], p["motif"]) for p in payments[1:]] == [
        ("DECAISSEMENT", "50000.00", payments[0]["id_paiement"], "Report")
    ]
    assert db.one("select finances._montant_attendu(%s, core.aujourdhui())", [till]) == 0
    row = reservation(db, id_reservation)
    assert (row["statut"], str(row["acompte"]), str(row["solde"]), row["id_facture"]) == (
        "ANNULEE", "0.00", "0.00", None,
    )  # fmt: skip
    assert row["motif_annulation"] == "Report"


def test_cancelling_an_unpaid_booking_writes_no_payment(db):
    id_reservation = reserver(db)
    before = trace(db)
    db.call("salle_fete.reservation_annuler", id_reservation=id_reservation)
    after = trace(db)
    assert (after["paiements"], after["factures"]) == (before["paiements"], before["factures"])


def test_a_closed_till_refuses_collections_and_refunds(db):
    till = builders.caisse(db, activite_code=ACTIVITE)
    db.acting(builders.utilisateur(db, caisse=till))
    paid, unpaid = reserver(db), reserver(db, date_evenement="2030-06-16")
    payer(db, "confirmer", paid, "50000")
    db.call("finances.caisse_fermer", id_caisse=till)
    before = trace(db)
    for act in (
        lambda: payer(db, "confirmer", unpaid, "1"),
        lambda: payer(db, "realiser", paid, "150000"),
        lambda: db.call("salle_fete.reservation_annuler", id_reservation=paid),
    ):
        with refused("PERIODE_CAISSE_FERMEE", 409):
            act()
    assert trace(db) == before
    db.call("salle_fete.reservation_annuler", id_reservation=unpaid)
