"""Tries at the password or the code of an account: their pauses, their rows, and the letter to the owner."""

from datetime import UTC, datetime
from typing import Any

from app.auth.kvstore import Hit, paused
from app.auth.throttle import PASSWORDS, too_many_attempts
from app.base.refusal import Refusal
from app.http import limits
from app.http.request import Request
from app.jobs import letters

PASSWORD, CODE = "mot-de-passe", "a2f"  # names of the quotas


async def attempt(request: Request, key: str, quota: str = PASSWORD) -> int:
    """Count a try and return the seconds to wait if it is wrong.

    The try is counted before the check, so that concurrent requests get no extra tries.
    """
    counted = await request.services.store.attempt(key)
    if not counted.allowed:
        raise pause(request, counted.retry_after, quota)
    if request.claims is not None:
        announce(request, counted, quota)
    return counted.retry_after


def pause(request: Request, seconds: int, quota: str = PASSWORD) -> Refusal:
    """The refusal of a try during a pause. The login names the quota of its account only here."""
    announce(request, paused(seconds), quota)
    return too_many_attempts(seconds)


def announce(request: Request, hit: Hit, quota: str = PASSWORD) -> None:
    limits.announce(request.scope, quota, PASSWORDS, hit)


async def failed(request: Request, user: str, login: str, *, code: bool = False) -> None:
    """Record a failed try, in the background of its answer, and write to the owner where that is due."""
    queueing = request.services.settings.queueing
    flags = ["true" if flag else "false" for flag in (code, queueing)]
    values = [user, request.address, agent(request), *flags]
    due = await request.call("auth.connexion_echouee", values)
    if due and not queueing:
        await warn(request, letters.WRONG_CODES, login, {"adresse": request.address})


async def warn(request: Request, letter: str, login: str, facts: dict[str, Any]) -> None:
    """Warn the owner of an account, without a queue. The letter is lost if this process dies."""
    rows = await request.call("auth.destinataire", [login])
    if rows:
        moment = datetime.now(UTC).strftime("%d/%m/%Y à %H h %M (UTC)")
        await letters.warn(request.services.mailer, letter, letters.Recipient(**rows[0]), {"quand": moment, **facts})


def agent(request: Request) -> str | None:
    text = request.header(b"user-agent")
    return text and text.replace("\0", "")[:500]
