"""The document of one row: an operation returns all printed data, a template lays it out.

The answer's `fichier` is the file name. Its `largeur` is the width of the paper in millimetres; without it, pages are
A4. `site` is the public address of the service, to which its QR code leads.
"""

import asyncio
from typing import Any

from app.documents.document import MEDIA, Document, file_name
from app.documents.renderer import Renderer


async def document(renderer: Renderer, kind: str, template: str, data: Any, site: str) -> Document:
    """The document as a file of this kind: `html`, `pdf` or `png`."""
    html = await asyncio.to_thread(_page, template, data, site)
    if kind == "html":
        body = html.encode()
    else:
        body = await (renderer.png(html) if kind == "png" else renderer.pdf(html, data.get("largeur")))
    return Document(f"{file_name(data['fichier'])}.{kind}", MEDIA[kind], body)


def _page(template: str, data: Any, site: str) -> str:
    from app.documents.templates import render  # slow: imported by the first document, in its thread

    return render(template, data, site)
