"""Which ids a process delivers: each id once, whether PostgreSQL notified it, the process missed it or retries it."""

import asyncio
from types import SimpleNamespace

import pytest

from app.base.refusal import unavailable
from app.http.requestlog import RequestLog
from app.http.services import Serving
from app.live import feed as module
from app.live import sockets
from app.live.feed import Feed
from app.live.sockets import Sockets


class MemoryFeed(Feed):
    """The feed over a set of ids in memory, without sockets and without a database."""

    def __init__(self, *ids):
        super().__init__(None, None, lambda _: True)
        self.table = set(ids)
        self.sent: list[int] = []
        self.fails = False

    async def _ask(self, name, *values):
        assert name == "notification.recentes"
        after = int(values[0]) if values[0] is not None else max(self.table, default=0) - 1000
        return [str(key) for key in sorted(self.table) if key > after]

    async def _deliver(self, ids):
        if self.fails:
            raise unavailable()
        self.sent += ids

    def deliver(self, *notified, catch_up=False):
        before = len(self.sent)
        self._announced |= set(notified)
        self._catch_up |= catch_up
        asyncio.run(self._deliver_new())
        return self.sent[before:]


@pytest.fixture
def feed():
    """A feed that started when the table had one row."""
    feed = MemoryFeed(1)
    feed.deliver()
    return feed


def test_ids_from_before_the_start_are_not_delivered():
    feed = MemoryFeed(1, 2, 3)
    assert feed.deliver() == []
    feed.table |= {4, 5}
    assert feed.deliver(4, 5) == [4, 5]
    assert feed.deliver(catch_up=True) == []


def test_missed_ids_are_delivered_once_and_in_order(feed):
    feed.table |= {2, 3, 4}
    assert feed.deliver(3) == [3]
    assert feed.deliver(2, catch_up=True) == [2, 4]
    assert feed.deliver(2, 3, 4, catch_up=True) == []


def test_an_id_notified_during_the_start_is_delivered():
    assert MemoryFeed(1, 2, 3).deliver(3) == [3]


def test_the_first_row_of_an_empty_table_is_delivered():
    feed = MemoryFeed()
    assert feed.deliver() == []
    feed.table.add(1)
    assert feed.deliver(catch_up=True) == [1]


def test_a_failed_delivery_is_retried(feed):
    feed.table.add(2)
    feed.fails = True
    with pytest.raises(Exception, match="indisponible"):
        feed.deliver(2)
    feed.fails = False
    assert feed.deliver(catch_up=True) == [2]


@pytest.mark.parametrize("last", [10**17, 4000])
def test_an_id_beyond_the_table_resets_the_position_without_repeating_ids(last):
    """The database was restored from a backup, or another program sent the NOTIFY. Old ids are not delivered again."""
    feed = MemoryFeed(*range(1, 3001))
    feed.deliver()
    feed.deliver(last)
    assert feed.deliver(catch_up=True) == []
    feed.table.add(3001)
    assert feed.deliver(catch_up=True) == [3001]


def test_ten_thousand_ids_are_delivered_in_batches_with_bounded_memory(feed):
    feed.table |= set(range(2, 10_002))
    assert feed.deliver(catch_up=True) == list(range(2, 10_002))
    assert len(feed._delivered) <= 4 * module.OVERLAP
    assert feed.deliver(catch_up=True) == []


def test_a_payload_that_is_not_an_id_is_ignored():
    feed = MemoryFeed()
    for payload in ("", "x", "-1", "1.5", "٣", "9" * 19):
        feed.notified(payload)
    assert feed._announced == set()


def test_a_process_at_its_socket_limit_refuses_the_handshake_with_503(monkeypatch, capfdbinary):
    monkeypatch.setattr(sockets, "SOCKETS", 0)
    sent = []

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message)

    log = RequestLog()
    services = SimpleNamespace(settings=SimpleNamespace(cors_origines=(), trusted_proxies=()), log=log)
    asyncio.run(Sockets(Serving(services))({"type": "websocket", "headers": []}, receive, send))
    log.write()
    assert sent == [{"type": "websocket.close"}]
    assert b'"status":503' in capfdbinary.readouterr().out
