"""Passwords: bcrypt runs in its own threads, and every kind of failure gives the same answer."""

import asyncio
import threading
import time
from contextlib import nullcontext

import bcrypt
import psycopg
import pytest

from app.auth import passwords
from app.auth.passwords import common_passwords, hash_password, verify_password
from app.commands.application import read_catalogue
from app.database.catalogue import PgType
from app.http.values import password_problem
from tests.conftest import Db

PLAIN = "mot de passe à moi"
CHEAP = "$2b$04$Wb4A1Vzp6ledjFsLZookvObZX.Znw4u5loEhrFB.s1NoYsVW6FZda"  # of PLAIN, with cost 4


def verify(plain: str, hash: str | None) -> bool:
    return asyncio.run(verify_password(plain, hash))


def test_a_hash_has_cost_10_and_verifies_only_its_password() -> None:
    one, other = (asyncio.run(hash_password(PLAIN)) for _ in range(2))
    assert one.startswith("$2b$10$") and one != other
    assert verify(PLAIN, one) is True
    assert verify(PLAIN + " ", one) is False


def test_hashes_of_other_programs_are_verified() -> None:
    for prefix in ("$2a$", "$2b$", "$2y$"):
        assert verify(PLAIN, prefix + CHEAP[4:]), prefix


@pytest.mark.parametrize("plain", ["", "x" * 73, "é" * 37, "a\0b", PLAIN + "\0", "\ud800", "x" * 1_000_000])
def test_a_password_that_bcrypt_cannot_hash_fails(plain: str) -> None:
    assert verify(plain, CHEAP) is False
    assert verify(plain, None) is False


def test_a_password_is_the_same_in_each_form_of_its_letters() -> None:
    composed, decomposed = "mot de passe é", "mot de passe e\u0301"
    hash = asyncio.run(hash_password(decomposed))
    assert verify(composed, hash) and verify(decomposed, hash)
    former = bcrypt.hashpw(decomposed.encode(), bcrypt.gensalt(4)).decode()  # from before passwords had a normal form
    assert verify(decomposed, former)


def test_a_password_of_more_than_72_bytes_counts_to_its_end() -> None:
    hash = asyncio.run(hash_password("é" * 100))
    assert verify("é" * 100, hash) and not verify("é" * 99 + "e", hash)
    hash = bcrypt.hashpw(b"x" * 72, bcrypt.gensalt(4)).decode()
    assert verify("x" * 72, hash) and not verify("x" * 73, hash)


def test_a_damaged_hash_verifies_no_password() -> None:
    for hash in ("", "!", "$2b$10$court", "$2b$99$" + CHEAP[7:], CHEAP[:-1], "é" * 60, "\0" * 60):
        assert verify(PLAIN, hash) is False, hash


def test_an_unknown_account_costs_one_bcrypt_verification(monkeypatch: pytest.MonkeyPatch) -> None:
    costs: list[bytes] = []
    check = bcrypt.checkpw

    def recorded(password: bytes, hash: bytes) -> bool:
        costs.append(hash[:7])
        return check(password, hash)

    monkeypatch.setattr(bcrypt, "checkpw", recorded)
    assert verify(PLAIN, None) is False
    assert verify(PLAIN, "") is False
    assert costs == [b"$2b$10$"] * 2


def test_bcrypt_does_not_block_the_event_loop_and_uses_a_limited_number_of_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lock, working, most = threading.Lock(), 0, 0

    def slow(plain: str, hash: str) -> bool:
        nonlocal working, most
        with lock:
            working += 1
            most = max(most, working)
        time.sleep(0.01)
        with lock:
            working -= 1
        return True

    async def crowd() -> int:
        logins = asyncio.gather(*(verify_password(PLAIN, CHEAP) for _ in range(20)))
        turns = 0
        while not logins.done():
            turns += 1
            await asyncio.sleep(0.001)
        assert await logins == [True] * 20
        return turns

    monkeypatch.setattr(passwords, "_verify", slow)
    assert asyncio.run(crowd()) > 5
    assert 1 <= most <= passwords.THREADS


# ---- the rule for new passwords: a domain declares it, the API process applies it


@pytest.fixture(scope="module")
def clear(worker_url: str) -> PgType:
    return read_catalogue(worker_url).named("auth.mot_de_passe_clair")


@pytest.mark.parametrize("plain", ["lettres8", "é" * 40, "x" * 128, "e\u0301" * 128, "trois mots ici", "😀" * 8])
def test_the_password_rule_accepts_a_valid_password(clear: PgType, plain: str) -> None:
    assert password_problem(plain, clear) is None
    assert verify(plain, asyncio.run(hash_password(plain)))


@pytest.mark.parametrize(("plain", "words"), [
    ("", "au moins 8 caractères"),
    ("1234567", "au moins 8 caractères"),
    ("é" * 7, "au moins 8 caractères"),
    ("e\u0301" * 7, "au moins 8 caractères"),
    ("x" * 129, "128 caractères"),
    (" " * 8, "espaces seulement"),
    ("1234567\0", "caractère interdit"),
    ("1234567\ud800", "caractère interdit"),
    ("motdepasse", "trop courant"),
    ("12345678", "trop courant"),
    ("Password1", "trop courant"),
    (" iloveyou1 ", "trop courant"),
])  # fmt: skip
def test_the_password_rule_refuses_in_french(clear: PgType, plain: str, words: str) -> None:
    assert words in (password_problem(plain, clear) or "")


def test_a_text_that_is_no_password_is_not_hashed() -> None:
    for plain in ("x" * 513, "1234567\0", "1234567\ud800"):
        with pytest.raises(ValueError, match=r"."):
            asyncio.run(hash_password(plain))


def test_the_list_of_common_passwords_holds_only_allowed_lengths(clear: PgType) -> None:
    """Each line has an allowed length and the lower-case form of a lookup."""
    words = common_passwords()
    assert 8000 < len(words) < 10_000
    assert all(word == word.strip().lower() and 8 <= len(word) <= 128 for word in words)


def test_the_api_and_the_database_apply_the_same_length_limits(db: Db, clear: PgType) -> None:
    """PostgreSQL and the API process accept and refuse the same lengths, here with passwords that are not common."""
    for plain in ("1234567", "a-b-c-d-", "é" * 128, "é" * 129, " " * 8, "x" * 128, "x" * 129):
        accepted = password_problem(plain, clear) is None
        violation = nullcontext() if accepted else pytest.raises(psycopg.errors.CheckViolation)
        with violation, db.connection.transaction():
            db.one("select %s::auth.mot_de_passe_clair", [plain])
