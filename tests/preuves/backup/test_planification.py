"""Scheduled backups: the clock is a parameter, the organisation sets the time zone, and each slot gives one backup."""

from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, Http, ok, refused

pytestmark = pytest.mark.utc


def plan(
    db: Db, frequence: str = "QUOTIDIENNE", heure: str = "02:00", active: bool = True, depuis: str = "2026-01-01"
) -> None:
    """Set the schedule, in force since this day."""
    db.call("jobs.planification_modifier", frequence=frequence, heure=heure, active=active)
    db.execute("update jobs.planification set date_maj = %s::timestamptz", [depuis])


def due(db: Db, instant: str) -> str | None:
    slot_start = db.one("select jobs._sauvegarde_due(%s)", [instant])
    return slot_start and slot_start.strftime("%Y-%m-%d %H:%M %z")


def slot(db: Db, echeance: str, **fields: Any) -> int:
    return builders.sauvegarde(db, type="AUTOMATIQUE", echeance=echeance, **fields)


@pytest.mark.parametrize(
    "frequence, heure, instant, expected",
    [
        ("QUOTIDIENNE", "02:00", "2026-08-12 01:59:59Z", "2026-08-11 02:00"),
        ("QUOTIDIENNE", "02:00", "2026-08-12 02:00:00Z", "2026-08-12 02:00"),
        ("QUOTIDIENNE", "00:00", "2026-08-12 00:00:00Z", "2026-08-12 00:00"),
        ("QUOTIDIENNE", "23:59", "2026-08-12 23:58:00Z", "2026-08-11 23:59"),
        # 2026-08-16 is a Sunday.
        ("HEBDOMADAIRE", "02:00", "2026-08-15 23:59:00Z", "2026-08-09 02:00"),
        ("HEBDOMADAIRE", "02:00", "2026-08-16 01:59:00Z", "2026-08-09 02:00"),
        ("HEBDOMADAIRE", "02:00", "2026-08-16 02:00:00Z", "2026-08-16 02:00"),
        ("HEBDOMADAIRE", "02:00", "2026-08-22 12:00:00Z", "2026-08-16 02:00"),
    ],
)
def test_the_due_slot_is_the_last_one_before_the_instant(
    db: Db, frequence: str, heure: str, instant: str, expected: str
) -> None:
    plan(db, frequence, heure)
    db.execute("set local timezone = 'UTC'")
    assert due(db, instant) == f"{expected} +0000"


def test_the_hour_of_the_schedule_is_in_the_time_zone_of_the_organisation(db: Db) -> None:
    db.call("core.parametre_modifier", cle="FUSEAU_HORAIRE", valeur="Africa/Nairobi")  # three hours ahead
    plan(db)
    db.execute("set local timezone = 'Africa/Nairobi'")
    assert due(db, "2026-08-12 22:59:00Z") == "2026-08-12 02:00 +0300"
    assert due(db, "2026-08-12 23:00:00Z") == "2026-08-13 02:00 +0300"
    plan(db, "HEBDOMADAIRE")
    assert due(db, "2026-08-15 23:00:00Z") == "2026-08-16 02:00 +0300"  # Sunday in Nairobi, Saturday in UTC


def test_a_missed_slot_is_due_once(db: Db) -> None:
    plan(db)
    db.execute("set local timezone = 'UTC'")
    assert due(db, "2026-08-12 11:37:00Z") == "2026-08-12 02:00 +0000"  # the worker was down all morning
    slot(db, "2026-08-12 02:00Z")
    assert due(db, "2026-08-12 11:38:00Z") is None
    assert due(db, "2026-08-13 02:00:00Z") == "2026-08-13 02:00 +0000"
    with refused("SAUVEGARDE_UNE_PAR_ECHEANCE", 409):
        slot(db, "2026-08-12 02:00Z")
    builders.sauvegarde(db)  # a manual backup does not fill a slot
    assert due(db, "2026-08-13 02:00:00Z") == "2026-08-13 02:00 +0000"


def test_an_inactive_schedule_or_one_newer_than_the_slot_has_no_due_slot(db: Db) -> None:
    plan(db, active=False)
    assert due(db, "2026-08-12 11:37:00Z") is None
    plan(db, depuis="2026-08-12 09:00Z")
    assert due(db, "2026-08-12 11:37:00Z") is None
    assert due(db, "2026-08-13 02:00:00Z")
    db.call("jobs.planification_modifier", frequence="QUOTIDIENNE", heure="02:00", active=True)  # an unchanged schedule
    assert due(db, "2026-08-13 02:00:00Z")


