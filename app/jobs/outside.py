"""Speaks to the systems of others on behalf of an account: payment providers, tax platforms.

The database claims what is to be said, an adapter says it outside any transaction, and the answer goes back with the
claim. Permitted addresses, no redirect, bounded time and bytes; what they write may be anything.
"""

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

import aiohttp
import msgspec
from psycopg import sql
from psycopg_pool import AsyncConnectionPool

from app.auth.encrypted import SecretError
from app.base.settings import Settings
from app.jobs.addresses import ForbiddenAddress, Resolver, refuse_literal

TIMEOUT = 10.0  # seconds for one exchange; a claim of the database holds for a minute
ANSWER = 256 * 1024  # bytes

Reply = tuple[int, dict[str, Any]]  # a status, and a JSON object
Run = Callable[[str, list[str | None]], Awaitable[Any]]  # an operation of the slice jobs, in a transaction of its own


class Lost(Exception):
    """No usable answer: the other side may have acted. The message is French."""


class Nothing(Lost):
    """The other side did nothing: it did not accept the keys, or had no time."""


async def speak(run: Run, steps: tuple[str, str], number: str, answer: Callable[[Any], Awaitable[Any]]) -> None:
    """Claim, speak and finish, by the operations of `steps`; again while the last one says so."""
    take, finish = steps
    while (row := await run(take, [number])) and row["action"] is not None:
        try:
            fact = await answer(row)
        except (Lost, SecretError) as error:
            done = isinstance(error, Lost) and not isinstance(error, Nothing)
            fact = {"etat": "PERDUE" if done else "RIEN", "motif": str(error)}
        if not await run(finish, [number, row["prise"], msgspec.json.encode(fact).decode()]):
            return


def by_pool(pool: AsyncConnectionPool) -> Run:
    """Operations as the worker runs them."""

    async def run(name: str, values: list[str | None]) -> Any:
        places = sql.SQL(", ").join([sql.Placeholder()] * len(values))
        query = sql.SQL("select to_json({}({}))::text").format(sql.Identifier(*name.split(".")), places)
        async with pool.connection() as connection:
            row = await (await connection.execute(query, values)).fetchone()
        return msgspec.json.decode(row[0]) if row and row[0] else None

    return run


async def call(
    settings: Settings, method: str, url: str, headers: Mapping[str, str], *, json: Any = None, form: Any = None
) -> Reply:
    """An answer. Raises Lost without one, Nothing where nothing was done."""
    networks = settings.webhook_networks
    connector = aiohttp.TCPConnector(resolver=Resolver(networks), use_dns_cache=False)
    content = b""
    try:
        if settings.production and not url.lower().startswith("https://"):
            raise Nothing("L'adresse d'un fournisseur s'écrit https://.")
        refuse_literal(url, networks)
        async with (
            aiohttp.ClientSession(connector=connector, timeout=aiohttp.ClientTimeout(TIMEOUT)) as session,
            session.request(method, url, headers=headers, json=json, data=form, allow_redirects=False) as answer,
        ):
            while (chunk := await answer.content.readany()) and len(content) <= ANSWER:
                content += chunk
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError) as error:
        cause = getattr(error, "os_error", error)
        if isinstance(cause, ForbiddenAddress):
            raise Nothing(str(cause)) from None
        raise Lost(f"Le fournisseur n'a pas répondu ({type(error).__name__}).") from None
    if answer.status in (401, 403, 429):
        raise Nothing(f"Le fournisseur n'accepte pas l'appel ({answer.status}) : vérifiez les clés du compte.")
    if answer.status >= 500 or 300 <= answer.status < 400 or len(content) > ANSWER:
        raise Lost(f"Le fournisseur a mal répondu ({answer.status}).")
    return answer.status, decoded(content)


def decoded(content: bytes) -> dict[str, Any]:
    """A JSON object; its numbers are Decimal. Raises Lost for anything else."""
    try:
        return msgspec.json.Decoder(dict[str, Any], float_hook=Decimal).decode(content or b"{}")
    except (msgspec.MsgspecError, ValueError, InvalidOperation, RecursionError):  # also numbers and depths of no use
        raise Lost("Ce n'est pas du JSON lisible.") from None


def part(whole: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An object inside an answer, empty where there is none."""
    return inner if isinstance(inner := whole.get(name), dict) else {}


def text(value: Any, size: int = 200) -> str | None:
    """A text or a number, as a printable text of bounded size."""
    shown = "".join(filter(str.isprintable, str(value))) if isinstance(value, str | int | Decimal) else ""
    return shown.strip()[:size] or None


def amount(value: Any) -> Decimal | None:
    """None for nothing, and for 0. Raises Lost for what is no amount."""
    try:
        number = Decimal(str(value or 0))
        if not 0 <= number < 10**12 or number != round(number, 2):
            raise InvalidOperation
    except InvalidOperation:
        raise Lost("Le fournisseur a répondu un montant illisible.") from None
    return number or None


def moment(value: Any) -> str | None:
    """A moment, of UTC where it has no zone. None for what is not readable."""
    try:
        read = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).isoformat()


def signed(key: str, content: bytes, signatures: Sequence[str]) -> bool | None:
    """Whether one of the signatures is the HMAC-SHA256 of the content, in hexadecimal. None without a key."""
    expected = hmac.new(key.encode(), content, hashlib.sha256).hexdigest()
    return any([hmac.compare_digest(expected, s.lower()) for s in signatures if s.isascii()]) if key else None
