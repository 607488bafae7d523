"""When a backup is due: the clock is a parameter, the time zone the organisation's, and each slot gives one backup."""

from __future__ import annotations

from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, Http, refused


def plan(
    db: Db, frequence: str = "QUOTIDIENNE", heure: str = "02:00", active: bool = True, depuis: str = "2026-01-01"
) -> None:
    """The schedule, in force since this day."""
    db.call("jobs.planification_modifier", frequence=frequence, heure=heure, active=active)
    db.execute("update jobs.planification set date_maj = %s::timestamptz", [depuis])


def due(db: Db, instant: str) -> str | None:
    found = db.one("select jobs._sauvegarde_due(%s)", [instant])
    return found and found.strftime("%Y-%m-%d %H:%M %z")


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
def test_the_last_slot(db: Db, frequence: str, heure: str, instant: str, expected: str) -> None:
    plan(db, frequence, heure)
    db.execute("set local timezone = 'UTC'")
    assert due(db, instant) == f"{expected} +0000"


def test_the_hour_is_the_organisation_s(db: Db) -> None:
    db.call("core.parametre_modifier", cle="FUSEAU_HORAIRE", valeur="Africa/Nairobi")  # three hours ahead
    plan(db)
    db.execute("set local timezone = 'Africa/Nairobi'")
    assert due(db, "2026-08-12 22:59:00Z") == "2026-08-12 02:00 +0300"
    assert due(db, "2026-08-12 23:00:00Z") == "2026-08-13 02:00 +0300"
    plan(db, "HEBDOMADAIRE")
    assert due(db, "2026-08-15 23:00:00Z") == "2026-08-16 02:00 +0300"  # Sunday there, Saturday in UTC


def test_a_missed_minute_is_made_up_for_once(db: Db) -> None:
    plan(db)
    db.execute("set local timezone = 'UTC'")
    assert due(db, "2026-08-12 11:37:00Z") == "2026-08-12 02:00 +0000"  # the worker was down all morning
    slot(db, "2026-08-12 02:00Z")
    assert due(db, "2026-08-12 11:38:00Z") is None
    assert due(db, "2026-08-13 02:00:00Z") == "2026-08-13 02:00 +0000"
    with refused("SAUVEGARDE_UNE_PAR_ECHEANCE", 409):
        slot(db, "2026-08-12 02:00Z")
    builders.sauvegarde(db)  # somebody's own is no answer to the schedule
    assert due(db, "2026-08-13 02:00:00Z") == "2026-08-13 02:00 +0000"


def test_what_is_inactive_or_younger_than_the_slot_asks_for_nothing(db: Db) -> None:
    plan(db, active=False)
    assert due(db, "2026-08-12 11:37:00Z") is None
    plan(db, depuis="2026-08-12 09:00Z")
    assert due(db, "2026-08-12 11:37:00Z") is None
    assert due(db, "2026-08-13 02:00:00Z")
    db.call("jobs.planification_modifier", frequence="QUOTIDIENNE", heure="02:00", active=True)  # as it was
    assert due(db, "2026-08-13 02:00:00Z")


def test_a_failure_is_tried_again_twice_ten_minutes_apart(db: Db) -> None:
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


def test_the_minute_starts_one_at_most(db: Db) -> None:
    assert db.call("jobs.sauvegarde_auto") == {"lancee": False, "id_sauvegarde": None}  # nothing is planned at first
    plan(db)
    begun = db.call("jobs.sauvegarde_auto")
    assert begun["lancee"]
    task = db.one("select args from queue.procrastinate_jobs where task_name = 'sauvegarder'")
    assert task == {"id_sauvegarde": begun["id_sauvegarde"]}
    assert db.call("jobs.sauvegarde_auto") == {"lancee": False, "id_sauvegarde": None}
    with refused("SAUVEGARDE_EN_COURS", 409):
        db.call("jobs.sauvegarde_declencher")
    # The task waits for a worker, however long: it is not dead.
    db.execute("update jobs.sauvegarde set date_creation = now() - interval '3 hours'")
    db.call("jobs.sauvegarde_auto")
    assert db.one("select statut from jobs.sauvegarde") == "EN_COURS"
    db.execute("set local search_path = queue, pg_catalog")
    db.execute("update procrastinate_jobs set status = 'failed'")
    db.call("jobs.sauvegarde_auto")
    assert db.one("select statut from jobs.sauvegarde where id_sauvegarde = %s", [begun["id_sauvegarde"]]) == "ERREUR"


