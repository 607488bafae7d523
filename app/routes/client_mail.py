"""The e-mail of client: a warning to the former address of an account when its address changes."""

from __future__ import annotations

import msgspec

from app.http.answer import Answer
from app.http.request import Request
from app.http.write import write
from app.jobs import letters


async def modify(request: Request) -> Answer:
    body = await request.json()
    former = await _address(request, body["email"]) if "email" in body else None
    row, headers = await write(request, request.operation, "PATCH")
    rehearsed = bool(headers)
    if former is not None and not rehearsed:
        request.services.background.later(letters.send_address_changed(request.services.mailer, former))
    return Answer(200, row["corps"], headers)


async def _address(request: Request, email: object) -> letters.Recipient | None:
    """The recipient at the former address, read before the change. The change itself refuses an invalid address."""
    operation = request.services.operation("auth.adresse_avis")
    arguments = {**request.scope["path_params"], "email": email if isinstance(email, str) else None}
    row = await operation.run(request, operation.arguments.check(arguments, None))
    rows = msgspec.json.decode(row["corps"])
    return letters.Recipient(**rows[0]) if rows else None
