"""The job queue in the database: procrastinate's schema, one SQL function to defer jobs, and permissions."""

from typing import Any

import psycopg
import pytest
from procrastinate.schema import SchemaManager

from app.database import schema
from app.database.release import HERE, SLICES
from app.jobs.tasks import JOBS, QUEUE, RETRY
from tests.conftest import Db, execute
from tests.jobs.test_horloge import tasks
from tests.upgrades import DROP_CODE


def test_the_migration_holds_the_schema_of_the_installed_version() -> None:
    """An upgrade of procrastinate needs a migration with its changes."""
    assert SchemaManager.get_schema().strip() in (HERE.migrations / "0008.jobs-file.sql").read_text()


def test_every_procrastinate_object_is_in_schema_queue_and_belongs_to_the_owner(db: Db) -> None:
    rows = db.all(
        """select n.nspname as schema, c.relowner::regrole::text as owner from pg_class c
             join pg_namespace n on n.oid = c.relnamespace where c.relname ~ 'procrastinate'
           union all
           select n.nspname, p.proowner::regrole::text from pg_proc p
             join pg_namespace n on n.oid = p.pronamespace where p.proname ~ 'procrastinate'"""
    )
    assert len(rows) > 30
    assert {(row["schema"], row["owner"]) for row in rows} == {("queue", "comptoir_owner")}


def test_the_queue_works_after_the_code_is_dropped(db: Db) -> None:
    db.execute(DROP_CODE)
    assert db.one("select to_regproc('core._differer')") is None
    db.execute("set local search_path = queue, pg_catalog")
    job = "row('svc-jobs', 'menage', 0, null, null, '{}', null)::procrastinate_job_to_defer_v1"
    assert db.one(f"select (procrastinate_defer_jobs_v1(array[{job}]))[1]")
    assert db.one("select type from procrastinate_events") == "deferred"


def test_a_job_is_deferred_only_if_its_transaction_commits(db: Db) -> None:
    id_job = db.one("""select core._differer('menage', '{"a": 1}', 'un verrou')""")
    job = db.one("select * from queue.procrastinate_jobs where id = %s", [id_job])
    assert (job["queue_name"], job["task_name"], job["args"], job["lock"]) == (QUEUE, "menage", {"a": 1}, "un verrou")
    assert (job["status"], job["queueing_lock"], job["scheduled_at"]) == ("todo", None, None)
    with db.connection.transaction(force_rollback=True):
        db.one("select core._differer('menage')")
    assert db.one("select count(*) from queue.procrastinate_jobs") == 1


def test_an_operation_defers_a_job_with_any_search_path(db: Db) -> None:
    """A public operation runs as comptoir_code, with a search path without the queue."""
    db.execute("set local role comptoir_code")
    db.execute("set local search_path = pg_catalog, pg_temp")
    assert db.one("select core._differer('menage')")


@pytest.mark.parametrize(
    "statement",
    [
        "select core._differer('menage')",
        "select count(*) from queue.procrastinate_jobs",
        "insert into queue.procrastinate_jobs (queue_name, task_name) values ('svc-jobs', 'menage')",
        "select queue.procrastinate_register_worker_v1()",
    ],
)
@pytest.mark.parametrize("role", ["comptoir_app", "comptoir_lecture"])
def test_other_roles_cannot_use_the_queue(db: Db, role: str, statement: str) -> None:
    db.execute(f"set local role {role}")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        db.one(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "select count(*) from auth.utilisateur", "select count(*) from finances.paiement",
        "select core.parametre_lister()", "select jobs._controler()",
        "create table jobs.x ()", "create table queue.x ()", "drop table queue.procrastinate_events",
    ],
)  # fmt: skip
def test_the_worker_role_can_use_only_the_queue_and_its_jobs(db: Db, statement: str) -> None:
    db.execute("set local role comptoir_travail")
    assert db.one("select count(*) from jobs.file_profondeur()")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        db.one(statement)


def test_only_the_worker_role_may_delete_from_queue_tables(db: Db) -> None:
    for role, allowed in (("comptoir_app", 0), ("comptoir_lecture", 0), ("comptoir_travail", 4)):
        count = db.one(
            """select count(*) from pg_class c where c.relnamespace = 'queue'::regnamespace and c.relkind = 'r'
                  and has_table_privilege(%s, c.oid, 'delete')""",
            [role],
        )
        assert count == allowed, role


def test_only_the_queue_functions_set_a_search_path_among_private_helpers(db: Db) -> None:
    names = db.one(
        """select array_agg(p.oid::regproc::text order by 1)
             from pg_proc p join pg_namespace n on n.oid = p.pronamespace
            where n.nspname = any(%s) and p.proname ~ '^_' and not p.prosecdef
                  and p.proconfig::text like '%%search_path=%%'""",
        [list(SLICES)],
    )
    assert names == ["core._differer", "jobs._reprendre", "jobs._retirer"]


def test_queue_depth_and_job_outcomes_are_counted(db: Db) -> None:
    assert {row["statut"]: row["nombre"] for row in db.rows("jobs.file_profondeur")} == dict.fromkeys(
        ["todo", "scheduled", "doing", "succeeded", "failed", "cancelled", "aborting", "aborted"], 0
    )
    assert db.rows("jobs.tache_bilan") == []
    first, second, later, _ = (db.one("select core._differer('menage')") for _ in range(4))
    move(db, first, "doing", "succeeded")
    move(db, second, "doing", "todo", "doing", "todo", "doing", "failed")
    _change(db, later, "scheduled_at = now() + interval '1 hour'")
    depth = {row["statut"]: row["nombre"] for row in db.rows("jobs.file_profondeur") if row["nombre"]}
    assert depth == {"todo": 1, "scheduled": 1, "succeeded": 1, "failed": 1}
    outcomes = {(row["tache"], row["issue"]): row["nombre"] for row in db.rows("jobs.tache_bilan")}
    assert outcomes == {("menage", "failed"): 1, ("menage", "retried"): 2, ("menage", "succeeded"): 1}


def move(db: Db, id_job: Any, *states: str) -> None:
    for state in states:
        _change(db, id_job, f"status = '{state}'")


def _change(db: Db, id_job: Any, assignment: str) -> None:
    with db.connection.transaction():
        db.execute("set local search_path = queue, pg_catalog")
        db.execute(f"update procrastinate_jobs set {assignment} where id = %s", [id_job])
        db.execute("set local search_path = default")


def test_each_job_in_sql_is_one_security_definer_function_and_each_job_has_the_retry_strategy(db: Db) -> None:
    app = tasks()
    for job in JOBS:
        function, task = job.function, app.tasks[job.name]
        if isinstance(function, str):
            assert db.one("select prosecdef from pg_proc where oid = %s::regproc", [function]), function
        assert (task.queue, task.retry_strategy) == (QUEUE, RETRY)


def test_drift_reports_a_changed_queue(database_url: str) -> None:
    execute(database_url, "drop trigger procrastinate_jobs_notify_queue_job_inserted_v1 on queue.procrastinate_jobs")
    (message,) = schema.drift(database_url)
    assert "L'objet déclencheur procrastinate_jobs_notify_queue_job_inserted_v1" in message


def test_queue_tables_have_no_journal_trigger(db: Db) -> None:
    triggers = "select tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal"
    names = [row["tgname"] for row in db.all(f"{triggers} and c.relnamespace = 'queue'::regnamespace")]
    assert names and all(name.startswith("procrastinate_") for name in names), names
