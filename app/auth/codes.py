"""The codes of a second factor: TOTP (RFC 6238) and recovery codes."""

import hashlib
import hmac
import re
import time

import pyotp

PERIOD = 30  # seconds of one code
DRIFT = (0, -1, 1)  # steps by which the clock of a telephone may differ
RECOVERY_CODES = 10
RECOVERY_LETTERS = 16

_DIGITS = re.compile(r"[0-9]{6}")


def step_of(secret: str, code: str, now: float | None = None) -> int | None:
    """The step of a valid code, counted from 1970, or None."""
    if not _DIGITS.fullmatch(code):
        return None
    present = int(time.time() if now is None else now) // PERIOD
    totp = pyotp.TOTP(secret)
    for step in (present + drift for drift in DRIFT):
        if hmac.compare_digest(totp.generate_otp(step), code):
            return step
    return None


def new_recovery_codes() -> list[str]:
    """Codes of 80 random bits, in four groups that a person can copy."""
    codes = [pyotp.random_base32(32)[:RECOVERY_LETTERS] for _ in range(RECOVERY_CODES)]
    return ["-".join(re.findall(".{4}", code)) for code in codes]


def recovery_hash(code: str, secret: str) -> str:
    """The slow hash of a recovery code, however its groups and letters are typed. The factor's secret is the salt."""
    return hashlib.scrypt(_letters(code), salt=secret.encode(), n=1 << 14, r=8, p=1, dklen=32).hex()


def recovery_hashes(code: str, secret: str) -> list[str]:
    """The hashes of a recovery code, the last one for codes of earlier releases. Empty if it is no recovery code."""
    letters = _letters(code)
    if len(letters) != RECOVERY_LETTERS:
        return []
    return [recovery_hash(code, secret), hashlib.sha256(letters).hexdigest()]


def _letters(code: str) -> bytes:
    return re.sub(r"[^A-Z2-7]", "", code[:100].upper()).encode()
