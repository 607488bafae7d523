"""Two at once at the counters: one slot, one hand-over, one closer."""

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db
from tests.races.test_reglement import together

pytestmark = pytest.mark.promesse(
    "Comptoirs : d'un créneau, d'un retrait, d'une confirmation à plusieurs, un seul passe"
)


@pytest.fixture
def ground(database_url):
    """Committed ground for several connections."""
    with psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as connection:
        yield Db(connection)


def booking(db, **fields):
    fields = {
        "date_evenement": "2030-06-15",
        "heure_debut": "18:00",
        "duree": "5",
        "type_manifestation": "Mariage",
        "tarif": "200000",
    } | fields
    return db.call("salle_fete.reservation_creer", **fields)["id_reservation"]


def test_of_many_bookings_of_one_slot_one_wins(database_url, ground):
    outcomes = together(database_url, 12, lambda db, n: booking(db, heure_debut=f"{12 + n % 5}:00", duree="6"))
    assert outcomes.count("creneau_deja_reserve") == 11, outcomes
    assert ground.one("select count(*) from salle_fete.reservation") == 1
    assert ground.one("select count(*) from notification.notification") == 1


def test_a_booking_and_an_edit_into_the_same_slot_do_not_both_pass(database_url, ground):
    moved = [booking(ground, date_evenement=f"2030-07-{n + 1:02}") for n in range(6)]

    def act(db, n):
        if n < 6:
            champs = {"date_evenement": "2030-06-15", "observations": str(n)}
            db.call("salle_fete.reservation_modifier", id_reservation=moved[n], champs=champs)
            return "passed"
        return booking(db) and "passed"

    outcomes = together(database_url, 12, act)
    assert sorted(outcomes) == ["creneau_deja_reserve"] * 11 + ["passed"], outcomes
    assert ground.one("select count(*) from salle_fete.reservation where date_evenement = '2030-06-15'") == 1


def test_of_many_confirmations_one_collects(database_url, ground):
    found, moyen = booking(ground), builders.moyen(ground)

    def confirm(db, n):
        paiement = {"montant": "50000", "id_moyen": moyen}
        db.call("salle_fete.reservation_confirmer", id_reservation=found, paiement=paiement)
        return "confirmed"

    assert sorted(together(database_url, 8, confirm)) == ["TRANSITION_INTERDITE"] * 7 + ["confirmed"]
    assert ground.one("select sum(montant) from finances.paiement") == 50000
    assert ground.one("select count(*) from facturation.facture") == 1


def test_cancelling_and_holding_at_once_keep_the_money_right(database_url, ground):
    moyen = builders.moyen(ground)
    found = booking(ground)
    ground.call(
        "salle_fete.reservation_confirmer", id_reservation=found, paiement={"montant": "50000", "id_moyen": moyen}
    )

    def act(db, n):
        if n % 2:
            db.call("salle_fete.reservation_annuler", id_reservation=found)
            return "ANNULEE"
        paiement = {"montant": "150000", "id_moyen": moyen}
        db.call("salle_fete.reservation_realiser", id_reservation=found, paiement=paiement)
        return "REALISEE"

    outcomes = together(database_url, 8, act)
    assert outcomes.count("TRANSITION_INTERDITE") == 7, outcomes
    row = ground.one("select statut, acompte from salle_fete.reservation_vue")
    assert row["statut"] in outcomes
    assert row["acompte"] == (200000 if row["statut"] == "REALISEE" else 0)
    balance = "select sum(case type when 'ENCAISSEMENT' then montant else -montant end) from finances.paiement"
    assert ground.one(balance) == row["acompte"]


