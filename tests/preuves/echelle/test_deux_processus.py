"""Two services and a worker share one database and one Valkey, and behave like one service."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from threading import Barrier
from typing import Any

import httpx
import psycopg
import pytest

from bench.valkey import Valkey
from tests.server import Service, eventually, running, worker


@pytest.fixture
def addresses(tmp_path: Path, database_url: str) -> Iterator[dict[str, str]]:
    store = Valkey(tmp_path / "magasin")
    with store:
        yield {"DATABASE_URL": database_url, "KVSTORE_URL": store.url}


@pytest.fixture
def services(tmp_path: Path, addresses: dict[str, str]) -> Iterator[tuple[Service, Service]]:
    with ExitStack() as stack:
        first, second = (stack.enter_context(running(tmp_path, **addresses)) for _ in range(2))
        yield first, second


def same_session(service: Service, client: httpx.Client) -> httpx.Client:
    """Return a client with the same session at another service."""
    return service.new_client(authorization=client.headers["authorization"])


def invoice(admin: httpx.Client, price: str = "1000") -> str:
    body = {"libelle": "Chaises", "prix": price, "id_activite": "1"}
    prestation = admin.post("/facturation/prestations", json=body).json()["id_prestation"]
    made = admin.post(f"/facturation/prestations/{prestation}/facturer", json={"montant": "0", "id_moyen": "1"})
    return str(made.json()["id_facture"])


def test_one_idempotency_key_sent_to_both_services_pays_once(
    services: tuple[Service, Service], database_url: str
) -> None:
    admin = services[0].login()
    body = {"montant": "1000", "id_moyen": "1", "id_activite": "1", "id_facture": invoice(admin)}
    start = Barrier(8)

    def pay(service: Service) -> httpx.Response:
        client = same_session(service, admin)
        start.wait()
        return client.post("/finances/paiements", json=body, headers={"Idempotency-Key": "une-fois"})

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(pay, services * 4))
    paid = [answer for answer in answers if answer.status_code == 201]
    assert {answer.status_code for answer in answers} <= {201, 409}  # 409: another request with the key is in progress
    assert len({answer.content for answer in paid}) == 1
    assert [answer for answer in paid if "idempotency-replayed" not in answer.headers]
    for service in services:
        again = same_session(service, admin).post(
            "/finances/paiements", json=body, headers={"Idempotency-Key": "une-fois"}
        )
        assert (again.status_code, again.headers["idempotency-replayed"]) == (201, "true")
        assert again.content == paid[0].content
    with psycopg.connect(database_url) as connection:
        assert connection.execute("select count(*) from finances.paiement").fetchone() == (1,)


def test_a_sign_out_at_one_service_ends_the_session_at_the_other(services: tuple[Service, Service]) -> None:
    first, second = services
    admin = first.login()
    other_client = same_session(second, admin)
    assert other_client.get("/auth/me").status_code == 200
    assert admin.post("/auth/logout", json={"refresh_token": "x"}).status_code == 200
    assert other_client.get("/auth/me").status_code == 401


def test_both_services_share_the_count_of_sign_in_attempts(services: tuple[Service, Service]) -> None:
    turns: Any = cycle(services)
    wrong = {"login": "admin", "mot_de_passe": "faux et long"}
    statuses = [next(turns).client.post("/auth/login", json=wrong).status_code for _ in range(8)]
    assert statuses == [401] * 5 + [429] * 3


def test_invoice_numbers_of_both_services_have_no_gap(services: tuple[Service, Service], database_url: str) -> None:
    admin = services[0].login()
    body = {"libelle": "Chaises", "prix": "1000", "id_activite": "1"}
    prestation = admin.post("/facturation/prestations", json=body).json()["id_prestation"]
    path = f"/facturation/prestations/{prestation}/facturer"

    def bill(service: Service) -> list[int]:
        client = same_session(service, admin)
        answers = [client.post(path, json={"montant": "1000", "id_moyen": "1"}) for _ in range(10)]
        assert {answer.status_code for answer in answers} == {201}
        return [int(answer.json()["numero"].rsplit("-", 1)[1]) for answer in answers]

    with ThreadPoolExecutor(6) as threads:
        numbers = [number for batch in threads.map(bill, services * 3) for number in batch]
    assert sorted(numbers) == list(range(1, 61))
    with psycopg.connect(database_url) as connection:
        assert connection.execute("select count(*) from facturation.facture").fetchone() == (60,)


def test_both_services_report_the_jobs_of_one_worker(
    tmp_path: Path, services: tuple[Service, Service], addresses: dict[str, str], database_url: str
) -> None:
    with psycopg.connect(database_url, autocommit=True) as connection, worker(tmp_path, **addresses):
        connection.execute("select core._differer('menage')")
        succeeded = "select from queue.procrastinate_jobs where status = 'succeeded'"
        eventually(lambda: connection.execute(succeeded).fetchone() is not None)
    for service in services:
        assert 'svc_jobs_total{job="menage",outcome="succeeded"} 1.0' in httpx.get(f"{service.url}/metrics").text
