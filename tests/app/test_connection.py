"""The transport joins all parts of an answer into one write, on uvloop as in production."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import uvloop

from app.http.protocol import JoinedWrites


def exchange(answer: Callable[[JoinedWrites], None]) -> tuple[bytes, list[dict[str, Any]]]:
    """Return what the caller receives, and the errors that the event loop reports."""

    async def exchange_once() -> tuple[bytes, list[dict[str, Any]]]:
        loop = asyncio.get_running_loop()
        errors: list[dict[str, Any]] = []
        loop.set_exception_handler(lambda _, context: errors.append(context))
        ended = loop.create_future()

        class Server(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                self.together = JoinedWrites(transport, loop)  # type: ignore[arg-type]

            def data_received(self, data: bytes) -> None:
                answer(self.together)

            def connection_lost(self, exc: Exception | None) -> None:
                ended.set_result(None)

        server = await loop.create_server(Server, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b"asked")
        received = await reader.read()
        await ended
        await asyncio.sleep(0)  # lets the event loop finish its work for this connection
        writer.close()
        await writer.wait_closed()
        server.close()
        return received, errors

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(exchange_once())


def test_parts_written_before_close_arrive_in_order() -> None:
    def answer(together: JoinedWrites) -> None:
        for part in (b"head ", b"body ", b"more"):
            together.write(part)
        together.close()

    assert exchange(answer) == (b"head body more", [])


def test_a_write_after_close_is_ignored() -> None:
    def answer(together: JoinedWrites) -> None:
        together.close()
        together.write(b"late")

    assert exchange(answer) == (b"", [])
