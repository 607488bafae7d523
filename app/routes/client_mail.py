"""What client sends by mail: the former address of an account is told that another one takes its place."""

from __future__ import annotations

import msgspec

from app.http.answer import Answer
from app.http.request import Request
from app.http.write import write
from app.jobs import letters


async def modify(request: Request) -> Answer:
    body = await request.json()
    told = await _address(request, body["email"]) if "email" in body else None
    row, headers = await write(request, request.operation, "PATCH")
    if told is not None:
        request.services.background.later(letters.tell_moved(request.services.mailer, told))
    return Answer(200, row["corps"], headers)


async def _address(request: Request, email: object) -> letters.Recipient | None:
    """Whom the change concerns, read before it. What is no address at all is refused by the change itself."""
    operation = request.services.operation("auth.adresse_avis")
    given = {**request.scope["path_params"], "email": email if isinstance(email, str) else None}
    row = await operation.run(request, operation.arguments.check(given, None))
    found = msgspec.json.decode(row["corps"])
    return letters.Recipient(**found[0]) if found else None
