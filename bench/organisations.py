"""Many organisations in one process: what each costs, and what a busy one costs the others."""

import os
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx
import psutil
import psycopg

from app.auth.tokens import AccessTokens
from app.base.settings import DEVELOPMENT_PASSWORD, Settings
from app.commands.accounts import first_administrator
from app.leaves.organisations.making import make
from app.leaves.organisations.organisation import Organisation, derived
from app.leaves.organisations.registry import Registry
from bench.goal import ROUNDS, Bench, Goal, say
from bench.outils import SCRIPTS, SECONDS, Rate, wrk
from bench.service import SECRET, Service, running

ORGANISATIONS = int(os.environ.get("ORGANISATIONS", "500"))
LIST = "/api/v1/finances/moyens-paiement"


@dataclass(frozen=True)
class Many:
    """A registry with many organisations on the server of the run."""

    url: str
    registry: Registry
    organisations: list[Organisation]
    seconds: float  # in which they were made

    def token(self, organisation: Organisation) -> str:
        tokens = AccessTokens(derived(SECRET, organisation.id), None, 86_400)
        return f"Bearer {tokens.issue('1', 'admin', 'ADMINISTRATEUR')[0]}"

    def headers(self, organisation: Organisation) -> dict[str, str]:
        return {"X-Organisation": organisation.code, "Authorization": self.token(organisation)}


@contextmanager
def service(bench: Bench, many: Many, **extra: str) -> Iterator[Service]:
    settings = {"ANNUAIRE_URL": many.url, "KVSTORE_URL": bench.store.url, "JWT_DUREE": "86400", **extra}
    with running(bench.directory, **settings) as started:
        yield started


def many(bench: Bench) -> Many:
    """Make the registry and its organisations, once for all measurements of the run."""
    if "many" not in bench.shared:
        bench.shared["many"] = _make(bench)
    made: Many = bench.shared["many"]
    return made


def _make(bench: Bench) -> Many:
    with psycopg.connect(bench.server.url("postgres"), autocommit=True) as connection:
        connection.execute("create database annuaire")
    url = bench.server.url("annuaire")
    registry = Registry(Settings.from_environment({"ANNUAIRE_URL": url}))
    registry.ensure()
    registry.add_server("un", f"127.0.0.1:{urlsplit(url).port}", [])
    make(registry, "modele", None, [], say=lambda _: None)
    codes = [f"o{number:04}" for number in range(ORGANISATIONS)]
    started = time.monotonic()
    with ThreadPoolExecutor(2) as threads:
        made = list(threads.map(lambda code: make(registry, code, None, []), codes))
    return Many(url, registry, made, time.monotonic() - started)


def serving(bench: Bench) -> Iterator[Goal]:
    """All goals of one process of the API."""
    made = many(bench)
    first = made.organisations[0]
    for organisation in made.organisations[:2]:
        url = made.registry.on_server(organisation.address, organisation.database)
        assert first_administrator(url, "admin", DEVELOPMENT_PASSWORD)
    with psycopg.connect(bench.server.url("postgres")) as connection:
        (size,) = connection.execute("select pg_database_size(%s)", [first.database]).fetchone() or (0,)
    text = "Secondes pour créer une organisation, deux à la fois."
    yield Goal("organisation-new", made.seconds / ORGANISATIONS, None, text, unit=" s")
    yield Goal("organisation-size", size / 2**20, None, "Taille d'une base vide, en Mio.", unit=" Mio")
    yield from start_and_memory(bench, made)
    yield from share(bench, made)


def start_and_memory(bench: Bench, many: Many) -> Iterator[Goal]:
    started = time.monotonic()
    with service(bench, many) as api:
        seconds = time.monotonic() - started
        process = psutil.Process(api.process.pid)
        call(api, many, many.organisations[0])
        busy = [rate(bench, api, many)]
        alone = process.memory_info().rss
        for organisation in many.organisations:
            call(api, many, organisation)
        opened = process.memory_info().rss
        text = httpx.get(f"{api.url}/metrics").text
        busy.append(rate(bench, api, many))
    yield Goal(
        "organisations-start", seconds, None, f"Secondes du démarrage avec {ORGANISATIONS} organisations.", unit=" s"
    )
    each = (opened - alone) / 1024 / max(1, len(many.organisations) - 1)
    say(f"processus : {alone / 2**20:.0f} Mio, puis {opened / 2**20:.0f} Mio ; connexions {_connections(text)}")
    yield Goal(
        "organisations-memory", each, None, "Mémoire d'une organisation ouverte dans l'API, en Kio.", unit=" Kio"
    )
    text = "Lectures par seconde de la plus active, toutes ouvertes, divisées par celles d'avant."
    yield Goal("organisations-idle", busy[1].per_second / busy[0].per_second, 0.9, text)


def _connections(metrics: str) -> str:
    line = next(
        line
        for line in metrics.splitlines()
        if line.startswith('db_pool_connections{pool="organisations",state="open"')
    )
    return line.rpartition(" ")[2]


def call(api: Service, many: Many, organisation: Organisation) -> None:
    answer = api.client.get("/auth/me", headers=many.headers(organisation))
    assert answer.status_code in (200, 401), answer.text


def rate(bench: Bench, api: Service, many: Many) -> Rate:
    first = many.organisations[0]
    return wrk(bench.wrk, api.url, "liste.lua", many.token(first), ORGANISATION=first.code, CHEMIN=LIST)


def share(bench: Bench, many: Many) -> Iterator[Goal]:
    """The latency of one client while another organisation sends all it can, divided by its latency alone."""
    noisy, calm = many.organisations[:2]
    ratios = []
    with service(bench, many) as api:
        for number in range(1, ROUNDS + 1):
            alone = latency(api, many, calm)
            noise = threading.Thread(target=flood, args=(bench, api, many, noisy))
            noise.start()
            time.sleep(1)
            shared = latency(api, many, calm)
            noise.join()
            say(f"voisin, tour {number} : {alone * 1000:.2f} ms seule, {shared * 1000:.2f} ms à côté de 64 clients")
            ratios.append(shared / alone)
    text = (
        "Latence médiane d'une organisation à côté d'une autre de 64 clients sans pause, divisée par la sienne seule."
    )
    yield Goal("organisations-noise", statistics.median(ratios), None, text, at_least=False)


def latency(api: Service, many: Many, organisation: Organisation) -> float:
    """The median of sequential calls."""
    durations, end = [], time.monotonic() + SECONDS / 2
    with httpx.Client(base_url=api.url, headers=many.headers(organisation)) as client:
        while time.monotonic() < end:
            started = time.perf_counter()
            answer = client.get(LIST)
            durations.append(time.perf_counter() - started)
            assert answer.status_code == 200, answer.text
    return statistics.median(durations)


def flood(bench: Bench, api: Service, many: Many, organisation: Organisation) -> None:
    command = [
        bench.wrk,
        "-t",
        "1",
        "-c",
        "64",
        "-d",
        f"{SECONDS // 2 + 2}s",
        "-s",
        str(SCRIPTS / "liste.lua"),
        api.url,
    ]
    environment = {**os.environ, "JETON": many.token(organisation), "ORGANISATION": organisation.code, "CHEMIN": LIST}
    output = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    say("  " + " ; ".join(line.strip() for line in output.splitlines() if "Requests/sec" in line or "Non-2xx" in line))
