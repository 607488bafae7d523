"""Attendance: the database alone sets the hour of arrival and the hours worked."""

import psycopg
import pytest

from tests import builders
from tests.conftest import refused


@pytest.fixture
def employe(db):
    return builders.employe(db)


def arrive(db, employe, **fields):
    return db.call("rh.pointage_arriver", **({"id_employe": employe, "date": db.today()} | fields))


def leave(db, pointage):
    return db.call("rh.pointage_partir", id_pointage=pointage["id_pointage"])


def correct(db, pointage, **champs):
    return db.call("rh.pointage_corriger", id_pointage=pointage["id_pointage"], champs=champs)


def detail(db, pointage):
    return db.call("rh.pointage_detail", id_pointage=pointage["id_pointage"])


def clock(db, pointage, arrival, departure=None):
    """Set the recorded times, in local time, as if the test had run on that day."""
    db.execute(
        "update rh.pointage set horloge_arrivee = %s::timestamp at time zone core.fuseau(),"
        " horloge_depart = %s::timestamp at time zone core.fuseau(), date = %s::timestamp::date where id_pointage = %s",
        [arrival, departure, arrival, pointage["id_pointage"]],
    )
    return detail(db, pointage)


def test_arrival_and_departure_record_the_time_of_the_database(db, employe):
    record = arrive(db, employe, note="En avance")
    assert list(record) == [
        "id_pointage", "id_employe", "date", "heure_arrivee", "heure_depart", "duree_travaillee", "statut",
        "heures_sup", "note", "employe_nom", "employe_prenom",
    ]  # fmt: skip
    now = db.one("select now()")
    assert (record["heure_arrivee"], record["heure_depart"], record["duree_travaillee"]) == (now, None, None)
    assert (record["statut"], record["employe_nom"], record["note"]) == ("PRESENT", "Exemple", "En avance")
    db.execute("update rh.pointage set horloge_arrivee = now() - interval '7 hours 30 minutes'")
    departure = leave(db, record)
    assert (departure["heure_depart"], str(departure["duree_travaillee"])) == (now, "7.50")
    assert arrive(db, builders.employe(db), statut="RETARD")["statut"] == "RETARD"


@pytest.mark.utc
def test_the_hours_worked_are_computed_from_both_times(db):
    for arrival, departure, worked in (
        ("2026-08-31 22:15", "2026-09-01 05:30", "7.25"),  # past midnight
        ("2026-08-15 23:59:30", "2026-08-16 00:00:15", "0.01"),
        ("2026-08-15 08:00", "2026-08-15 08:00", "0.00"),
        ("2026-08-15 08:00", "2026-08-15 08:20", "0.33"),
        ("2026-08-15 08:00", "2026-08-16 08:00", "24.00"),
    ):
        record = clock(db, arrive(db, builders.employe(db)), arrival)
        corrected = correct(db, record, heure_depart=departure)
        assert (str(corrected["duree_travaillee"]), corrected["date"]) == (worked, record["date"])


def test_a_night_shift_across_the_clock_change_has_one_hour_more(db, employe):
    """On 25 October 2026 clocks in Paris go back one hour, so that night has one hour more."""
    db.execute("update core.parametre set valeur = 'Europe/Paris' where cle = 'FUSEAU_HORAIRE'")
    record = clock(db, arrive(db, employe), "2026-10-24 22:00", "2026-10-25 06:00")
    assert str(record["duree_travaillee"]) == "9.00"


def test_a_departure_after_midnight_closes_the_record_of_the_previous_day(db, employe):
    record = arrive(db, employe)
    db.execute("update rh.pointage set date = date - 1, horloge_arrivee = now() - interval '9 hours'")
    with refused("POINTAGE_DEJA_OUVERT", status=409):
        arrive(db, employe)
    departure = leave(db, record)
    assert (departure["date"], str(departure["duree_travaillee"])) == (db.one("select core.aujourdhui() - 1"), "9.00")
    assert arrive(db, employe)["date"] == db.today()


def test_an_employee_has_one_record_a_day_and_one_open_record(db, employe):
    record = arrive(db, employe)
    with refused("POINTAGE_EXISTANT", status=409):
        arrive(db, employe)
    with refused("POINTAGE_DEJA_OUVERT", status=409):
        arrive(db, employe, date="2026-08-14")
    leave(db, record)
    with refused("POINTAGE_EXISTANT", status=409):
        arrive(db, employe)
    other = arrive(db, employe, date="2026-08-14")
    with refused("POINTAGE_DEJA_OUVERT", status=409):
        correct(db, record, heure_depart=None)
    leave(db, other)
    assert correct(db, record, heure_depart=None)["heure_depart"] is None
    arrive(db, builders.employe(db))


def test_an_invalid_arrival_is_refused(db, employe):
    for statut in ("INACTIF", "SUSPENDU"):
        with refused("EMPLOYE_NON_ACTIF", status=409):
            arrive(db, builders.employe(db, statut=statut))
    with refused("DATE_FUTURE", status=400):
        arrive(db, employe, date=db.one("select core.aujourdhui() + 1"))
    with refused("POINTAGE_EMPLOYE_INCONNU", status=422):
        arrive(db, 987654321)


