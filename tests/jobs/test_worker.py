"""The worker as in production: a process beside the API, with a real database and a real Valkey."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from app.base.refusal import unavailable
from app.database import schema
from tests import builders, commands
from tests.conftest import Db, Http, migrated_postgres
from tests.server import blocks, environment, eventually, running, worker

WORKER = "from pg_stat_activity where application_name = 'comptoir worker' and datname = current_database()"


def metrics(url: str) -> dict[str, float]:
    lines = httpx.get(f"{url}/metrics").text.splitlines()
    return {name: float(value) for name, value in (x.rsplit(" ", 1) for x in lines if x.startswith("svc_jobs"))}


def test_a_job_deferred_by_sql_runs_and_is_counted_by_the_api(
    tmp_path: Path, database_url: str, valkey_url: str
) -> None:
    addresses = {"DATABASE_URL": database_url, "KVSTORE_URL": valkey_url}
    with (
        running(tmp_path, **addresses) as service,
        psycopg.connect(database_url, autocommit=True) as connection,
    ):
        succeeded = 'svc_jobs_total{job="menage",outcome="succeeded"}'
        waiting = 'svc_jobs_queue_depth{status="todo"}'
        before = metrics(service.url)
        assert succeeded not in before
        assert before[waiting] == 0
        connection.execute(
            """insert into auth.connexion (id_utilisateur, succes, date)
               select id_utilisateur, true, now() - interval '2 years' from auth.utilisateur"""
        )
        connection.execute("""select core._differer('menage', '{"secret": 424242}')""")
        assert metrics(service.url)[waiting] == 1
        with worker(tmp_path, **addresses) as (process, log):
            job_succeeded = "select from queue.procrastinate_jobs where status = 'succeeded'"
            eventually(lambda: connection.execute(job_succeeded).fetchone() is not None)
            old = "select from auth.connexion where date < now() - interval '1 year'"
            assert connection.execute(old).fetchone() is None
            after = metrics(service.url)
            assert after[waiting] == 0
            assert after[succeeded] >= 1
            assert connection.execute(f"select {WORKER}").fetchone() is not None
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
        text = log.read_text()
        assert re.search(r'"action":"job_success","job":"menage"', text), text
        assert text.rstrip().endswith("Le travailleur s'est arrêté."), text
        assert "Traceback" not in text and "424242" not in text  # the log must not contain the arguments of a job
        assert connection.execute("select from queue.procrastinate_workers").fetchone() is None


def test_a_stopping_worker_finishes_its_job(tmp_path: Path, database_url: str, valkey_url: str) -> None:
    """A lock delays the job. SIGTERM arrives. The job succeeds after the release of the lock."""
    with (
        psycopg.connect(database_url) as holder,
        psycopg.connect(database_url, autocommit=True) as connection,
        worker(tmp_path, DATABASE_URL=database_url, KVSTORE_URL=valkey_url) as (process, log),
    ):
        holder.execute("lock table auth.connexion in access exclusive mode")
        connection.execute("select core._differer('menage')")
        eventually(lambda: blocks(holder, connection))
        process.send_signal(signal.SIGTERM)
        eventually(lambda: '"ending_job"' in log.read_text())
        assert process.poll() is None
        holder.rollback()
        assert process.wait(20) == 0
        ended = "select status from queue.procrastinate_jobs where task_name = 'menage'"  # not the catch-up job
        assert [row[0] for row in connection.execute(ended)] == ["succeeded"]


@pytest.mark.timeouts
def test_the_worker_tries_a_failed_job_three_times(tmp_path: Path, database_url: str, valkey_url: str) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("alter function jobs.menage() set lock_timeout = '50ms'")
        with (
            psycopg.connect(database_url) as holder,
            worker(tmp_path, DATABASE_URL=database_url, KVSTORE_URL=valkey_url) as (_, log),
        ):
            holder.execute("lock table auth.connexion in access exclusive mode")
            connection.execute("select core._differer('menage')")
            failed = "select from queue.procrastinate_jobs where status = 'failed'"
            eventually(lambda: connection.execute(failed).fetchone() is not None)
            bilan = connection.execute("select issue, nombre from jobs.tache_bilan() where tache = 'menage'").fetchall()
            assert bilan == [("failed", 1), ("retried", 2)]
            times = connection.execute(
                """select e.at from queue.procrastinate_events e join queue.procrastinate_jobs j on j.id = e.job_id
                    where e.type = 'started' and j.task_name = 'menage' order by e.id"""
            )
            first, second, third = (row[0] for row in times)
            assert all(5 <= pause.total_seconds() < 9 for pause in (second - first, third - second))
            assert '"action":"job_error","job":"menage"' in log.read_text()
            assert "canceling statement due to lock timeout" in log.read_text()


def test_the_worker_resumes_after_an_outage_of_the_database(tmp_path: Path, valkey_url: str) -> None:
    with migrated_postgres(tmp_path / "base") as server:
        url, port = server.url(), server.port
        with worker(tmp_path, DATABASE_URL=url, KVSTORE_URL=valkey_url) as (process, log):
            server.stop()
            eventually(lambda: "nouvel essai" in log.read_text())
            assert process.poll() is None
            server._child = server._run(server._command(port))
            assert server._ready()
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("select core._differer('menage')")
                succeeded = "select from queue.procrastinate_jobs where status = 'succeeded'"
                eventually(lambda: connection.execute(succeeded).fetchone() is not None)
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0


@pytest.mark.parametrize(
    "extra, sentence",
    [
        ({"KVSTORE_URL": ""}, "KVSTORE_URL manque"),
        ({"KVSTORE_URL": "pas une adresse"}, "KVSTORE_URL n'est pas une adresse"),
        ({"DATABASE_URL": "postgresql://personne@127.0.0.1:1/x", "ATTENTE_BASE": "1"}, "PostgreSQL ne répond pas"),
        ({"DATABASE_URL": "", "COMPTOIR_ETAT": "/nonexistent"}, "lancez « make run »"),
    ],
)
def test_a_worker_with_a_wrong_setting_exits_with_the_reason(
    database_url: str, valkey_url: str, extra: dict[str, str], sentence: str
) -> None:
    settings = {"DATABASE_URL": database_url, "KVSTORE_URL": valkey_url, **extra}
    completed = commands.run_apart(environment(settings), "worker")
    assert completed.returncode == 1
    assert sentence in completed.stderr
    assert "Traceback" not in completed.stderr


def test_a_worker_refuses_an_unmigrated_database(worker_url: str, valkey_url: str) -> None:
    with schema.scratch(worker_url, "essai_vide_pour_le_travailleur") as empty:
        with psycopg.connect(empty, autocommit=True) as connection:
            connection.execute("create schema x")
        completed = subprocess.run(
            [sys.executable, "-m", "app", "worker"],
            env=environment({"DATABASE_URL": empty, "KVSTORE_URL": valkey_url}),
            capture_output=True,
            text=True,
        )
    assert completed.returncode == 1
    assert "lancez « comptoir migrate »" in completed.stderr


def test_metrics_are_answered_without_the_database(http: Http, db: Db) -> None:
    """The other metrics are answered. The metrics of the queue are absent rather than wrong."""
    services = http.services
    saved = services.settings, services.database
    services.settings = replace(services.settings, kvstore_url="redis://127.0.0.1:1/0")
    try:
        builders.client(db)
        db.one("select core._differer('menage')")
        assert 'svc_jobs_queue_depth{status="todo"} 1.0' in http.get("/metrics").text
        services.database = UnavailableDatabase()  # type: ignore[assignment]
        answer = http.get("/metrics")
    finally:
        services.settings, services.database = saved
    assert answer.status_code == 200
    assert "http_requests_total{" in answer.text
    assert "# TYPE svc_jobs_queue_depth gauge" in answer.text
    assert "svc_jobs_queue_depth{" not in answer.text


class UnavailableDatabase:
    """A database that does not answer."""

    async def value(self, *_: Any) -> Any:
        await asyncio.sleep(0)
        raise unavailable()
