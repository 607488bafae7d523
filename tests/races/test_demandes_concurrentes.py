"""Acceptance of a request raced with another acceptance, or with the requester's cancel."""

from collections import Counter

import pytest

from tests import builders

pytestmark = pytest.mark.promesse("Demandes : une demande n'est acceptée qu'une fois, et rien n'est donné deux fois")

SHIRTS = {"type_vetement": "Chemise", "prestation": "Lavage", "tarif": "1250"}


@pytest.fixture
def requester(shared):
    return builders.utilisateur(shared, role="CLIENT", id_client=builders.client(shared))


@pytest.fixture
def wins(shared, at_once, requester):
    """Run acceptances and cancels of one request at once: exactly one wins, and the state is the winner's."""

    def acceptance_wins(table, accept, cancel, states, refusals=("DEMANDE_TRAITEE",)):
        """Each of both is a function with its arguments. `states` are those after an acceptance and after a cancel."""

        def act(db, n):
            function, arguments = accept if n % 2 else cancel
            row = db.call(function, **arguments) if n % 2 else as_user(db, requester, function, **arguments)
            return row.get("statut", states[0])

        outcomes = Counter(at_once(8, act))
        state = shared.one(f"select statut from {table}")
        assert state in states and outcomes.pop(state) == 1, outcomes
        assert outcomes.total() == 7 and {*outcomes} <= {*refusals}, outcomes
        return state == states[0]

    return acceptance_wins


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


def basket(db, user, *products, quantity=1):
    lines = [{"id_produit": product, "quantite": quantity} for product in products]
    return as_user(db, user, "market.vente_demander", lignes=lines)["id_vente"]


def meal(db, user, prix="3500"):
    lines = [{"id_plat": builders.plat(db, prix), "quantite": 2}]
    return as_user(db, user, "restaurant.commande_demander", type="SUR_PLACE", lignes=lines)["id_commande"]


def test_a_stay_is_accepted_or_cancelled_never_both(shared, wins, requester):
    room = builders.logement(shared)
    key = {"id_sejour": stay(shared, requester, room)}
    accept, cancel = ("residence.sejour_valider", key | {"tarif": "5000"}), ("residence.sejour_renoncer", key)
    accepted = wins("residence.sejour_court", accept, cancel, ["EN_COURS", "ANNULE"])
    assert shared.one("select statut = 'OCCUPE' from residence.logement where id_logement = %s", [room]) == accepted
    assert shared.one("select count(*) from residence.occupation") == accepted


def test_a_booking_is_accepted_or_cancelled_never_both(shared, wins, requester):
    key = {"id_reservation": booking(shared, requester)}
    accept, cancel = "salle_fete.reservation_valider", "salle_fete.reservation_renoncer"
    wins("salle_fete.reservation", (accept, key | {"tarif": "5000"}), (cancel, key), ["RESERVEE", "ANNULEE"])


def test_one_of_many_requests_of_a_room_is_accepted(shared, at_once, requester):
    room = builders.logement(shared)
    keys = [stay(shared, requester, room) for _ in range(8)]
    outcomes = at_once(8, lambda db, n: db.call("residence.sejour_valider", id_sejour=keys[n], tarif="5000")["statut"])
    assert Counter(outcomes) == {"EN_COURS": 1, "LOGEMENT_INDISPONIBLE": 7}


def test_requests_of_two_rooms_crossed_never_deadlock(shared, at_once, requester):
    """Each acceptance gives the other request's room."""
    rooms = [builders.logement(shared) for _ in range(2)]
    keys = [stay(shared, requester, rooms[n % 2]) for n in range(8)]

    def accept(db, n):
        other = {"tarif": "5000", "id_logement": rooms[1 - n % 2]}
        return db.call("residence.sejour_valider", id_sejour=keys[n], **other)["statut"]

    assert Counter(at_once(8, accept)) == {"EN_COURS": 2, "LOGEMENT_INDISPONIBLE": 6}


def test_one_of_many_requests_of_a_slot_is_accepted(shared, at_once, requester):
    keys = [booking(shared, requester) for _ in range(8)]

    def accept(db, n):
        return db.call("salle_fete.reservation_valider", id_reservation=keys[n], tarif="5000")["statut"]

    assert Counter(at_once(8, accept)) == {"RESERVEE": 1, "creneau_deja_reserve": 7}


def test_a_sale_is_accepted_or_cancelled_never_both(shared, wins, requester):
    key = {"id_vente": basket(shared, requester, builders.produit(shared, stock="5"), quantity=2)}
    accept, cancel = ("market.vente_valider", key), ("market.vente_renoncer", key)
    taken = wins("market.vente", accept, cancel, ["EN_COURS", "ANNULEE"])
    assert shared.one("select quantite_stock from market.produit") == (3 if taken else 5)


