"""Whether a request may pass: its token, then the permission that its route asks for."""

from __future__ import annotations

from app.base.refusal import forbidden, unauthorized
from app.http.request import Request


async def authenticate(request: Request) -> None:
    """Take the claims of a bearer token that is valid and not revoked."""
    services = request.services
    claims = services.tokens.bearer(request.header(b"authorization"))
    if claims is None or await services.store.denied(claims.jti):
        raise unauthorized()
    request.claims = claims
    request.scope["comptoir.user"] = claims.sub


async def permit(request: Request, permission: str | None) -> None:
    """Refuse a caller whose present role lacks the permission. A role that holds it costs no round trip: the operation
    checks that it is still the caller's. Before a refusal the database says which role the caller has."""
    request.permission = permission
    claims, roles = request.signed_in, request.services.roles
    if not await roles.allows(roles.of(claims), permission):
        account = request.services.operation("auth.moi")
        await account.run(request, account.arguments.check({}, None))
        if not await roles.allows(roles.of(claims), permission):
            raise forbidden(permission)
