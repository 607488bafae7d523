"""The service during an upgrade: requests wait while the code is exchanged, and none fails."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from app.database import schema
from app.database.pool import LOCK_TIMEOUT
from tests.server import Service, eventually, running
from tests.upgrades import next_release

LISTS = ["/client/clients", "/facturation/factures", "/residence/contrats", "/finances/impayes"]
ROUTES = [*LISTS, "/dashboard/tableau-de-bord", "/auth/me"]


class Callers:
    """For each route one HTTP client that repeats it, and one HTTP client that creates clients."""

    def __init__(self, service: Service) -> None:
        self._stopped = threading.Event()
        self.answers: Counter[int] = Counter()
        self.refusals: set[str] = set()
        self.longest = 0.0
        bearer = service.login().headers["authorization"]
        self._threads = [
            threading.Thread(target=self._repeat, args=[service.new_client(authorization=bearer), route])
            for route in [*ROUTES, None]
        ]

    def _repeat(self, client: httpx.Client, route: str | None) -> None:
        number = 0
        while not self._stopped.is_set():
            number += 1
            started = time.monotonic()
            if route is None:
                body = {"nom": f"N{number}", "prenoms": "Awa", "tel_principal": f"+22507{number:08}"}
                answer = client.post("/client/clients", json={**body, "type_client": "PASSAGE"})
            else:
                answer = client.get(route)
            self.longest = max(self.longest, time.monotonic() - started)
            self.answers[answer.status_code] += 1
            if answer.status_code >= 400:
                self.refusals.add(answer.json()["code"])

    def __enter__(self) -> Callers:
        for thread in self._threads:
            thread.start()
        eventually(lambda: sum(self.answers.values()) > 3 * len(self._threads))
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        for thread in self._threads:
            thread.join()


@pytest.mark.bref
@pytest.mark.timeouts
@pytest.mark.parametrize("migrations", [(), ("alter table finances.paiement add essai text;",)], ids=["code", "tables"])
def test_requests_continue_during_an_upgrade(
    database_url: str, tmp_path: Path, migrations: tuple[str, ...], record_property: Callable[[str, object], None]
) -> None:
    release = next_release(tmp_path, *migrations)
    with running(tmp_path, DATABASE_URL=database_url) as service, Callers(service) as callers:
        before = sum(callers.answers.values())
        began = time.monotonic()
        assert schema.migrate(database_url, lambda _: None, release=release) is True
        took = time.monotonic() - began
        eventually(lambda: sum(callers.answers.values()) > before + 20)
    record_property("mise à jour (s)", round(took, 2))
    record_property("plus longue requête pendant une mise à jour (s)", round(callers.longest, 2))
    # On a busy machine the exchange may take longer than a request waits for a lock; then the request is refused.
    assert set(callers.answers) - {503} == {200, 201}, callers.refusals
    assert callers.refusals <= ({"DONNEES_OCCUPEES"} if took > LOCK_TIMEOUT else set())
