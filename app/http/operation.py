"""An operation: a function of the catalogue, called with checked arguments in the context of a caller."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol

import msgspec

from app.auth.passwords import hash_password
from app.auth.roles import Roles
from app.base.refusal import Refusal, forbidden, unauthorized
from app.database import wire
from app.database.catalogue import Catalogue, Function
from app.database.database import Database
from app.database.errors import RoleChanged
from app.http.arguments import Arguments
from app.http.caller import Caller


class Process(Protocol):
    """The services of the process that an operation needs."""

    catalogue: Catalogue
    database: Database
    roles: Roles


class Operation:
    """One function: the checker of its arguments, and the statements that call it."""

    def __init__(
        self,
        function: Function,
        process: Process,
        champs: str | None = None,
        *,
        stale: bool = False,
        waits: bool = False,
    ) -> None:
        self.function = function
        self._process = process
        self._stale = stale
        # A stable or immutable function cannot write. One that waits for writers is volatile and does not write either.
        self._reading = waits or function.volatility != "v"
        self.arguments = Arguments(function.parameters, process.catalogue.named(champs) if champs else None)
        self.names = [parameter.name for parameter in function.parameters]
        self._plain = wire.statement(function)
        self._idempotent = wire.idempotent_statement(function)
        self._totalled: dict[tuple[str, ...], str] = {}

    async def hash_passwords(self, values: list[str | None]) -> list[str | None]:
        """Replace passwords by their hashes, so that no plain password leaves this process."""
        for position in self.arguments.passwords:
            if (plain := values[position]) is not None:
                values[position] = await hash_password(plain)
        return values

    async def run(
        self, caller: Caller, values: list[str | None], key: tuple[str, str] | None = None, cursor: str | None = None
    ) -> Any:
        """Run one statement. If the user's role has changed since its check, check the present role and retry.

        `cursor` is the `suite` of the previous page of a list.
        """
        return await self._run(caller, self._plain, [*values, cursor] if self.function.paged else values, key)

    async def answer(self, caller: Caller, values: list[str | None]) -> Any:
        """Return the decoded answer of an operation that a handler calls."""
        row = await self.run(caller, values)
        return msgspec.json.decode(row["corps"]) if row["corps"] else None

    async def totalled(self, caller: Caller, values: list[str | None], names: tuple[str, ...]) -> Any:
        """Return the answer, and the sums of these columns of its lists."""
        if names not in self._totalled:
            self._totalled[names] = wire.totalled_statement(self.function, names)
        return await self._run(caller, self._totalled[names], values)

    async def _run(
        self, caller: Caller, plain: str, values: list[str | None], key: tuple[str, str] | None = None
    ) -> Any:
        database, roles, claims = self._process.database, self._process.roles, caller.claims
        for _ in range(3):
            user, role = (int(claims.sub), roles.of(claims)) if claims else (None, None)
            epoch, key_id = (claims.epoque, claims.key) if claims else (None, None)
            context = (user, role, caller.address, caller.id, epoch, key_id)
            try:
                if key is None:
                    return await database.row(plain, (*context, *values), self._stale, reading=self._reading)
                return await database.row(self._idempotent, (*context, *key, *values))
            except RoleChanged as changed:
                roles.remember(caller.signed_in.sub, changed.role)
                if not await roles.allows(changed.role, caller.permission, claims.permissions if claims else None):
                    raise forbidden(caller.permission) from None
        raise unauthorized()

    async def ask(self, values: list[str | None]) -> Any:
        """Return the decoded answer for the process itself: no request, no user."""
        row = await self._process.database.row(
            self._plain, (None, None, None, None, None, None, *values), reading=self._reading
        )
        return msgspec.json.decode(row["corps"])


class Job(Operation):
    """An operation that counts the outcomes of its runs. A replay does not count."""

    def __init__(self, function: Function, process: Process, name: str) -> None:
        super().__init__(function, process)
        self._name = name

    async def run(
        self, caller: Caller, values: list[str | None], key: tuple[str, str] | None = None, cursor: str | None = None
    ) -> Any:
        try:
            row = await super().run(caller, values, key, cursor)
        except Exception:
            await self._count("failed")
            raise
        if key is None or not row["rejoue"]:
            await self._count("succeeded")
        return row

    async def _count(self, outcome: str) -> None:
        with suppress(Refusal):  # the counter is in the database, which may be down
            await self._process.database.value(
                "select jobs.tache_compter($1, $2)", [self._name, outcome], reading=False
            )
