"""Sends the events to the webhooks, in order, signed as the Standard Webhooks specification says."""

import base64
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import aiohttp
from psycopg.rows import class_row
from psycopg.types.json import Jsonb
from psycopg_pool import AsyncConnectionPool
from standardwebhooks.webhooks import Webhook

from app.auth.encrypted import WEBHOOK, SecretError, Secrets
from app.base.settings import IpNetwork
from app.jobs.addresses import ForbiddenAddress, Resolver, refuse_literal

TIMEOUT = 10.0  # seconds for one delivery
ANSWER = 500  # bytes of an answer that are kept
BATCH = 100  # events read at once
PATIENCE = 1.0  # seconds after which the deliveries made so far are recorded
TRIAL = '{"id":"0","type":"evenement.essai","version":1,"donnees":{}}'
SHIFT = 30.0  # seconds after which a webhook with more to send lets others go first


@dataclass(frozen=True, slots=True)
class Sent:
    """The outcome of one delivery. `code` is None without an answer; `text` then says what went wrong."""

    code: int | None
    milliseconds: int
    text: str

    @property
    def accepted(self) -> bool:
        return self.code is not None and 200 <= self.code < 300


class Sender:
    """Posts events. It connects only to permitted addresses and follows no redirect."""

    def __init__(self, networks: Sequence[IpNetwork], secrets: Secrets, *, encrypted: bool) -> None:
        self._networks = networks
        self._secrets = secrets
        self._encrypted = encrypted  # whether http:// is refused
        self.resolver = Resolver(networks)
        self._session: aiohttp.ClientSession | None = None

    def refuse(self, url: str) -> None:
        """Raise ForbiddenAddress for a URL that is known to be forbidden before its name is resolved."""
        if self._encrypted and not url.lower().startswith("https://"):
            raise ForbiddenAddress("Un webhook s'écrit https:// : les événements ne partent que chiffrés.")
        refuse_literal(url, self._networks)

    async def send(self, url: str, keys: Sequence[str], number: int, body: str) -> Sent:
        """Send an event, signed with keys that are encrypted."""
        started = time.monotonic()
        try:
            self.refuse(url)
            clear = [self._secrets.decrypt(key, WEBHOOK) for key in keys]
            code, text = await self._post(url, body.encode(), _headers(clear, number, body))
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError, SecretError) as error:
            code, text = None, _reason(error)
        return Sent(code, round((time.monotonic() - started) * 1000), text)

    async def _post(self, url: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
        if self._session is None:
            connector = aiohttp.TCPConnector(resolver=self.resolver, use_dns_cache=False)
            self._session = aiohttp.ClientSession(
                connector=connector,
                timeout=aiohttp.ClientTimeout(TIMEOUT),
                cookie_jar=aiohttp.DummyCookieJar(),  # a cookie of one receiver is not sent to another
            )
        async with self._session.post(url, data=body, headers=headers, allow_redirects=False) as answer:
            return answer.status, (await answer.content.read(ANSWER)).decode(errors="replace").replace("\0", "")

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None


def new_key() -> str:
    """32 random bytes, as the Standard Webhooks specification writes them."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def _headers(keys: Sequence[str], number: int, body: str) -> dict[str, str]:
    now = datetime.now(UTC)
    name = f"evt_{number}"
    return {
        "Content-Type": "application/json",
        "User-Agent": "Comptoir",
        "webhook-id": name,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(Webhook(key).sign(name, now, body) for key in keys),
    }


def _reason(error: Exception) -> str:
    """A French sentence for a delivery without an answer."""
    for cause in (error, error.__cause__, getattr(error, "os_error", None)):
        if isinstance(cause, ForbiddenAddress | SecretError):
            return str(cause)
    if isinstance(error, TimeoutError):
        return f"Pas de réponse en {TIMEOUT:.0f} s."
    return f"Connexion impossible ({type(error).__name__})."


@dataclass(frozen=True, slots=True)
class Lot:
    """A row of jobs.webhook_lot."""

    url: str | None
    cles: list[str]
    identifiants: list[int]
    corps: list[str]
    depuis: int | None
    jusqu_a: int | None


async def deliver(pool: AsyncConnectionPool, sender: Sender, id_webhook: int) -> None:
    """Send the events of one webhook until none is left, one is not accepted, or its shift is over."""
    end = time.monotonic() + SHIFT
    while time.monotonic() < end:
        lot = await _read(pool, id_webhook)
        if lot.url is None or not await _send(pool, sender, id_webhook, lot.url, lot, end):
            return


async def _read(pool: AsyncConnectionPool, id_webhook: int) -> Lot:
    async with pool.connection() as connection, connection.cursor(row_factory=class_row(Lot)) as cursor:
        await cursor.execute("select * from jobs.webhook_lot(%s, %s)", [id_webhook, BATCH])
        [lot] = await cursor.fetchall()
    return lot


async def _send(pool: AsyncConnectionPool, sender: Sender, id_webhook: int, url: str, lot: Lot, end: float) -> bool:
    """Send the events in order, up to the first one that is not accepted. Return whether there may be more to send."""
    outcomes: list[tuple[int, Sent]] = []
    place, recorded = lot.depuis, time.monotonic()
    last = place  # the last accepted event
    for number, body in zip(lot.identifiants, lot.corps, strict=True):
        outcome = await sender.send(url, lot.cles, number, body)
        outcomes.append((number, outcome))
        last = number if outcome.accepted else last
        now = time.monotonic()
        if not outcome.accepted or now > end:
            await _record(pool, id_webhook, outcomes, place, last)
            return False
        if now - recorded > PATIENCE:
            if not await _record(pool, id_webhook, outcomes, place, number):
                return False
            outcomes, place, recorded = [], number, now
    # All were accepted: the next read begins after the events that the filter left out too.
    more = await _record(pool, id_webhook, outcomes, place, lot.jusqu_a)
    return more and len(lot.identifiants) == BATCH


async def _record(
    pool: AsyncConnectionPool, id_webhook: int, outcomes: list[tuple[int, Sent]], place: int | None, last: int | None
) -> bool:
    """Record deliveries, and that those up to `last` are done. Return False if the webhook was stopped or set back."""
    rows = [
        {"id_evenement": number, "reussi": o.accepted, "code": o.code, "duree_ms": o.milliseconds, "reponse": o.text}
        for number, o in outcomes
    ]
    statement = """select jobs.webhook_noter(
        %s, array(select e from jsonb_populate_recordset(null::jobs.webhook_envoi, %s) e), %s, %s)"""
    async with pool.connection() as connection:
        row = await (await connection.execute(statement, [id_webhook, Jsonb(rows), place, last])).fetchone()
    return bool(row and row[0])
