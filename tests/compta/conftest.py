"""A database whose clock a test sets, for histories of several months."""

from datetime import date, timedelta

import psycopg
import pytest
from psycopg.rows import dict_row

from tests.conftest import Db, _clone

# The planner puts the body of a function in SQL in the place of its call, so all code reads this clock.
CLOCK = """
create or replace function pg_catalog.{name}() returns timestamptz language sql {volatility} parallel safe
return coalesce(nullif(current_setting('essai.instant', true), '')::timestamptz, transaction_timestamp())"""


class Horloge(Db):
    """A transaction in which `le` sets the day and its noon."""

    def le(self, day, hour="12:00:00Z"):
        self.execute("select set_config('essai.instant', %s, false)", [f"{day} {hour}"])

    def tick(self):
        """A second later: two documents of one instant would be an accident."""
        self.execute("select set_config('essai.instant', (now() + interval '1 second')::text, false)")


def clocked(url):
    """Let now() and clock_timestamp() of this database tell `essai.instant`."""
    with psycopg.connect(url, autocommit=True) as connection:
        for name, volatility in (("now", "stable"), ("clock_timestamp", "volatile")):
            connection.execute(CLOCK.format(name=name, volatility=volatility))


@pytest.fixture(scope="session")
def history_url(worker_id):
    with _clone(f"essai_{worker_id}_histoire") as url:
        clocked(url)
        yield url


@pytest.fixture
def midnight_url(database_url):
    """A database of this test alone, for real commits."""
    clocked(database_url)
    return database_url


@pytest.fixture
def horloge(history_url):
    connection = psycopg.connect(history_url, row_factory=dict_row)
    db = Horloge(connection)
    db.le(date(2026, 1, 1))
    try:
        yield db
    finally:
        connection.rollback()
        connection.close()


def after(day, months):
    """The first day of a later month."""
    for _ in range(months):
        day = day.replace(day=1) + timedelta(days=32)
    return day.replace(day=1)