@pytest.mark.parametrize("advance", [None, "3000"])
def test_of_many_hand_overs_of_one_order_one_wins(database_url, ground, advance):
    moyen = builders.moyen(ground)
    paiement = {} if advance is None else {"paiement": {"montant": advance, "id_moyen": moyen}}
    lignes = [{"type_vetement": "Chemise", "quantite": 7, "prestation": "Lavage", "tarif": "1000"}]
    ground.call("pressing.commande_creer", id_client=builders.client(ground), lignes=lignes, **paiement)
    order = ground.one("select id_commande from pressing.commande")
    ground.call("pressing.commande_traiter", id_commande=order)
    ground.call("pressing.commande_marquer_prete", id_commande=order)

    def hand_over(db, n):
        db.call("pressing.commande_retirer", id_commande=order, solde="4000" if advance else "7000", id_moyen=moyen)
        return "handed over"

    assert sorted(together(database_url, 8, hand_over)) == ["TRANSITION_INTERDITE"] * 7 + ["handed over"]
    assert ground.one("select sum(montant) from finances.paiement") == 7000
    assert ground.one("select count(*) from facturation.facture where statut = 'PAYEE'") == 1


def test_a_payment_of_the_invoice_and_a_hand_over_at_once_never_overpay(database_url, ground):
    moyen = builders.moyen(ground)
    lignes = [{"type_vetement": "Chemise", "quantite": 7, "prestation": "Lavage", "tarif": "1000"}]
    paiement = {"montant": "3000", "id_moyen": moyen}
    ground.call("pressing.commande_creer", id_client=builders.client(ground), lignes=lignes, paiement=paiement)
    order = ground.one("select id_commande from pressing.commande")
    invoice = ground.one("select id_facture from facturation.facture")
    ground.call("pressing.commande_traiter", id_commande=order)
    ground.call("pressing.commande_marquer_prete", id_commande=order)

    def act(db, n):
        if n == 0:
            db.call("pressing.commande_retirer", id_commande=order, solde="4000", id_moyen=moyen)
            return "handed over"
        db.call("finances.paiement_creer", montant="4000", id_moyen=moyen, id_facture=invoice)
        return "paid"

    outcomes = together(database_url, 6, act)
    assert sorted(outcomes)[:5] == ["SURPAIEMENT"] * 5, outcomes
    assert ground.one("select montant_paye from facturation.facture") == 7000
    handed_over = ground.one("select statut from pressing.commande") == "RETIRE"
    assert handed_over == ("handed over" in outcomes)


def test_deposits_at_once_have_numbers_without_gap(database_url, ground):
    client, moyen = builders.client(ground), builders.moyen(ground)
    lignes = [{"type_vetement": "Chemise", "quantite": 1, "prestation": "Lavage", "tarif": "1000"}]

    def deposit(db, n):
        for turn in range(4):
            montant = "1000.01" if (n + turn) % 4 == 0 else "500"
            try:
                db.call(
                    "pressing.commande_creer",
                    id_client=client,
                    lignes=lignes,
                    paiement={"montant": montant, "id_moyen": moyen},
                )
            except psycopg.Error as error:
                assert error.diag.constraint_name == "SURPAIEMENT"

    together(database_url, 8, deposit)
    for table, column in (("pressing.commande", "numero_commande"), ("facturation.facture", "numero")):
        rows = ground.all(f"select {column} as n from {table}")
        assert sorted(int(row["n"].rsplit("-", 1)[1]) for row in rows) == list(range(1, 25))


def test_of_many_closers_of_a_report_one_wins(database_url, ground):
    found = ground.call("signalement.signalement_creer", titre="Fuite", description="Sous l'évier.")["id_signalement"]

    def close(db, n):
        name = "resoudre" if n % 2 else "rejeter"
        return db.call(f"signalement.signalement_{name}", id_signalement=found, note_resolution=f"Note {n}")["statut"]

    outcomes = together(database_url, 8, close)
    assert outcomes.count("DEJA_TRAITE") == 7, outcomes
    row = ground.one("select statut, note_resolution from signalement.signalement")
    winner = next(n for n, outcome in enumerate(outcomes) if outcome != "DEJA_TRAITE")
    assert (row["statut"], row["note_resolution"]) == (outcomes[winner], f"Note {winner}")
