"""Passwords: bcrypt in its own threads. The time of a check does not reveal whether an account exists.

The domain auth.mot_de_passe_clair bounds the length of a password, in its normal form (NFC): keyboards write an
accented letter as one character or as two. bcrypt reads 72 bytes, so it hashes the SHA-256 of a longer password. Common
passwords are refused here, because no SQL statement carries a plain password.

communs.txt holds the passwords of 8 characters and more from Django's list of 20,000 common passwords (Royce Williams,
https://gist.github.com/roycewilliams/281ce539915a947a23db17137d91aeb7), common French passwords, and passwords made
from the name of this program.
"""

import asyncio
import base64
import hashlib
import os
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import bcrypt

T = TypeVar("T")

COST = 10
READ = 72  # bytes: bcrypt reads no further
LONGEST = 512  # characters: no password has more, in any form
UNKNOWN_ACCOUNT_HASH = "$2b$10$341pEDYCqdCmuSVog0Ns2.YEuyFpupBt3naQJ/Rn5TzirMIINNQ6G"  # of discarded random bytes
COMMON = "Ce mot de passe est trop courant : choisissez-en un que personne n'essaierait."

# bcrypt releases the GIL, so many sign-ins at once could take every core. One core stays free for requests.
THREADS = max(1, (os.cpu_count() or 1) - 1)
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="bcrypt")


@cache
def common_passwords() -> frozenset[str]:
    """The common passwords, in lower case. The file is read when the first password is chosen."""
    return frozenset(Path(__file__).with_name("communs.txt").read_text("utf-8").splitlines())


def normal(plain: str) -> str:
    """The normal form of a password. A text that is too long for one stays as it is."""
    return plain if len(plain) > LONGEST else unicodedata.normalize("NFC", plain)


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function that hashes slowly."""
    return await asyncio.get_running_loop().run_in_executor(_threads, function, *arguments)


async def hash_password(plain: str) -> str:
    """Return the hash to store. Raises ValueError for a text that is no password."""
    return await in_thread(_hash, plain)


async def verify_password(plain: str, hash: str | None) -> bool:
    """Whether the password is right. An unknown account (hash None) takes as long as a wrong password."""
    matches = await in_thread(_verify, plain, hash or UNKNOWN_ACCOUNT_HASH)
    return matches and hash is not None


def _bytes(plain: str) -> bytes:
    # Releases of bcrypt differ: some refuse these passwords, some truncate them.
    password = plain.encode()
    if len(plain) > LONGEST or b"\0" in password:
        raise ValueError("bcrypt")
    return password if len(password) <= READ else base64.b64encode(hashlib.sha256(password).digest())


def _hash(plain: str) -> str:
    return bcrypt.hashpw(_bytes(normal(plain)), bcrypt.gensalt(COST)).decode()


def _verify(plain: str, hash: str) -> bool:
    forms = dict.fromkeys((normal(plain), plain))  # former hashes are of the text as it was written
    try:
        return any([bcrypt.checkpw(_bytes(form), hash.encode()) for form in forms])
    except ValueError:
        return False
