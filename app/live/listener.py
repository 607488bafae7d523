"""The connection of this process that listens: kept alive, opened again, with a longer and longer pause."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from typing import Any

import asyncpg

from app.database.errors import LOST
from app.database.pool import ROLE

CHANNEL = "comptoir_notification"
PATIENCE = 5.0  # seconds for connecting, and for an answer
IDLE = 30.0  # seconds without a word before the server is asked whether it is still there
PAUSES = (0.2, 5.0)  # seconds before another try, the first and the longest

log = logging.getLogger("comptoir.live")


async def listen(url: str, told: Callable[[str], None], began: Callable[[], None]) -> None:
    """Pass on what NOTIFY says, forever; `began` runs each time that listening starts, as words were missed before."""
    pause = PAUSES[0]
    while True:
        try:
            connection = await asyncpg.connect(
                url, timeout=PATIENCE, server_settings={"role": ROLE, "application_name": "comptoir-direct"}
            )
            try:
                lost = asyncio.Event()
                connection.add_termination_listener(lambda _, lost=lost: lost.set())
                await connection.add_listener(CHANNEL, _payload(told))
                began()
                pause = PAUSES[0]
                while not lost.is_set():
                    try:
                        async with asyncio.timeout(IDLE):
                            await lost.wait()
                    except TimeoutError:  # a machine that vanished says nothing: only asking tells
                        await connection.fetchval("select 1", timeout=PATIENCE)
            finally:
                connection.terminate()
        except (asyncpg.PostgresError, *LOST) as error:
            log.warning("L'écoute des notifications s'interrompt : %s", str(error) or repr(error))
        await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 - jitter
        pause = min(pause * 2, PAUSES[1])


def _payload(told: Callable[[str], None]) -> Callable[..., None]:
    def listener(_connection: Any, _pid: int, _channel: str, payload: object) -> None:
        told(str(payload))

    return listener
