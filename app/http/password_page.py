"""The page behind the link of an e-mail: the holder of the token chooses a password.

The token is in the fragment (`#`) of the address, which browsers do not send to servers.
"""

from __future__ import annotations

from pathlib import Path

from starlette.routing import BaseRoute

from app.base.settings import PASSWORD_PAGE
from app.http.static import file_route, page_headers

_FILES = Path(__file__).parent / "public"


def routes() -> list[BaseRoute]:
    headers = page_headers(script="'self'", connect="'self'")
    return [
        file_route(PASSWORD_PAGE, _FILES / "password.html", headers),
        file_route(f"{PASSWORD_PAGE}/page.js", _FILES / "password.js"),
        file_route("/page.css", _FILES / "page.css"),  # of the public page of a document too
    ]
