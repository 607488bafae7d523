"""Measures the cost of replicas to a request, and the work that they take off the primary: `python -m bench.repliques`.

One service reads from two replicas, another one does not, and they take turns on the same primary. More replicas give
no more requests a second here, because all servers share the cores of one machine.
"""

import asyncio
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import psycopg

from app.auth.redisstore import RedisStore
from app.auth.tokens import AccessTokens
from app.database import schema
from app.leaves.embarque.postgres import Postgres
from bench import donnees
from bench.service import SECRET, Service, eventually, running
from bench.standby import Standby
from bench.valkey import Valkey

PAYMENTS = int(os.environ.get("PAIEMENTS", "100000"))
CALLS = int(os.environ.get("APPELS", "300"))
SETTINGS = {"shared_buffers": "256MB", "max_wal_size": "4GB", "shared_preload_libraries": "pg_stat_statements"}
LIST, REPORT = "/finances/paiements?limit=50", "/rapports/financier"
PAYMENT = {"montant": "500", "id_moyen": "1", "id_activite": "1"}
READERS, WRITERS = 6, 2
WORK = """
select sum(calls)::float, sum(total_exec_time) from pg_stat_statements
 where toplevel and userid = 'comptoir_app'::regrole and query not like '%pg_current_wal_lsn%'
"""
USER = """
with ajoute as (insert into auth.utilisateur (login, id_role)
                select %s, id_role from auth.role where code = 'ADMINISTRATEUR' returning id_utilisateur)
insert into auth.secret (id_utilisateur, mot_de_passe)
select id_utilisateur, '$2b$10$' || repeat('a', 53) from ajoute returning id_utilisateur
"""


def main() -> int:
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="comptoir-repliques-")))
        directory.chmod(0o711)
        primary = stack.enter_context(Postgres(directory / "primaire", SETTINGS))
        schema.migrate(primary.url(), lambda _: None)
        donnees.fill(primary.url(), PAYMENTS, lambda _: None)
        with psycopg.connect(primary.url(), autocommit=True) as connection:
            connection.execute("create extension pg_stat_statements")
            connection.execute("vacuum analyze")
            users = [
                str(connection.execute(USER, [f"bench.{n}"]).fetchone()[0])  # type: ignore[index]
                for n in range(2 + 2 * (READERS + WRITERS))
            ]
        standbys = [
            stack.enter_context(
                Standby(directory / f"replique-{n}", primary, {**SETTINGS, "hot_standby_feedback": "on"})
            )
            for n in (1, 2)
        ]
        store = stack.enter_context(Valkey(directory / "valkey"))
        settings = {"DATABASE_URL": primary.url(), "KVSTORE_URL": store.url, "JWT_DUREE": "86400"}
        replicas = {"DATABASE_REPLICA_URL": ",".join(standby.url() for standby in standbys)}
        alone = stack.enter_context(running(directory, **settings))
        shared = stack.enter_context(running(directory, **settings, **replicas))
        clients = [[session(service, user) for user in users] for service in (alone, shared)]
        eventually(lambda: reads_replicas(shared, clients[1][0]))
        requests(clients)
        asyncio.run(notes(store.url))
        servers = [primary, *standbys]
        without = day(clients[0], servers)
        with_replicas = day(clients[1], servers)
        print(f"journée mêlée, {WRITERS} caissiers qui paient puis relisent, {READERS} lecteurs :")
        for name, before, after in zip(
            ("instructions", "temps d'exécution"), without[0], with_replicas[0], strict=True
        ):
            print(f"  {name} du primaire : {before:.0f} sans réplique, {after:.0f} avec deux ({after / before:.0%})")
        print("  temps sur les répliques : " + ", ".join(f"{work[1]:.0f} ms" for work in with_replicas[1:]))
    return 0


def session(service: Service, user: str) -> httpx.Client:
    token, _ = AccessTokens(SECRET, None, 86_400).issue(user, "bench", "ADMINISTRATEUR")
    return service.new_client(authorization=f"Bearer {token}")


def reads_replicas(service: Service, client: httpx.Client) -> bool:
    """Read a list. Return whether a replica has answered this service."""
    client.get(LIST).raise_for_status()
    counted = re.findall(r'db_stale_reads_total\{pool="replica-\d"\} (\S+)', httpx.get(f"{service.url}/metrics").text)
    return any(float(count) for count in counted)


def requests(clients: Sequence[Sequence[httpx.Client]]) -> None:
    """The latency of one client, call by call in turns. The first user only reads; the second one writes."""
    kinds: dict[str, Callable[[Sequence[httpx.Client]], httpx.Response]] = {
        "liste": lambda users: users[0].get(LIST),
        "rapport": lambda users: users[0].get(REPORT),
        "paiement": lambda users: users[1].post("/finances/paiements", json=PAYMENT),
    }
    for name, call in kinds.items():
        times: list[list[float]] = [[], []]
        for _ in range(CALLS):
            for users, taken in zip(clients, times, strict=True):
                started = time.perf_counter()
                call(users).raise_for_status()
                taken.append(time.perf_counter() - started)
        without, with_replicas = (statistics.median(taken) * 1000 for taken in times)
        print(f"{name} : {without:.2f} ms sans réplique, {with_replicas:.2f} ms avec deux")


async def notes(url: str) -> None:
    store = RedisStore(url)

    async def median(call: Callable[[], Awaitable[Any]]) -> float:
        times = []
        for _ in range(2000):
            started = time.perf_counter()
            await call()
            times.append(time.perf_counter() - started)
        return statistics.median(times) * 1e6

    print(f"noter une écriture : {await median(lambda: store.note_write('1', 6.0)):.0f} µs")
    print(f"demander qui a écrit : {await median(lambda: store.may_have_written('2', 6.0)):.0f} µs")
    await store.close()


def day(clients: Sequence[httpx.Client], servers: Sequence[Postgres]) -> list[tuple[float, float]]:
    """Run the mixed load with users who have not written yet. Return statements and milliseconds of each server."""
    for server in servers:
        run(server, "select pg_stat_statements_reset()")
    users = clients[2 : 2 + READERS + WRITERS]
    for _ in range(CALLS // 3):
        for number, user in enumerate(users):
            if number < WRITERS:
                user.post("/finances/paiements", json=PAYMENT).raise_for_status()
                user.get(LIST).raise_for_status()
            else:
                user.get(LIST if number % 2 else REPORT).raise_for_status()
    return [run(server, WORK) for server in servers]


def run(server: Postgres, statement: str) -> Any:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        return connection.execute(statement).fetchone()


if __name__ == "__main__":
    sys.exit(main())
