"""Secrets that the process reads again, such as the key of a webhook. The database holds them encrypted.

AES-256-GCM with a key derived from SECRETS_CLE, and a new nonce for each text. A text opens only under the name for
which it was encrypted: the second factor of an account, copied to the row of another account, does not open. The keys
of banks and of mobile money have a key of their own, TRESORERIE_CLE: `of_accounts`.
"""

import base64
import logging
import os
import secrets
from collections.abc import Callable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from psycopg import sql

from app.base.files import own_key
from app.base.progress import Say
from app.base.refusal import RETRY_AFTER, Refusal
from app.base.settings import Settings, SettingsError
from app.database import schema

MARK = "chiffre:"  # then the number of the key, a colon, and the nonce with the ciphertext in base 64
NONCE = 12  # bytes
# The address of a webhook is not encrypted, so a name that holds its number would protect nothing.
WEBHOOK = "evenement.webhook_secret"

NEEDED = (
    "TRESORERIE_CLE manque : un compte a un fournisseur, et ses clés ne se gardent que chiffrées ; en production, "
    "donnez-lui un secret de 32 octets au moins (par exemple : openssl rand -base64 48)."
)

log = logging.getLogger("comptoir.secrets")


def refuse_missing_key(settings: Settings, url: str) -> None:
    """Raise SettingsError where an account has a provider and production has no key for the keys of providers."""
    if settings.accounts_key is None:
        with schema.connect(url, 30.0) as connection:
            if schema.value(connection, "select exists (select from tresorerie.compte where fournisseur <> 'AUCUN')"):
                raise SettingsError(NEEDED)


def second_factor(id_utilisateur: int | str) -> str:
    """The name of the second factor of an account."""
    return f"auth.second_facteur {id_utilisateur}"


def provider_keys(id_compte: int | str) -> str:
    """The name of the keys of an account at its provider."""
    return f"tresorerie.acces {id_compte}"


# By the setting of the key: how a secret is named, its table, and the column that the name holds.
_HELD: dict[str, tuple[tuple[Callable[[int], str], sql.Identifier, sql.Identifier], ...]] = {
    "SECRETS_CLE": (
        (second_factor, sql.Identifier("auth", "second_facteur"), sql.Identifier("id_utilisateur")),
        (lambda _: WEBHOOK, sql.Identifier("evenement", "webhook_secret"), sql.Identifier("id_webhook")),
    ),
    "TRESORERIE_CLE": ((provider_keys, sql.Identifier("tresorerie", "acces"), sql.Identifier("id_compte")),),
}
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

    def __init__(self, present: str, former: str | None = None, setting: str = "SECRETS_CLE") -> None:
        self._setting = setting
        self._present = _Key(present)
        self._keys = [self._present, *([_Key(former)] if former else [])]

    @classmethod
    def of(cls, settings: Settings) -> "Secrets":
        return cls(settings.secrets_key, settings.secrets_former_key)

    @classmethod
    def of_accounts(cls, settings: Settings) -> "Secrets":
        """The keys of providers are encrypted apart. In development the first call creates the key."""
        present = settings.accounts_key
        if present is None:
            if settings.production:
                raise Refusal(
                    503, "CHIFFREMENT_ABSENT", "Les clés des comptes ne se chiffrent pas : prévenez l'exploitant."
                )
            present = own_key(settings.state / "tresorerie.cle", secrets.token_urlsafe)
        return cls(present, settings.accounts_former_key, "TRESORERIE_CLE")

    @classmethod
    def renew_all(cls, settings: Settings, url: str, say: Say = print) -> None:
        """Encrypt every secret with the present key. A database without keys of providers needs no TRESORERIE_CLE."""
        cls.of(settings).renew(url, say)
        if not settings.production or settings.accounts_key is not None:
            cls.of_accounts(settings).renew(url, say)

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
                f"par {self._setting} ou {self._setting}_PRECEDENTE."
            )
        try:
            raw = base64.urlsafe_b64decode(text.removeprefix(key.prefix))
            return key.cipher.decrypt(raw[:NONCE], raw[NONCE:], name.encode()).decode()
        except (InvalidTag, ValueError):
            raise SecretError("Ce secret est abîmé, ou copié d'une autre ligne : faites-en un nouveau.") from None

    def renew(self, url: str, say: Say) -> None:
        """Encrypt with the present key every secret of a database that is in clear or under the former key."""
        done = failed = 0
        with schema.connect(url, 30.0) as connection, connection.transaction():
            for naming, table, column in _HELD[self._setting]:
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
            say(f"Secrets chiffrés par {self._setting} : {done}.")
        if failed:
            say(
                f"Secrets qui ne s'ouvrent pas : {failed}. Rendez leur clé, par {self._setting}_PRECEDENTE, "
                "et relancez « comptoir migrate » ; d'ici là ce qu'ils ouvrent ne sert pas."
            )
