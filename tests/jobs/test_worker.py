"""The worker as in production: a process beside the API, with a real database and a real Valkey."""

import asyncio
import re
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from app.base.refusal import unavailable
from tests import commands
from tests.conftest import Db, Http
from tests.server import blocks, environment, eventually, running, worker

MENAGE = "from queue.procrastinate_jobs j where task_name = 'menage'"  # not the catch-up job
WORKER = "from pg_stat_activity where application_name = 'comptoir worker' and datname = current_database()"


def metrics(url: str) -> dict[str, float]:
    lines = httpx.get(f"{url}/metrics").text.splitlines()
    return {name: float(value) for name, value in (x.rsplit(" ", 1) for x in lines if x.startswith("svc_jobs"))}


def states(db: Db) -> list[str]:
    return [row["status"] for row in db.all(f"select status::text {MENAGE} order by id")]


def test_a_worker_runs_a_job_deferred_by_sql_and_finishes_its_last_job(
    tmp_path: Path, committed: Db, addresses: dict[str, str]
) -> None:
    """The API counts the first job. A lock delays the second; SIGTERM arrives, and the job succeeds after the lock."""
    with running(tmp_path, **addresses) as service:
        succeeded, waiting = 'svc_jobs_total{job="menage",outcome="succeeded"}', 'svc_jobs_queue_depth{status="todo"}'
        before = metrics(service.url)
        assert succeeded not in before and before[waiting] == 0
        committed.execute(
            """insert into auth.connexion (id_utilisateur, succes, date)
               select id_utilisateur, true, now() - interval '2 years' from auth.utilisateur"""
        )
        committed.execute("""select core._differer('menage', '{"secret": 424242}')""")
        assert metrics(service.url)[waiting] == 1
        with (
            psycopg.connect(addresses["DATABASE_URL"]) as holder,
            worker(tmp_path, **addresses) as (process, log),
        ):
            eventually(lambda: states(committed) == ["succeeded"])
            assert committed.all("select from auth.connexion where date < now() - interval '1 year'") == []
            after = metrics(service.url)
            assert after[waiting] == 0 and after[succeeded] == 1
            assert committed.all(f"select {WORKER}")
            holder.execute("lock table auth.connexion in access exclusive mode")
            committed.execute("select core._differer('menage')")
            eventually(lambda: blocks(holder, committed.connection))
            process.send_signal(signal.SIGTERM)
            eventually(lambda: '"ending_job"' in log.read_text())
            assert process.poll() is None
            holder.rollback()
            assert process.wait(20) == 0
        text = log.read_text()
        assert states(committed) == ["succeeded"] * 2
        assert re.search(r'"action":"job_success","job":"menage"', text), text
        assert text.rstrip().endswith("Le travailleur s'est arrêté."), text
        assert "Traceback" not in text and "424242" not in text  # the log must not contain the arguments of a job
        assert committed.all("select from queue.procrastinate_workers") == []


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tests free of the handlers of the worker's log."""
    monkeypatch.setattr("app.commands.service.log_to_stdout", lambda: None)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    "extra, sentence",
    [
        ({"KVSTORE_URL": ""}, "KVSTORE_URL manque"),
        ({"DATABASE_URL": "", "COMPTOIR_ETAT": "/nonexistent"}, "lancez « make run »"),
    ],
)
def test_a_worker_with_a_wrong_setting_exits_with_the_reason(
    worker_url: str, valkey_url: str, extra: dict[str, str], sentence: str
) -> None:
    settings = {"DATABASE_URL": worker_url, "KVSTORE_URL": valkey_url, **extra}
    completed = commands.run(environment(settings), "worker")
    assert completed.returncode == 1
    assert sentence in completed.stderr
    assert "Traceback" not in completed.stderr


def test_metrics_are_answered_without_the_database(http: Http, db: Db, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other metrics are answered. The metrics of the queue are absent rather than wrong."""
    services = http.services
    monkeypatch.setattr(services, "settings", replace(services.settings, kvstore_url="redis://127.0.0.1:1/0"))
    db.one("select core._differer('menage')")
    assert 'svc_jobs_queue_depth{status="todo"} 1.0' in http.get("/metrics").text
    monkeypatch.setattr(services, "database", UnavailableDatabase())
    answer = http.get("/metrics")
    assert answer.status_code == 200
    assert "http_requests_total{" in answer.text
    assert "# TYPE svc_jobs_queue_depth gauge" in answer.text
    assert "svc_jobs_queue_depth{" not in answer.text


class UnavailableDatabase:
    """A database that does not answer."""

    async def value(self, *_: Any) -> Any:
        await asyncio.sleep(0)
        raise unavailable()
