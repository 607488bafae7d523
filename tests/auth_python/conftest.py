"""A store and a server that hangs. Tests that are coroutines run in asyncio; a file of such tests is marked `anyio`."""

import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from app.auth.redisstore import RedisStore
from bench.valkey import Valkey


@dataclass
class Clock:
    """A clock that the test moves."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def opened(
    url: str, patience: float = 10, clock: Callable[[], float] = time.monotonic
) -> AsyncIterator[RedisStore]:
    store = RedisStore(url, patience, clock)
    try:
        yield store
    finally:
        await store.close()


def send_signal(server: Valkey, number: signal.Signals) -> None:
    assert server._child is not None
    os.kill(int((server.data / server.pid_file).read_text()), number)
    if number == signal.SIGKILL:
        server._child.wait()  # a dying process looks stopped before it has ended


@contextmanager
def hanging(server: Valkey) -> Iterator[None]:
    send_signal(server, signal.SIGSTOP)
    try:
        yield
    finally:
        send_signal(server, signal.SIGCONT)
