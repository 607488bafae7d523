"""Gzip of long answers, and the ETag of the compressed form of a resource (RFC 9110, 8.8.3.3)."""

from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MINIMUM_BYTES = 1024  # a shorter answer fits into one packet
_COMPRESSED_ALREADY = (
    *DEFAULT_EXCLUDED_CONTENT_TYPES,
    "image/*",
    "application/pdf",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/octet-stream",
)
CONDITIONS = (b"if-match", b"if-none-match")  # headers with a list of tags
_SUFFIX = b'-gzip"'


class Compression:
    """Starlette's middleware, and the tags of compressed answers.

    A strong ETag names the bytes of an answer, so the tag of compressed bytes is another one: it ends in `-gzip`. The
    application sees and gives the tag without this end.
    """

    def __init__(self, app: ASGIApp, level: int) -> None:
        self.plain = app
        self.compressing = GZipMiddleware(app, MINIMUM_BYTES, level, exclude_content_types=_COMPRESSED_ALREADY)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = scope["headers"] if scope["type"] == "http" else []
        wanted = any(name == b"accept-encoding" and b"gzip" in value for name, value in headers)
        known = any(name in CONDITIONS and _SUFFIX in value for name, value in headers)
        if not (wanted or known):
            await self.plain(scope, receive, send)
            return
        scope["comptoir.gzip"] = wanted
        if known:
            scope["headers"] = [
                (name, value.replace(_SUFFIX, b'"') if name in CONDITIONS else value) for name, value in headers
            ]

        async def send_tagged(message: Message) -> None:
            if message["type"] == "http.response.start":
                compressed = (b"content-encoding", b"gzip") in message["headers"]
                if compressed or (known and message["status"] == 304):
                    message["headers"] = [
                        (name, value[:-1] + _SUFFIX if name == b"etag" else value) for name, value in message["headers"]
                    ]
            await send(message)

        await (self.compressing if wanted else self.plain)(scope, receive, send_tagged)
