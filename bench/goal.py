"""A goal, and the servers and programs of a run."""

import os
import statistics
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from app.leaves.embarque.postgres import Postgres
from bench import outils
from bench.outils import CONNECTIONS, SECONDS, Rate
from bench.service import SECRET, Service, running
from bench.valkey import Valkey

ROUNDS = int(os.environ.get("TOURS", "3"))
PROCESSES = os.environ.get(
    "WEB_CONCURRENCY", str(max(1, (os.cpu_count() or 1) // 2))
)  # the other cores are for the database


@dataclass
class Goal:
    """A measured value, its bound, and the rounds that it comes from. `text` says in French what the value is."""

    name: str
    value: float
    bound: float | None
    text: str
    at_least: bool = True
    unit: str = ""
    rounds: list[dict[str, Any]] = field(default_factory=list)

    @property
    def met(self) -> bool:
        if self.bound is None:
            return True
        return self.value >= self.bound if self.at_least else self.value <= self.bound

    def __str__(self) -> str:
        line = f"goal {self.name}: {self.value:.2f}{self.unit}"
        if self.bound is None:
            return line
        return f"{line} ({'>=' if self.at_least else '<='} {self.bound:g}) {'ok' if self.met else 'missed'}"


def say(text: str) -> None:
    print(text, flush=True)


Turn = dict[str, Rate]


def take_turns(name: str, sides: Mapping[str, Callable[[], Rate]]) -> list[Turn]:
    """Measure each side once a round. The machine is shared, so the sides of a ratio take turns."""
    turns = []
    for number in range(1, ROUNDS + 1):
        turn = {side: measure() for side, measure in sides.items()}
        say(f"{name}, tour {number} : " + ", ".join(f"{side} {rate.per_second:.0f}/s" for side, rate in turn.items()))
        turns.append(turn)
    return turns


def ratio(
    name: str, turns: list[Turn], above: str, below: str, bound: float | None, text: str, *, at_least: bool = True
) -> Goal:
    """The median of the rounds of one side divided by the other."""
    ratios = [turn[above].per_second / turn[below].per_second for turn in turns]
    rounds = [
        {above: asdict(turn[above]), below: asdict(turn[below]), "value": share}
        for turn, share in zip(turns, ratios, strict=True)
    ]
    return Goal(name, statistics.median(ratios), bound, text, at_least, rounds=rounds)


@dataclass
class Bench:
    """The servers and programs of a run. `closing` stops what a measurement leaves running for the next one."""

    wrk: str
    server: Postgres
    store: Valkey
    directory: Path
    closing: ExitStack
    token: str = ""
    shared: dict[str, Any] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return self.server.url()

    @contextmanager
    def service(self, processes: str = PROCESSES, url: str = "", **extra: str) -> Iterator[Service]:
        environment = {"DATABASE_URL": url or self.url, "KVSTORE_URL": self.store.url, "WEB_CONCURRENCY": processes}
        with running(self.directory, **environment, JWT_SECRET=SECRET, JWT_DUREE="86400", **extra) as service:
            self.token = self.token or service.login().headers["authorization"]  # one sign-in, because it is throttled
            yield service

    def ask(
        self,
        service: Service,
        script: str,
        seconds: int = SECONDS,
        connections: int = CONNECTIONS,
        **variables: str,
    ) -> Rate:
        return outils.wrk(self.wrk, service.url, script, self.token, seconds, connections, **variables)

    def direct(self, script: str, connections: int = CONNECTIONS, options: str = "") -> Rate:
        return outils.pgbench(self.server.bin / "pgbench", self.url, script, connections, options)
