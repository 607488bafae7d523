"""A connection that runs LISTEN. It is checked when idle and reopened with growing pauses."""

import asyncio
import logging
import random
from collections.abc import Callable

import asyncpg

from app.database.errors import LOST
from app.database.pool import ROLE

PATIENCE = 5.0  # seconds for a connection and for an answer
IDLE = 30.0  # seconds between two checks of the connection
PAUSES = (0.2, 5.0)  # seconds before a retry: the first pause and the longest

log = logging.getLogger("comptoir.ecoute")


async def listen(url: str, channel: str, on_payload: Callable[[str], None], on_start: Callable[[], None]) -> None:
    """Call `on_payload` with each payload of NOTIFY on a channel, forever.

    `on_start` is called each time that listening starts, because earlier payloads may have been missed.
    """
    pause = PAUSES[0]
    while True:
        try:
            connection = await asyncpg.connect(
                url,
                timeout=PATIENCE,
                statement_cache_size=0,  # PgBouncer would lose a prepared statement
                server_settings={"role": ROLE, "application_name": "comptoir-direct"},
            )
            try:
                lost = asyncio.Event()
                connection.add_termination_listener(lambda _, lost=lost: lost.set())
                await connection.add_listener(channel, lambda _, _pid, _name, payload: on_payload(str(payload)))
                on_start()
                pause = PAUSES[0]
                while not lost.is_set():
                    try:
                        async with asyncio.timeout(IDLE):
                            await lost.wait()
                    except TimeoutError:  # only a query reveals that the server's machine is gone
                        await connection.fetchval("select 1", timeout=PATIENCE)
            finally:
                connection.terminate()
        except (asyncpg.PostgresError, *LOST) as error:
            log.warning("L'écoute du canal %s s'interrompt : %s", channel, str(error) or repr(error))
        await asyncio.sleep(pause * random.uniform(0.5, 1))  # noqa: S311 - jitter
        pause = min(pause * 2, PAUSES[1])
