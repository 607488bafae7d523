"""Versions of a resource: the ETag of what is answered, If-None-Match of a reader, If-Match of a writer (RFC 9110)."""

import hashlib
from typing import Any

import msgspec

from app.base.refusal import Refusal
from app.database import wire
from app.http.request import Request
from app.http.transaction import Transaction


def etag(body: bytes) -> str:
    """The strong ETag of an answer: a hash of its bytes, with all that is nested in it."""
    return f'"{hashlib.blake2b(body, digest_size=15).hexdigest()}"'


def memento(row: Any) -> dict[str, str]:
    """The header of an answer for a past instant (RFC 7089); none for the present. No write may depend on the version
    of a past state, so such an answer has no ETag."""
    return {"Memento-Datetime": row["memento"]} if "memento" in row else {}


def is_known(request: Request, tag: str) -> bool:
    """Whether the caller has this version already (If-None-Match)."""
    return _matches(request.header(b"if-none-match"), tag, weak=True)


async def may_read(request: Request) -> bool:
    """Whether the caller may see the present state of what it writes."""
    claims, roles, detail = request.signed_in, request.services.roles, request.detail
    return detail is not None and await roles.allows(roles.of(claims), detail.permission, claims.permissions)


async def check_version(request: Request, transaction: Transaction, *, readable: bool) -> None:
    """Raise 412 unless If-Match names the present version, which then stays until the end of the transaction.

    A resource that cannot be read has no version to name.
    """
    wanted, detail, keys = request.header(b"if-match"), request.detail, request.scope["path_params"]
    if detail is None:
        if (wanted or "").strip() != "*":
            raise _changed(None)
        return
    operation = detail.operation
    values = operation.arguments.check({name: keys[name] for name in operation.names if name in keys}, None)
    name, value = next(reversed(keys.items()), (None, None))
    await transaction.run(wire.HOLD, (False, *transaction.context, operation.function.qualified, name, value))
    present = (await transaction.call(operation, values))["corps"]
    if not _matches(wanted, etag(present), weak=False):
        raise _changed({"actuel": msgspec.Raw(present)} if readable else None)


def _matches(wanted: str | None, tag: str, *, weak: bool) -> bool:
    tags = [part.strip() for part in (wanted or "").split(",")]
    if weak:
        tags = [part.removeprefix("W/") for part in tags]
    return tag in tags or "*" in tags


def _changed(details: Any) -> Refusal:
    message = "Modifié entre-temps : relisez l'état présent, puis recommencez."
    return Refusal(412, "MODIFIE_ENTRE_TEMPS", message, details)
