"""A code of a second factor, and a recovery code, sent several times at once open one session."""

import pytest

from tests import builders
from tests.conftest import Db
from tests.together import AtOnce

pytestmark = pytest.mark.promesse("Second facteur : un code présenté plusieurs fois à la fois ne sert qu'une fois")


def test_a_code_sent_at_once_serves_once(shared: Db, at_once: AtOnce) -> None:
    user = builders.utilisateur(shared, role="DIRIGEANT")
    shared.execute(
        "insert into auth.second_facteur (id_utilisateur, secret, date_confirmation) values (%s, 'x', now())", [user]
    )
    shared.execute("insert into auth.code_secours (id_utilisateur, hash) values (%s, 'h')", [user])
    for step in (1000, 1001):
        served = at_once(8, lambda db, _, step=step: db.one("select auth.second_facteur_servir(%s, %s)", [user, step]))
        assert sorted(served) == [False] * 7 + [True]
    assert shared.one("select auth.second_facteur_servir(%s, 1000)", [user]) is False
    used = at_once(8, lambda db, _: db.one("select auth.code_secours_servir(%s, '{h}')", [user]))
    assert sorted(used) == [False] * 7 + [True]


def test_of_wrong_codes_sent_at_once_one_warns_the_owner(shared: Db, at_once: AtOnce) -> None:
    user = builders.utilisateur(shared, role="DIRIGEANT")

    def act(db: Db, _: int) -> str:
        with db.connection.transaction():
            warned = db.one("select auth.connexion_echouee(%s, '192.0.2.1', 'Essai/1', true)", [user])
            db.execute("select pg_sleep(0.05)")  # a commit waits for the disk
        return str(warned)

    assert sorted(at_once(5, act)) == ["False"] * 4 + ["True"]
