"""The file of all that is kept of one client."""

from __future__ import annotations

from app.http.answer import Answer
from app.http.request import Request


async def data(request: Request) -> Answer:
    operation = request.operation
    row = await operation.run(request, operation.arguments.check(request.scope["path_params"], None))
    name = f"client-{request.scope['path_params'].get('id_client', 'moi')}.json"
    return Answer(200, row["corps"], {"Content-Disposition": f'attachment; filename="{name}"'})