def test_an_invalid_departure_is_refused(db, employe):
    record = arrive(db, employe)
    leave(db, record)
    with refused("DEPART_DEJA_POINTE", status=409):
        leave(db, record)
    correct(db, record, heure_depart=None)
    db.execute("update rh.pointage set horloge_arrivee = now() - interval '24 hours 1 second'")
    with refused("DEPART_TROP_TARDIF", status=400):
        leave(db, record)
    with refused("NOT_FOUND", status=404):
        leave(db, {"id_pointage": 987654321})


@pytest.mark.utc
def test_a_correction_changes_departure_status_and_note_but_never_the_arrival(db, employe):
    record = clock(db, arrive(db, employe), "2026-08-15 08:00")
    ignored = {"heure_arrivee": "2026-08-15T05:00:00Z", "duree_travaillee": "12"}
    taken = {"heure_depart": "2026-08-15 18:00", "statut": "RETARD", "heures_sup": "2.00", "note": "Inventaire"}
    changed = correct(db, record, **ignored, **taken)
    assert changed["heure_arrivee"] == record["heure_arrivee"] and str(changed["duree_travaillee"]) == "10.00"
    assert (changed["statut"], str(changed["heures_sup"]), changed["note"]) == ("RETARD", "2.00", "Inventaire")
    assert correct(db, record, note=None) == changed | {"note": None}
    assert correct(db, record, heure_arrivee=None, duree_travaillee=None) == changed | {"note": None}


@pytest.mark.parametrize("statut", ["ABSENT", "CONGE"])
def test_an_absence_hides_the_hours_and_a_correction_restores_them(db, employe, statut):
    record = clock(db, arrive(db, employe), "2026-08-15 08:00", "2026-08-15 17:00")
    correct(db, record, heures_sup="1")
    with refused("ABSENCE_SANS_HEURES_SUP", status=400):
        correct(db, record, statut=statut)
    absent = correct(db, record, statut=statut, heures_sup=None)
    no_hours = {"heure_arrivee": None, "heure_depart": None, "duree_travaillee": None}
    assert absent == record | no_hours | {"statut": statut}
    assert db.one("select count(heure_arrivee) + count(duree_travaillee) from rh.pointage") == 0
    with refused("ABSENCE_SANS_HEURES", status=409):
        leave(db, record)
    with refused("ABSENCE_SANS_HEURES", status=409):
        correct(db, record, heure_depart="2026-08-15 18:00")
    with refused("ABSENCE_SANS_HEURES_SUP", status=400):
        correct(db, record, heures_sup="1")
    arrive(db, employe)  # possible because no record is open
    assert correct(db, record, statut="PRESENT") == record


@pytest.mark.utc
def test_an_invalid_correction_is_refused(db, employe):
    record = clock(db, arrive(db, employe), "2026-08-15 08:00")
    for rule, champs in [
        ("DEPART_APRES_ARRIVEE", {"heure_depart": "2026-08-15 07:59:59"}),
        ("DEPART_TROP_TARDIF", {"heure_depart": "2026-08-16 08:00:01"}),
        ("DEPART_TROP_TARDIF", {"heure_depart": "2026-10-16 08:00"}),
        ("DEPART_FUTUR", {"heure_depart": "2999-01-01"}),
        ("HEURES_POSITIVES", {"heures_sup": "-1"}),
        ("HEURES_D_UN_JOUR", {"heures_sup": "24.01"}),
    ]:
        with refused(rule, status=400):
            correct(db, record, **champs)
    with refused("NOT_FOUND", status=404):
        correct(db, {"id_pointage": 987654321}, note="X")


def test_neither_the_hours_nor_the_duration_can_be_written_with_direct_sql(db, employe):
    arrive(db, employe)
    for column in ("heure_arrivee", "heure_depart", "duree_travaillee"):
        with pytest.raises(psycopg.errors.GeneratedAlways), db.connection.transaction():
            db.execute(f"update rh.pointage set {column} = null")
    db.execute("set local role comptoir_code")
    for statement in (
        "update rh.pointage set horloge_arrivee = now()",
        "update rh.pointage set date = date",
        "delete from rh.pointage",
        "insert into rh.pointage (id_employe, date, horloge_arrivee) select id_employe, date, now() from rh.pointage",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), db.connection.transaction():
            db.execute(statement)


def test_the_list_of_attendance_filters(db, employe):
    service = db.call("rh.service_creer", libelle="Accueil")["id_service"]
    other = builders.employe(db, nom="Bamba", id_service=service)
    first = clock(db, arrive(db, employe, statut="RETARD"), "2026-08-15 08:00")
    second = arrive(db, other)

    def ids(**filters):
        return [row["id_pointage"] for row in db.rows("rh.pointage_lister", **filters)]

    first_only, second_only = [first["id_pointage"]], [second["id_pointage"]]
    assert ids() == second_only + first_only
    assert ids(employe=employe) == ids(statut="RETARD") == ids(au="2026-08-15") == first_only
    assert ids(service=service) == ids(recherche="bamba") == ids(du="2026-08-16") == second_only
    assert ids(du="2026-08-15", au="2026-08-15", employe=other) == []
