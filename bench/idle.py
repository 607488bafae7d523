"""The cost of many organisations of which none does anything: one worker looks after all their queues."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass

import psutil
import psycopg

from bench.goal import Bench, Goal, say
from bench.organisations import ORGANISATIONS, many
from bench.service import environment, eventually

MINUTES = int(os.environ.get("MINUTES", "10"))  # in ten minutes each organisation seals its journal once
SETTLING = 70  # seconds in which the worker looks at all organisations for the first time


@dataclass(frozen=True)
class Cost:
    """Of one minute: the shares of a processor, and memory and connections at its end."""

    worker: float
    postgres: float
    memory: int
    connections: int


def idle(bench: Bench) -> Iterator[Goal]:
    settings = {
        "ANNUAIRE_URL": many(bench).url,
        "KVSTORE_URL": bench.store.url,
        "COMPTOIR_ETAT": str(bench.directory / "etat"),
    }
    alone = _minute(bench, None)
    say(f"PostgreSQL sans travailleur : {alone.postgres:.1%} d'un cœur")
    log = bench.directory / "travailleur.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "app", "worker"], env=environment(settings), stdout=output, stderr=output
        )
    try:
        eventually(lambda: "attend les tâches" in log.read_text())
        time.sleep(SETTLING)
        costs = [_minute(bench, psutil.Process(process.pid)) for _ in range(MINUTES)]
        assert process.poll() is None, log.read_text()
    finally:
        process.terminate()
        process.wait()
    text = f"Part d'un cœur que prend le travailleur de {ORGANISATIONS} organisations qui ne font rien, par minute."
    yield _mean("idle-worker", [100 * cost.worker for cost in costs], 25, text, " %")
    text = f"Part d'un cœur que prend PostgreSQL pour {ORGANISATIONS} organisations qui ne font rien, par minute."
    yield _mean("idle-postgres", [100 * cost.postgres for cost in costs], 50, text, " %")
    text = f"Mémoire du travailleur de {ORGANISATIONS} organisations qui ne font rien."
    yield _mean("idle-memory", [cost.memory / 2**20 for cost in costs], 200, text, " Mio")
    text = f"Connexions du travailleur de {ORGANISATIONS} organisations qui ne font rien."
    yield _mean("idle-connections", [cost.connections for cost in costs], 20, text, "")


def _minute(bench: Bench, worker: psutil.Process | None) -> Cost:
    assert bench.server._child is not None
    postgres = psutil.Process(bench.server._child.pid)
    before, started = (_seconds(worker), _family(postgres)), time.monotonic()
    time.sleep(60)
    seconds = time.monotonic() - started
    after = (_seconds(worker), _family(postgres))
    with psycopg.connect(bench.server.url("postgres")) as connection:
        query = "select count(*) from pg_stat_activity where application_name = 'comptoir worker'"
        (connections,) = connection.execute(query).fetchone() or (0,)
    memory = worker.memory_info().rss if worker else 0
    return Cost((after[0] - before[0]) / seconds, (after[1] - before[1]) / seconds, memory, connections)


def _seconds(process: psutil.Process | None) -> float:
    """The processor time of a process. A process that has just ended has none: its parent has it."""
    try:
        times = process.cpu_times() if process else None
    except psutil.NoSuchProcess:
        return 0.0
    return times.user + times.system if times else 0.0


def _family(process: psutil.Process) -> float:
    """The processor time of a server: its own, and the time of its processes, ended or not."""
    running = sum(map(_seconds, process.children()))
    times = process.cpu_times()
    return running + times.user + times.system + times.children_user + times.children_system


def _mean(name: str, values: list[float], bound: float, text: str, unit: str) -> Goal:
    say(f"{name}, par minute : " + ", ".join(f"{value:.1f}" for value in values))
    rounds = [{"value": value} for value in values]
    return Goal(name, statistics.mean(values), bound, text, at_least=False, unit=unit, rounds=rounds)
