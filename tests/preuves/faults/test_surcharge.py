"""Overload: ten times the capacity of the pool, slow clients, thousands of idle connections.

The service answers, and recovers at once.
"""

import asyncio
import contextlib
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import psutil
import psycopg
import pytest

from app.database.pool import ACQUIRE_TIMEOUT, WAITING_ROOM, Writers
from tests import builders
from tests.clients import Clients, Ground, payment_request, prepare
from tests.conftest import ok, one
from tests.preuve import selon
from tests.server import PATIENCE, Service, running

POOL = 4
MIB = 1024**2
# Long enough for a loaded machine, far below any timeout.
SOON = 4.0


def memory(service: Service) -> int:
    return int(psutil.Process(service.process.pid).memory_info().rss)


def seconds_of(client: httpx.Client, path: str) -> float:
    began = time.monotonic()
    ok(client.get(path))
    return time.monotonic() - began


@pytest.fixture
def service(tmp_path: Path, database_url: str) -> Iterator[Service]:
    with running(tmp_path, DATABASE_URL=database_url, DATABASE_POOL=str(POOL), JWT_DUREE="86400") as running_service:
        yield running_service


async def flood(clients: Clients, ground: Ground, count: int, seconds: float) -> list[tuple[int, float]]:
    """Send requests from these clients without a pause. Return the status and the duration of each request."""
    results: list[tuple[int, float]] = []
    end = time.monotonic() + seconds

    async def client(number: int) -> None:
        rng = random.Random(number)
        async with clients.http() as http:
            while time.monotonic() < end:
                began = time.monotonic()
                if rng.random() < 0.5:
                    path, body = payment_request(ground, rng)
                    answer = await http.post(path, json=body)
                else:
                    answer = await http.get("/market/ventes", params={"limit": "50"})
                results.append((answer.status_code, time.monotonic() - began))

    async with asyncio.TaskGroup() as tasks:
        for number in range(count):
            tasks.create_task(client(number))
    return results


