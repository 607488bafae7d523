"""Encrypts backups with age before they leave the process, and decrypts them as they are read.

Without the key, a reader of the store or the file learns only the size. age authenticates every block of 64 KiB, so a
truncated or changed backup is refused.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import IO

import pyrage
from pyrage.x25519 import Identity

from app.base.failure import Failure
from app.base.files import own_key
from app.base.settings import Settings, SettingsError

MARK = b"age-encryption.org/v1"  # the first bytes of every age file


class CipherError(Failure):
    """The backup cannot be decrypted. The message is French and says what to do."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The present key, which encrypts and decrypts, and former keys, which only decrypt."""

    present: Identity
    former: tuple[Identity, ...] = ()

    @classmethod
    def new(cls) -> "Keys":
        return cls(Identity.generate())

    @classmethod
    def of(cls, settings: Settings) -> "Keys":
        """The keys in SAUVEGARDE_CLE and SAUVEGARDE_CLE_PRECEDENTE. In development the first call creates a key."""
        present = settings.backup_key
        if present is None:
            if settings.production:
                raise SettingsError(
                    "SAUVEGARDE_CLE manque : en production, donnez-lui une clé de « comptoir cle », "
                    "et gardez-en une copie ailleurs."
                )
            present = own_key(settings.state / "sauvegarde.cle", lambda: str(Identity.generate()))
        former = [_identity("SAUVEGARDE_CLE_PRECEDENTE", key) for key in settings.backup_former_keys]
        return cls(_identity("SAUVEGARDE_CLE", present), tuple(former))

    def encrypt(self, source: IO[bytes], target: IO[bytes]) -> None:
        pyrage.encrypt_io(source, target, [self.present.to_public()])

    def decrypt(self, source: IO[bytes], target: IO[bytes]) -> None:
        """Raises CipherError when no key opens the source, or when the source is truncated or changed."""
        try:
            pyrage.decrypt_io(source, target, [self.present, *self.former])
        except pyrage.DecryptError:
            raise CipherError(
                "Aucune clé donnée n'ouvre cette sauvegarde : qui exploite le service donne celle qui l'a chiffrée "
                "(docs/exploitation.md, « Sauvegarder, restaurer »)."
            ) from None
        except BrokenPipeError:  # the reader has failed and raises its own error
            raise
        except OSError as error:
            raise CipherError(f"La sauvegarde ne se déchiffre pas ({error}) : elle est abîmée.") from None

    @contextmanager
    def encrypted(self, source: IO[bytes]) -> Iterator[IO[bytes]]:
        """Give a stream with the encrypted content of `source`. When the source fails, the stream ends."""
        reading, writing = os.pipe()

        def fill() -> None:
            # On a broken pipe the reader has stopped and raises its own error.
            with suppress(BrokenPipeError, pyrage.EncryptError), os.fdopen(writing, "wb") as target:
                self.encrypt(source, target)

        thread = threading.Thread(target=fill, name="chiffrement", daemon=True)
        with os.fdopen(reading, "rb") as result:
            thread.start()
            yield result
        thread.join()


def _identity(variable: str, text: str) -> Identity:
    try:
        return Identity.from_str(text)
    except pyrage.IdentityError:
        raise SettingsError(f"{variable} n'est pas une clé de sauvegarde : « comptoir cle » en fait une.") from None
