"""The limits of one socket, each tested with a small value."""

import asyncio
from functools import wraps
from typing import Any

import pytest

from app.live import link as module
from app.live.link import Link

GONE = {"type": "websocket.disconnect", "code": 1008}


class Ends:
    """The messages of the client of a link, and the reasons for which the link has closed the socket."""

    def __init__(self):
        self.messages: asyncio.Queue[Any] = asyncio.Queue()
        self.reasons: list[str] = []

    def link(self, send=None):
        async def farewell(link):
            self.reasons.append(link.reason)

        return Link(None, self.messages.get, send, farewell)

    def sends(self, text, data=None):
        self.messages.put_nowait({"type": "websocket.receive", "text": text, "bytes": data})


@pytest.fixture
def ends():
    return Ends()


def scenario(test):
    @wraps(test)
    def run(**fixtures):
        asyncio.run(asyncio.wait_for(test(**fixtures), 10))

    return run


@scenario
async def test_a_client_without_handshake_is_closed(ends, monkeypatch):
    monkeypatch.setattr(module, "HANDSHAKE_SECONDS", 0.05)
    link = ends.link()
    ends.messages.put_nowait({"type": "websocket.connect"})
    assert (await link.receive())["type"] == "websocket.connect"
    assert [await link.receive(), await link.receive()] == [GONE, GONE]
    assert ends.reasons == [module.LATE]


@scenario
async def test_ending_a_link_wakes_its_waiting_receiver(ends):
    link = ends.link()
    waiting = asyncio.create_task(link.receive())
    await asyncio.sleep(0)
    link.end("plus tard", asyncio.get_running_loop().time() + 3600)
    link.end("maintenant")
    assert await waiting == GONE
    link.end("encore")
    ends.sends("trop tard")
    assert await link.receive() == GONE
    assert ends.reasons == ["maintenant"]


@scenario
async def test_a_flood_of_messages_closes_the_socket(ends, monkeypatch):
    monkeypatch.setattr(module, "WINDOW", 3600.0)
    link = ends.link()
    for _ in range(module.MESSAGES + 1):
        ends.sends("3")
    for _ in range(module.MESSAGES):
        assert (await link.receive())["text"] == "3"
    assert await link.receive() == GONE
    assert ends.reasons == [module.FLOOD]


@scenario
async def test_a_message_that_no_client_sends_closes_the_socket(ends):
    texts = ("", "2", "3[[[", "4", "4[[[", "43/x,1[]", "451-", "b!", None)
    for text in texts:
        ends.sends(text, None if text is not None else b"4")
        assert await ends.link().receive() == GONE
    assert ends.reasons == [module.UNREADABLE] * len(texts)


@scenario
async def test_a_client_that_reads_nothing_is_disconnected_after_the_send_timeout(ends, monkeypatch):
    monkeypatch.setattr(module, "SEND_SECONDS", 0.05)
    sent = []

    async def send(message):
        sent.append(message["type"])
        if message["type"] == "websocket.send":
            await asyncio.Event().wait()

    link = ends.link(send)
    receiving = asyncio.create_task(link.receive())
    with pytest.raises(TimeoutError):
        await link.send({"type": "websocket.send", "text": "x"})
    assert await receiving == GONE
    await link.send({"type": "websocket.close"})
    assert (len(ends.reasons), sent) == (1, ["websocket.send", "websocket.close"])
