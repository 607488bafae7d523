"""The limits of one socket, each tested with a small value."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from app.live import link as module
from app.live.link import Link

GONE = {"type": "websocket.disconnect", "code": 1008}


def run_scenario(scenario: Callable[[Link, asyncio.Queue[Any], list[str]], Awaitable[None]], send: Any = None) -> None:
    async def run() -> None:
        messages: asyncio.Queue[Any] = asyncio.Queue()
        reasons: list[str] = []

        async def farewell(link: Link) -> None:
            reasons.append(link.reason)

        async with asyncio.timeout(10):
            await scenario(Link(None, messages.get, send, farewell), messages, reasons)  # type: ignore[arg-type]

    asyncio.run(run())


def test_a_client_without_handshake_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HANDSHAKE_SECONDS", 0.05)

    async def scenario(link: Link, messages: asyncio.Queue[Any], reasons: list[str]) -> None:
        messages.put_nowait({"type": "websocket.connect"})
        assert (await link.receive())["type"] == "websocket.connect"
        assert await link.receive() == GONE
        assert await link.receive() == GONE
        assert reasons == [module.LATE]

    run_scenario(scenario)


def test_ending_a_link_wakes_its_waiting_receiver() -> None:
    async def scenario(link: Link, messages: asyncio.Queue[Any], reasons: list[str]) -> None:
        waiting = asyncio.create_task(link.receive())
        await asyncio.sleep(0)
        link.end_at(asyncio.get_running_loop().time() + 3600, "plus tard")
        link.end("maintenant")
        assert await waiting == GONE
        link.end("encore")
        messages.put_nowait({"type": "websocket.receive", "text": "trop tard"})
        assert await link.receive() == GONE
        assert reasons == ["maintenant"]

    run_scenario(scenario)


def test_a_flood_of_messages_closes_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WINDOW", 3600.0)

    async def scenario(link: Link, messages: asyncio.Queue[Any], reasons: list[str]) -> None:
        for _ in range(module.MESSAGES + 1):
            messages.put_nowait({"type": "websocket.receive", "text": "3"})
        for _ in range(module.MESSAGES):
            assert (await link.receive())["text"] == "3"
        assert await link.receive() == GONE
        assert reasons == [module.FLOOD]

    run_scenario(scenario)


@pytest.mark.parametrize("text", ["", "2", "3[[[", "4", "4[[[", "43/x,1[]", "451-", "b!", None])
def test_a_message_that_no_client_sends_closes_the_socket(text: str | None) -> None:
    async def scenario(link: Link, messages: asyncio.Queue[Any], reasons: list[str]) -> None:
        messages.put_nowait({"type": "websocket.receive", "text": text, "bytes": None if text is not None else b"4"})
        assert await link.receive() == GONE
        assert reasons == [module.UNREADABLE]

    run_scenario(scenario)


def test_a_client_that_reads_nothing_is_disconnected_after_the_send_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SEND_SECONDS", 0.05)
    sent = []

    async def send(message: Any) -> None:
        sent.append(message["type"])
        if message["type"] == "websocket.send":
            await asyncio.Event().wait()

    async def scenario(link: Link, _: asyncio.Queue[Any], reasons: list[str]) -> None:
        receiving = asyncio.create_task(link.receive())
        with pytest.raises(TimeoutError):
            await link.send({"type": "websocket.send", "text": "x"})
        assert await receiving == GONE
        await link.send({"type": "websocket.close"})
        assert (len(reasons), sent) == (1, ["websocket.send", "websocket.close"])

    run_scenario(scenario, send)
