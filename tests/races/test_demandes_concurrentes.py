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
