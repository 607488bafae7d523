"""The metrics for Prometheus, for one process or several (PROMETHEUS_MULTIPROC_DIR)."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from app.database.database import Load

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

OWN = CollectorRegistry()  # the metrics that all processes of a service add up
requests_total = Counter("http_requests_total", "Requêtes HTTP.", ["method", "route", "status"], registry=OWN)
request_seconds = Histogram(
    "http_request_duration_seconds",
    "Durée des requêtes HTTP, en secondes.",
    ["method", "route", "status"],
    registry=OWN,
    buckets=_BUCKETS,
)

sockets = Gauge("svc_sockets", "Connexions ouvertes au canal en direct.", registry=OWN, multiprocess_mode="livesum")

_children: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}


def observe(method: str, route: str, status: int, seconds: float) -> None:
    """Count one request. `route` is the template of the path, so ids create no new series."""
    metrics = _children.get((method, route, status))
    if metrics is None:
        labels = (method, route, str(status))
        metrics = _children[method, route, status] = (requests_total.labels(*labels), request_seconds.labels(*labels))
    metrics[0].inc()
    metrics[1].observe(seconds)


def _gauge(name: str, text: str, labels: list[str], rows: Iterable[tuple[Any, ...]]) -> Metric:
    """A gauge. The last column of a row is its value, the others are its labels."""
    return _filled(GaugeMetricFamily(name, text, labels=labels), rows)


def _filled(family: GaugeMetricFamily | CounterMetricFamily, rows: Iterable[tuple[Any, ...]]) -> Metric:
    for *labels, value in rows:
        family.add_metric(labels, value)
    return family


@dataclass(frozen=True, slots=True)
class Jobs(Collector):
    """The state of the queue at the time of the scrape. Jobs run in other processes, so this one cannot count them."""

    depth: Mapping[str, int]  # by status
    outcomes: Iterable[tuple[str, str, int]]  # job, outcome, attempts
    webhooks: Sequence[tuple[str, str, int, float, int]] = ()  # id, state, events to send, their age, failed attempts

    def collect(self) -> Iterator[Metric]:
        labels, webhook = ["job", "outcome"], ["webhook", "etat"]
        yield _filled(CounterMetricFamily("svc_jobs", "Tentatives de tâches, par issue.", labels=labels), self.outcomes)
        yield _gauge("svc_jobs_queue_depth", "Tâches en file, par état.", ["status"], self.depth.items())
        for column, (name, text) in enumerate(_OF_WEBHOOKS.items(), 2):
            yield _gauge(name, text, webhook, [(*row[:2], row[column]) for row in self.webhooks])


_OF_WEBHOOKS = {
    "svc_webhook_pending": "Événements écrits depuis le dernier envoyé.",
    "svc_webhook_oldest_seconds": "Âge du premier d'entre eux, en secondes.",
    "svc_webhook_failures": "Essais manqués de l'événement suivant.",
}
NO_JOBS = Jobs({}, ())


@dataclass(frozen=True, slots=True)
class Pools(Collector):
    """The connections to PostgreSQL of this process, and its replicas."""

    load: Load

    def collect(self) -> Iterator[Metric]:
        load, pool = self.load, ["pool"]
        states = [
            (name, state, getattr(usage, state)) for name, usage in load.usage.items() for state in ("open", "busy")
        ]
        text = "Connexions de ce processus à PostgreSQL, par état."
        yield _gauge("db_pool_connections", text, ["pool", "state"], states)
        sizes = [(name, usage.size) for name, usage in load.usage.items()]
        yield _gauge("db_pool_size", "Connexions que ce processus peut ouvrir.", pool, sizes)
        text = "Lectures qu'une réplique peut faire, par le serveur qui a répondu."
        yield _filled(CounterMetricFamily("db_stale_reads", text, labels=pool), load.answers.items())
        yield _gauge("db_replica_age_seconds", "Âge des données d'une réplique, au plus.", pool, load.ages.items())


def scrape(load: Load | None, jobs: Jobs) -> bytes:
    """The metrics of all processes. With `load`, the metrics of this process alone are added."""
    registry = OWN
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    text = generate_latest(registry) + generate_latest(jobs)
    if load is not None:
        text += generate_latest(Pools(load)) + generate_latest(_process)
    return text


_process = CollectorRegistry()
ProcessCollector(registry=_process)
PlatformCollector(registry=_process)
GCCollector(registry=_process)