def test_the_last_items_go_to_as_many_requests(shared, at_once, requester):
    """Five items, eight requests of two items each."""
    product = builders.produit(shared, stock="5")
    keys = [basket(shared, requester, product, quantity=2) for _ in range(8)]
    outcomes = at_once(8, lambda db, n: db.call("market.vente_valider", id_vente=keys[n])["statut"])
    assert Counter(outcomes) == {"EN_COURS": 2, "STOCK_INSUFFISANT": 6}
    assert shared.one("select quantite_stock from market.produit") == 1


def test_an_acceptance_and_a_sale_of_the_counter_share_the_stock(shared, at_once, requester):
    """The baskets name two products in opposite orders."""
    products = [builders.produit(shared, stock="3", prix="100") for _ in range(2)]
    moyen = builders.moyen(shared)
    keys = [basket(shared, requester, *products[:: -1 if n % 2 else 1]) for n in range(4)]

    def act(db, n):
        if n < 4:
            return db.call("market.vente_valider", id_vente=keys[n])["statut"]
        lines = [{"id_produit": product, "quantite": 1} for product in products[:: -1 if n % 2 else 1]]
        db.call("market.vente_creer", lignes=lines, paiement={"montant": "200", "id_moyen": moyen})
        return "sold"

    outcomes = Counter(at_once(8, act))
    assert outcomes["STOCK_INSUFFISANT"] == 5 and outcomes["EN_COURS"] + outcomes["sold"] == 3
    assert shared.all("select distinct quantite_stock::integer as left from market.produit") == [{"left": 0}]


def test_an_accepted_sale_is_paid_once(shared, at_once, requester):
    key = basket(shared, requester, builders.produit(shared, stock="5", prix="450"), quantity=2)
    shared.call("market.vente_valider", id_vente=key)
    paid = {"id_vente": key, "montant": "900", "id_moyen": builders.moyen(shared)}
    outcomes = at_once(8, lambda db, n: db.call("market.vente_encaisser", **paid)["numero"])
    assert Counter(outcomes)["TRANSITION_INTERDITE"] == 7, outcomes
    assert shared.one("select sum(montant) from finances.paiement") == 900


def test_a_meal_is_accepted_or_cancelled_never_both(shared, wins, requester):
    key = {"id_commande": meal(shared, requester)}
    accept = ("restaurant.commande_avancer", key | {"statut": "EN_COURS"})
    refusals = ["DEMANDE_TRAITEE", "TRANSITION_INTERDITE"]
    wins("restaurant.commande", accept, ("restaurant.commande_renoncer", key), ["EN_COURS", "ANNULEE"], refusals)


def test_an_accepted_meal_is_paid_once(shared, at_once, requester):
    key = meal(shared, requester, "1250")
    shared.call("restaurant.commande_avancer", id_commande=key, statut="EN_COURS")
    paid = {"id_commande": key, "montant": "2500", "id_moyen": builders.moyen(shared)}
    outcomes = at_once(8, lambda db, n: db.call("restaurant.commande_encaisser", **paid)["numero"])
    assert Counter(outcomes)["COMMANDE_DEJA_REGLEE"] == 7, outcomes
    assert shared.one("select sum(montant) from finances.paiement") == 2500


def test_laundry_is_accepted_or_cancelled_never_both(shared, wins, requester):
    key = {"id_commande": as_user(shared, requester, "pressing.commande_demander", notes="Un sac")["id_commande"]}
    accept = ("pressing.commande_valider", key | {"lignes": [SHIRTS | {"quantite": 3}]})
    deposited = wins("pressing.commande", accept, ("pressing.commande_renoncer", key), ["DEPOSE", "ANNULEE"])
    assert shared.one("select count(*) from pressing.commande_ligne") == deposited


def test_two_requests_race_for_the_last_units_of_a_subscription(shared, at_once, requester):
    """Four requests of two pieces each, for a subscription of five pieces: two are covered."""
    client = shared.one("select id_client from auth.utilisateur where id_utilisateur = %s", [requester])
    service = shared.call("pressing.prestation_creer", libelle="Lavage")["id_prestation"]
    pieces = {"activite": "PRESSING", "unite": "PIECE", "quota": "5", "id_prestation": service}
    builders.souscription(shared, id_client=client, offre=pieces)
    keys = [as_user(shared, requester, "pressing.commande_demander")["id_commande"] for _ in range(4)]

    def accept(db, n):
        db.call("pressing.commande_valider", id_commande=keys[n], lignes=[SHIRTS | {"quantite": 2}])
        return "covered"

    assert Counter(at_once(4, accept)) == {"covered": 2, "ABONNEMENT_EXCEDENT": 2}
    assert shared.one("select sum(quantite) from abonnement.mouvement") == -4
    assert shared.one("select count(*) from pressing.commande where statut = 'EN_ATTENTE'") == 2
