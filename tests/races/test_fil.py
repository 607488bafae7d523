"""The feed of events while transactions commit late: a reader that goes on after the last event read misses none."""

import itertools
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests import builders
from tests.conftest import Db, connected
from tests.preuve import selon

pytestmark = pytest.mark.promesse(
    "Événements : qui lit à la suite n'en manque aucun, si tard qu'une écriture soit validée"
)

_numbers = itertools.count()
EARLY = "set constraints all immediate"  # takes the identifiers of the events now, long before the commit


@pytest.fixture
def reader(database_url: str) -> Iterator[Db]:
    with connected(database_url, autocommit=True) as db:
        yield db


def client(db: Db) -> None:
    """Two writers do not wait for each other: a client with a code of its own takes no number."""
    builders.client(db, code=f"IMPORT-{next(_numbers)}-A")


def read(reader: Db, after: int = 0) -> list[int]:
    return [row["id"] for row in reader.rows("evenement.evenement_lister", apres=after, limit=1000)]


def nothing_to_wait_for(reader: Db) -> bool:
    """Whether no open transaction has the identifier of an event: a reader waits for such a transaction."""
    return reader.one("select core._identifiants_attendre('{evenement.evenement_id_evenement_seq}')") is True


def test_an_event_is_read_only_after_those_that_may_still_come_before_it(
    database_url: str, shared: Db, reader: Db
) -> None:
    client(shared)
    first = read(reader)
    with connected(database_url) as late:
        client(late)
        late.execute(EARLY)
        client(shared)  # has a greater identifier and is committed
        assert read(reader) == first
        assert read(reader, first[-1]) == []
    assert len(read(reader, first[-1])) == 2


def test_a_transaction_that_is_rolled_back_holds_up_nothing(shared: Db, reader: Db) -> None:
    with shared.connection.transaction(force_rollback=True):
        client(shared)
        shared.execute(EARLY)
    client(shared)
    assert len(read(reader)) == 1


def test_a_transaction_that_has_no_event_yet_holds_up_nothing(database_url: str, shared: Db, reader: Db) -> None:
    """The events of a transaction get their identifiers at its commit."""
    with connected(database_url) as long:
        client(long)
        client(shared)
        assert nothing_to_wait_for(reader) and len(read(reader)) == 1
    assert len(read(reader)) == 2


def test_readers_do_not_wait_for_each_other(database_url: str, shared: Db, reader: Db) -> None:
    with connected(database_url) as slow:
        read(slow)
        client(shared)
        assert nothing_to_wait_for(reader) and len(read(reader)) == 1


def test_readers_miss_no_event_while_writers_commit_late(database_url: str, shared: Db) -> None:
    writers, rounds = selon((6, 8), (16, 120))
    done = threading.Event()

    def write(seed: int) -> None:
        dice = random.Random(seed)
        with connected(database_url, autocommit=True) as db:
            for _ in range(rounds):
                with db.connection.transaction(force_rollback=dice.random() < 0.2):
                    for _ in range(dice.randint(1, 3)):
                        client(db)
                    if dice.random() < 0.7:
                        db.execute(EARLY)
                    time.sleep(dice.choice((0, 0.002, 0.02)))  # the commit is late

    def follow(seed: int) -> list[int]:
        dice, seen = random.Random(seed), [0]
        with connected(database_url, autocommit=True) as db:
            while True:
                last = done.is_set()
                new = read(db, seen[-1])
                seen += new
                if last and not new:
                    return seen[1:]
                time.sleep(dice.choice((0, 0.001, 0.01)))

    with ThreadPoolExecutor(writers + 2) as threads:
        readers = [threads.submit(follow, seed) for seed in (1, 2)]
        for writer in [threads.submit(write, seed) for seed in range(writers)]:
            writer.result()
        done.set()
        seen = [reader.result() for reader in readers]
    rows = shared.all("select id_evenement from evenement.evenement order by 1")
    committed = [row["id_evenement"] for row in rows]
    assert len(committed) > writers * rounds / 2
    assert seen == [committed, committed]