@pytest.mark.promesse("Charge : à dix fois la capacité du pool, chaque requête a sa réponse, et la mémoire est bornée")
def test_requests_at_ten_times_the_pool_are_answered(service: Service, record_property: Any) -> None:
    admin = service.login()
    ground = prepare(admin)
    clients = Clients(service.url, admin.headers)
    asyncio.run(flood(clients, ground, POOL, 1))  # loads the code and opens the pool
    calm = statistics.median(seconds_of(admin, "/finances/caisses") for _ in range(20))
    before = memory(service)
    results = asyncio.run(flood(clients, ground, 10 * POOL, selon(4, 60)))
    after = memory(service)
    first = seconds_of(admin, "/finances/caisses")
    statuses = Counter(status for status, _ in results)
    durations = sorted(seconds for _, seconds in results)
    assert set(statuses) <= {200, 201, 429, 503}, statuses
    assert statuses[200] and statuses[201]
    # The allowance is relative to this machine when it is calm. The slowest of thousands of requests measures a
    # pause of a loaded machine, so the bound is for all but one in a hundred. The client waits PATIENCE for any
    # answer.
    assert durations[int(len(durations) * 0.99)] < ACQUIRE_TIMEOUT + max(SOON, 100 * calm)
    assert after - before < 64 * MIB
    assert first < max(SOON, 10 * calm)
    record_property("réponses", dict(statuses))
    record_property("médiane, 99 % (ms)", [round(durations[int(len(durations) * q)] * 1000) for q in (0.5, 0.99)])
    record_property("pire (ms)", round(durations[-1] * 1000))
    record_property("mémoire avant, après (Mio)", [before // MIB, after // MIB])
    record_property("au calme, puis la première après (ms)", [round(calm * 1000, 1), round(first * 1000, 1)])


@pytest.mark.promesse(
    "Charge : le pool bloqué, un refus 503 en quelques secondes, tout de suite au-delà de la file d'attente"
)
def test_a_blocked_pool_refuses_quickly(service: Service, database_url: str, record_property: Any) -> None:
    admin = service.login()
    clients = Clients(service.url, admin.headers)
    places = Writers(POOL).places
    room = places * (1 + WAITING_ROOM)
    count = 2 * room

    async def blocked() -> list[tuple[int, float]]:
        # httpx is slow with hundreds of connections
        async with aiohttp.ClientSession(
            headers=clients.headers,
            connector=aiohttp.TCPConnector(limit=0),
            timeout=aiohttp.ClientTimeout(PATIENCE),
        ) as http:

            async def one() -> tuple[int, float]:
                began = time.monotonic()
                async with http.post(f"{clients.url}/api/v1/client/clients", json=builders.CLIENT) as answer:
                    return answer.status, time.monotonic() - began

            waiting = {asyncio.create_task(one()) for _ in range(count)}
            refused: list[tuple[int, float]] = []
            while len(waiting) > places:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                refused += [task.result() for task in done]
                async with http.get(f"{clients.url}/api/v1/health/live") as answer:
                    assert answer.status == 200
            holder.rollback()
            return refused + list(await asyncio.gather(*waiting))

    with psycopg.connect(database_url) as holder:
        holder.execute("lock table client.client in access exclusive mode")
        results = asyncio.run(blocked())
    first = seconds_of(admin, "/client/clients")
    refused = sorted(seconds for status, seconds in results if status == 503)
    assert Counter(status for status, _ in results) == {201: places, 503: count - places}
    assert refused[-1] < ACQUIRE_TIMEOUT + SOON
    assert sum(seconds < ACQUIRE_TIMEOUT for seconds in refused) >= count - room
    assert one(database_url, "select count(*) from client.client") == places
    assert first < SOON
    record_property("requêtes, connexions qui écrivent, places d'attente", [count, places, room - places])
    record_property(
        "refus le plus prompt, médian, le plus tardif (s)", [round(refused[i], 2) for i in (0, len(refused) // 2, -1)]
    )
    record_property("première requête ensuite (ms)", round(first * 1000, 1))


HEAD = b"POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n"
SLOW = {
    "rien": (b"", b""),
    "en-têtes lettre à lettre": (b"", HEAD),
    "lignes vides": (b"", b"\r\n" * 2000),
    "corps lettre à lettre": (HEAD + b"\r\n", b"x" * 4000),
    "en-têtes de la requête suivante": (b"GET /api/v1/health/live HTTP/1.1\r\nhost: x\r\n\r\n", HEAD),
}


@pytest.mark.promesse(
    "Clients lents : une requête qui n'arrive pas en entier à temps perd sa connexion, les autres n'attendent pas"
)
def test_a_slow_client_loses_its_connection(tmp_path: Path, database_url: str, record_property: Any) -> None:
    each = selon(20, 200)
    settings = {"DATABASE_URL": database_url, "ATTENTE_ENTETES": "1", "ATTENTE_CORPS": "1"}
    with running(tmp_path, **settings) as service:
        admin = service.login()
        host, port = service.url.removeprefix("http://").split(":")

        async def send_slowly(start: bytes, rest: bytes) -> float:
            """Return the seconds until the service closes the connection."""
            reader, writer = await asyncio.open_connection(host, int(port))
            began = time.monotonic()

            async def drip() -> None:
                with contextlib.suppress(ConnectionError):
                    writer.write(start)
                    for letter in rest:
                        await asyncio.sleep(0.05)
                        writer.write(bytes([letter]))
                        await writer.drain()

            dripping = asyncio.create_task(drip())
            with contextlib.suppress(ConnectionError):
                async with asyncio.timeout(PATIENCE):
                    while await reader.read(4096):
                        pass
            dripping.cancel()
            writer.close()
            return time.monotonic() - began

        async def all_at_once() -> tuple[dict[str, float], float]:
            tasks = {
                kind: [asyncio.create_task(send_slowly(*sent)) for _ in range(each)] for kind, sent in SLOW.items()
            }
            meanwhile = await asyncio.to_thread(seconds_of, admin, "/finances/caisses")
            return {kind: max(await asyncio.gather(*durations)) for kind, durations in tasks.items()}, meanwhile

        longest, meanwhile = asyncio.run(all_at_once())
        assert meanwhile < SOON
        assert seconds_of(admin, "/finances/caisses") < SOON
        record_property("connexions de chaque sorte", each)
        record_property("pour une patience de 1 s, closes après (s)", {k: round(v, 1) for k, v in longest.items()})
        record_property("une requête ordinaire pendant ce temps (ms)", round(meanwhile * 1000))


@pytest.mark.promesse(
    "Connexions muettes : ouvertes par milliers, elles ne coûtent que peu de mémoire et ne gênent personne"
)
def test_thousands_of_idle_connections_cost_little_memory(service: Service, record_property: Any) -> None:
    count = selon(500, 10_000)
    soft = psutil.Process().rlimit(psutil.RLIMIT_NOFILE)[0] if hasattr(psutil, "RLIMIT_NOFILE") else 1024
    count = min(count, soft - 500)  # the limit of open files counts for the service and for the test
    admin = service.login()
    host, port = service.url.removeprefix("http://").split(":")
    before = memory(service)
    request = b"GET /api/v1/health/live HTTP/1.1\r\nhost: x\r\n\r\n"

    async def crowd() -> tuple[float, int]:
        writers = []
        for number in range(count):
            reader, writer = await asyncio.open_connection(host, int(port))
            writers.append(writer)
            if number % 2:  # half of the connections send one request and stay open
                writer.write(request)
                await reader.readuntil(b"\r\n\r\n")
        seconds = await asyncio.to_thread(seconds_of, admin, "/finances/caisses")
        present = memory(service)
        for writer in writers:
            writer.close()
        return seconds, present

    seconds, present = asyncio.run(crowd())
    assert seconds < SOON
    assert (present - before) / count < 64 * 1024
    assert seconds_of(admin, "/finances/caisses") < SOON
    record_property("connexions", f"{count} (limite de fichiers : {soft})")
    record_property("mémoire par connexion (Kio)", round((present - before) / count / 1024, 1))
    record_property("une requête ordinaire pendant ce temps (ms)", round(seconds * 1000))
