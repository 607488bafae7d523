"""The bounds of one socket, each with its limit made small."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from app.live import link as module
from app.live.link import Link

GONE = {"type": "websocket.disconnect", "code": 1008}


def play(scenario: Callable[[Link, asyncio.Queue[Any], list[str]], Awaitable[None]], send: Any = None) -> None:
    async def run() -> None:
        messages: asyncio.Queue[Any] = asyncio.Queue()
        said: list[str] = []

        async def farewell(link: Link) -> None:
            said.append(link.reason)

        async with asyncio.timeout(10):
            await scenario(Link(None, messages.get, send, farewell), messages, said)  # type: ignore[arg-type]

    asyncio.run(run())


def test_who_never_says_a_name_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HANDSHAKE_SECONDS", 0.05)

    async def scenario(link: Link, messages: asyncio.Queue[Any], said: list[str]) -> None:
        messages.put_nowait({"type": "websocket.connect"})
        assert (await link.receive())["type"] == "websocket.connect"
        assert await link.receive() == GONE
        assert await link.receive() == GONE
        assert said == [module.LATE]

    play(scenario)


def test_an_end_is_heard_by_who_waits_already() -> None:
    async def scenario(link: Link, messages: asyncio.Queue[Any], said: list[str]) -> None:
        waiting = asyncio.create_task(link.receive())
        await asyncio.sleep(0)
        link.end_at(asyncio.get_running_loop().time() + 3600, "plus tard")
        link.end("maintenant")
        assert await waiting == GONE
        link.end("encore")
        messages.put_nowait({"type": "websocket.receive", "text": "trop tard"})
        assert await link.receive() == GONE
        assert said == ["maintenant"]

    play(scenario)


def test_a_flood_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WINDOW", 3600.0)

    async def scenario(link: Link, messages: asyncio.Queue[Any], said: list[str]) -> None:
        for _ in range(module.MESSAGES + 1):
            messages.put_nowait({"type": "websocket.receive", "text": "3"})
        for _ in range(module.MESSAGES):
            assert (await link.receive())["text"] == "3"
        assert await link.receive() == GONE
        assert said == [module.FLOOD]

    play(scenario)


@pytest.mark.parametrize("text", ["", "2", "3[[[", "4", "4[[[", "43/x,1[]", "451-", "b!", None])
def test_what_a_client_has_no_reason_to_say_is_closed(text: str | None) -> None:
    async def scenario(link: Link, messages: asyncio.Queue[Any], said: list[str]) -> None:
        messages.put_nowait({"type": "websocket.receive", "text": text, "bytes": None if text is not None else b"4"})
        assert await link.receive() == GONE
        assert said == [module.UNREADABLE]

    play(scenario)


def test_a_reader_that_does_not_read_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SEND_SECONDS", 0.05)
    sent = []

    async def send(message: Any) -> None:
        sent.append(message["type"])
        if message["type"] == "websocket.send":
            await asyncio.Event().wait()

    async def scenario(link: Link, _: asyncio.Queue[Any], said: list[str]) -> None:
        receiving = asyncio.create_task(link.receive())
        with pytest.raises(TimeoutError):
            await link.send({"type": "websocket.send", "text": "x"})
        assert await receiving == GONE
        await link.send({"type": "websocket.close"})
        assert (len(said), sent) == (1, ["websocket.send", "websocket.close"])

    play(scenario, send)
