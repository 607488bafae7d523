"""Documents that nothing renders yet: who may not see what is in one gets the refusal of its row, others a 503."""

from __future__ import annotations

from app.endpoint import Answer, Request
from app.errors import unavailable
from app.routes import Handler


def document(function: str, text: str) -> Handler:
    """The handler of a document made of what this operation answers; `text` says it to the API's readers."""

    async def answer(request: Request) -> Answer:
        operation = request.services.operation(function)
        await operation.run(request, operation.arguments.check(request.scope["path_params"], None))
        raise unavailable("RENDU_INDISPONIBLE", "Le rendu des documents n'est pas disponible.")

    answer.__doc__ = text
    return answer
