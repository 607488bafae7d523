"""Authenticates a request by its token, and authorises it by the permission of its route."""

from __future__ import annotations

from app.base.refusal import forbidden, unauthorized
from app.http.request import Request


async def authenticate(request: Request) -> None:
    """Set the request's claims from a valid bearer token that is not revoked, or raise 401."""
    services = request.services
    claims = services.tokens.bearer(request.header(b"authorization"))
    if claims is None or await services.store.denied(claims.jti):
        raise unauthorized()
    request.claims = claims
    request.scope["comptoir.user"] = claims.sub


async def permit(request: Request, permission: str | None) -> None:
    """Refuse a caller whose present role lacks the permission.

    If the known role has the permission, no query is needed: the operation itself checks that the role is still the
    caller's. Before a refusal, a query reads the caller's present role.
    """
    request.permission = permission
    claims, roles = request.signed_in, request.services.roles
    if not await roles.allows(roles.of(claims), permission):
        account = request.services.operation("auth.moi")
        await account.run(request, account.arguments.check({}, None))
        if not await roles.allows(roles.of(claims), permission):
            raise forbidden(permission)
