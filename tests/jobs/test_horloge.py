"""The clock moved over each cron: what is due goes in once, whatever was missed and however many workers ask."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.clock import Clock, last_hour
from app.jobs import ATTEMPTS, JOBS, _pool
from tests.conftest import Db
from tests.server import eventually, worker

# Those of every hour or minute are due at any hour; one of them has a test of its own.
CRONS = {job.name: job.cron for job in JOBS if job.cron.split()[1] != "*"}
ALL = sorted(CRONS)
DAILY = sorted(name for name, cron in CRONS.items() if cron.endswith("* * *"))
MONTHLY = sorted(name for name, cron in CRONS.items() if cron.endswith("1 * *"))


class Time:
    """A database whose hour the test sets, and the clock of a worker over it."""

    def __init__(self, url: str, runner: asyncio.Runner) -> None:
        self.connection = psycopg.connect(url, autocommit=True)
        self._runner = runner
        self._pool = _pool(url)

    async def open(self) -> None:
        await self._pool.open(wait=True)

    async def close(self) -> None:
        await self._pool.close()
        self.connection.close()

    def set(self, hour: str) -> None:
        self.connection.execute(
            "create or replace function jobs.heure_locale() returns timestamp language sql stable security definer "
            f"set search_path = pg_catalog, pg_temp return '{hour}'::timestamp"
        )

    def at(self, hour: str, workers: int = 1, crons: dict[str, str] = CRONS) -> list[str]:
        """What goes in at this hour; the jobs that went in before are over."""
        self.set(hour)
        self.connection.execute("update queue.procrastinate_jobs set queue_name = 'fini', task_name = 'finie'")
        self.look(workers, crons)
        return self.waiting()

    def look(self, workers: int = 1, crons: dict[str, str] = CRONS) -> None:
        async def tick() -> None:
            await asyncio.gather(*(Clock(self._pool, crons, ATTEMPTS).tick() for _ in range(workers)))

        self._runner.run(tick())

    def waiting(self) -> list[str]:
        query = "select task_name from queue.procrastinate_jobs where queue_name = 'svc-jobs' order by task_name"
        return [row[0] for row in self.connection.execute(query)]


@pytest.fixture
def time(database_url: str) -> Iterator[Time]:
    with asyncio.Runner() as runner:
        found = Time(database_url, runner)
        runner.run(found.open())
        try:
            yield found
        finally:
            runner.run(found.close())


def hours() -> list[tuple[str, list[str]]]:
    """The second after each job's hour, on a first of the month."""
    fields = [(name, cron.split()) for name, cron in CRONS.items()]
    return sorted((f"2027-03-01 {hour:0>2}:{minute:0>2}:01", [name]) for name, (minute, hour, *_) in fields)


def test_each_job_goes_in_at_its_hour_and_not_before(time: Time) -> None:
    assert time.at("2027-02-28 12:00:00") == []  # new jobs: nothing of theirs was missed
    for hour, expected in hours():
        assert time.at(hour[:-2] + "00") == []
        assert time.at(hour) == expected
        assert time.at(hour[:-2] + "06") == []
    assert time.at("2027-03-01 23:59:59") == []
    assert time.at("2027-03-02 05:00:00") == DAILY
    assert time.at("2027-03-31 23:59:59") == DAILY
    assert time.at("2027-04-01 04:41:00") == DAILY
    assert time.at("2027-04-01 04:41:05") == MONTHLY


def test_what_was_missed_goes_in_once(time: Time) -> None:
    """A worker that was down for hours, for days, over the first of two months."""
    time.at("2027-03-01 12:00:00")
    assert time.at("2027-03-02 11:00:00") == DAILY
    assert time.at("2027-03-02 11:00:05") == []
    assert time.at("2027-03-09 00:30:00") == DAILY
    assert time.at("2027-05-03 09:00:00") == ALL
    assert time.at("2027-05-03 09:00:05") == []
    assert time.at("2027-05-04 02:12:05") == ["generer-echeances"]


def test_several_workers_put_in_what_one_would(time: Time) -> None:
    time.at("2027-03-01 12:00:00", workers=3)
    for day in range(2, 8):
        assert time.at(f"2027-03-0{day} 09:00:00", workers=3) == DAILY


def test_a_clock_set_back_repeats_nothing(time: Time) -> None:
    time.at("2027-03-01 12:00:00")
    assert time.at("2027-03-02 05:00:00") == DAILY
    assert time.at("2027-03-02 02:11:00") == []
    assert time.at("2027-03-02 05:00:00") == []


