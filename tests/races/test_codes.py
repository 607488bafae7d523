"""A code of a second factor, and a recovery code, sent several times at once open one session."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db
from tests.together import together

pytestmark = pytest.mark.promesse("Second facteur : un code présenté plusieurs fois à la fois ne sert qu'une fois")


@pytest.fixture
def shared(database_url: str) -> Iterator[Db]:
    """A connection that commits, on a database of this test alone."""
    with psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as connection:
        yield Db(connection)


def test_a_code_sent_at_once_serves_once(database_url: str, shared: Db) -> None:
    user = builders.utilisateur(shared, role="DIRIGEANT")
    shared.execute(
        "insert into auth.second_facteur (id_utilisateur, secret, date_confirmation) values (%s, 'x', now())", [user]
    )
    shared.execute("insert into auth.code_secours (id_utilisateur, hash) values (%s, 'h')", [user])
    for step in (1000, 1001):
        served = together(
            database_url, 8, lambda db, _, step=step: db.one("select auth.second_facteur_servir(%s, %s)", [user, step])
        )
        assert sorted(served) == [False] * 7 + [True]
    assert shared.one("select auth.second_facteur_servir(%s, 1000)", [user]) is False
    used = together(database_url, 8, lambda db, _: db.one("select auth.code_secours_servir(%s, '{h}')", [user]))
    assert sorted(used) == [False] * 7 + [True]
