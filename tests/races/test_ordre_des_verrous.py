"""Every operation locks in the same order, so sessions at one room or at the hall wait without deadlock."""

from datetime import date, timedelta
from threading import Barrier

import psycopg
import pytest

from tests import builders, preuve

pytestmark = pytest.mark.promesse("Logements et salle : pris à plusieurs en même temps, sans attente croisée")
TURNS = preuve.selon(10, 250)
HOURS = preuve.selon(20, 600)


def outcome_of(act, refusals):
    """Return the result of act, or the name of its refusal, or `deadlock`, which must never happen."""
    try:
        return act()
    except psycopg.Error as error:
        if error.sqlstate == "40P01":
            return "deadlock"
        if (error.diag.constraint_name or "").upper() not in refusals:
            raise
        return error.diag.constraint_name


def test_concurrent_bookings_and_confirmations_of_the_hall_never_deadlock(shared, at_once, record_property):
    moyen, client = builders.moyen(shared), builders.client(shared)
    day = date(2027, 1, 1)

    def book(db, turn, hour):
        return db.call(
            "salle_fete.reservation_creer", id_client=client, date_evenement=day + timedelta(days=turn),
            heure_debut=hour, duree="6", type_manifestation="Mariage", tarif="150000",
        )["id_reservation"]  # fmt: skip

    booked = [book(shared, turn, "10:00") for turn in range(HOURS)]

    turns = Barrier(5)

    def act(db, n):
        outcomes = []
        for turn, booking in enumerate(booked):
            turns.wait()
            paid = {"montant": "50000", "id_moyen": moyen}
            acts = [
                lambda b=booking, p=paid: db.call("salle_fete.reservation_confirmer", id_reservation=b, paiement=p),
                lambda b=booking: db.call("salle_fete.reservation_annuler", id_reservation=b),
                lambda t=turn: book(db, t, "12:00"),
                lambda t=turn: book(db, t, "08:00"),
                lambda t=turn: book(db, t, "13:00"),
            ]
            outcomes.append(outcome_of(acts[n], {"CRENEAU_DEJA_RESERVE", "TRANSITION_INTERDITE"}))
        return outcomes

    all_outcomes = [outcome for outcomes in at_once(5, act) for outcome in outcomes]
    record_property("essais", len(all_outcomes))
    assert all_outcomes.count("deadlock") == 0
    overlapping = (
        "select count(*) from salle_fete.reservation a join salle_fete.reservation b"
        " on a.id_reservation < b.id_reservation and a.creneau && b.creneau"
        " where a.statut <> 'ANNULEE' and b.statut <> 'ANNULEE'"
    )
    assert shared.one(overlapping) == 0


def test_ending_a_lease_while_others_let_the_room_never_deadlocks(shared, at_once, record_property):
    """A lease begins, ends, is cancelled or expires, while other sessions write the next lease of the room."""
    rooms = [builders.logement(shared) for _ in range(TURNS)]
    start = shared.one("select core.aujourdhui()") - timedelta(days=40)
    lasting = {"date_debut": start, "date_fin_prevue": None}
    leases, waiting = [], []
    for room in rooms:
        leases.append(builders.contrat(shared, id_logement=room, **lasting))
        shared.execute("update residence.logement set statut = 'DISPONIBLE' where id_logement = %s", [room])
        waiting.append(builders.logement(shared))
    pending = [builders.contrat(shared, id_logement=room, actif=False, **lasting) for room in waiting]
    clients = [builders.client(shared) for _ in range(7)]
    refusals = {"LOGEMENT_INDISPONIBLE", "LOGEMENT_DEJA_OCCUPE", "TRANSITION_INTERDITE"}

    def let(db, n, room):
        return builders.contrat(db, id_client=clients[n], id_logement=room, actif=False, **lasting)

    turns = Barrier(7)

    def act(db, n):
        outcomes = []
        for turn, room in enumerate(rooms):
            turns.wait()
            acts = [
                lambda t=turn: db.call("residence.contrat_resilier", id_contrat=leases[t]),
                lambda r=room: let(db, n, r),
                lambda r=room: let(db, n, r),
                lambda: db.call("jobs.transition_contrats_expires"),
                lambda t=turn: db.call("residence.contrat_annuler", id_contrat=pending[t]),
                lambda t=turn: db.call("residence.contrat_activer", id_contrat=pending[t]),
                lambda t=turn: let(db, n, waiting[t]),
            ]
            outcomes.append(outcome_of(acts[n], refusals))
        return outcomes

    all_outcomes = [outcome for outcomes in at_once(7, act) for outcome in outcomes]
    record_property("essais", len(all_outcomes))
    assert all_outcomes.count("deadlock") == 0
    overlapping = (
        "select count(*) from residence.occupation a join residence.occupation b using (id_logement)"
        " where a.id_occupation < b.id_occupation and a.periode && b.periode"
    )
    assert shared.one(overlapping) == 0
