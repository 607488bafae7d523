"""The e-mail of client: a warning to the former address of an account when its address changes.

The transaction of the change queues it. Without a queue, this process sends it after the answer.
"""

from __future__ import annotations

import msgspec

from app.http.answer import Answer
from app.http.request import Request
from app.http.write import write
from app.jobs import letters

SUPPLIED = ("avis_en_file",)


async def modify(request: Request) -> Answer:
    services, body = request.services, await request.json()
    queueing = services.settings.queueing
    supplied = dict.fromkeys(SUPPLIED, "true" if queueing else "false")
    former = await _address(request, body["email"]) if "email" in body and not queueing else None
    row, headers = await write(request, request.operation, "PATCH", supplied)
    rehearsed = bool(headers)
    if former is not None and not rehearsed:
        services.background.later(letters.warn(services.mailer, letters.ADDRESS_CHANGED, former, {}))
    return Answer(200, row["corps"], headers)


async def _address(request: Request, email: object) -> letters.Recipient | None:
    """The recipient at the former address, read before the change. The change itself refuses an invalid address."""
    operation = request.services.operation("auth.adresse_avis")
    arguments = {**request.scope["path_params"], "email": email if isinstance(email, str) else None}
    row = await operation.run(request, operation.arguments.check(arguments, None))
    rows = msgspec.json.decode(row["corps"])
    return letters.Recipient(**rows[0]) if rows else None
