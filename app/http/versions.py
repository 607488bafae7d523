"""Versions of a resource: the ETag of what is answered, If-None-Match of a reader, If-Match of a writer (RFC 9110)."""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec

from app.base.refusal import Refusal
from app.database import wire
from app.http.compression import CONDITIONS
from app.http.request import Request
from app.http.transaction import Transaction


def etag(body: bytes) -> str:
    """The strong ETag of an answer: a hash of its bytes, with all that is nested in it."""
    return f'"{hashlib.blake2b(body, digest_size=15).hexdigest()}"'


def memento(row: Any) -> dict[str, str]:
    """The header of an answer for a past instant (RFC 7089); none for the present. No write may depend on the version
    of a past state, so such an answer has no ETag."""
    return {"Memento-Datetime": row["memento"]} if "memento" in row else {}


def is_known(headers: Mapping[bytes, bytes], tag: str) -> bool:
    """Whether the reader has this version already (If-None-Match). Raises 412 where If-Match names another one."""
    wanted, known = _decide(headers, tag)
    if not wanted:
        raise _changed(None)
    return known


async def may_read(request: Request) -> bool:
    """Whether the caller may see the present state of what it writes."""
    claims, roles, detail = request.signed_in, request.services.roles, request.detail
    return detail is not None and await roles.allows(roles.of(claims), detail.permission, claims.permissions)


async def check_version(request: Request, transaction: Transaction, *, readable: bool) -> None:
    """Raise 412 unless If-Match names the present version and If-None-Match does not. This version then stays until the
    end of the transaction.

    A resource that cannot be read has no version to name.
    """
    detail, keys = request.detail, request.scope["path_params"]
    if detail is None:
        wanted, unwanted = (request.headers.get(name) for name in CONDITIONS)
        if (wanted or b"*").strip() != b"*" or (unwanted or b"").strip() == b"*":
            raise _changed(None)
        return
    operation = detail.operation
    values = operation.arguments.check({name: keys[name] for name in operation.names if name in keys}, None)
    name, value = next(reversed(keys.items()), (None, None))
    await transaction.run(wire.HOLD, (False, *transaction.context, operation.function.qualified, name, value))
    present = (await transaction.call(operation, values))["corps"]
    named, known = _decide(request.headers, etag(present))
    if known or not named:
        raise _changed({"actuel": msgspec.Raw(present)} if readable else None)


def _decide(headers: Mapping[bytes, bytes], tag: str) -> tuple[bool, bool]:
    """Whether If-Match allows this version, which it does when it is absent, and whether If-None-Match names it."""
    wanted, unwanted = (headers.get(name) for name in CONDITIONS)
    return wanted is None or _matches(wanted, tag, weak=False), _matches(unwanted or b"", tag, weak=True)


def _matches(condition: bytes, tag: str, *, weak: bool) -> bool:
    tags = [part.strip() for part in condition.decode("latin-1").split(",")]
    if weak:
        tags = [part.removeprefix("W/") for part in tags]
    return tag in tags or "*" in tags


def _changed(details: Any) -> Refusal:
    message = "Modifié entre-temps : relisez l'état présent, puis recommencez."
    return Refusal(412, "MODIFIE_ENTRE_TEMPS", message, details)
