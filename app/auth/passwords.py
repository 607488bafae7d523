"""Passwords: bcrypt, in threads of its own, telling nobody whether an account exists."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

import bcrypt

COST = 10
SHORTEST = 8  # characters
LONGEST = 72  # bytes: bcrypt reads no further
NOBODY = "$2b$10$341pEDYCqdCmuSVog0Ns2.YEuyFpupBt3naQJ/Rn5TzirMIINNQ6G"  # of random bytes that are lost

# bcrypt lets go of the interpreter lock, so a crowd that signs in would take every core: one stays free.
THREADS = max(1, (os.cpu_count() or 1) - 1)
_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="bcrypt")


def check_password_rule(plain: str) -> str | None:
    """What is wrong with a new password, in French, or None."""
    if len(plain) < SHORTEST:
        return f"Le mot de passe doit compter au moins {SHORTEST} caractères."
    try:
        length = len(plain.encode())
    except UnicodeEncodeError:
        return "Le mot de passe contient un caractère interdit."
    if "\0" in plain:
        return "Le mot de passe contient un caractère interdit."
    if length > LONGEST:
        return f"Le mot de passe dépasse {LONGEST} octets (une lettre accentuée en compte deux)."
    return None


async def hash_password(plain: str) -> str:
    """The hash to store; ValueError when the rule was not checked before."""
    if problem := check_password_rule(plain):
        raise ValueError(problem)
    return await asyncio.get_running_loop().run_in_executor(_threads, _hash, plain)


async def verify_password(plain: str, hash: str | None) -> bool:
    """Whether the password is right. An unknown account (no hash) takes as long as a wrong password."""
    matches = await asyncio.get_running_loop().run_in_executor(_threads, _verify, plain, hash or NOBODY)
    return matches and hash is not None


def _hash(plain: str) -> str:
    return bcrypt.hashpw(plain.encode(), bcrypt.gensalt(COST)).decode()


def _verify(plain: str, hash: str) -> bool:
    try:
        password = plain.encode()
        # Checked here because releases of bcrypt differ: some refuse these, some cut or accept them.
        if len(password) > LONGEST or b"\0" in password:
            return False
        return bcrypt.checkpw(password, hash.encode())
    except ValueError:
        return False
