"""The connection to a browser: a caller that leaves and a browser that dies harm no other command.

The browser here is `cat`: each command comes back as its own answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from pyppeteer.errors import NetworkError

from app.documents.pipe import Pipe, spawn
from tests.server import until

ECHO = ("/bin/sh", "-c", "exec cat <&3 >&4")


def with_pipe(folder: Path, story: Callable[[Pipe], Awaitable[None]]) -> None:
    async def run() -> None:
        process = await spawn(ECHO, folder)
        pipe = Pipe(process)
        try:
            async with asyncio.timeout(20):
                await story(pipe)
                await pipe.dispose()
                await process.wait()
                await until(lambda: len(asyncio.all_tasks()) == 1)  # no task of the connection remains
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    asyncio.run(run())


def test_the_answer_to_a_cancelled_caller_does_not_stop_the_reading(tmp_path: Path) -> None:
    async def story(pipe: Pipe) -> None:
        await pipe.send("Browser.getVersion")
        pipe.send("Browser.getVersion").cancel()
        assert await pipe.send("Browser.getVersion") is None

    with_pipe(tmp_path, story)


def test_a_command_to_a_closed_browser_fails_at_once(tmp_path: Path) -> None:
    async def story(pipe: Pipe) -> None:
        await pipe.send("Browser.getVersion")
        waiting = pipe.send("Browser.getVersion")
        await pipe.dispose()
        with pytest.raises(NetworkError):
            await waiting
        with pytest.raises(ConnectionError):
            await pipe.send("Browser.getVersion")

    with_pipe(tmp_path, story)


def test_a_cancelled_caller_does_not_hide_the_end_of_the_browser(tmp_path: Path) -> None:
    async def story(pipe: Pipe) -> None:
        await pipe.send("Browser.getVersion")
        pipe.send("Browser.getVersion").cancel()
        waiting = pipe.send("Browser.getVersion")
        await pipe.dispose()
        with pytest.raises(NetworkError):
            await waiting

    with_pipe(tmp_path, story)
