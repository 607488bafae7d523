"""The worker as in production: a process beside the API, with a real database and a real Valkey."""

from __future__ import annotations

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
from app.database import schema
from tests import commands
from tests.conftest import Db, Http, migrated_postgres
from tests.server import RETRY_NOW, blocks, environment, eventually, running, worker

MENAGE = "from queue.procrastinate_jobs j where task_name = 'menage'"  # not the catch-up job
FAILED_AT = "(select max(at) from queue.procrastinate_events where job_id = j.id and type = 'deferred_for_retry')"
PAUSE = f"select extract(epoch from scheduled_at - {FAILED_AT})::float as pause {MENAGE} and scheduled_at > now()"
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


@pytest.mark.timeouts
def test_the_worker_tries_a_failed_job_three_times(tmp_path: Path, committed: Db, addresses: dict[str, str]) -> None:
    """Each retry is due five seconds after its failure; the test brings it forward."""
    committed.execute("alter function jobs.menage() set lock_timeout = '50ms'")
    with psycopg.connect(addresses["DATABASE_URL"]) as holder, worker(tmp_path, **addresses) as (_, log):
        holder.execute("lock table auth.connexion in access exclusive mode")
        committed.execute("select core._differer('menage')")
        for _ in range(2):
            [retry] = eventually(lambda: committed.all(PAUSE))
            assert 4 < retry["pause"] <= 5
            committed.execute(RETRY_NOW)
        eventually(lambda: states(committed) == ["failed"])
        text = log.read_text()
    outcomes = committed.all("select issue, nombre from jobs.tache_bilan() where tache = 'menage'")
    assert [tuple(row.values()) for row in outcomes] == [("failed", 1), ("retried", 2)]
    assert '"action":"job_error","job":"menage"' in text
    assert "canceling statement due to lock timeout" in text


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


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tests free of the handlers of the worker's log."""
    monkeypatch.setattr("app.commands.service.log_to_stdout", lambda: None)


@pytest.mark.usefixtures("alone")
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
    worker_url: str, valkey_url: str, extra: dict[str, str], sentence: str
) -> None:
    settings = {"DATABASE_URL": worker_url, "KVSTORE_URL": valkey_url, **extra}
    completed = commands.run(environment(settings), "worker")
    assert completed.returncode == 1
    assert sentence in completed.stderr
    assert "Traceback" not in completed.stderr


@pytest.mark.usefixtures("alone")
def test_a_worker_refuses_an_unmigrated_database(worker_url: str, valkey_url: str) -> None:
    with schema.scratch(worker_url, "essai_vide_pour_le_travailleur") as empty:
        with psycopg.connect(empty, autocommit=True) as connection:
            connection.execute("create schema x")
        completed = commands.run(environment({"DATABASE_URL": empty, "KVSTORE_URL": valkey_url}), "worker")
    assert completed.returncode == 1
    assert "lancez « comptoir migrate »" in completed.stderr


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
