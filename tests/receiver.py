"""A receiver of webhooks on the loopback interface, and the verdict of the library of Standard Webhooks."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeVar

from standardwebhooks.webhooks import Webhook

S = TypeVar("S", bound=ThreadingHTTPServer)
AT_ONCE = "update evenement.webhook_suite set date_essai = now() where date_essai is not null"  # without the pause


@dataclass(frozen=True)
class Delivery:
    """A request that the receiver got."""

    id: str
    timestamp: str
    signature: str
    body: bytes

    @property
    def event(self) -> dict[str, Any]:
        return dict(json.loads(self.body))


class Receiver(ThreadingHTTPServer):
    """Stores each delivery, and answers with the status that `answer` returns for it."""

    daemon_threads = True
    protocol_version = "HTTP/1.1"

    def __init__(self, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.deliveries: list[Delivery] = []
        self.answer: Callable[[Delivery], int] = lambda _: 200
        self.location = ""
        self.url = f"http://127.0.0.1:{self.server_port}/recu"

    @property
    def numbers(self) -> list[int]:
        """The events in the order of their deliveries."""
        return [int(delivery.event["id"]) for delivery in self.deliveries]

    def accepted(self) -> list[int]:
        """The events in the order of their first delivery."""
        return list(dict.fromkeys(self.numbers))


class Handler(BaseHTTPRequestHandler):
    server: Receiver
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one segment for headers and body: the peer acknowledges the first of two after 40 ms

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        identifier, timestamp, signature = (
            self.headers[f"webhook-{name}"] for name in ("id", "timestamp", "signature")
        )
        delivery = Delivery(identifier, timestamp, signature, body)
        status = self.server.answer(delivery)
        self.server.deliveries.append(delivery)
        text = b"bien recu" if status == 200 else b"non"
        self.send_response(status)
        if self.server.location:
            self.send_header("location", self.server.location)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(server: S) -> Iterator[S]:
    """Serve in a thread during the block."""
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def receiving(port: int = 0) -> AbstractContextManager[Receiver]:
    return serving(Receiver(port))


def genuine(delivery: Delivery, keys: Sequence[str]) -> bool:
    """Whether one of the keys signed the delivery, at any time."""
    at = datetime.fromtimestamp(int(delivery.timestamp), UTC)
    expected = {Webhook(key).sign(delivery.id, at, delivery.body.decode()) for key in keys}
    return not expected.isdisjoint(delivery.signature.split())
