"""After any sequence of openings, payments, closings and cancellations, no stays overlap and all sums agree."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import accepted
from tests.examples import EXAMPLES

TARIF = Decimal(1000)
PREMIER_JOUR = datetime(2026, 3, 1, tzinfo=UTC)
position, day, nights = st.integers(0, 5), st.integers(0, 9), st.integers(1, 4)
action = st.one_of(
    st.tuples(st.just("open"), st.integers(0, 1), day, nights), st.tuples(st.just("extend"), position, nights),
    st.tuples(st.just("pay"), position, st.integers(1, 4000)),
    st.tuples(st.just("leave"), position, st.integers(0, 90)), st.tuples(st.just("cancel"), position),
)  # fmt: skip
REFUSALS = {
    "logement_deja_occupe", "SURPAIEMENT", "SEJOUR_ANNULE", "SEJOUR_CLOS", "SEJOUR_FACTURE", "TRANSITION_INTERDITE",
}  # fmt: skip


class Stay:
    def __init__(self, room, start, count):
        self.room, self.start, self.count = room, start, count
        self.arrival, self.end = PREMIER_JOUR + timedelta(days=start, hours=20), None
        self.paid, self.state, self.invoiced, self.departure = Decimal(0), "EN_COURS", False, None

    @property
    def planned(self):
        return PREMIER_JOUR + timedelta(days=self.start + self.count, hours=12)

    @property
    def total(self):
        return TARIF * self.count

    def hours(self, count=None):
        planned = PREMIER_JOUR + timedelta(days=self.start + (count or self.count), hours=12)
        return self.arrival, min(planned, self.departure or planned)

    def overlaps(self, others, count=None):
        begin, end = self.hours(count)
        occupied = [o.hours() for o in others if o is not self and o.room == self.room and o.state != "ANNULE"]
        return any(begin < b and a < end for a, b in occupied if a < b)


@pytest.fixture
def rooms(db):
    return [builders.logement(db), builders.logement(db)]


@EXAMPLES
@given(actions=st.lists(action, min_size=1, max_size=14))
def test_stays_agree_with_the_model_after_every_step(db, rooms, actions):
    with db.connection.transaction(force_rollback=True):
        stays = []
        for step in actions:
            if step[0] != "open" and not stays:
                continue
            stay = Stay(*step[1:]) if step[0] == "open" else stays[step[1] % len(stays)]
            expected = allowed(step, stay, stays)
            assert accepted(db, REFUSALS, run, db, rooms, step, stay) == expected, step
            if expected:
                apply_to_model(step, stay, stays)
            check(db, stays)


def departure_time(step, stay):
    return stay.arrival + timedelta(hours=step[2])


def allowed(step, stay, stays):
    match step[0]:
        case "open":
            return not stay.overlaps(stays)
        case "extend":
            if step[2] == stay.count:
                return True
            return stay.state == "EN_COURS" and not stay.invoiced and not stay.overlaps(stays, step[2])
        case "pay":
            return stay.state != "ANNULE" and step[2] <= stay.total - stay.paid
        case "leave":
            again = stay.state == "TERMINE" and departure_time(step, stay) == stay.departure
            return stay.state == "EN_COURS" or again
        case "cancel":
            return True


def run(db, rooms, step, stay):
    match step[0]:
        case "open":
            # Another test covers the status of the room. Here only the hours count.
            db.execute("update residence.logement set statut = 'DISPONIBLE' where id_logement = %s", [rooms[stay.room]])
            stay.id = db.one(
                "select (s.sejour).id_sejour from residence.sejour_creer("
                " p_type_prestation => 'NUITEE', p_id_logement => %s, p_date_heure_arrivee => %s,"
                " p_date_heure_depart_prevue => %s, p_tarif => %s) s",
                [rooms[stay.room], stay.arrival, stay.planned, TARIF],
            )
        case "extend":
            planned = PREMIER_JOUR + timedelta(days=stay.start + step[2], hours=12)
            modify(db, stay, date_heure_depart_prevue=planned.isoformat())
        case "pay":
            db.call("residence.sejour_payer", id_sejour=stay.id, montant=step[2], id_moyen=builders.moyen(db))
        case "leave":
            modify(db, stay, statut="TERMINE", date_heure_depart_reelle=departure_time(step, stay).isoformat())
        case "cancel":
            modify(db, stay, statut="ANNULE")


def modify(db, stay, **champs):
    db.call("residence.sejour_modifier", id_sejour=stay.id, champs=champs)


def apply_to_model(step, stay, stays):
    match step[0]:
        case "open":
            stays.append(stay)
        case "extend":
            stay.count = step[2]
        case "pay":
            stay.paid += step[2]
            stay.invoiced = True
            if stay.paid == stay.total and stay.state == "EN_COURS":
                stay.state = "TERMINE"
            if stay.paid == stay.total and stay.departure is None:
                stay.departure = stay.planned  # the planned departure of these stays is in the past
        case "leave":
            stay.state, stay.departure = "TERMINE", departure_time(step, stay)
        case "cancel":
            stay.state, stay.paid, stay.invoiced = "ANNULE", Decimal(0), False


def check(db, stays):
    for stay in stays:
        row = db.call("residence.sejour_detail", id_sejour=stay.id)
        assert (row["statut"], row["montant_total"], row["montant_paye"]) == (stay.state, stay.total, stay.paid)
        assert row["reste_a_payer"] == (0 if stay.state == "ANNULE" else stay.total - stay.paid)
        money = db.one(
            "select coalesce(sum(case p.type when 'ENCAISSEMENT' then p.montant else -p.montant end), 0)"
            "  from finances.paiement p where p.id_paiement in ("
            "    select a.id_paiement"
            "      from finances.imputation_vue a join facturation.facture f using (id_facture)"
            "     where f.source_type = 'SEJOUR' and f.source_id = %s)",
            [stay.id],
        )
        assert money == stay.paid
        period = db.one("select periode from residence.occupation where id_sejour = %s", [stay.id])
        begin, end = stay.hours()
        expected = None if stay.state == "ANNULE" or begin >= end else (begin, end)
        assert (period and (period.lower, period.upper)) == expected
