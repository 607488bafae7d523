"""The permissions of a role are cached for a minute. When the cache expires, one of the waiting requests reads them."""

import asyncio
from typing import Any

from app.auth.roles import Roles
from app.base.refusal import Refusal, unavailable
from tests.conftest import Http


class CountingDatabase:
    """A database that answers after all requests wait, or that fails."""

    def __init__(self) -> None:
        self.times = 0
        self.down = False

    async def value(self, *_: Any) -> list[str]:
        self.times += 1
        await asyncio.sleep(0)
        if self.down:
            raise unavailable()
        return ["CLIENT.VOIR"]


def test_concurrent_requests_read_permissions_once_and_a_failure_is_not_cached(http: Http) -> None:
    database = CountingDatabase()
    roles = Roles(database)  # type: ignore[arg-type]

    async def read_permissions() -> list[Any]:
        reads = (roles.permissions("CAISSIER") for _ in range(20))
        return await asyncio.gather(*reads, return_exceptions=True)

    database.down = True
    assert all(isinstance(answer, Refusal) and answer.status == 503 for answer in http.runner.run(read_permissions()))
    assert database.times == 1
    database.down = False
    assert http.runner.run(read_permissions()) == [frozenset({"CLIENT.VOIR"})] * 20
    assert http.runner.run(read_permissions()) == [frozenset({"CLIENT.VOIR"})] * 20
    assert database.times == 2
