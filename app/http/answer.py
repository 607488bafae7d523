"""The answer to a request: status, headers, and a body from memory or from the store."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.types import Send

from app.files.storage import Stored


@dataclass(slots=True)
class Answer:
    """Status, headers, and a body: JSON, another media type, or a stream from the store."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    media_type: str = "application/json"
    stream: Stored | None = None


async def respond(send: Send, answer: Answer) -> None:
    """Send status, headers and body. Without its own Cache-Control, an answer must not be cached."""
    stream = answer.stream
    headers = []
    if answer.status != 304:
        headers.append((b"content-length", str(stream.size if stream else len(answer.body)).encode()))
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
