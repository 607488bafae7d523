"""The secrets that the database holds encrypted: the text, the keys, and a database of an earlier release."""

from argparse import Namespace

import pytest

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


def test_migrate_encrypts_what_is_in_clear_and_what_a_former_key_encrypted(
    committed: Db, database_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An earlier release wrote the secrets in clear."""
    user = builders.utilisateur(committed)
    committed.execute("insert into auth.second_facteur (id_utilisateur, secret) values (%s, %s)", [user, FACTOR])
    committed.execute(
        """with w as (insert into evenement.webhook (url, types, id_utilisateur)
                      values ('https://compta.example.com/', '{client.cree}', %s) returning id_webhook)
           insert into evenement.webhook_secret (id_webhook, secret) select id_webhook, %s from w""",
        [user, KEY],
    )
    done, failed = "Secrets chiffrés par SECRETS_CLE : 2.", "Secrets qui ne s'ouvrent pas : 2."
    for present, former, opening, sentence in (
        (OLD, "", OLD, done),
        (NEW, OLD, NEW, done),
        (NEW, "", NEW, None),
        (OTHER, "", NEW, failed),
    ):
        given = {"DATABASE_URL": database_url, "SECRETS_CLE": present, "SECRETS_CLE_PRECEDENTE": former}
        assert migrate.run(Settings.from_environment(given), Namespace(repetition=None, toutes=False)) == 0
        output = capsys.readouterr().out
        assert [line for line in (done, failed) if line in output] == ([sentence] if sentence else []), output
        factor = committed.one("select secret from auth.second_facteur")
        key = committed.one("select secret from evenement.webhook_secret")
        assert Secrets(opening).decrypt(factor, second_factor(user)) == FACTOR
        assert Secrets(opening).decrypt(key, WEBHOOK) == KEY
    journal = str(committed.all("select avant, apres from audit.journal where operation = 'UPDATE'"))
    assert FACTOR not in journal and KEY not in journal and "***" in journal
