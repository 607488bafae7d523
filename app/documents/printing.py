"""A document of one row: the operation says everything that is printed, the template says how.

The operation's answer names its `fichier`; a `largeur` in it is the paper's, in millimetres, else the pages are A4.
"""

from __future__ import annotations

import asyncio
from typing import Any

from app.documents.document import MEDIA, Document, file_name
from app.documents.renderer import Renderer


async def page(template: str, data: Any) -> Document:
    """The HTML page of this data, for a printer that takes pages."""
    html = await asyncio.to_thread(_page, template, data)
    return Document(f"{file_name(data['fichier'])}.html", MEDIA["html"], html.encode())


async def pdf(renderer: Renderer, template: str, data: Any) -> Document:
    """The same page as a PDF."""
    html = await asyncio.to_thread(_page, template, data)
    body = await renderer.pdf(html, data.get("largeur"))
    return Document(f"{file_name(data['fichier'])}.pdf", MEDIA["pdf"], body)


def _page(template: str, data: Any) -> str:
    from app.documents.templates import render  # read by the first document, in its thread, and not at the start

    return render(template, data)
