"""The document of one row: an operation returns all printed data, a template lays it out.

The answer's `fichier` is the file name. Its `largeur` is the width of the paper in millimetres; without it, pages are
A4. `site` is the public address of the service, to which its QR code leads.
"""

from __future__ import annotations

import asyncio
from typing import Any

from app.documents.document import MEDIA, Document, file_name
from app.documents.renderer import Renderer


async def page(template: str, data: Any, site: str) -> Document:
    """The document as an HTML page."""
    html = await asyncio.to_thread(_page, template, data, site)
    return Document(f"{file_name(data['fichier'])}.html", MEDIA["html"], html.encode())


async def pdf(renderer: Renderer, template: str, data: Any, site: str) -> Document:
    """The document as a PDF file."""
    html = await asyncio.to_thread(_page, template, data, site)
    body = await renderer.pdf(html, data.get("largeur"))
    return Document(f"{file_name(data['fichier'])}.pdf", MEDIA["pdf"], body)


async def png(renderer: Renderer, template: str, data: Any, site: str) -> Document:
    """The document as a picture."""
    html = await asyncio.to_thread(_page, template, data, site)
    return Document(f"{file_name(data['fichier'])}.png", MEDIA["png"], await renderer.png(html))


def _page(template: str, data: Any, site: str) -> str:
    from app.documents.templates import render  # slow: imported by the first document, in its thread

    return render(template, data, site)
