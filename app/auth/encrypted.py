"""Secrets that the process reads again, such as the key of a webhook. The database holds them encrypted.

AES-256-GCM with a key derived from SECRETS_CLE, and a new nonce for each text. A text opens only under the name for
which it was encrypted: the second factor of an account, copied to the row of another account, does not open.
"""

import base64
import logging
import os
from collections.abc import Callable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from psycopg import sql

from app.base.progress import Say
from app.base.refusal import RETRY_AFTER, Refusal
from app.base.settings import Settings
from app.database import schema

MARK = "chiffre:"  # then the number of the key, a colon, and the nonce with the ciphertext in base 64
NONCE = 12  # bytes
# The address of a webhook is not encrypted, so a name that holds its number would protect nothing.
WEBHOOK = "evenement.webhook_secret"

log = logging.getLogger("comptoir.secrets")


def second_factor(id_utilisateur: int | str) -> str:
    """The name of the second factor of an account."""
    return f"auth.second_facteur {id_utilisateur}"


# How a secret is named, its table, and the column that the name holds.
_HELD: tuple[tuple[Callable[[int], str], sql.Identifier, sql.Identifier], ...] = (
    (second_factor, sql.Identifier("auth", "second_facteur"), sql.Identifier("id_utilisateur")),
    (lambda _: WEBHOOK, sql.Identifier("evenement", "webhook_secret"), sql.Identifier("id_webhook")),
)
_READ = sql.SQL("select ctid::text, secret, {} from {} where not starts_with(secret, %s) for update")
_WRITE = sql.SQL("update {} set secret = %s where ctid = %s::tid")


class SecretError(Refusal):
    """A secret does not open. The message is French and says what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(503, "SECRET_ILLISIBLE", message, headers=RETRY_AFTER)


class _Key:
    def __init__(self, setting: str) -> None:
        derived = HKDF(SHA256(), 36, salt=None, info=b"comptoir SECRETS_CLE").derive(setting.encode())
        self.cipher = AESGCM(derived[:32])
        self.prefix = f"{MARK}{derived[32:].hex()}:"


class Secrets:
    """Encrypts with the present key, and decrypts with the present or the former one."""

    def __init__(self, present: str, former: str | None = None) -> None:
        self._present = _Key(present)
        self._keys = [self._present, *([_Key(former)] if former else [])]

    @classmethod
    def of(cls, settings: Settings) -> "Secrets":
        return cls(settings.secrets_key, settings.secrets_former_key)

    def encrypt(self, secret: str, name: str) -> str:
        nonce = os.urandom(NONCE)
        ciphertext = self._present.cipher.encrypt(nonce, secret.encode(), name.encode())
        return self._present.prefix + base64.urlsafe_b64encode(nonce + ciphertext).decode()

    def decrypt(self, text: str, name: str) -> str:
        """Raise SecretError for a text in clear, of an unknown key or of another name, and log it."""
        try:
            return self._open(text, name)
        except SecretError as error:
            log.error("%s : %s", name, error)
            raise

    def _open(self, text: str, name: str) -> str:
        if not text.startswith(MARK):
            raise SecretError("Ce secret est encore en clair : que l'exploitant lance « comptoir migrate ».")
        key = next((key for key in self._keys if text.startswith(key.prefix)), None)
        if key is None:
            raise SecretError(
                "Ce secret est chiffré par une autre clé que celles du service : que l'exploitant lui rende celle-là, "
                "par SECRETS_CLE ou SECRETS_CLE_PRECEDENTE."
            )
        try:
            raw = base64.urlsafe_b64decode(text.removeprefix(key.prefix))
            return key.cipher.decrypt(raw[:NONCE], raw[NONCE:], name.encode()).decode()
        except (InvalidTag, ValueError):
            raise SecretError("Ce secret est abîmé, ou copié d'une autre ligne : faites-en un nouveau.") from None

    def renew(self, url: str, say: Say = print) -> None:
        """Encrypt with the present key every secret of a database that is in clear or under the former key."""
        done = failed = 0
        with schema.connect(url, 30.0) as connection, connection.transaction():
            for naming, table, column in _HELD:
                query = _READ.format(column, table)
                for place, text, key in connection.execute(query, [self._present.prefix]).fetchall():
                    name = naming(key)
                    try:
                        clear = self._open(text, name) if text.startswith(MARK) else text
                    except SecretError:
                        failed += 1
                    else:
                        connection.execute(_WRITE.format(table), [self.encrypt(clear, name), place])
                        done += 1
        if done:
            say(f"Secrets chiffrés par SECRETS_CLE : {done}.")
        if failed:
            say(
                f"Secrets qui ne s'ouvrent pas : {failed}. Rendez leur clé, par SECRETS_CLE_PRECEDENTE, "
                "et relancez « comptoir migrate » ; d'ici là ces seconds facteurs et ces webhooks ne servent pas."
            )
