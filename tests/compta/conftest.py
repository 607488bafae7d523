"""A database whose clock a test sets, for histories of several months."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg.rows import dict_row

from app.database import schema
from app.leaves.demonstration.replay import replayed
from tests.conftest import Db


class Horloge(Db):
    """A transaction in which `le` sets the day and its noon."""

    def le(self, day: date, hour: str = "12:00:00Z") -> None:
        self.execute("select set_config('demo.instant', %s, false)", [f"{day} {hour}"])

    def tick(self) -> None:
        """A second later: two documents of one instant would be an accident."""
        self.execute("select set_config('demo.instant', (demo.maintenant() + interval '1 second')::text, false)")

    def today(self) -> date:
        day: date = self.one("select core.aujourdhui()")
        return day


@pytest.fixture(scope="session")
def replayed_url(worker_id: str) -> Iterator[str]:
    with schema.scratch(os.environ["ESSAIS_POSTGRES"], f"essai_{worker_id}_histoire") as url, replayed(url):
        yield url


@pytest.fixture
def midnight_url(replayed_url: str) -> Iterator[str]:
    """A copy, for real commits."""
    name = urlsplit(replayed_url).path[1:]
    with psycopg.connect(os.environ["ESSAIS_POSTGRES"], autocommit=True) as connection:
        connection.execute(f"create database {name}_minuit template {name} strategy file_copy")
        yield replayed_url.replace(name, f"{name}_minuit")
        connection.execute(f"drop database {name}_minuit with (force)")


@pytest.fixture
def horloge(replayed_url: str) -> Iterator[Horloge]:
    connection: psycopg.Connection[Any] = psycopg.connect(replayed_url, row_factory=dict_row)
    db = Horloge(connection)
    db.le(date(2026, 1, 1))
    try:
        yield db
    finally:
        connection.rollback()
        connection.close()


def after(day: date, months: int) -> date:
    """The first day of a later month."""
    for _ in range(months):
        day = day.replace(day=1) + timedelta(days=32)
    return day.replace(day=1)
