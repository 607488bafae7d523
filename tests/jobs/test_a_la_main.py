"""Jobs run by hand: the caller gets the outcome, and the runs are counted in the database."""

import re
from typing import Any

import pytest

from app import routes
from tests import builders
from tests.conftest import Db, Http, refusal
from tests.jobs.test_file import move

JOBS = "/api/v1/jobs/"
MANUAL = [route.path.rpartition("/")[2] for route in routes.load().routes if route.path.startswith(JOBS)]


def job_counts(text: str) -> dict[tuple[str, str], int]:
    """Return the number of runs by job and outcome in the metrics."""
    lines = re.findall(r'^svc_jobs_total\{job="(.+)",outcome="(.+)"\} (.+)$', text, re.MULTILINE)
    return {(job, outcome): int(float(value)) for job, outcome, value in lines}


def test_each_job_run_by_hand_is_counted(http: Http, db: Db) -> None:
    admin = http.as_admin()
    for job in MANUAL:
        assert [admin.post(f"/jobs/{job}", json={}).status_code for _ in range(2)] == [200, 200]
    counted = job_counts(http.get("/metrics").text)
    assert counted == {(job, "succeeded"): 2 for job in MANUAL}, "its line in app/routes/jobs.py has job=True"


def test_a_refused_run_returns_its_error_and_is_counted(http: Http, db: Db) -> None:
    admin = http.as_admin()
    answer = admin.post("/jobs/generer-echeances", json={"jusqu_au": "2999-01-01"})
    assert (answer.status_code, answer.json()["code"]) == (400, "HORIZON_EXCESSIF")
    assert answer.json()["message"] == "Les échéances se créent cinq ans à l'avance au plus."
    assert refusal(admin.post("/jobs/recalculer-paie?periode=2999-01")) == (400, "PERIODE_FUTURE")
    counted = job_counts(http.get("/metrics").text)
    assert counted == {("generer-echeances", "failed"): 1, ("recalculer-paie", "failed"): 1}


@pytest.mark.parametrize(
    "body, sqlstate, message",
    [
        ("perform 1 / 0;", "22012", "division by zero"),
        ("insert into market.produit default values;", "23502", "null value in column"),
    ],
)
def test_a_run_that_fails_unexpectedly_names_what_failed_and_is_counted(
    http: Http, db: Db, body: str, sqlstate: str, message: str
) -> None:
    db.execute(
        "create or replace function jobs.reesolde_stock() returns market.stock_bilan language plpgsql security definer "
        f"set search_path = pg_catalog, pg_temp as $$begin {body} end$$"
    )
    answer = http.as_admin().post("/jobs/reesolde-stock")
    assert answer.status_code == 500
    error = answer.json()
    assert error["code"] == "TACHE_ECHOUEE"
    assert error["message"].startswith(f"La tâche « reesolde-stock » a échoué : {message}")
    assert error["details"]["sqlstate"] == sqlstate and "jobs.reesolde_stock() line 1" in error["details"]["contexte"]
    assert job_counts(http.get("/metrics").text) == {("reesolde-stock", "failed"): 1}


def test_a_request_that_runs_no_job_is_not_counted(http: Http, db: Db) -> None:
    admin, cashier = http.as_admin(), http.as_user(builders.utilisateur(db, role="RESPONSABLE_PRESSING"))
    assert admin.post("/jobs/generer-echeances", json={"jusqu_au": "demain"}).status_code == 400
    assert cashier.post("/jobs/generer-echeances", json={}).status_code == 403
    assert http.post("/jobs/generer-echeances", json={}).status_code == 401
    assert job_counts(http.get("/metrics").text) == {}
    for _ in range(3):
        assert admin.post("/jobs/reesolde-stock", headers={"Idempotency-Key": "une fois"}).status_code == 200
    assert job_counts(http.get("/metrics").text) == {("reesolde-stock", "succeeded"): 1}


def test_job_counts_remain_after_the_cleanup_of_the_jobs(db: Db) -> None:
    ids = [db.one("select core._differer('menage')") for _ in range(5)]
    move(db, ids[0], "doing", "succeeded")
    move(db, ids[1], "doing", "todo", "doing", "failed")
    move(db, ids[2], "doing", "succeeded")
    move(db, ids[4], "doing", "failed")
    db.call("jobs.tache_compter", tache="menage", issue="succeeded")
    before = db.rows("jobs.tache_bilan")
    age(db, ids[0], "25 hours")
    age(db, ids[1], "31 days")
    age(db, ids[4], "29 days")  # a failed job is kept for thirty days
    assert db.call("jobs.menage")["taches"] == 2
    assert [row["id"] for row in db.all("select id from queue.procrastinate_jobs order by id")] == ids[2:]
    assert db.rows("jobs.tache_bilan") == before
    age(db, ids[2], "25 hours")
    age(db, ids[3], "1 year")  # a waiting job is never deleted
    assert db.call("jobs.menage")["taches"] == 1
    assert db.rows("jobs.tache_bilan") == before
    assert {row["issue"]: row["nombre"] for row in before} == {"failed": 2, "retried": 1, "succeeded": 3}


def age(db: Db, id_job: Any, span: str) -> None:
    db.execute("update queue.procrastinate_events set at = at - %s::interval where job_id = %s", [span, id_job])
