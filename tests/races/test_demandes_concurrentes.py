"""Acceptance of a request raced with another acceptance, or with the requester's cancel."""

from collections import Counter

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db
from tests.together import together

pytestmark = pytest.mark.promesse("Demandes : une demande n'est acceptée qu'une fois, et rien n'est donné deux fois")


@pytest.fixture
def shared(database_url):
    """A connection that commits, on a database of this test alone."""
    with psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as connection:
        yield Db(connection)


@pytest.fixture
def requester(shared):
    return builders.utilisateur(shared, role="CLIENT", id_client=builders.client(shared))


def as_user(db, user, function, **arguments):
    """Call an operation in a transaction of this user."""
    with db.connection.transaction():
        db.acting(user)
        return db.call(function, **arguments)


def stay(db, user, room):
    return as_user(
        db, user, "residence.sejour_demander", id_logement=room, type_prestation="NUITEE",
        date_heure_arrivee="2031-03-10 18:00:00+00", date_heure_depart_prevue="2031-03-12 11:00:00+00",
    )["id_sejour"]  # fmt: skip


def booking(db, user):
    return as_user(
        db, user, "salle_fete.reservation_demander", date_evenement="2031-05-17", heure_debut="14:00", duree=6,
        type_manifestation="Mariage",
    )["id_reservation"]  # fmt: skip


def race(url, accept, cancel, state, final):
    """Run acceptances and cancels of one request at once: exactly one wins, and the state is the winner's."""
    outcomes = together(url, 8, lambda db, n: accept(db) if n % 2 else cancel(db))
    won = [outcome for outcome in outcomes if outcome in final]
    assert len(won) == 1 and state() == won[0], outcomes
    assert Counter(outcomes)["DEMANDE_TRAITEE"] == 7, outcomes


def test_a_stay_is_accepted_or_cancelled_never_both(database_url, shared, requester):
    room = builders.logement(shared)
    key = stay(shared, requester, room)
    race(
        database_url,
        lambda db: db.call("residence.sejour_valider", id_sejour=key, tarif="5000")["statut"],
        lambda db: as_user(db, requester, "residence.sejour_renoncer", id_sejour=key)["statut"],
        lambda: shared.one("select statut from residence.sejour_court"),
        {"EN_COURS", "ANNULE"},
    )
    occupied = shared.one("select statut = 'OCCUPE' from residence.logement where id_logement = %s", [room])
    assert occupied == (shared.one("select statut from residence.sejour_court") == "EN_COURS")
    assert shared.one("select count(*) from residence.occupation") == occupied


def test_a_booking_is_accepted_or_cancelled_never_both(database_url, shared, requester):
    key = booking(shared, requester)
    race(
        database_url,
        lambda db: db.call("salle_fete.reservation_valider", id_reservation=key, tarif="5000")["statut"],
        lambda db: as_user(db, requester, "salle_fete.reservation_renoncer", id_reservation=key)["statut"],
        lambda: shared.one("select statut from salle_fete.reservation"),
        {"RESERVEE", "ANNULEE"},
    )


def test_one_of_many_requests_of_a_room_is_accepted(database_url, shared, requester):
    room = builders.logement(shared)
    keys = [stay(shared, requester, room) for _ in range(8)]
    outcomes = together(
        database_url, 8, lambda db, n: db.call("residence.sejour_valider", id_sejour=keys[n], tarif="5000")["statut"]
    )
    assert Counter(outcomes) == {"EN_COURS": 1, "LOGEMENT_INDISPONIBLE": 7}


def test_requests_of_two_rooms_crossed_never_deadlock(database_url, shared, requester):
    """Each acceptance gives the other request's room."""
    rooms = [builders.logement(shared) for _ in range(2)]
    keys = [stay(shared, requester, rooms[n % 2]) for n in range(8)]
    outcomes = together(
        database_url,
        8,
        lambda db, n: db.call(
            "residence.sejour_valider", id_sejour=keys[n], tarif="5000", id_logement=rooms[1 - n % 2]
        )["statut"],
    )
    assert Counter(outcomes) == {"EN_COURS": 2, "LOGEMENT_INDISPONIBLE": 6}


def test_one_of_many_requests_of_a_slot_is_accepted(database_url, shared, requester):
    keys = [booking(shared, requester) for _ in range(8)]
    outcomes = together(
        database_url,
        8,
        lambda db, n: db.call("salle_fete.reservation_valider", id_reservation=keys[n], tarif="5000")["statut"],
    )
    assert Counter(outcomes) == {"RESERVEE": 1, "creneau_deja_reserve": 7}


def basket(db, user, product, quantity=1):
    lines = [{"id_produit": product, "quantite": quantity}]
    return as_user(db, user, "market.vente_demander", lignes=lines)["id_vente"]


