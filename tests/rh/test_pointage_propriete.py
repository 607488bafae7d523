"""After any sequence of arrivals, departures and corrections, the records agree with a model in Python."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import builders
from tests.conftest import accepted
from tests.examples import EXAMPLES

STATES = ("PRESENT", "RETARD", "ABSENT", "CONGE")
quarter = st.integers(0, 120).map(lambda n: timedelta(minutes=15 * n))
position = st.integers(0, 7)
correction = st.fixed_dictionaries(
    {},
    optional={
        "statut": st.sampled_from(STATES),
        "heures_sup": st.sampled_from(["0", "1.5", None]),
        # how long ago the departure was; a negative value is in the future
        "heure_depart": st.one_of(st.none(), quarter, st.just(timedelta(hours=-1))),
    },
)
action = st.one_of(
    st.tuples(st.just("arrive"), st.integers(0, 1), st.integers(0, 3), st.sampled_from(STATES[:2])),
    st.tuples(st.just("wait"), quarter),
    st.tuples(st.just("leave"), position),
    st.tuples(st.just("correct"), position, correction),
)
REFUSALS = {
    "pointage_existant", "pointage_deja_ouvert", "depart_apres_arrivee", "depart_trop_tardif",
    "absence_sans_heures_sup", "ABSENCE_SANS_HEURES", "DEPART_DEJA_POINTE", "DEPART_FUTUR",
}  # fmt: skip


@pytest.fixture
def staff(db):
    return [builders.employe(db), builders.employe(db)]


@EXAMPLES
@given(actions=st.lists(action, min_size=1, max_size=15))
def test_attendance_records_agree_with_the_model_after_every_step(db, staff, actions):
    with db.connection.transaction(force_rollback=True):
        records = []  # arrival and departure as the time passed since
        for step in actions:
            after = expected(step, records)
            assert accepted(db, REFUSALS, run, db, staff, step, records, after) == (after is not None), step
            records = records if after is None else after
            check(db, records)


def is_open(record):
    return record["departure"] is None and record["statut"] in STATES[:2]


def expected(step, records):
    """The records after this step, or None when the model refuses it."""
    records = [dict(record) for record in records]
    if step[0] == "wait":
        for record in records:
            record["arrival"] += step[1]
            record["departure"] = record["departure"] + step[1] if record["departure"] is not None else None
        return records
    if step[0] == "arrive":
        record = {"employe": step[1], "day": step[2], "statut": step[3], "arrival": timedelta(0)}
        record |= {"departure": None, "overtime": None}
        if any((other["employe"], other["day"]) == (step[1], step[2]) for other in records):
            return None
        records.append(record)
    elif not records:
        return records
    else:
        record = records[step[1] % len(records)]
        change = {"heure_depart": timedelta(0)} if step[0] == "leave" else step[2]
        if step[0] == "leave" and not is_open(record):
            return None
        record["statut"] = change.get("statut", record["statut"])
        record["overtime"] = change.get("heures_sup", record["overtime"])
        if "heure_depart" in change:
            record["departure"] = change["heure_depart"]
            if record["departure"] is not None and record["statut"] not in STATES[:2]:
                return None
        if record["departure"] is not None:
            worked = record["arrival"] - record["departure"]
            if not timedelta(0) <= worked <= timedelta(hours=24) or record["departure"] < timedelta(0):
                return None
        if record["statut"] not in STATES[:2] and record["overtime"] == "1.5":
            return None
    if sum(is_open(other) for other in records if other["employe"] == record["employe"]) > 1:
        return None
    return records


def run(db, staff, step, records, after):
    if step[0] == "wait":
        # Time does not pass inside a transaction, so the test moves the recorded times into the past.
        db.execute(
            "update rh.pointage set horloge_arrivee = horloge_arrivee - %s, horloge_depart = horloge_depart - %s",
            [step[1], step[1]],
        )
    elif step[0] == "arrive":
        day = db.one("select core.aujourdhui() - %s::integer", [step[2]])
        row = db.call("rh.pointage_arriver", id_employe=staff[step[1]], date=day, statut=step[3])
        after[-1]["id"] = row["id_pointage"]
    elif records:
        record = records[step[1] % len(records)]
        if step[0] == "leave":
            db.call("rh.pointage_partir", id_pointage=record["id"])
        else:
            champs = dict(step[2])
            if champs.get("heure_depart") is not None:
                champs["heure_depart"] = db.one("select (now() - %s)::text", [champs["heure_depart"]])
            db.call("rh.pointage_corriger", id_pointage=record["id"], champs=champs)


def check(db, records):
    now = db.one("select now()")
    for record in records:
        row = db.call("rh.pointage_detail", id_pointage=record["id"])
        assert row["statut"] == record["statut"]
        assert (row["heures_sup"] is None) == (record["overtime"] is None)
        if record["statut"] not in STATES[:2]:
            assert (row["heure_arrivee"], row["heure_depart"], row["duree_travaillee"]) == (None, None, None)
            continue
        assert row["heure_arrivee"] == now - record["arrival"]
        if record["departure"] is None:
            assert (row["heure_depart"], row["duree_travaillee"]) == (None, None)
        else:
            assert row["heure_depart"] == now - record["departure"]
            assert row["duree_travaillee"] * 3600 == (record["arrival"] - record["departure"]).total_seconds()
