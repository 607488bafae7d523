"""Passwords: bcrypt, in threads of its own, telling nobody whether an account exists.

How long a password may be is said by the domain auth.mot_de_passe_clair. What no statement may carry is checked here:
communs.txt holds the passwords of 8 characters and more out of Django's list of 20,000 common ones (Royce Williams,
https://gist.github.com/roycewilliams/281ce539915a947a23db17137d91aeb7) and those that French speakers and this program
add to them.
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
NOBODY = "$2b$10$341pEDYCqdCmuSVog0Ns2.YEuyFpupBt3naQJ/Rn5TzirMIINNQ6G"  # of random bytes that are lost
COMMON = "Ce mot de passe est trop courant : choisissez-en un que personne n'essaierait."

# bcrypt lets go of the interpreter lock, so a crowd that signs in would take every core: one stays free.
THREADS = max(1, (os.cpu_count() or 1) - 1)
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="bcrypt")


@cache
def common_passwords() -> frozenset[str]:
    """In lower case. Read at the first password that somebody chooses."""
    return frozenset(Path(__file__).with_name("communs.txt").read_text("utf-8").splitlines())


def is_common(plain: str) -> bool:
    return plain.strip().lower() in common_passwords()


async def hash_password(plain: str) -> str:
    """The hash to store; ValueError for what bcrypt cannot take whole."""
    return await asyncio.get_running_loop().run_in_executor(_threads, _hash, plain)


async def verify_password(plain: str, hash: str | None) -> bool:
    """Whether the password is right. An unknown account (no hash) takes as long as a wrong password."""
    matches = await asyncio.get_running_loop().run_in_executor(_threads, _verify, plain, hash or NOBODY)
    return matches and hash is not None


def _bytes(plain: str) -> bytes:
    # Checked here because releases of bcrypt differ: some refuse these, some cut or accept them.
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
