"""Which ids a process delivers: each once, whatever was told, missed, or turned back."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from app.base.refusal import unavailable
from app.http.requestlog import RequestLog
from app.live import feed as module
from app.live import sockets
from app.live.audience import Audience
from app.live.feed import Feed
from app.live.sockets import Sockets


class OwnFeed(Feed):
    """Over a table of ids, without sockets and without a database."""

    def __init__(self, *ids: int) -> None:
        super().__init__(None, Audience(), None)  # type: ignore[arg-type]
        self.table = set(ids)
        self.out: list[int] = []
        self.fails = False

    async def _ask(self, name: str, *values: Any) -> Any:
        assert name == "notification.recentes"
        after = int(values[0]) if values[0] is not None else max(self.table, default=0) - 1000
        return [str(one) for one in sorted(self.table) if one > after]

    async def _deliver(self, ids: list[int]) -> None:
        if self.fails:
            raise unavailable()
        self.out += ids

    def turn(self, *told: int, catch_up: bool = False) -> list[int]:
        before = len(self.out)
        self._announced |= set(told)
        self._catch_up |= catch_up
        asyncio.run(self._deliver_new())
        return self.out[before:]


def test_the_past_is_no_news() -> None:
    feed = OwnFeed(1, 2, 3)
    assert feed.turn() == []
    feed.table |= {4, 5}
    assert feed.turn(4, 5) == [4, 5]
    assert feed.turn(catch_up=True) == []


def test_what_was_missed_is_found_in_order_and_once() -> None:
    feed = OwnFeed(1)
    feed.turn()
    feed.table |= {2, 3, 4}
    assert feed.turn(3) == [3]
    assert feed.turn(2, catch_up=True) == [2, 4]
    assert feed.turn(2, 3, 4, catch_up=True) == []


def test_what_is_told_during_the_start_is_news() -> None:
    assert OwnFeed(1, 2, 3).turn(3) == [3]


def test_an_empty_table_then_its_first_rows() -> None:
    feed = OwnFeed()
    assert feed.turn() == []
    feed.table |= {1}
    assert feed.turn(catch_up=True) == [1]


def test_a_delivery_that_fails_is_made_again() -> None:
    feed = OwnFeed(1)
    feed.turn()
    feed.table |= {2}
    feed.fails = True
    with pytest.raises(Exception, match="indisponible"):
        feed.turn(2)
    feed.fails = False
    assert feed.turn(catch_up=True) == [2]


@pytest.mark.parametrize("last", [10**17, 4000])
def test_a_last_id_that_is_beyond_the_table_starts_anew(last: int) -> None:
    """A database restored from before, or a NOTIFY that somebody made up: the past is not told a second time."""
    feed = OwnFeed(*range(1, 3001))
    feed.turn()
    feed.turn(last)
    feed.out.clear()
    assert feed.turn(catch_up=True) == []
    feed.table.add(3001)
    assert feed.turn(catch_up=True) == [3001]


def test_many_are_cut_into_batches_and_memory_is_bounded() -> None:
    feed = OwnFeed(1)
    feed.turn()
    feed.table |= set(range(2, 10_002))
    assert feed.turn(catch_up=True) == list(range(2, 10_002))
    assert len(feed._delivered) <= 4 * module.OVERLAP
    assert feed.turn(catch_up=True) == []


@pytest.mark.parametrize("payload", ["", "x", "-1", "1.5", "٣", "9" * 19])
def test_a_payload_that_is_no_id_is_nothing(payload: str) -> None:
    feed = OwnFeed()
    feed.notified(payload)
    assert feed._announced == set()


def test_a_full_process_refuses_before_it_accepts(monkeypatch: pytest.MonkeyPatch, capfdbinary: Any) -> None:
    monkeypatch.setattr(sockets, "SOCKETS", 0)
    sent = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    async def connect() -> None:
        settings = SimpleNamespace(cors_origines=(), trusted_proxies=())
        log = RequestLog()
        channel = Sockets(SimpleNamespace(settings=settings, log=log))  # type: ignore[arg-type]
        await channel({"type": "websocket", "headers": []}, receive, send)
        log.write()

    asyncio.run(connect())
    assert sent == [{"type": "websocket.close"}]
    assert b'"status":503' in capfdbinary.readouterr().out
