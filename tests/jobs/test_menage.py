"""The nightly cleanup: the rows that it deletes and the rows that it keeps."""

import uuid

import pytest

from tests import builders
from tests.conftest import Db

KINDS = ("jetons_rafraichissement", "jetons_reinitialisation", "idempotences", "connexions", "livraisons", "taches")
NOTHING = dict.fromkeys(KINDS, 0)


@pytest.fixture
def user(db: Db) -> int:
    return builders.utilisateur(db)


def refresh_token(
    db: Db, user: int, name: str, expires: str, revoked: bool = False, successor: str | None = None
) -> None:
    db.execute(
        """insert into auth.jeton_rafraichissement
             (hash, id_utilisateur, famille, date_expiration, date_revocation, replaced_by_hash)
           values (%s, %s, %s, now() + %s::interval, case when %s then now() - interval '20 days' end, %s)""",
        [name, user, uuid.uuid4(), expires, revoked, successor],
    )


def remaining(db: Db, table: str, key: str) -> set[str]:
    return {row["key"] for row in db.all(f"select {key} as key from {table}")}


def test_expired_refresh_tokens_are_deleted_and_revoked_tokens_stay_until_they_expire(db: Db, user: int) -> None:
    refresh_token(db, user, "vivant", "1 minute")
    refresh_token(db, user, "revoque", "1 minute", revoked=True)
    refresh_token(db, user, "expire", "-1 minute")
    refresh_token(db, user, "revoque et expire", "-1 minute", revoked=True, successor="vivant")
    assert db.call("jobs.menage") == NOTHING | {"jetons_rafraichissement": 2}
    assert remaining(db, "auth.jeton_rafraichissement", "hash") == {"vivant", "revoque"}
    assert db.call("jobs.menage") == NOTHING  # a second run deletes nothing, and a replay is still detected
    answer = db.call("auth.session_renouveler", hash="revoque", nouveau_hash="autre", duree=60, adresse_ip="192.0.2.1")
    assert answer["rejeu"] is True


def test_a_token_with_an_expired_successor_is_kept(db: Db, user: int) -> None:
    refresh_token(db, user, "successeur", "-1 minute")
    refresh_token(db, user, "premier", "1 minute", revoked=True, successor="successeur")
    assert db.call("jobs.menage")["jetons_rafraichissement"] == 1
    db.execute("set constraints all immediate")
    assert remaining(db, "auth.jeton_rafraichissement", "hash") == {"premier"}


def test_used_and_expired_reset_tokens_are_deleted(db: Db, user: int) -> None:
    for name, expires, used in (("bon", "1 minute", False), ("expire", "-1 minute", False), ("utilise", "1 h", True)):
        db.execute(
            """insert into auth.jeton_reinitialisation (hash, id_utilisateur, date_expiration, date_usage)
               values (%s, %s, now() + %s::interval, case when %s then now() end)""",
            [name, user, expires, used],
        )
    assert db.call("jobs.menage") == NOTHING | {"jetons_reinitialisation": 2}
    assert remaining(db, "auth.jeton_reinitialisation", "hash") == {"bon"}


@pytest.mark.parametrize(("kind", "table", "key", "values", "old", "young"), [
    ("idempotences", "core.idempotence", "cle", "%s, %s, 'empreinte', '', now() - %s::interval",
     "7 days 1 minute", "6 days 23:59"),
    ("connexions", "auth.connexion (id_utilisateur, agent, date, succes)", "agent",
     "%s, %s, now() - %s::interval, true", "1 year 1 minute", "364 days"),
])  # fmt: skip
def test_idempotency_keys_are_deleted_after_seven_days_and_connections_after_a_year(
    db: Db, user: int, kind: str, table: str, key: str, values: str, old: str, young: str
) -> None:
    for name, age in (("vieux", old), ("jeune", young)):
        db.execute(f"insert into {table} values ({values})", [user, name, age])
    assert db.call("jobs.menage") == NOTHING | {kind: 1}
    assert remaining(db, table.partition(" ")[0], key) == {"jeune"}


def test_the_worker_role_may_run_the_cleanup(db: Db, user: int) -> None:
    refresh_token(db, user, "expire", "-1 minute")
    db.execute("set local role comptoir_travail")
    assert db.call("jobs.menage")["jetons_rafraichissement"] == 1
