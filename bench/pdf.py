"""PDF documents: invoices with the warm browser, the first one of a process, a report of three months."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import psycopg
from httpx import Client

from app.auth.tokens import AccessTokens
from bench import donnees, large
from bench.goal import ROUNDS, Bench, Goal, say
from bench.service import SECRET, Service, environment

INVOICES = int(os.environ.get("DOCUMENTS", "1000"))
CLIENTS = 4
PRINTED = large.PAYMENTS // 200  # the invoices of the smaller base
PATH = "/facturation/factures/{}/pdf"
# Three whole months of the data.
QUARTER = """
select format('/rapports/financier?format=pdf&du=%s&au=%s',
              (m - interval '3 months')::date, (m - interval '1 day')::date)
  from date_trunc('month', core.aujourdhui()) m
"""
FIRST = 100  # documents before the first measurement of memory


def pdf(bench: Bench) -> Iterator[Goal]:
    """Four clients ask for invoices of a database of uneven ones. One process."""
    url = large.of(bench).database(large.PAYMENTS // 100)
    with psycopg.connect(url, autocommit=True) as connection:
        report = donnees.value(connection, QUARTER)
        tokens = [_token(connection, f"pdf{number}") for number in range(CLIENTS)]
    with bench.service("1", url) as service:
        clients = [service.new_client(authorization=f"Bearer {token}") for token in tokens]
        _document(clients[0], 1)
        started = time.perf_counter()
        durations = _share(clients, range(FIRST))
        first = _memory(service)
        durations += _share(clients, range(FIRST, INVOICES))
        elapsed = time.perf_counter() - started
        last = _memory(service)
        reports = [_timed(clients[0], report) for _ in range(ROUNDS)]
    p50, p99 = (statistics.quantiles(durations, n=100)[n - 1] * 1000 for n in (50, 99))
    rate = len(durations) / elapsed
    say(f"pdf : {rate:.1f}/s, p50 {p50:.0f} ms, p99 {p99:.0f} ms, {first / 2**20:.0f} puis {last / 2**20:.0f} Mio")
    text = f"Factures en PDF par seconde, le navigateur chaud, {CLIENTS} clients : p50 {p50:.0f} ms, p99 {p99:.0f} ms."
    yield Goal("pdf", rate, None, text, unit="/s")
    text = f"Mémoire du processus et de son navigateur après {INVOICES} factures divisée par celle d'après {FIRST}."
    yield Goal("pdf-memory", last / first, 1.3, text, at_least=False)
    text = "Durée du rapport financier de trois mois en PDF, en secondes."
    rounds = [{"value": seconds} for seconds in reports]
    yield Goal("pdf-report", statistics.median(reports), 3, text, at_least=False, rounds=rounds)


def first_pdf(bench: Bench) -> Iterator[Goal]:
    """The longest pause of the event loop while a new process imports the renderer and starts the browser."""
    settings = {"DATABASE_URL": bench.url, "KVSTORE_URL": bench.store.url, "JETON": bench.token}
    command = [sys.executable, "-m", "bench.pause", f"/api/v1{PATH.format(1)}"]
    rounds = []
    for _ in range(ROUNDS):
        process = subprocess.run(
            command,
            check=True,
            capture_output=True,
            text=True,
            cwd=Path(__file__).parent.parent,
            env=environment(settings),
        )
        rounds.append({"value": float(process.stdout.splitlines()[-1])})
    say("premier pdf : pauses de " + ", ".join(f"{r['value'] * 1000:.0f} ms" for r in rounds))
    text = "La plus longue pause de la boucle pendant le premier PDF d'un processus, en secondes."
    value = statistics.median(r["value"] for r in rounds)
    yield Goal("pdf-first", value, 0.05, text, at_least=False, rounds=rounds)


def _token(connection: psycopg.Connection[Any], login: str) -> str:
    """A token of a user of the clients. The documents of one user are made one after the other."""
    connection.execute(
        """insert into auth.utilisateur (login, id_role)
           select %s, r.id_role from auth.role r where r.code = 'ADMINISTRATEUR' on conflict do nothing""",
        [login],
    )
    query = "select id_utilisateur::text from auth.utilisateur where login = %s"
    (user,) = connection.execute(query, [login]).fetchone() or ("",)
    return AccessTokens(SECRET, None, 86400).issue(user, login, "ADMINISTRATEUR")[0]


def _share(clients: list[Client], numbers: range) -> list[float]:
    """Print these invoices. Each client takes every fourth one."""

    def work(place: int) -> list[float]:
        return [_document(clients[place], number % PRINTED + 1) for number in numbers[place :: len(clients)]]

    with ThreadPoolExecutor(len(clients)) as pool:
        return [duration for durations in pool.map(work, range(len(clients))) for duration in durations]


def _document(client: Client, number: int) -> float:
    return _timed(client, PATH.format(number))


def _timed(client: Client, path: str) -> float:
    started = time.perf_counter()
    answer = client.get(path, timeout=60)
    assert answer.status_code == 200, answer.text
    return time.perf_counter() - started


def _memory(service: Service) -> int:
    """The memory of the process and of the browsers that it started."""
    process = psutil.Process(service.process.pid)
    return sum(p.memory_info().rss for p in [process, *process.children(recursive=True)])
