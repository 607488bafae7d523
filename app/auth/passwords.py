"""Passwords: bcrypt in its own threads. The time of a check does not reveal whether an account exists.

The domain auth.mot_de_passe_clair bounds the length of a password. Common passwords are refused here, because no SQL
statement carries a plain password. communs.txt holds the passwords of 8 characters and more from Django's list of
20,000 common passwords (Royce Williams, https://gist.github.com/roycewilliams/281ce539915a947a23db17137d91aeb7),
common French passwords, and passwords made from the name of this program.
"""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import bcrypt

COST = 10
LONGEST = 72  # bytes: bcrypt reads no further
UNKNOWN_ACCOUNT_HASH = "$2b$10$341pEDYCqdCmuSVog0Ns2.YEuyFpupBt3naQJ/Rn5TzirMIINNQ6G"  # of discarded random bytes
COMMON = "Ce mot de passe est trop courant : choisissez-en un que personne n'essaierait."

# bcrypt releases the GIL, so many sign-ins at once could take every core. One core stays free for requests.
THREADS = max(1, (os.cpu_count() or 1) - 1)
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="bcrypt")


@cache
def common_passwords() -> frozenset[str]:
    """The common passwords, in lower case. The file is read when the first password is chosen."""
    return frozenset(Path(__file__).with_name("communs.txt").read_text("utf-8").splitlines())


def is_common(plain: str) -> bool:
    return plain.strip().lower() in common_passwords()


async def hash_password(plain: str) -> str:
    """Return the hash to store. Raises ValueError for a password that bcrypt would truncate."""
    return await asyncio.get_running_loop().run_in_executor(_threads, _hash, plain)


async def verify_password(plain: str, hash: str | None) -> bool:
    """Whether the password is right. An unknown account (hash None) takes as long as a wrong password."""
    matches = await asyncio.get_running_loop().run_in_executor(_threads, _verify, plain, hash or UNKNOWN_ACCOUNT_HASH)
    return matches and hash is not None


def _bytes(plain: str) -> bytes:
    # Releases of bcrypt differ: some refuse these passwords, some truncate them.
    password = plain.encode()
    if len(password) > LONGEST or b"\0" in password:
        raise ValueError("bcrypt")
    return password


def _hash(plain: str) -> str:
    return bcrypt.hashpw(_bytes(plain), bcrypt.gensalt(COST)).decode()


def _verify(plain: str, hash: str) -> bool:
    try:
        return bcrypt.checkpw(_bytes(plain), hash.encode())
    except ValueError:
        return False