def test_a_job_of_every_minute_waits_once(time: Time) -> None:
    minutely = {"menage": "* * * * *"}
    time.at("2027-03-01 12:00:01", crons=minutely)
    assert time.at("2027-03-01 12:01:01", crons=minutely) == ["menage"]
    assert time.at("2027-03-01 20:00:01", crons=minutely) == ["menage"]
    for minute in range(1, 5):  # none of these is taken: the one that waits will do
        time.set(f"2027-03-01 20:0{minute}:01")
        time.look(crons=minutely)
        assert time.waiting() == ["menage"]


def test_a_job_of_one_kind_runs_after_the_other(time: Time) -> None:
    time.at("2027-03-01 12:00:00")
    time.at("2027-03-02 12:00:00")
    query = "select task_name, lock from queue.procrastinate_jobs where queue_name = 'svc-jobs'"
    assert dict(time.connection.execute(query).fetchall()) == {name: name for name in DAILY}


def test_the_hour_is_that_of_the_organisation(db: Db) -> None:
    for zone, hours in (("Africa/Abidjan", 0), ("Africa/Douala", 1), ("Pacific/Honolulu", -10)):
        db.execute("update core.parametre set valeur = %s where cle = 'FUSEAU_HORAIRE'", [zone])
        local, utc = db.one("select jsonb_build_array(jobs.heure_locale(), now() at time zone 'UTC')")
        assert (datetime.fromisoformat(local) - datetime.fromisoformat(utc)).total_seconds() == hours * 3600


def test_a_change_of_zone_neither_repeats_nor_loses_a_day(db: Db) -> None:
    def due(hour: str, zone: str) -> Any:
        db.execute("update core.parametre set valeur = %s where cle = 'FUSEAU_HORAIRE'", [zone])
        return db.call("jobs.tache_echoir", tache="menage", heure=hour)["tache_echoir"]

    assert due("2027-03-01 03:05", "Africa/Abidjan") is False
    assert due("2027-03-02 03:05", "Africa/Abidjan") is True
    db.execute("update queue.procrastinate_jobs set task_name = 'finie'")
    assert due("2027-03-02 03:05", "Africa/Douala") is False  # an hour earlier
    assert due("2027-03-03 03:05", "Africa/Douala") is True


@pytest.mark.parametrize("hour", ["2027-03-28 03:00:01", "2027-10-31 02:30:00", "2027-10-31 03:00:00"])
def test_a_day_of_summer_time_has_each_hour_once(db: Db, hour: str) -> None:
    """02:12 does not exist on the one day, and comes twice on the other."""
    db.execute("update core.parametre set valeur = 'Europe/Paris' where cle = 'FUSEAU_HORAIRE'")
    now = datetime.fromisoformat(hour)
    db.call("jobs.tache_echoir", tache="menage", heure=now.replace(day=now.day - 1, hour=2, minute=12))
    found = [db.call("jobs.tache_echoir", tache="menage", heure=last_hour("12 2 * * *", now)) for _ in range(2)]
    assert [row["tache_echoir"] for row in found] == [True, False]


def test_what_goes_in_comes_with_its_transaction(db: Db) -> None:
    db.call("jobs.tache_echoir", tache="menage", heure="2027-03-01 03:05")
    with db.connection.transaction() as undone:
        assert db.call("jobs.tache_echoir", tache="menage", heure="2027-03-02 03:05") == {"tache_echoir": True}
        raise psycopg.Rollback(undone)
    assert db.call("jobs.tache_echoir", tache="menage", heure="2027-03-02 03:05") == {"tache_echoir": True}


def test_two_workers_over_three_nights(tmp_path: Path, database_url: str, valkey_url: str, time: Time) -> None:
    """Two processes see two nights; then both are gone for three days, and one comes back."""
    addresses = {"DATABASE_URL": database_url, "KVSTORE_URL": valkey_url}
    jobs = "select task_name from queue.procrastinate_jobs where task_name = any(%s) and status = any(%s) order by 1"

    def done(*states: str) -> list[str]:
        return [row[0] for row in time.connection.execute(jobs, [ALL, list(states or ("succeeded",))])]

    time.set("2027-03-01 12:00")
    with worker(tmp_path, **addresses), worker(tmp_path, **addresses):
        known = "select from jobs.horloge"
        eventually(lambda: len(time.connection.execute(known).fetchall()) == len(JOBS))
        time.set("2027-03-02 05:00")
        eventually(lambda: done() == DAILY)
        time.set("2027-03-03 05:00")
        eventually(lambda: done() == sorted(DAILY * 2))
    time.set("2027-03-06 12:00")
    with worker(tmp_path, **addresses):
        eventually(lambda: done() == sorted(DAILY * 3))
    assert done("succeeded", "todo", "doing", "failed") == sorted(DAILY * 3)