def test_a_restore_that_goes_on_keeps_backups_away(db: Db) -> None:
    plan(db)
    saved = builders.sauvegarde(db)
    db.call("jobs.restauration_demander", id_sauvegarde=saved, confirmation=True)
    assert db.call("jobs.sauvegarde_auto")["lancee"] is False
    with refused("RESTAURATION_EN_COURS", 409):
        db.call("jobs.sauvegarde_declencher")
    with refused("RESTAURATION_EN_COURS", 409):
        db.call("jobs.restauration_demander", id_sauvegarde=saved, confirmation=True)


@pytest.mark.parametrize(
    "fields",
    [{"statut": "ERREUR", "message_erreur": "Perdue."}, {"date_retrait": "2026-02-01"}],
    ids=["failed", "gone"],
)
def test_what_cannot_be_restored(db: Db, fields: dict[str, str]) -> None:
    with refused("SAUVEGARDE_NON_RESTAURABLE", 409):
        db.call("jobs.restauration_demander", id_sauvegarde=builders.sauvegarde(db, **fields), confirmation=True)


def test_the_schedule_by_the_api(http: Http) -> None:
    admin = http.as_admin()
    path = "/admin/sauvegardes/planification"
    first = admin.get(path).json()
    assert first.pop("date_maj")
    assert first == {"id_planification": "1", "frequence": "QUOTIDIENNE", "heure": "02:00:00"} | {
        "active": False,
        "activee": False,
    }
    wish = {"frequence": "HEBDOMADAIRE", "heure": "23:30", "active": True}
    changed = admin.put(path, json=wish)
    assert changed.status_code == 200, changed.text
    found = changed.json()
    assert (found["frequence"], found["heure"], found["active"]) == ("HEBDOMADAIRE", "23:30:00", True)
    assert admin.get(path).json() == found
    for wrong in ({"heure": "25:00"}, {"heure": "02:00:30"}, {"frequence": "MENSUELLE"}, {"active": "peut-être"}):
        assert admin.put(path, json=wish | wrong).status_code == 400, wrong
    assert admin.put(path, json={"heure": "02:00"}).status_code == 400


def test_the_list_by_the_api(http: Http, db: Db) -> None:
    numbers = [builders.sauvegarde(db) for _ in range(3)]
    page = http.as_admin().get("/admin/sauvegardes", params={"limit": 2}).json()
    assert page["total"] == 3
    assert [item["id_sauvegarde"] for item in page["items"]] == [str(n) for n in reversed(numbers[1:])]
    item = page["items"][0]
    assert (item["taille_octets"], item["taille_humaine"], item["duree"]) == ("1500000", "1465 Kio", 9)
    assert (item["statut"], item["type"], item["restauration"]) == ("SUCCES", "MANUELLE", None)
    assert item["date_debut"] == "2026-01-05T02:00:00.000Z"


@pytest.mark.parametrize("valeur", ["0", "1001", "-1", "quatorze", "1.5"])
def test_a_retention_that_means_nothing(db: Db, valeur: str) -> None:
    with refused("SAUVEGARDE_RETENTION_INVALIDE", 400):
        db.call("core.parametre_modifier", cle="SAUVEGARDE_RETENTION", valeur=valeur)


def test_who_may(http: Http, db: Db) -> None:
    nobody = http.as_user(builders.utilisateur(db))
    saved = builders.sauvegarde(db)
    for method, path in (
        ("GET", ""),
        ("GET", "/planification"),
        ("PUT", "/planification"),
        ("POST", "/declencher"),
        ("POST", f"/{saved}/restaurer"),
    ):
        assert nobody.request(method, f"/admin/sauvegardes{path}", json={}).status_code == 403, path
    assert nobody.post("/jobs/sauvegarde-auto").status_code == 403
