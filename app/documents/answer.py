"""A document of one row: the operation says everything that is printed, the template says how.

The operation's answer names its `fichier`; a `largeur` in it is the paper's, in millimetres, else the pages are A4.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from app.documents.exports import MEDIA, file_name

if TYPE_CHECKING:
    from app.http.endpoint import Answer, Operation, Request
    from app.http.route import Route


async def answer(route: Route, operation: Operation, request: Request, outside: Mapping[str, Any]) -> Answer:
    """The PDF, or the page itself where the route answers HTML."""
    from app.http.endpoint import Answer

    row = await operation.run(request, operation.arguments.check(outside, None))
    data = msgspec.json.decode(row["corps"])
    html = await asyncio.to_thread(_page, str(route.template), data)
    if route.media == "text/html":
        return Answer(200, html.encode(), HTML_HEADERS, "text/html; charset=utf-8")
    body = await request.services.renderer.pdf(html, data.get("largeur"))
    headers = {"Content-Disposition": f'inline; filename="{file_name(data["fichier"])}.pdf"'}
    return Answer(200, body, headers, MEDIA["pdf"])


async def pdf(template: str, operation: Operation, request: Request, outside: Mapping[str, Any]) -> tuple[str, bytes]:
    """The name and the bytes of a document that goes elsewhere than into an answer."""
    row = await operation.run(request, operation.arguments.check(outside, None))
    data = msgspec.json.decode(row["corps"])
    html = await asyncio.to_thread(_page, template, data)
    body = await request.services.renderer.pdf(html, data.get("largeur"))
    return f"{file_name(data['fichier'])}.pdf", body


def _page(template: str, data: Any) -> str:
    from app.documents.templates import render  # read by the first document, in its thread, and not at the start

    return render(template, data)


# The page brings everything with it: whatever a text in it tries, nothing is loaded and nothing runs.
HTML_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox"}
