"""SIGTERM: the API process accepts no new request and answers the requests in flight."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psycopg
import pytest

from tests.server import blocks, eventually, running

pytestmark = pytest.mark.promesse("Arrêt : SIGTERM, les requêtes en cours ont leur réponse")

CLIENT = {"nom": "Exemple", "prenoms": "Awa", "tel_principal": "+2250700000000", "type_client": "PASSAGE"}


@pytest.mark.bref
@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_request_in_flight_at_sigterm_is_answered(
    tmp_path: Path, database_url: str, valkey_url: str, processes: str
) -> None:
    """A lock delays a request. SIGTERM arrives. The request is answered after the release of the lock."""
    settings = {"DATABASE_URL": database_url, "KVSTORE_URL": valkey_url, "WEB_CONCURRENCY": processes}
    with (
        running(tmp_path, **settings) as service,
        psycopg.connect(database_url) as holder,
        psycopg.connect(database_url, autocommit=True) as connection,
        ThreadPoolExecutor(1) as threads,
    ):
        admin = service.login()
        holder.execute("lock table client.client in access exclusive mode")
        creating = threads.submit(admin.post, "/client/clients", json=CLIENT)
        eventually(lambda: blocks(holder, connection))
        service.process.send_signal(signal.SIGTERM)
        eventually(lambda: not _answers(service.url))
        with pytest.raises(TimeoutError):
            creating.result(timeout=1)  # the process waits without a limit
        assert service.process.poll() is None
        holder.rollback()
        answer = creating.result()
        assert answer.status_code == 201, answer.text
        assert service.process.wait(20) == 0
        assert connection.execute("select count(*) from client.client where nom = 'Exemple'").fetchone() == (1,)
        assert "Traceback" not in service.log.read_text()


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/v1/health/live", timeout=0.5).status_code == 200
    except httpx.TransportError:
        return False
