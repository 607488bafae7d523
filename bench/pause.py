"""Prints the longest pause of the event loop, in seconds, while a new process prints its first PDF.

    python -m bench.pause /api/v1/facturation/factures/1/pdf

It needs the environment of the service; JETON is the authorisation header.
"""

import asyncio
import os
import sys
import time

import httpx
import uvloop

from app.commands.application import factory

STEP = 0.001


async def longest_pause(path: str) -> float:
    application = factory()
    transport = httpx.ASGITransport(application)
    headers = {"authorization": os.environ["JETON"]}
    async with (
        application.router.lifespan_context(application),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers, timeout=60) as client,
    ):
        assert (await client.get(path.removesuffix("/pdf"))).status_code == 200  # the pool is open, the role is read
        watch = asyncio.create_task(_watch())
        await asyncio.sleep(0.1)
        answer = await client.get(path)
        watch.cancel()
        assert answer.status_code == 200, answer.text
        return max(_pauses)


_pauses: list[float] = []


async def _watch() -> None:
    while True:
        started = time.perf_counter()
        await asyncio.sleep(STEP)
        _pauses.append(time.perf_counter() - started - STEP)


if __name__ == "__main__":
    print(uvloop.run(longest_pause(sys.argv[1])))
