"""Organisations share a process: each has its bound of requests, and all have one bound of connections."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest
from msgspec.structs import replace

from app.base.refusal import Refusal
from app.database.pool import Pool, Usage
from app.http.services import Services
from app.leaves.organisations import serving
from app.leaves.organisations.directory import Directory
from app.leaves.organisations.organisation import Organisation
from app.leaves.organisations.serving import Organisations, Places
from tests.annuaire import Annuaire
from tests.server import eventually, in_a_loop, running, until

OF_THE_SERVICE = "select count(*) from pg_stat_activity where application_name = 'comptoir' and datname like %s"


# ---- a whole service


def test_an_organisation_at_its_bound_is_refused_at_once_and_others_are_served(
    annuaire: Annuaire, tmp_path: Path
) -> None:
    noisy, calm = annuaire.make("bruit"), annuaire.make("calme")
    bounds = {"ORGANISATION_APPELS": "4", "ORGANISATIONS_CONNEXIONS": "6", "DATABASE_POOL": "3"}
    with running(tmp_path, **annuaire.environment, **bounds) as service, ThreadPoolExecutor(12) as threads:
        (noisy_client, _), (calm_client, _) = (annuaire.sign_in(service, one) for one in (noisy, calm))
        with psycopg.connect(annuaire.address(noisy)) as connection:
            connection.execute("lock table finances.paiement in access exclusive mode")
            waiting = [threads.submit(noisy_client.get, "/finances/paiements") for _ in range(12)]
            eventually(lambda: sum(one.done() for one in waiting) == 8)  # the pool of three is busy, and one more waits
            refused = [one.result() for one in waiting if one.done()]
            assert {answer.json()["code"] for answer in refused} == {"ORGANISATION_OCCUPEE"}
            assert {answer.status_code for answer in refused} == {503}
            assert "retry-after" in refused[0].headers
            assert max(answer.elapsed.total_seconds() for answer in refused) < 2
            assert [calm_client.get("/finances/paiements").status_code for _ in range(5)] == [200] * 5
            row = connection.execute(OF_THE_SERVICE, [f"comptoir_{annuaire.prefix}%"]).fetchone()
            assert row is not None and row[0] <= 6
            connection.rollback()
        assert {one.result().status_code for one in waiting} == {200, 503}


# ---- the bound of connections


@in_a_loop
async def test_an_idle_pool_gives_its_connection_up_for_another_one(worker_url: str) -> None:
    places = Places(2)
    first, second = (Pool(worker_url, 2, 0, places) for _ in range(2))
    await asyncio.gather(*(first.fetchrow("select pg_sleep(0.05)") for _ in range(2)))
    assert first.usage() == Usage(2, 0, 2)
    assert (await second.fetchrow("select 1"))[0] == 1
    assert (first.usage().open, second.usage().open) == (1, 1)
    await asyncio.gather(first.close(), second.close())


@in_a_loop
async def test_a_pool_waits_until_a_busy_one_has_finished(worker_url: str) -> None:
    places = Places(1)
    first, second = (Pool(worker_url, 1, 0, places) for _ in range(2))
    slow = asyncio.create_task(first.fetchrow("select pg_sleep(0.2)::text, clock_timestamp()"))
    await until(lambda: first.usage().open == 1)
    waited = await second.fetchrow("select clock_timestamp()")
    assert waited[0] > (await slow)[1]
    assert (await first.fetchrow("select 1"))[0] == 1  # and the way back
    await asyncio.gather(first.close(), second.close())


@in_a_loop
async def test_a_place_is_not_lost_when_its_request_is_cancelled(worker_url: str) -> None:
    places = Places(1)
    first, second = (Pool(worker_url, 1, 0, places) for _ in range(2))
    slow = asyncio.create_task(first.fetchrow("select pg_sleep(0.2)"))
    await until(lambda: first.usage().open == 1)
    waiting = asyncio.create_task(second.fetchrow("select 1"))
    await until(places.are_wanted)
    waiting.cancel()
    await asyncio.gather(slow, waiting, return_exceptions=True)
    for pool in (second, first, second):
        assert (await pool.fetchrow("select 1"))[0] == 1
    await asyncio.gather(first.close(), second.close())


@in_a_loop
async def test_a_refused_connection_frees_its_place(worker_url: str) -> None:
    places = Places(1)
    wrong, right = Pool(f"{worker_url}_absente", 1, 0, places), Pool(worker_url, 1, 0, places)
    for _ in range(3):
        with pytest.raises(Exception, match="does not exist"):
            await wrong.fetchrow("select 1")
    assert (await right.fetchrow("select 1"))[0] == 1
    await asyncio.gather(wrong.close(), right.close())


# ---- services that open and close


@dataclass
class FakeServices:
    """Services that note when their database closes."""

    organisation: Organisation
    closed: bool = False

    @property
    def database(self) -> FakeServices:
        return self

    async def close(self) -> None:
        self.closed = True


class FakeDirectory:
    def __init__(self, *known: Organisation) -> None:
        self.by_code = {one.code: one for one in known}
        self.by_host: dict[str, Organisation] = {}

    async def start(self) -> None: ...

    async def close(self) -> None: ...


ACME = Organisation("1", "acme", "comptoir_acme", "un", "127.0.0.1:1", (), "ACTIVE", "v1", None, ())


def scope(method: str = "GET") -> dict[str, Any]:
    return {"method": method, "comptoir.headers": {b"x-organisation": b"acme"}}


def made(directory: FakeDirectory, opened: list[FakeServices]) -> Organisations:
    def open_services(organisation: Organisation) -> Services:
        opened.append(FakeServices(organisation))
        return cast(Services, opened[-1])

    process = cast(Services, FakeServices(ACME))
    return Organisations(process, cast(Directory, directory), "v1", 4, Places(8), open_services)


@in_a_loop
async def test_the_services_of_an_idle_organisation_close_and_open_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "IDLE", 0.0)
    monkeypatch.setattr(serving, "SWEEP", 0.01)
    opened: list[FakeServices] = []
    served = made(FakeDirectory(ACME), opened)
    await served.start()
    async with served.calling(scope()):
        await asyncio.sleep(0.05)
        assert not opened[0].closed  # a request is in progress
    await until(lambda: opened[0].closed)
    async with served.calling(scope()):
        assert len(opened) == 2
    await served.close()


@in_a_loop
async def test_an_organisation_that_has_moved_is_served_at_its_new_place() -> None:
    opened: list[FakeServices] = []
    directory = FakeDirectory(ACME)
    served = made(directory, opened)
    async with served.calling(scope()):
        directory.by_code["acme"] = replace(ACME, server="deux", address="127.0.0.1:2")
        async with served.calling(scope()):
            assert [one.organisation.server for one in opened] == ["un", "deux"]
        assert not opened[0].closed  # its last request still uses it
    assert (opened[0].closed, opened[1].closed) == (True, False)


@in_a_loop
async def test_the_idle_services_of_a_former_place_close_at_the_next_request() -> None:
    opened: list[FakeServices] = []
    directory = FakeDirectory(ACME)
    served = made(directory, opened)
    async with served.calling(scope()):
        pass
    directory.by_code["acme"] = replace(ACME, server="deux", address="127.0.0.1:2")
    async with served.calling(scope()):
        assert [one.closed for one in opened] == [True, False]


@pytest.mark.parametrize(
    ("state", "version", "method", "code"),
    [
        ("CREATION", None, "GET", "ORGANISATION_EN_CREATION"),
        ("SUSPENDUE", "v1", "GET", "ORGANISATION_SUSPENDUE"),
        ("ACTIVE", "v0", "GET", "ORGANISATION_EN_RETARD"),
        ("EN_RETARD", "v0", "GET", "ORGANISATION_EN_RETARD"),
        ("DEPLACEMENT", "v1", "POST", "ORGANISATION_EN_DEPLACEMENT"),
        ("SUPPRESSION", "v1", "GET", "NOT_FOUND"),
        ("DEPLACEMENT", "v1", "GET", None),
        ("EN_RETARD", "v1", "POST", None),  # its upgrade to another release has failed
    ],
)
@in_a_loop
async def test_the_state_and_the_version_decide_who_is_served(
    state: str, version: str | None, method: str, code: str | None
) -> None:
    served = made(FakeDirectory(replace(ACME, state=state, version=version)), [])
    try:
        async with served.calling(scope(method)):
            answer = None
    except Refusal as refusal:
        answer = refusal.code
    assert answer == code
