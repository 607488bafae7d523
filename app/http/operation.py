"""An operation: a function of the catalogue, called with checked arguments in the context of a caller."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import asyncpg
import msgspec

from app.auth.passwords import hash_password
from app.base.refusal import Refusal, forbidden, unauthorized
from app.database import wire
from app.database.catalogue import Catalogue, Function
from app.database.errors import RoleChanged
from app.http.arguments import Arguments
from app.http.caller import Caller, Place

T = TypeVar("T")
P = ParamSpec("P")
Context: TypeAlias = tuple[Any, ...]  # the first arguments of a statement: the caller, as core.contexte takes them

log = logging.getLogger("comptoir.jobs")


async def in_context(
    caller: Caller, work: Callable[Concatenate[Context, P], Awaitable[T]], *arguments: P.args, **named: P.kwargs
) -> T:
    """Call `work` with the context of the caller, then these arguments. If the caller's role has changed since the
    check of its permission, check the present role and call it again."""
    roles, claims = caller.services.roles, caller.claims
    for _ in range(3):
        user, role = (int(claims.sub), roles.of(claims)) if claims else (None, None)
        origin = (claims.epoque, claims.key, claims.sid) if claims else (None, None, None)
        try:
            return await work((user, role, caller.address, caller.id, *origin), *arguments, **named)
        except RoleChanged as changed:
            roles.remember(caller.signed_in.sub, changed.role)
            if not await roles.allows(changed.role, caller.permission, claims.permissions if claims else None):
                raise forbidden(caller.permission) from None
    raise unauthorized()


class Operation:
    """One function: the checker of its arguments, and the statements that call it, for every organisation."""

    def __init__(
        self,
        function: Function,
        catalogue: Catalogue,
        champs: str | None = None,
        *,
        stale: bool = False,
        waits: bool = False,
    ) -> None:
        self.function = function
        self._stale = stale
        # A stable or immutable function cannot write. One that waits for writers is volatile and does not write either.
        self._reading = waits or function.volatility != "v"
        self.arguments = Arguments(function.accepted, catalogue.named(champs) if champs else None)
        self.names = [parameter.name for parameter in function.accepted]
        self._offset = self.names.index("offset") if function.paged else None
        self._plain = wire.statement(function)
        self._past = wire.statement(function, past=True) if function.instant else ""
        self._idempotent = wire.idempotent_statement(function)
        self._totalled: dict[tuple[tuple[str, ...], bool], str] = {}

    async def checked(self, outside: Mapping[str, Any], body: Mapping[str, Any]) -> list[str | None]:
        """The checked arguments of a write."""
        return await self.hash_passwords(self.arguments.check(outside, body))

    async def hash_passwords(self, values: list[str | None]) -> list[str | None]:
        """Replace passwords by their hashes, so that no plain password leaves this process."""
        for position in self.arguments.passwords:
            if (plain := values[position]) is not None:
                values[position] = await hash_password(plain)
        return values

    def without_passwords(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of a body, except the passwords."""
        hidden = {self.names[position] for position in self.arguments.passwords}
        return {name: value for name, value in body.items() if name not in hidden}

    async def run(
        self, caller: Caller, values: list[str | None], key: tuple[str, str] | None = None, cursor: str | None = None
    ) -> Any:
        """Run one statement, as its own transaction.

        `cursor` is the `suite` of the previous page of a list.
        """
        follows = cursor is not None or (self._offset is not None and values[self._offset] not in (None, "0"))
        statement, values = self.statement(values, cursor)
        return await in_context(caller, self._send, caller, statement, values, statement is self._past, key, follows)

    async def read(self, caller: Caller, outside: Mapping[str, Any]) -> Any:
        """Return the decoded answer to arguments from path and query."""
        return await self.answer(caller, self.arguments.check(outside, None))

    async def answer(self, caller: Caller, values: list[str | None]) -> Any:
        """Return the decoded answer of an operation that a handler calls."""
        row = await self.run(caller, values)
        return msgspec.json.decode(row["corps"]) if row["corps"] else None

    async def totalled(self, caller: Caller, values: list[str | None], names: tuple[str, ...]) -> Any:
        """Return the answer, and the sums of these columns of its lists."""
        values, instant = self._apart(values)
        past = bool(instant)
        if (names, past) not in self._totalled:
            self._totalled[names, past] = wire.totalled_statement(self.function, names, past=past)
        return await in_context(caller, self._send, caller, self._totalled[names, past], values + instant, past)

    async def _send(
        self,
        context: Context,
        caller: Caller,
        statement: str,
        values: list[str | None],
        past: bool,
        key: tuple[str, str] | None = None,
        follows: bool = False,
    ) -> Any:
        database = caller.services.database
        if key is not None:
            return await database.row(self._idempotent, (*context, *key, *values), caller)
        if self._stale and not past:  # a replica may not have reached a past instant
            return await database.stale_row(statement, (*context, *values), caller, follows=follows)
        return await database.row(statement, (*context, *values), caller, reading=self._reading)

    def statement(self, values: list[str | None], cursor: str | None) -> tuple[str, list[str | None]]:
        """The statement of these values, and its arguments."""
        values, instant = self._apart(values)
        if self.function.paged:
            values = [*values, cursor]
        return (self._past if instant else self._plain), values + instant

    def _apart(self, values: list[str | None]) -> tuple[list[str | None], list[str | None]]:
        """The values, and the instant where the last one gives an instant."""
        if not self._past:
            return values, []
        return values[:-1], values[-1:] if values[-1] is not None else []

    async def ask(self, services: Place, values: list[str | None], *, quick: bool = False) -> Any:
        """Return the decoded answer for the process itself: no request, no user. A `quick` write waits for no lock, so
        it does not queue behind settlements."""
        reading = quick or self._reading
        row = await services.database.row(self._plain, (*wire.NOBODY, *values), reading=reading)
        return msgspec.json.decode(row["corps"]) if row["corps"] else None


class Job(Operation):
    """An operation that counts the outcomes of its runs. A replay does not count.

    An unexpected error of PostgreSQL is answered with its message and its place, for the caller who may run the job.
    """

    def __init__(self, function: Function, catalogue: Catalogue, name: str) -> None:
        super().__init__(function, catalogue)
        self._name = name

    async def run(
        self, caller: Caller, values: list[str | None], key: tuple[str, str] | None = None, cursor: str | None = None
    ) -> Any:
        try:
            row = await super().run(caller, values, key, cursor)
        except Exception as error:
            await self._count(caller, "failed")
            cause = error.__cause__ if isinstance(error, Refusal) else error
            if not isinstance(cause, asyncpg.PostgresError) or not _is_unexpected(error, cause):
                raise
            log.exception("La tâche %s a échoué (requête %s)", self._name, caller.id)
            raise Refusal(
                500,
                "TACHE_ECHOUEE",
                f"La tâche « {self._name} » a échoué : {cause.args[0]}",
                {"sqlstate": cause.sqlstate, "contexte": getattr(cause, "context", None)},
            ) from cause
        if key is None or not row["rejoue"]:
            await self._count(caller, "succeeded")
        return row

    async def _count(self, caller: Caller, outcome: str) -> None:
        with suppress(Refusal):  # the counter is in the database, which may be down
            await caller.services.database.value(
                "select jobs.tache_compter($1, $2)", [self._name, outcome], reading=False
            )


def _is_unexpected(error: Exception, cause: asyncpg.PostgresError) -> bool:
    """Whether a job has failed by a fault and not by a rule. Its arguments are checked before it runs."""
    return error is cause or (cause.sqlstate or "").startswith(("22", "23502"))
