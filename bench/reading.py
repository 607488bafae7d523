"""Reading over HTTP: one invoice, a list, the number of statements, and the memory after many requests."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg

from app.leaves.embarque.server import free_port
from bench import donnees
from bench.goal import Bench, Goal, ratio, say, take_turns
from bench.outils import SECONDS, wrk
from bench.service import answering

REQUESTS = int(os.environ.get("REQUETES", "200000"))  # requests between the two measurements of memory
LIST = "/api/v1/facturation/factures?limit=50"


def reading(bench: Bench) -> Iterator[Goal]:
    """One invoice by its id. The bare ASGI application shows what Python and asyncpg leave of pgbench's rate."""
    with bench.service() as service, other(bench.url, "bench.asgi:app", "/factures/1") as bare:
        turns = take_turns(
            "lecture",
            {
                "pgbench": lambda: bench.direct("lecture.sql"),
                "HTTP": lambda: bench.ask(service, "lecture.lua"),
                "ASGI nue": lambda: wrk(bench.wrk, bare, "lecture.lua", ""),
            },
        )
    text = "Lectures d'une facture par HTTP divisées par celles de la même fonction appelée par pgbench, 16 connexions."
    yield ratio("reading", turns, "HTTP", "pgbench", 0.38, text)
    text = (
        "Pour comparaison, dans les mêmes tours : une application ASGI nue, sans jeton, permission ni journal, "
        "qui envoie la même instruction, divisée par pgbench."
    )
    yield ratio("reading-asgi", turns, "ASGI nue", "pgbench", None, text)


def round_trips(bench: Bench) -> Iterator[Goal]:
    """Statements that PostgreSQL receives for each request, over 1,200 reads and writes."""
    paths = ("/facturation/factures/7", "/facturation/factures?limit=20", "/finances/paiements?limit=20")
    # pg_stat_statements also counts what the commit runs: checks of deferred keys, and the trigger that writes events.
    query = """select coalesce(sum(calls), 0) from pg_stat_statements
                  where toplevel and query !~ 'pg_stat|FOR KEY SHARE|evenement\\.|new\\.'"""
    with bench.service() as service, psycopg.connect(bench.url, autocommit=True) as connection:
        client = service.new_client(authorization=bench.token)
        for path in paths:
            client.get(path)
        connection.execute("select pg_stat_statements_reset()")
        for _ in range(300):
            for path in paths:
                assert client.get(path).status_code == 200
            paid = {"montant": "1", "id_moyen": "1", "id_facture": "7"}
            assert client.post("/finances/paiements", json=paid).status_code == 201
        waits = donnees.value(connection, f"{query} and query like '%pg_logical_emit_message%'")
        calls = donnees.value(connection, query) - waits
    requests = 300 * (len(paths) + 1)
    text = "Instructions que PostgreSQL reçoit par requête, sans les attentes du disque, que les requêtes partagent."
    yield Goal("round-trips", float(calls) / requests, 1.02, text, at_least=False)
    text = "Attentes du disque par requête, une requête à la fois."
    yield Goal("disk-waits", float(waits) / requests, None, text)


def lists(bench: Bench) -> Iterator[Goal]:
    """Fifty invoices as JSON bytes of PostgreSQL, compared with the same rows through Python objects. One process."""
    with bench.service("1") as service, other(bench.url, "bench.objets:app", "/factures") as url:
        turns = take_turns(
            "liste",
            {
                "objets": lambda: wrk(bench.wrk, url, "liste.lua", "", CHEMIN="/factures"),
                "octets": lambda: bench.ask(service, "liste.lua", CHEMIN=LIST),
            },
        )
    text = (
        "Listes de cinquante factures par HTTP divisées par celles d'un service qui fait des objets Python des lignes."
    )
    yield ratio("lists", turns, "octets", "objets", 3, text)


def memory(bench: Bench) -> Iterator[Goal]:
    """Memory of the API process after many requests, divided by its memory after two seconds of requests."""
    with bench.service("1") as service:
        process = psutil.Process(service.process.pid)
        requests, first = 0, 0
        while requests < REQUESTS:
            rate = bench.ask(service, "lecture.lua", seconds=2 if requests == 0 else SECONDS)
            requests += rate.calls
            first = first or process.memory_info().rss
        last = process.memory_info().rss
    say(f"mémoire : {first / 2**20:.0f} Mio, puis {last / 2**20:.0f} Mio après {requests} requêtes")
    rounds = [{"first": first, "last": last, "requests": requests}]
    text = f"Mémoire d'un processus de l'API après {REQUESTS} requêtes divisée par celle d'après deux secondes."
    yield Goal("memory", last / first, 1.1, text, at_least=False, rounds=rounds)


@contextmanager
def other(database: str, application: str, path: str) -> Iterator[str]:
    """Run another application beside the service, and wait until it answers this path."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", application, "--port", str(port), "--log-level", "warning"]
    environment = {**os.environ, "DATABASE_URL": database}
    url = f"http://127.0.0.1:{port}"
    with answering(f"{url}{path}", [*command, "--no-access-log"], cwd=Path(__file__).parent.parent, env=environment):
        yield url