def test_a_failed_backup_is_retried_twice_after_ten_minutes_each(db: Db) -> None:
    plan(db)
    failed = {"statut": "ERREUR", "message_erreur": "Le stockage…", "echeance": "2026-08-12 02:00Z"}
    slot(db, **failed, date_fin="2026-08-12 02:01Z")
    assert due(db, "2026-08-12 02:10:59Z") is None
    assert due(db, "2026-08-12 02:11:01Z")
    slot(db, **failed, date_fin="2026-08-12 02:12Z")
    assert due(db, "2026-08-12 02:23:00Z")
    slot(db, **failed, date_fin="2026-08-12 02:24Z")
    assert due(db, "2026-08-12 09:00:00Z") is None
    assert due(db, "2026-08-13 02:00:00Z")


def test_the_automatic_job_starts_at_most_one_backup(db: Db) -> None:
    assert db.call("jobs.sauvegarde_auto") == {"lancee": False, "id_sauvegarde": None}  # no schedule is active yet
    plan(db)
    started = db.call("jobs.sauvegarde_auto")
    assert started["lancee"]
    task = db.one("select args from queue.procrastinate_jobs where task_name = 'sauvegarder'")
    assert task == {"id_sauvegarde": started["id_sauvegarde"]}
    assert db.call("jobs.sauvegarde_auto") == {"lancee": False, "id_sauvegarde": None}
    with refused("SAUVEGARDE_EN_COURS", 409):
        db.call("jobs.sauvegarde_declencher")
    # A task may wait for a worker for hours. It has not failed.
    db.execute("update jobs.sauvegarde set date_creation = now() - interval '3 hours'")
    db.call("jobs.sauvegarde_auto")
    assert db.one("select statut from jobs.sauvegarde") == "EN_COURS"
    db.execute("set local search_path = queue, pg_catalog")
    db.execute("update procrastinate_jobs set status = 'failed'")
    db.call("jobs.sauvegarde_auto")
    assert db.one("select statut from jobs.sauvegarde where id_sauvegarde = %s", [started["id_sauvegarde"]]) == "ERREUR"


def test_no_backup_starts_during_a_restore(db: Db) -> None:
    plan(db)
    saved = builders.sauvegarde(db)
    db.call("jobs.restauration_demander", id_sauvegarde=saved, confirmation=True)
    assert db.call("jobs.sauvegarde_auto")["lancee"] is False
    with refused("RESTAURATION_EN_COURS", 409):
        db.call("jobs.sauvegarde_declencher")
    with refused("RESTAURATION_EN_COURS", 409):
        db.call("jobs.restauration_demander", id_sauvegarde=saved, confirmation=True)


def test_a_failed_or_removed_backup_cannot_be_restored(db: Db) -> None:
    for fields in ({"statut": "ERREUR", "message_erreur": "Perdue."}, {"date_retrait": "2026-02-01"}):
        backup = builders.sauvegarde(db, **fields)
        with refused("SAUVEGARDE_NON_RESTAURABLE", 409):
            db.call("jobs.restauration_demander", id_sauvegarde=backup, confirmation=True)


def test_the_schedule_route_reads_and_replaces_the_schedule(http: Http) -> None:
    admin = http.as_admin()
    path = "/admin/sauvegardes/planification"
    first = admin.get(path).json()
    assert first.pop("date_maj")
    made = {"id_planification": "1", "frequence": "QUOTIDIENNE", "heure": "02:00:00"}
    assert first == {**made, "active": False, "activee": False}
    body = {"frequence": "HEBDOMADAIRE", "heure": "23:30", "active": True}
    schedule = ok(admin.put(path, json=body))
    assert (schedule["frequence"], schedule["heure"], schedule["active"]) == ("HEBDOMADAIRE", "23:30:00", True)
    assert admin.get(path).json() == schedule
    for wrong in ({"heure": "25:00"}, {"heure": "02:00:30"}, {"frequence": "MENSUELLE"}, {"active": "peut-être"}):
        assert admin.put(path, json=body | wrong).status_code == 400, wrong
    assert admin.put(path, json={"heure": "02:00"}).status_code == 400


def test_the_backup_list_route_returns_a_page_of_backups(http: Http, db: Db) -> None:
    numbers = [builders.sauvegarde(db) for _ in range(3)]
    page = http.as_admin().get("/admin/sauvegardes", params={"limit": 2}).json()
    assert page["total"] == 3
    assert [item["id_sauvegarde"] for item in page["items"]] == [str(n) for n in reversed(numbers[1:])]
    item = page["items"][0]
    assert (item["taille_octets"], item["taille_humaine"], item["duree"]) == ("1500000", "1465 Kio", 9)
    assert (item["statut"], item["type"], item["restauration"]) == ("SUCCES", "MANUELLE", None)
    assert item["date_debut"] == "2026-01-05T02:00:00.000Z"


def test_an_invalid_retention_is_refused(db: Db) -> None:
    for value in ("0", "1001", "-1", "quatorze", "1.5"):
        with refused("SAUVEGARDE_RETENTION_INVALIDE", 400):
            db.call("core.parametre_modifier", cle="SAUVEGARDE_RETENTION", valeur=value)
