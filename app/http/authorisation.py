"""Authenticates a request by its token or its API key, and authorises it by the permission of its route."""

from app.auth.keys import SCHEME
from app.auth.throttle import Throttle, throttle_key
from app.auth.tokens import Claims
from app.base.refusal import Refusal, forbidden, unauthorized
from app.http import limits
from app.http.caller import Caller
from app.http.request import Request
from app.http.services import Services

OF_A_KEY = Throttle(1200, 60)  # calls with one key


async def authenticate(request: Request) -> None:
    """Set the request's claims from a valid bearer token that is not revoked, or from an API key, or raise 401."""
    services = request.services
    authorization = request.header(b"authorization")
    if authorization is not None and (key := authorization.partition(" ")[2].strip()).startswith(SCHEME):
        claims = await services.keys.find(key, request.address)
        if claims is not None:
            await limits.count(request, "cle", OF_A_KEY, throttle_key(claims.jti, ""))
    else:
        claims = services.tokens.bearer(authorization)
    if claims is None or await revoked(services, claims):
        raise unauthorized()
    request.claims = claims
    request.scope["comptoir.user"] = claims.sub


async def revoked(services: Services, claims: Claims) -> bool:
    """Whether the token, or the session from which it comes, is revoked."""
    denied = services.store.denied
    return await denied(claims.jti) or (claims.sid is not None and await denied(f"session-{claims.sid}"))


def refuse_keys(request: Request) -> None:
    """Refuse an API key at a route that belongs to a person."""
    if request.signed_in.key is not None:
        raise Refusal(403, "FORBIDDEN", "Une clé d'API ne donne pas accès à cette adresse : connectez-vous.")


async def require_second_factor(services: Services, caller: Caller) -> None:
    """Refuse a caller whose role must have a second factor (A2F_ROLES) and who has not enrolled one."""
    claims = caller.signed_in
    required = services.settings.second_factor_roles
    if not required or claims.second_factor or services.roles.of(claims) not in required:
        return
    row = await services.operation("auth.second_facteur_actif").run(caller, [])
    if row["corps"] != b"true":
        raise Refusal(403, "A2F_A_ENROLER", "Votre rôle demande un second facteur : enrôlez-en un (POST /auth/a2f).")


async def permit(request: Request, permission: str | None) -> None:
    """Refuse a caller whose present role, or API key, lacks the permission.

    If the known role has the permission, no query is needed: the operation itself checks that the role is still the
    caller's. Before a refusal, a query reads the caller's present role.
    """
    request.permission = permission
    if await refusal_of(request, permission):
        await request.services.operation("auth.moi").read(request, {})
        if refused := await refusal_of(request, permission):
            raise refused


async def refusal_of(request: Request, permission: str | None) -> Refusal | None:
    """The refusal of a caller whose known role, or API key, lacks the permission, or None."""
    claims, roles = request.signed_in, request.services.roles
    if await roles.allows(roles.of(claims), permission, claims.permissions):
        return None
    narrowed = claims.key is not None and await roles.allows(roles.of(claims), permission)
    return forbidden(permission, "Cette clé" if narrowed else "Votre rôle")
