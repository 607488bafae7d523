"""The RateLimit and RateLimit-Policy headers of an answer (draft-ietf-httpapi-ratelimit-headers).

Each throttle that counted a request announces what is left of its quota. The middleware adds both headers to every
answer of that request, so that a success, a refusal and a 429 carry them alike.
"""

from typing import Any

from starlette.types import Scope

from app.auth.kvstore import Hit
from app.auth.throttle import Throttle, too_many_attempts
from app.http.request import Request

KEY = "comptoir.limits"  # in the scope: name → throttle and verdict


async def count(request: Request, name: str, throttle: Throttle, key: str) -> None:
    """Count one call of this key, and announce the quota `name`. Raises 429 above the limit."""
    counted = await request.services.store.hit(key, throttle.limit, throttle.seconds)
    announce(request.scope, name, throttle, counted)
    if not counted.allowed:
        raise too_many_attempts(counted.retry_after)


def announce(scope: Scope, name: str, throttle: Throttle, hit: Hit) -> None:
    """Announce the quota `name`. A later call with the same name replaces the earlier one."""
    scope.setdefault(KEY, {})[name] = (throttle, hit)


def headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Both headers, as structured fields: lists of names with their parameters."""
    limits: dict[str, tuple[Throttle, Hit]] | Any = scope.get(KEY)
    if not limits:
        return []
    policies = [f'"{name}";q={throttle.limit};w={throttle.seconds}' for name, (throttle, _) in limits.items()]
    rests = [f'"{name}";r={hit.left};t={hit.reset}' for name, (_, hit) in limits.items()]
    return [(b"ratelimit-policy", ", ".join(policies).encode()), (b"ratelimit", ", ".join(rests).encode())]
