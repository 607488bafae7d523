"""The registry as a process follows it: every organisation in memory, kept up to date by LISTEN.

While the registry is down, the process goes on with what it knows.
"""

import asyncio
import logging
from contextlib import suppress

import asyncpg
import msgspec

from app.base import tasks
from app.database.errors import LOST
from app.database.listener import listen
from app.database.pool import Pool
from app.leaves.organisations.organisation import Organisation

CHANNEL = "annuaire"
PATIENCE = 30.0  # seconds to read the registry at the start
REVIEW = 30.0  # seconds between two reads of the revision, in case an announcement was lost
PAUSE = 1.0  # seconds before the next try when the registry does not answer
# The organisations with these codes, or all of them.
ROWS = """select coalesce(jsonb_agg(a), '[]')::text from organisation.annuaire a
           where $1::text[] is null or a.code = any($1)"""
REVISION = "select numero from organisation.revision"

log = logging.getLogger("comptoir.annuaire")


class Directory:
    """The organisations by code and by host name."""

    def __init__(self, url: str, pool: Pool) -> None:
        self._url, self._pool = url, pool
        self.by_code: dict[str, Organisation] = {}
        self.by_host: dict[str, Organisation] = {}
        self._revision = -1  # of the last reading of everything, or of later changes
        # The code of each organisation that has changed. An empty code means that any of them may have.
        self._announced: asyncio.Queue[str] = asyncio.Queue()
        self._ready = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Read the registry, and follow it from now on. Raises TimeoutError when it does not answer."""
        announce = self._announced.put_nowait
        self._tasks = [
            asyncio.create_task(listen(self._url, CHANNEL, announce, lambda: announce(""))),
            asyncio.create_task(self._follow()),
        ]
        async with asyncio.timeout(PATIENCE):
            await self._ready.wait()

    async def close(self) -> None:
        await asyncio.gather(*map(tasks.end, self._tasks), return_exceptions=True)

    async def _follow(self) -> None:
        codes = {""}
        while True:
            try:
                await self._read(codes)
                codes = set()
                with suppress(TimeoutError):
                    async with asyncio.timeout(REVIEW):
                        codes.add(await self._announced.get())
            except (asyncpg.PostgresError, *LOST) as error:
                log.warning("L'annuaire ne répond pas : %s", str(error) or repr(error))
                await asyncio.sleep(PAUSE)
            while not self._announced.empty():
                codes.add(self._announced.get_nowait())
            codes = codes or {""}

    async def _read(self, codes: set[str]) -> None:
        # The revision is read before the rows. A change in between is announced, and read again.
        (revision,) = await self._pool.fetchrow(REVISION)
        if codes == {""} and revision == self._revision:
            return
        (text,) = await self._pool.fetchrow(ROWS, None if "" in codes else list(codes))
        if "" in codes:
            codes = codes | self.by_code.keys()
        self._revision = revision
        present = msgspec.json.decode(text, type=list[Organisation])
        for code in codes | {organisation.code for organisation in present}:  # one without a row is gone
            known = self.by_code.pop(code, None)
            for host in known.hosts if known else ():
                if self.by_host.get(host) is known:  # another organisation may have it by now
                    del self.by_host[host]
        for organisation in present:
            self.by_code[organisation.code] = organisation
            self.by_host.update(dict.fromkeys(organisation.hosts, organisation))
        self._ready.set()
