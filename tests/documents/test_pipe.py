"""The connection to a browser: a caller that leaves and a browser that dies harm no other command.

The browser here is `cat`: each command comes back as its own answer.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pyppeteer.errors import NetworkError

from app.documents.pipe import Pipe, spawn
from tests.server import in_a_loop, until

VERSION = "Browser.getVersion"
ECHO = ("/bin/sh", "-c", "exec cat <&3 >&4")


@asynccontextmanager
async def piped(folder: Path) -> AsyncIterator[Pipe]:
    """A connection that has answered one command."""
    process = await spawn(ECHO, folder)
    pipe = Pipe(process)
    try:
        async with asyncio.timeout(20):
            await pipe.send(VERSION)
            yield pipe
            await pipe.dispose()
            await process.wait()
            await until(lambda: len(asyncio.all_tasks()) == 1)  # no task of the connection remains
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@in_a_loop
async def test_the_answer_to_a_cancelled_caller_does_not_stop_the_reading(tmp_path: Path) -> None:
    async with piped(tmp_path) as pipe:
        pipe.send(VERSION).cancel()
        assert await pipe.send(VERSION) is None


@in_a_loop
async def test_a_command_to_a_closed_browser_fails_at_once(tmp_path: Path) -> None:
    async with piped(tmp_path) as pipe:
        waiting = pipe.send(VERSION)
        await pipe.dispose()
        with pytest.raises(NetworkError):
            await waiting
        with pytest.raises(ConnectionError):
            await pipe.send(VERSION)


@in_a_loop
async def test_a_cancelled_caller_does_not_hide_the_end_of_the_browser(tmp_path: Path) -> None:
    async with piped(tmp_path) as pipe:
        pipe.send(VERSION).cancel()
        waiting = pipe.send(VERSION)
        await pipe.dispose()
        with pytest.raises(NetworkError):
            await waiting


@in_a_loop
async def test_the_browser_inherits_no_secret_of_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRETS_CLE", "drawn at random")
    process = await spawn(("/bin/sh", "-c", "env >&4"), tmp_path)
    inherited = (await process.communicate())[0].decode()
    assert "PATH=" in inherited and "SECRETS_CLE" not in inherited
