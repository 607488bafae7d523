"""Backups are encrypted with age before they leave the process, and decrypted as they are read.

Whoever reads the store or the file without the key learns its size alone. age authenticates every 64 KiB, so a backup
that was cut or changed is refused.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pyrage
from pyrage.x25519 import Identity

from app.base.failure import Failure
from app.base.settings import Settings, SettingsError

MARK = b"age-encryption.org/v1"  # the first bytes of every age file


class CipherError(Failure):
    """No key, or one that does not open this backup; the message is French and says what to give."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The key that encrypts, and the former ones that decrypt as well."""

    present: Identity
    former: tuple[Identity, ...] = ()

    @classmethod
    def new(cls) -> Keys:
        return cls(Identity.generate())

    @classmethod
    def of(cls, settings: Settings) -> Keys:
        """The keys of SAUVEGARDE_CLE and SAUVEGARDE_CLE_PRECEDENTE; in development one that is made at first use."""
        present = settings.backup_key
        if present is None:
            if settings.production:
                raise SettingsError(
                    "SAUVEGARDE_CLE manque : en production, donnez-lui une clé de « comptoir cle », "
                    "et gardez-en une copie ailleurs."
                )
            present = _own_key(settings.state / "sauvegarde.cle")
        former = [_identity("SAUVEGARDE_CLE_PRECEDENTE", key) for key in settings.backup_former_keys]
        return cls(_identity("SAUVEGARDE_CLE", present), tuple(former))

    def encrypt(self, source: IO[bytes], target: IO[bytes]) -> None:
        pyrage.encrypt_io(source, target, [self.present.to_public()])

    def decrypt(self, source: IO[bytes], target: IO[bytes]) -> None:
        """Raise CipherError when no key opens the source, or when the source was cut or changed."""
        try:
            pyrage.decrypt_io(source, target, [self.present, *self.former])
        except pyrage.DecryptError:
            raise CipherError(
                "Aucune clé donnée n'ouvre cette sauvegarde : qui exploite le service donne celle qui l'a chiffrée "
                "(docs/operations.md, « Sauvegarder, restaurer »)."
            ) from None
        except BrokenPipeError:  # the reader has failed, and says why itself
            raise
        except OSError as error:
            raise CipherError(f"La sauvegarde ne se déchiffre pas ({error}) : elle est abîmée.") from None

    @contextmanager
    def encrypted(self, source: IO[bytes]) -> Iterator[IO[bytes]]:
        """What `source` gives, encrypted, to be read. A source that fails is read as one that ends."""
        reading, writing = os.pipe()

        def fill() -> None:
            # A broken pipe: the reader gave up, and raises its own error.
            with suppress(BrokenPipeError, pyrage.EncryptError), os.fdopen(writing, "wb") as target:
                self.encrypt(source, target)

        thread = threading.Thread(target=fill, name="chiffrement", daemon=True)
        with os.fdopen(reading, "rb") as result:
            thread.start()
            yield result
        thread.join()


def is_encrypted(file: Path) -> bool:
    with file.open("rb") as content:
        return content.read(len(MARK)) == MARK


def _identity(variable: str, text: str) -> Identity:
    try:
        return Identity.from_str(text)
    except pyrage.IdentityError:
        raise SettingsError(f"{variable} n'est pas une clé de sauvegarde : « comptoir cle » en fait une.") from None


def _own_key(file: Path) -> str:
    """The key that a development machine keeps beside its data. Two processes that want it agree on one."""
    with suppress(FileNotFoundError):
        return file.read_text().strip()
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    new.touch(mode=0o600)
    new.write_text(f"{Identity.generate()}\n")
    with suppress(FileExistsError):
        os.link(new, file)
    new.unlink()
    return file.read_text().strip()
