"""An upgrade that waits for a lock blocks other sessions only briefly, and names the session that holds the lock."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import psycopg
import pytest

from app.database import schema
from app.database.release import Release, SchemaError
from app.database.upgrade import locks
from tests.together import repeated
from tests.upgrades import count_payment_methods, functions, next_release

pytestmark = pytest.mark.timeouts

LONGEST = 1.0  # seconds that a reader may wait for an upgrade that waits for a lock
READINGS = [
    "select count(*) from finances.paiement",
    "select * from rapports.impaye_vue",
    "select * from finances.moyen_paiement_lister()",
    "select * from residence.contrat_lister()",
]


@contextmanager
def traffic(url: str, *statements: str) -> Iterator[list[float]]:
    """Sessions that each repeat a statement. Yield the seconds of each call."""
    with ExitStack() as stack:
        calls = []
        for statement in statements:
            session = stack.enter_context(psycopg.connect(url, autocommit=True, prepare_threshold=None))
            calls.append(partial(session.execute, statement))
        yield stack.enter_context(repeated(*calls))


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    monkeypatch.setattr(schema, "ATTEMPTS", 3)
    return next_release(tmp_path, "alter table finances.paiement add essai text;")


@contextmanager
def reader(url: str, statement: str = "select count(*) from finances.paiement") -> Iterator[psycopg.Connection]:
    """A session with an open transaction, like psql or pg_dump."""
    with psycopg.connect(url, application_name="lecteur") as connection:
        connection.execute("set transaction isolation level repeatable read")
        connection.execute(statement)
        yield connection


def test_readers_do_not_queue_behind_a_waiting_upgrade(
    database_url: str, release: Release, record_property: Callable[[str, object], None]
) -> None:
    before = functions(database_url)
    with reader(database_url), traffic(database_url, *READINGS) as seconds, pytest.raises(SchemaError):
        schema.migrate(database_url, lambda _: None, release=release)
    record_property("plus longue lecture derrière une mise à jour qui attend (s)", round(max(seconds), 2))
    assert len(seconds) > 10
    assert max(seconds) < LONGEST
    assert functions(database_url) == before


def test_upgrade_gives_up_and_names_the_session_that_holds_the_lock(database_url: str, release: Release) -> None:
    before = functions(database_url)
    lines: list[str] = []
    with reader(database_url) as holder, pytest.raises(SchemaError) as error:
        pid = holder.info.backend_pid
        schema.migrate(database_url, lines.append, release=release)
    for text in (*lines, str(error.value)):
        assert f"finances.paiement : session {pid} de postgres (lecteur)" in text
        assert "« select count(*) from finances.paiement »" in text
    assert len(lines) == 2
    assert "après 3 essais la mise à jour renonce, la version en place sert toujours" in str(error.value)
    assert functions(database_url) == before
    assert count_payment_methods(database_url) > 0
    assert schema.drift(database_url) == []


def test_sessions_are_named_even_when_the_wait_is_too_short_to_watch(
    database_url: str, release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine the views are dropped slowly, and little of the half second is left for the tables."""
    monkeypatch.setattr(locks, "STRONG_SECONDS", 0.0)
    with reader(database_url), pytest.raises(SchemaError, match=r"finances\.paiement : session \d+ de postgres"):
        schema.migrate(database_url, lambda _: None, release=release)


def test_prepared_transaction_is_named(database_url: str, release: Release) -> None:
    with psycopg.connect(database_url, autocommit=True) as admin:
        for statement in ("begin", "lock table finances.paiement in share mode", "prepare transaction 'essai'"):
            admin.execute(statement)
        try:
            with pytest.raises(SchemaError, match=r"finances\.paiement : une transaction préparée"):
                schema.migrate(database_url, lambda _: None, release=release)
        finally:
            admin.execute("rollback prepared 'essai'")


def test_upgrade_succeeds_after_the_reader_ends_its_transaction(database_url: str, release: Release) -> None:
    with reader(database_url) as holder:
        assert schema.migrate(database_url, lambda _: holder.rollback(), release=release) is True
    assert schema.drift(database_url, release) == []


@pytest.mark.parametrize("statement", ["select * from rapports.impaye_vue", "lock table queue.procrastinate_jobs"])
def test_upgrade_names_who_holds_a_view_or_the_queue(database_url: str, release: Release, statement: str) -> None:
    with reader(database_url, statement) as holder:
        with pytest.raises(SchemaError) as error:
            schema.migrate(database_url, lambda _: None, release=release)
        assert f"session {holder.info.backend_pid} de postgres" in str(error.value)


def test_migration_waits_only_briefly_for_a_lock_of_its_own(database_url: str, release: Release) -> None:
    """The upgrade locks the tables of the slices first. A migration of another table waits briefly, then retries."""
    with psycopg.connect(database_url, autocommit=True) as admin:
        admin.execute("create table public.ailleurs (id integer); grant all on public.ailleurs to comptoir_owner")
        admin.execute("grant create on schema public to comptoir_owner")
        admin.execute("alter table public.ailleurs owner to comptoir_owner")
    (release.migrations / "9002.core-essai.sql").write_text("alter table public.ailleurs add essai text;")
    before = functions(database_url)
    with (
        reader(database_url, "select * from public.ailleurs"),
        traffic(database_url, "select * from public.ailleurs") as seconds,
        pytest.raises(SchemaError, match="ailleurs : session"),
    ):
        schema.migrate(database_url, lambda _: None, release=release)
    assert max(seconds) < LONGEST
    assert functions(database_url) == before
