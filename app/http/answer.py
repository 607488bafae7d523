"""The answer to a request: status, headers, and a body from memory or a stream."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Protocol

from starlette.types import Send


class Stream(Protocol):
    """A body that is read while it is sent."""

    @property
    def size(self) -> int | None:
        """Bytes, or None if the size is known only at the end."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...
    async def aclose(self) -> None: ...


@dataclass(slots=True)
class Answer:
    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    media_type: str = "application/json"
    stream: Stream | None = None


async def respond(send: Send, answer: Answer) -> None:
    """Send status, headers and body. Without its own Cache-Control, an answer must not be cached."""
    stream = answer.stream
    headers = []
    size = stream.size if stream else len(answer.body)
    if answer.status != 304 and size is not None:
        headers.append((b"content-length", str(size).encode()))
    if "Cache-Control" not in answer.headers:
        headers.append((b"cache-control", b"no-store"))
    if answer.body or stream:
        headers.append((b"content-type", answer.media_type.encode()))
    headers += [(name.lower().encode(), value.encode("latin-1")) for name, value in answer.headers.items()]
    start = {"type": "http.response.start", "status": answer.status, "headers": headers}
    if stream is None:
        await send(start)
        await send({"type": "http.response.body", "body": answer.body})
        return
    try:
        await send(start)
        async for chunk in stream:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body"})
    finally:
        await stream.aclose()
