"""An answer in one write, on the loop that serves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import uvloop

from app.http.protocol import Together


def exchange(answer: Callable[[Together], None]) -> tuple[bytes, list[dict[str, Any]]]:
    """What a caller receives before the end, and what the loop complains of."""

    async def calls() -> tuple[bytes, list[dict[str, Any]]]:
        loop = asyncio.get_running_loop()
        complaints: list[dict[str, Any]] = []
        loop.set_exception_handler(lambda _, context: complaints.append(context))
        ended = loop.create_future()

        class Server(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                self.together = Together(transport, loop)  # type: ignore[arg-type]

            def data_received(self, data: bytes) -> None:
                answer(self.together)

            def connection_lost(self, exc: Exception | None) -> None:
                ended.set_result(None)

        server = await loop.create_server(Server, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b"asked")
        received = await reader.read()
        await ended
        await asyncio.sleep(0)  # what the loop had still to do for this connection
        writer.close()
        await writer.wait_closed()
        server.close()
        return received, complaints

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(calls())


def test_all_that_was_written_before_the_end_arrives_in_its_order() -> None:
    def answer(together: Together) -> None:
        for part in (b"head ", b"body ", b"more"):
            together.write(part)
        together.close()

    assert exchange(answer) == (b"head body more", [])


def test_what_is_written_after_the_end_troubles_nobody() -> None:
    def answer(together: Together) -> None:
        together.close()
        together.write(b"late")

    assert exchange(answer) == (b"", [])
