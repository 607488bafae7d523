"""The permissions of a role are kept for a minute; of all requests that find them too old one asks."""

from __future__ import annotations

import asyncio
from typing import Any

from app.auth.roles import Roles
from app.base.refusal import Refusal, unavailable
from tests.conftest import Http


class Asked:
    """A database that answers once everybody waits, or not at all."""

    def __init__(self) -> None:
        self.times = 0
        self.down = False

    async def value(self, *_: Any) -> list[str]:
        self.times += 1
        await asyncio.sleep(0)
        if self.down:
            raise unavailable()
        return ["CLIENT.VOIR"]


def test_of_many_at_once_one_asks_and_a_failure_is_not_kept(http: Http) -> None:
    database = Asked()
    roles = Roles(database)  # type: ignore[arg-type]

    async def ask() -> list[Any]:
        asking = (roles.permissions("CAISSIER") for _ in range(20))
        return await asyncio.gather(*asking, return_exceptions=True)

    database.down = True
    assert all(isinstance(found, Refusal) and found.status == 503 for found in http.runner.run(ask()))
    assert database.times == 1
    database.down = False
    assert http.runner.run(ask()) == [frozenset({"CLIENT.VOIR"})] * 20
    assert http.runner.run(ask()) == [frozenset({"CLIENT.VOIR"})] * 20
    assert database.times == 2
