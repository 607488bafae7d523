"""Each cron at a simulated hour: a due job is deferred once, after missed hours and with several workers."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from procrastinate import App
from psycopg_pool import AsyncConnectionPool

from app.base.settings import Settings
from app.jobs.mailer import Mailer
from app.jobs.tasks import CATCH_UP, JOBS, build, catch_up
from app.jobs.webhooks import Sender
from app.jobs.worker import connection_pool
from tests.conftest import Db
from tests.server import SECRETS, eventually, worker

# Without the jobs of every hour or minute, which are due at any hour. A separate test has one of every minute.
CRONS = {job.name: job.cron for job in JOBS if job.cron.split()[1] != "*"}
ALL = sorted(CRONS)
DAILY = sorted(name for name, cron in CRONS.items() if cron.endswith("* * *"))
BEFORE_THREE = [name for name in DAILY if CRONS[name].split()[1] < "3"]
LOCAL_HOUR = (
    "create or replace function jobs._maintenant() returns timestamptz language sql stable"
    " return '{}'::timestamp at time zone core.fuseau()"
)
MONTHLY = sorted(name for name, cron in CRONS.items() if cron.endswith("1 * *"))


class Time:
    """A database whose hour the test sets, with the calls that a worker makes every minute."""

    def __init__(self, url: str, runner: asyncio.Runner) -> None:
        self.connection = psycopg.connect(url, autocommit=True)
        self._runner = runner
        self._pool = connection_pool(url)
        self._fired = 0

    async def open(self) -> None:
        await self._pool.open(wait=True)

    async def close(self) -> None:
        await self._pool.close()
        self.connection.close()

    def set(self, hour: str) -> None:
        self.connection.execute(LOCAL_HOUR.format(hour))

    def advance_to(self, hour: str, workers: int = 1, crons: dict[str, str] = CRONS) -> list[str]:
        """Finish earlier jobs, set the hour, and return the jobs that are deferred and due."""
        self.set(hour)
        self.connection.execute("update queue.procrastinate_jobs set queue_name = 'fini', task_name = 'finie'")
        self.run_catch_up(workers, crons)
        names = self.waiting()
        begins = "select jobs.tache_commencer(id, task_name, %s) from queue.procrastinate_jobs where task_name = %s"
        assert [self.connection.execute(begins, [crons[x], x]).fetchall() for x in names] == [[(True,)]] * len(names)
        return names

    def defer_periodic(self, name: str) -> int | None:
        """Defer a job as procrastinate does at its own hour, which is in UTC. Return its number, or None."""
        self._fired += 1
        query = """select queue.procrastinate_defer_periodic_job_v2(
                     'svc-jobs', %s, %s, %s, 0, '', %s, jsonb_build_object('timestamp', %s::integer))"""
        with self.connection.transaction(), suppress(psycopg.errors.UniqueViolation), self.connection.transaction():
            self.connection.execute("set local search_path = queue, pg_catalog")
            row = self.connection.execute(query, [name, name, name, self._fired, self._fired]).fetchone()
            return row[0] if row else None
        return None

    def due(self, job: int | None) -> bool:
        """Start this job. Return whether it is due."""
        doing = "update procrastinate_jobs set status = 'doing' where id = %s and status = 'todo' returning task_name"
        with self.connection.transaction():
            self.connection.execute("set local search_path = queue, pg_catalog")
            (name,) = self.connection.execute(doing, [job]).fetchone() or ()
            begins = self.connection.execute("select jobs.tache_commencer(%s, %s, %s)", [job, name, CRONS[name]])
            return begins.fetchone() == (True,)

    def end_attempt(self, job: int | None, *, failed: bool = False) -> None:
        """End the attempt of the job. A failed job goes back to the queue."""
        succeeded = "select procrastinate_finish_job_v1(%s, 'succeeded', false)"
        again = "select procrastinate_retry_job_v2(%s, now(), null, null, null)"
        with self.connection.transaction():
            self.connection.execute("set local search_path = queue, pg_catalog")
            self.connection.execute(again if failed else succeeded, [job])

    def run_catch_up(self, workers: int = 1, crons: dict[str, str] = CRONS) -> None:
        async def tick() -> None:
            await asyncio.gather(*(catch_up(self._pool, crons) for _ in range(workers)))

        self._runner.run(tick())

    def waiting(self) -> list[str]:
        query = "select task_name from queue.procrastinate_jobs where queue_name = 'svc-jobs' order by task_name"
        return [row[0] for row in self.connection.execute(query)]


@pytest.fixture
def time(database_url: str) -> Iterator[Time]:
    with asyncio.Runner() as runner:
        clock = Time(database_url, runner)
        runner.run(clock.open())
        try:
            yield clock
        finally:
            runner.run(clock.close())


def hours() -> list[tuple[str, list[str]]]:
    """Return the hour of each job on the first day of a month."""
    fields = [(name, cron.split()) for name, cron in CRONS.items()]
    return sorted((f"2027-03-01 {hour:0>2}:{minute:0>2}:00", [name]) for name, (minute, hour, *_) in fields)


def test_each_job_is_deferred_at_its_hour_and_not_before(time: Time) -> None:
    assert time.advance_to("2027-02-28 12:00:00") == []  # a new job has missed no hour
    for hour, expected in hours():
        assert time.advance_to(str(datetime.fromisoformat(hour) - timedelta(seconds=1))) == []
        assert time.advance_to(hour) == expected
        assert time.advance_to(hour[:-2] + "05") == []
    assert time.advance_to("2027-03-01 23:59:59") == []
    assert time.advance_to("2027-03-02 05:00:00") == DAILY
    assert time.advance_to("2027-03-31 23:59:59") == DAILY
    assert time.advance_to("2027-04-01 04:40:59") == DAILY
    assert time.advance_to("2027-04-01 04:41:00") == MONTHLY


def test_a_missed_job_is_deferred_once(time: Time) -> None:
    """The worker was down for hours, for days, and over the first day of two months."""
    time.advance_to("2027-03-01 12:00:00")
    assert time.advance_to("2027-03-02 11:00:00") == DAILY
    assert time.advance_to("2027-03-02 11:00:05") == []
    assert time.advance_to("2027-03-09 00:30:00") == DAILY
    assert time.advance_to("2027-05-03 09:00:00") == ALL
    assert time.advance_to("2027-05-03 09:00:05") == []
    assert time.advance_to("2027-05-04 02:12:05") == ["generer-echeances"]


def test_several_workers_defer_each_job_once(time: Time) -> None:
    time.advance_to("2027-03-01 12:00:00", workers=3)
    for day in range(2, 8):
        assert time.advance_to(f"2027-03-0{day} 09:00:00", workers=3) == DAILY


def test_a_clock_set_back_repeats_no_job(time: Time) -> None:
    time.advance_to("2027-03-01 12:00:00")
    assert time.advance_to("2027-03-02 05:00:00") == DAILY
    assert time.advance_to("2027-03-02 02:11:00") == []
    assert time.advance_to("2027-03-02 05:00:00") == []


def test_a_clock_that_was_years_ahead_stops_no_job(time: Time) -> None:
    """A machine starts in another year, and its clock is then set right."""
    time.advance_to("2027-03-01 12:00:00")
    assert time.advance_to("2036-05-03 09:00:00") == ALL
    assert time.advance_to("2027-03-01 12:05:00", workers=3) == ALL
    assert time.advance_to("2027-03-01 12:06:00") == []
    assert time.advance_to("2027-03-02 05:00:00") == DAILY


def test_a_job_of_every_minute_is_queued_once(time: Time) -> None:
    minutely = {"menage": "* * * * *"}
    time.advance_to("2027-03-01 12:00:01", crons=minutely)
    assert time.advance_to("2027-03-01 12:01:01", crons=minutely) == ["menage"]
    assert time.advance_to("2027-03-01 20:00:01", crons=minutely) == ["menage"]
    for minute in range(1, 5):  # the waiting job is enough
        time.set(f"2027-03-01 20:0{minute}:01")
        time.run_catch_up(crons=minutely)
        assert time.waiting() == ["menage"]


def test_jobs_of_the_same_name_share_a_lock(time: Time) -> None:
    time.advance_to("2027-03-01 12:00:00")
    time.advance_to("2027-03-02 12:00:00")
    query = "select task_name, lock from queue.procrastinate_jobs where queue_name = 'svc-jobs'"
    assert dict(time.connection.execute(query).fetchall()) == {name: name for name in DAILY}


def due(db: Db, hour: str, zone: str, cron: str = "5 3 * * *") -> bool:
    db.execute("update core.parametre set valeur = %s where cle = 'FUSEAU_HORAIRE'", [zone])
    db.execute(LOCAL_HOUR.format(hour))
    deferred = db.all("select jobs.tache_echoir(array['menage'], array[%s])", [cron])
    if deferred:
        assert db.one("select jobs.tache_commencer(max(id), 'menage', %s) from queue.procrastinate_jobs", [cron])
        db.execute("update queue.procrastinate_jobs set task_name = 'finie'")
    return bool(deferred)


def test_a_change_of_time_zone_neither_repeats_nor_skips_a_day(db: Db) -> None:
    assert not due(db, "2027-03-01 03:05", "Africa/Abidjan")
    assert due(db, "2027-03-02 03:05", "Africa/Abidjan")
    assert not due(db, "2027-03-02 03:05", "Africa/Douala")  # in UTC, one hour earlier
    assert due(db, "2027-03-03 03:05", "Africa/Douala")


@pytest.mark.parametrize("hour", ["2027-03-28 03:00:01", "2027-10-31 02:30:00", "2027-10-31 03:00:00"])
def test_a_job_runs_once_on_the_days_when_summer_time_starts_and_ends(db: Db, hour: str) -> None:
    """02:12 does not exist on the first day and occurs twice on the other."""
    now = datetime.fromisoformat(hour)
    day_before = str(now.replace(day=now.day - 1, hour=2, minute=12, second=0))
    assert not due(db, day_before, "Europe/Paris", "12 2 * * *")  # a new job
    assert [due(db, hour, "Europe/Paris", "12 2 * * *") for _ in range(2)] == [True, False]


def test_a_rolled_back_job_is_deferred_again(db: Db) -> None:
    due(db, "2027-03-01 03:05", "Africa/Abidjan")
    with db.connection.transaction(force_rollback=True):
        assert due(db, "2027-03-02 03:05", "Africa/Abidjan")
    assert due(db, "2027-03-02 03:05", "Africa/Abidjan")


# ---- jobs deferred by procrastinate itself


def tasks() -> App:
    """The tasks of procrastinate, without a database."""
    sender, settings = Sender((), SECRETS, encrypted=True), Settings.from_environment({})
    return build(AsyncConnectionPool("", open=False), settings, Mailer("", "", ""), sender)


def periodic() -> dict[str, str]:
    """Return the periodic tasks of procrastinate and their crons."""
    return {task.task.name: task.cron for task in tasks().periodic_registry.periodic_tasks.values()}


def test_procrastinate_has_the_crons_of_the_specification() -> None:
    crons = periodic()
    assert crons == {job.name: job.cron for job in JOBS} | {CATCH_UP: "* * * * *"}
    assert {
        "generer-echeances": "12 2 * * *",
        "recalculer-paie": "41 4 1 * *",
        "reesolde-stock": "23 3 * * *",
        "transition-contrats-expires": "30 2 * * *",
        "sauvegarde-auto": "* * * * *",
    }.items() <= crons.items()
    assert list(crons)[-1] == CATCH_UP  # runs after the jobs that are due this minute


def test_a_job_deferred_by_procrastinate_runs_once(time: Time) -> None:
    """A catch-up in the same minute defers no second job, and a later one of procrastinate is not due."""
    time.advance_to("2027-03-01 12:00:00")
    time.set("2027-03-02 03:05:00")
    job = time.defer_periodic("menage")
    time.run_catch_up()
    assert time.waiting() == sorted(["menage", *BEFORE_THREE])
    assert time.due(job)
    time.run_catch_up()
    assert time.waiting() == sorted(["menage", *BEFORE_THREE])
    time.end_attempt(job)
    assert not time.due(time.defer_periodic("menage"))


def test_a_job_deferred_by_procrastinate_is_queued_once(time: Time) -> None:
    time.advance_to("2027-03-01 12:00:00")
    time.set("2027-03-02 03:05:00")
    job = time.defer_periodic("menage")
    assert job and time.defer_periodic("menage") is None
    assert time.due(job)
    assert time.defer_periodic("menage")


def test_a_job_deferred_outside_the_hour_of_the_organisation_does_nothing(time: Time) -> None:
    """In Honolulu it is the afternoon before when it is 03:05 in UTC."""
    time.advance_to("2027-03-01 12:00:00")
    time.set("2027-03-01 17:05:00")
    assert [time.due(time.defer_periodic(name)) for name in ("menage", "recalculer-paie")] == [False, False]
    assert time.advance_to("2027-03-02 03:05:00") == sorted(["menage", *BEFORE_THREE])


def test_a_retried_job_keeps_its_hour(time: Time) -> None:
    """A second job of the name may be deferred before the retry. The second job is not due."""
    time.advance_to("2027-03-01 12:00:00")
    time.set("2027-03-02 03:05:00")
    first = time.defer_periodic("menage")
    assert time.due(first)
    second = time.defer_periodic("menage")
    for _ in range(2):
        time.end_attempt(first, failed=True)
        assert time.due(first)
    time.end_attempt(first)
    assert not time.due(second)


def test_the_worker_registers_its_periodic_tasks(tmp_path: Path, committed: Db, addresses: dict[str, str]) -> None:
    """Procrastinate defers the task of every minute at once."""
    caught_up = "select from queue.procrastinate_jobs where task_name = 'rattraper' and status = 'succeeded'"
    with worker(tmp_path, periodic=True, **addresses) as (_, log):
        eventually(lambda: committed.all(caught_up))
        text = log.read_text()
    assert {row["tache"] for row in committed.all("select tache from jobs.horloge")} == {job.name for job in JOBS}
    assert "periodic_deferrer_no_task" not in text
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    assert {x["job"]: x["cron"] for x in lines if x.get("action") == "registering_periodic_task"} == periodic()
