"""The fixtures of the races: each test commits on a database of its own."""

from collections.abc import Iterator
from functools import partial

import pytest

from tests.conftest import Db
from tests.together import AtOnce, together


@pytest.fixture
def shared(committed: Db) -> Iterator[Db]:
    """A connection that commits. The sums of the database agree after the test."""
    yield committed
    assert committed.all("select * from jobs._controler()") == []


@pytest.fixture
def at_once(database_url: str) -> AtOnce:
    """at_once(count, act) runs act(db, n) on so many other connections together."""
    return partial(together, database_url)
