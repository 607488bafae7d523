"""Subscriptions expire after their last day, and no other subscription changes."""

from datetime import timedelta

import pytest

from tests import builders


@pytest.fixture
def subscribe(db):
    today = db.one("select core.aujourdhui()")

    def subscribe(days, statut="ACTIF"):
        """Create a subscription whose last day is so many days from today, or that has no last day."""
        last = None if days is None else today + timedelta(days=days)
        made = builders.abonnement(db, date_debut=today - timedelta(days=60), date_fin=last)
        if statut != "ACTIF":
            db.call("residence.abonnement_modifier", id_abonnement=made, champs={"statut": statut})
        return made

    return subscribe


def states(db):
    rows = db.all("select id_abonnement, statut, date_fin from residence.abonnement order by 1")
    return {row["id_abonnement"]: (row["statut"], row["date_fin"]) for row in rows}


def test_subscriptions_after_their_last_day_expire_once(db, subscribe):
    over = [subscribe(-1), subscribe(-30), subscribe(-1, "SUSPENDU")]
    kept = {"ACTIF": (0, 1, None), "SUSPENDU": (0, None), "RESILIE": (-1,), "EXPIRE": (-1,)}
    for statut, days in kept.items():
        for day in days:
            subscribe(day, statut)
    expected = {key: ("EXPIRE" if key in over else statut, fin) for key, (statut, fin) in states(db).items()}
    assert db.call("jobs.expirer_abonnements") == {"abonnements": 3}
    assert states(db) == expected
    entries = db.one("select count(*) from audit.journal")
    assert db.call("jobs.expirer_abonnements") == {"abonnements": 0}
    assert states(db) == expected and db.one("select count(*) from audit.journal") == entries


def test_the_expiry_route_needs_the_permission_and_the_activity_of_the_residence(http, db, subscribe):
    over = subscribe(-1)
    path = "/jobs/expirer-abonnements"
    assert http.as_user(builders.utilisateur(db, role="DIRIGEANT")).post(path).status_code == 403
    other_manager = builders.utilisateur(db, role="RESPONSABLE_RESIDENCE", activite=builders.activite(db))
    assert http.as_user(other_manager).post(path).status_code == 404
    assert states(db)[over][0] == "ACTIF"
    answer = http.as_admin().post(path)
    assert (answer.status_code, answer.json()) == (200, {"abonnements": 1})
    assert states(db)[over][0] == "EXPIRE"
