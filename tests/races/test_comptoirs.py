"""Concurrent bookings, pickups and closings: exactly one succeeds."""

import pytest

from tests import builders
from tests.together import calling

pytestmark = pytest.mark.promesse(
    "Comptoirs : d'un créneau, d'un retrait, d'une confirmation à plusieurs, un seul passe"
)


def booking(db, date_evenement="2030-06-15"):
    party = {"heure_debut": "18:00", "duree": "5", "type_manifestation": "Mariage", "tarif": "200000"}
    return db.call("salle_fete.reservation_creer", date_evenement=date_evenement, **party)["id_reservation"]


def ready(db, advance):
    """An order of 7000 that waits for its client."""
    paiement = {"paiement": {"montant": advance, "id_moyen": builders.moyen(db)}} if advance else {}
    lignes = [{"type_vetement": "Chemise", "quantite": 7, "prestation": "Lavage", "tarif": "1000"}]
    db.call("pressing.commande_creer", lignes=lignes, id_client=builders.client(db), **paiement)
    order = db.one("select id_commande from pressing.commande")
    db.call("pressing.commande_traiter", id_commande=order)
    db.call("pressing.commande_marquer_prete", id_commande=order)
    return order


def test_one_of_the_bookings_created_or_moved_into_a_slot_wins(shared, at_once):
    bookings = [booking(shared, date_evenement=f"2030-07-{n + 1:02}") for n in range(6)]

    def act(db, n):
        if n < 6:
            champs = {"date_evenement": "2030-06-15", "observations": str(n)}
            db.call("salle_fete.reservation_modifier", id_reservation=bookings[n], champs=champs)
            return "passed"
        return booking(db) and "passed"

    outcomes = at_once(12, act)
    assert sorted(outcomes) == ["creneau_deja_reserve"] * 11 + ["passed"], outcomes
    assert shared.one("select count(*) from salle_fete.reservation where date_evenement = '2030-06-15'") == 1


def test_one_of_many_concurrent_confirmations_collects_the_deposit(shared, at_once):
    paiement = {"montant": "50000", "id_moyen": builders.moyen(shared)}
    confirming = calling("salle_fete.reservation_confirmer", id_reservation=booking(shared), paiement=paiement)
    assert sorted(at_once(8, confirming)) == ["TRANSITION_INTERDITE"] * 7 + ["done"]
    assert shared.one("select sum(montant) from finances.paiement") == 50000
    assert shared.one("select count(*) from facturation.facture") == 1


def test_concurrent_cancelling_and_completing_of_a_booking_keep_the_sums_right(shared, at_once):
    moyen = builders.moyen(shared)
    reservation = booking(shared)
    paiement = {"montant": "50000", "id_moyen": moyen}
    shared.call("salle_fete.reservation_confirmer", id_reservation=reservation, paiement=paiement)

    def act(db, n):
        if n % 2:
            db.call("salle_fete.reservation_annuler", id_reservation=reservation)
            return "ANNULEE"
        rest = {"montant": "150000", "id_moyen": moyen}
        db.call("salle_fete.reservation_realiser", id_reservation=reservation, paiement=rest)
        return "REALISEE"

    outcomes = at_once(8, act)
    assert outcomes.count("TRANSITION_INTERDITE") == 7, outcomes
    row = shared.one("select statut, acompte from salle_fete.reservation_vue")
    assert row["statut"] in outcomes
    assert row["acompte"] == (200000 if row["statut"] == "REALISEE" else 0)
    balance = "select sum(case type when 'ENCAISSEMENT' then montant else -montant end) from finances.paiement"
    assert shared.one(balance) == row["acompte"]


@pytest.mark.parametrize("advance", [None, "3000"])
def test_one_of_many_concurrent_pickups_of_an_order_wins(shared, at_once, advance):
    order = ready(shared, advance)
    rest = {"solde": "4000" if advance else "7000", "id_moyen": builders.moyen(shared)}
    outcomes = at_once(8, calling("pressing.commande_retirer", id_commande=order, **rest))
    assert sorted(outcomes) == ["TRANSITION_INTERDITE"] * 7 + ["done"]
    assert shared.one("select sum(montant) from finances.paiement") == 7000
    assert shared.one("select count(*) from facturation.facture where statut = 'PAYEE'") == 1


def test_a_concurrent_payment_and_pickup_never_overpay_the_invoice(shared, at_once):
    order, moyen = ready(shared, "3000"), builders.moyen(shared)
    invoice = shared.one("select id_facture from facturation.facture")

    def act(db, n):
        if n == 0:
            db.call("pressing.commande_retirer", id_commande=order, solde="4000", id_moyen=moyen)
            return "picked up"
        db.call("finances.paiement_creer", montant="4000", id_moyen=moyen, id_facture=invoice)
        return "paid"

    outcomes = at_once(6, act)
    assert sorted(outcomes)[:5] == ["SURPAIEMENT"] * 5, outcomes
    assert shared.one("select montant_paye from facturation.facture") == 7000
    assert shared.one("select statut = 'RETIRE' from pressing.commande") == ("picked up" in outcomes)


def test_one_of_many_concurrent_closings_of_a_report_wins(shared, at_once):
    report = shared.call("signalement.signalement_creer", titre="Fuite", description="Sous l'évier.")["id_signalement"]

    def close(db, n):
        name = "resoudre" if n % 2 else "rejeter"
        return db.call(f"signalement.signalement_{name}", id_signalement=report, note_resolution=f"Note {n}")["statut"]

    outcomes = at_once(8, close)
    assert outcomes.count("DEJA_TRAITE") == 7, outcomes
    row = shared.one("select statut, note_resolution from signalement.signalement")
    winner = next(n for n, outcome in enumerate(outcomes) if outcome != "DEJA_TRAITE")
    assert (row["statut"], row["note_resolution"]) == (outcomes[winner], f"Note {winner}")
