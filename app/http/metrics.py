"""The metrics for Prometheus, for one process or several (PROMETHEUS_MULTIPROC_DIR)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Jobs(Collector):
    """The state of the queue at the time of the scrape. Jobs run in other processes, so this one cannot count them."""

    depth: Mapping[str, int]  # by status
    outcomes: Iterable[tuple[str, str, int]]  # job, outcome, attempts
    webhooks: Iterable[tuple[str, str, int, float, int]] = ()  # id, state, events to send, their age, failed attempts

    def collect(self) -> Iterator[Metric]:
        total = CounterMetricFamily("svc_jobs", "Tentatives de tâches, par issue.", labels=["job", "outcome"])
        for job, outcome, count in self.outcomes:
            total.add_metric([job, outcome], count)
        depth = GaugeMetricFamily("svc_jobs_queue_depth", "Tâches en file, par état.", labels=["status"])
        for status, count in self.depth.items():
            depth.add_metric([status], count)
        yield from (total, depth, *self._webhooks())

    def _webhooks(self) -> Iterator[Metric]:
        labels = ["webhook", "etat"]
        pending = GaugeMetricFamily("svc_webhook_pending", "Événements écrits depuis le dernier envoyé.", labels=labels)
        age = GaugeMetricFamily("svc_webhook_oldest_seconds", "Âge du premier d'entre eux, en secondes.", labels=labels)
        failures = GaugeMetricFamily("svc_webhook_failures", "Essais manqués de l'événement suivant.", labels=labels)
        for webhook, state, count, seconds, attempts in self.webhooks:
            for family, value in ((pending, count), (age, seconds), (failures, attempts)):
                family.add_metric([webhook, state], value)
        yield from (pending, age, failures)


NO_JOBS = Jobs({}, ())


@dataclass(frozen=True, slots=True)
class Pools(Collector):
    """The connections to PostgreSQL of this process, and its replicas."""

    load: Load

    def collect(self) -> Iterator[Metric]:
        count = GaugeMetricFamily(
            "db_pool_connections", "Connexions de ce processus à PostgreSQL, par état.", labels=["pool", "state"]
        )
        size = GaugeMetricFamily("db_pool_size", "Connexions que ce processus peut ouvrir.", labels=["pool"])
        for pool, usage in self.load.usage.items():
            count.add_metric([pool, "open"], usage.open)
            count.add_metric([pool, "busy"], usage.busy)
            size.add_metric([pool], usage.size)
        answers = CounterMetricFamily(
            "db_stale_reads", "Lectures qu'une réplique peut faire, par le serveur qui a répondu.", labels=["pool"]
        )
        for pool, number in self.load.answers.items():
            answers.add_metric([pool], number)
        age = GaugeMetricFamily("db_replica_age_seconds", "Âge des données d'une réplique, au plus.", labels=["pool"])
        for pool, seconds in self.load.ages.items():
            age.add_metric([pool], seconds)
        yield from (count, size, answers, age)


def scrape(load: Load | None = None, jobs: Jobs = NO_JOBS) -> bytes:
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
