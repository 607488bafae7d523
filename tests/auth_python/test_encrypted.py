"""The secrets that the database holds encrypted: the text, the keys, and a database of an earlier release."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from app.auth.encrypted import WEBHOOK, SecretError, Secrets, second_factor
from app.base.settings import Settings
from app.commands.database import migrate
from tests import builders
from tests.conftest import Db

OLD, NEW, OTHER = (f"{word} key of 32 bytes at least" for word in ("the former", "the present", "another"))
FACTOR, KEY = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_a_text_opens_only_under_its_name_and_a_present_or_former_key() -> None:
    text = Secrets(OLD).encrypt(KEY, WEBHOOK)
    assert KEY not in text and text != Secrets(OLD).encrypt(KEY, WEBHOOK)
    for secrets in (Secrets(OLD), Secrets(NEW, OLD)):
        assert secrets.decrypt(text, WEBHOOK) == KEY
    for secrets, given, name, remedy in (
        (Secrets(NEW, OTHER), text, WEBHOOK, "SECRETS_CLE_PRECEDENTE"),
        (Secrets(OLD), text, second_factor("1"), "copié"),
        (Secrets(OLD), text[:-8], WEBHOOK, "abîmé"),
        (Secrets(OLD), KEY, WEBHOOK, "comptoir migrate"),
    ):
        with pytest.raises(SecretError, match=remedy):
            secrets.decrypt(given, name)


@pytest.fixture
def earlier(database_url: str) -> str:
    """A database with secrets in clear, as an earlier release wrote them."""
    with psycopg.connect(database_url, autocommit=True, row_factory=dict_row) as connection:
        db = Db(connection)
        user = builders.utilisateur(db)
        db.execute("insert into auth.second_facteur (id_utilisateur, secret) values (%s, %s)", [user, FACTOR])
        db.execute(
            """with w as (insert into evenement.webhook (url, types, id_utilisateur)
                          values ('https://compta.example.com/', '{client.cree}', %s) returning id_webhook)
               insert into evenement.webhook_secret (id_webhook, secret) select id_webhook, %s from w""",
            [user, KEY],
        )
    return database_url


def test_migrate_encrypts_what_is_in_clear_and_what_a_former_key_encrypted(
    earlier: str, capsys: pytest.CaptureFixture[str]
) -> None:
    done, failed = "Secrets chiffrés par SECRETS_CLE : 2.", "Secrets qui ne s'ouvrent pas : 2."
    for present, former, opening, sentence in (
        (OLD, "", OLD, done),
        (NEW, OLD, NEW, done),
        (NEW, "", NEW, None),
        (OTHER, "", NEW, failed),
    ):
        given = {"DATABASE_URL": earlier, "SECRETS_CLE": present, "SECRETS_CLE_PRECEDENTE": former}
        assert migrate(Settings.from_environment(given), Namespace(repetition=None, toutes=False)) == 0
        output = capsys.readouterr().out
        assert [line for line in (done, failed) if line in output] == ([sentence] if sentence else []), output
        [(user, factor)] = read(earlier, "select id_utilisateur, secret from auth.second_facteur")
        [(key,)] = read(earlier, "select secret from evenement.webhook_secret")
        assert Secrets(opening).decrypt(factor, second_factor(user)) == FACTOR
        assert Secrets(opening).decrypt(key, WEBHOOK) == KEY
    journal = str(read(earlier, "select avant, apres from audit.journal where operation = 'UPDATE'"))
    assert FACTOR not in journal and KEY not in journal and "***" in journal


def read(url: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchall()
