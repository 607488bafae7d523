"""The fixtures of the races: each test commits on a database of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import psycopg
import pytest
from psycopg.rows import dict_row

from tests.conftest import Db
from tests.together import AtOnce, together


@pytest.fixture
def shared(database_url: str) -> Iterator[Db]:
    """A connection that commits."""
    with psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as connection:
        yield Db(connection)


@pytest.fixture
def at_once(database_url: str) -> AtOnce:
    """at_once(count, act) runs act(db, n) on so many other connections together."""
    return partial(together, database_url)