def test_a_sale_is_accepted_or_cancelled_never_both(database_url, shared, requester):
    product = builders.produit(shared, stock="5")
    key = basket(shared, requester, product, 2)
    race(
        database_url,
        lambda db: db.call("market.vente_valider", id_vente=key)["statut"],
        lambda db: as_user(db, requester, "market.vente_renoncer", id_vente=key)["statut"],
        lambda: shared.one("select statut from market.vente"),
        {"EN_COURS", "ANNULEE"},
    )
    taken = shared.one("select statut = 'EN_COURS' from market.vente")
    assert shared.one("select quantite_stock from market.produit") == (3 if taken else 5)


def test_the_last_items_go_to_as_many_requests(database_url, shared, requester):
    """Five items, eight requests of two items each."""
    product = builders.produit(shared, stock="5")
    keys = [basket(shared, requester, product, 2) for _ in range(8)]
    outcomes = together(database_url, 8, lambda db, n: db.call("market.vente_valider", id_vente=keys[n])["statut"])
    assert Counter(outcomes) == {"EN_COURS": 2, "STOCK_INSUFFISANT": 6}
    assert shared.one("select quantite_stock from market.produit") == 1


def test_an_acceptance_and_a_sale_of_the_counter_share_the_stock(database_url, shared, requester):
    """The baskets name two products in opposite orders."""
    products = [builders.produit(shared, stock="3", prix="100") for _ in range(2)]
    moyen = builders.moyen(shared)
    keys = [
        as_user(
            shared,
            requester,
            "market.vente_demander",
            lignes=[{"id_produit": product, "quantite": 1} for product in products[:: -1 if n % 2 else 1]],
        )["id_vente"]
        for n in range(4)
    ]

    def act(db, n):
        if n < 4:
            return db.call("market.vente_valider", id_vente=keys[n])["statut"]
        lines = [{"id_produit": product, "quantite": 1} for product in products[:: -1 if n % 2 else 1]]
        db.call("market.vente_creer", lignes=lines, paiement={"montant": "200", "id_moyen": moyen})
        return "sold"

    outcomes = Counter(together(database_url, 8, act))
    assert outcomes["STOCK_INSUFFISANT"] == 5 and outcomes["EN_COURS"] + outcomes["sold"] == 3
    assert shared.all("select distinct quantite_stock::integer as left from market.produit") == [{"left": 0}]


def test_an_accepted_sale_is_paid_once(database_url, shared, requester):
    key = basket(shared, requester, builders.produit(shared, stock="5", prix="450"), 2)
    shared.call("market.vente_valider", id_vente=key)
    moyen = builders.moyen(shared)
    outcomes = together(
        database_url,
        8,
        lambda db, n: db.call("market.vente_encaisser", id_vente=key, montant="900", id_moyen=moyen)["numero"][:3],
    )
    assert Counter(outcomes)["TRANSITION_INTERDITE"] == 7, outcomes
    assert shared.one("select sum(montant) from finances.paiement") == 900


def test_a_meal_is_accepted_or_cancelled_never_both(database_url, shared, requester):
    lines = [{"id_plat": builders.plat(shared), "quantite": 2}]
    key = as_user(shared, requester, "restaurant.commande_demander", type="SUR_PLACE", lignes=lines)["id_commande"]

    def act(db, n):
        if n % 2:
            return db.call("restaurant.commande_avancer", id_commande=key, statut="EN_COURS")["statut"]
        return as_user(db, requester, "restaurant.commande_renoncer", id_commande=key)["statut"]

    outcomes = together(database_url, 8, act)
    won = [outcome for outcome in outcomes if outcome in {"EN_COURS", "ANNULEE"}]
    assert len(won) == 1 and shared.one("select statut from restaurant.commande") == won[0], outcomes
    assert set(outcomes) - set(won) <= {"DEMANDE_TRAITEE", "TRANSITION_INTERDITE"}


def test_an_accepted_meal_is_paid_once(database_url, shared, requester):
    lines = [{"id_plat": builders.plat(shared, prix="1250"), "quantite": 2}]
    key = as_user(shared, requester, "restaurant.commande_demander", type="SUR_PLACE", lignes=lines)["id_commande"]
    shared.call("restaurant.commande_avancer", id_commande=key, statut="EN_COURS")
    moyen = builders.moyen(shared)
    outcomes = together(
        database_url,
        8,
        lambda db, n: db.call("restaurant.commande_encaisser", id_commande=key, montant="2500", id_moyen=moyen)[
            "numero"
        ],
    )
    assert Counter(outcomes)["COMMANDE_DEJA_REGLEE"] == 7, outcomes
    assert shared.one("select sum(montant) from finances.paiement") == 2500
