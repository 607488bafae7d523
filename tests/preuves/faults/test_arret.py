"""SIGTERM: the API process accepts no new request and answers the requests in flight."""

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psycopg
import pytest

from tests import builders
from tests.conftest import Db, ok
from tests.server import blocks, eventually, running

pytestmark = pytest.mark.promesse("Arrêt : SIGTERM, les requêtes en cours ont leur réponse")


@pytest.mark.bref
@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_request_in_flight_at_sigterm_is_answered(
    tmp_path: Path, database_url: str, addresses: dict[str, str], committed: Db, processes: str
) -> None:
    """A lock delays a request. SIGTERM arrives. The request is answered after the release of the lock."""
    with (
        running(tmp_path, **addresses, WEB_CONCURRENCY=processes) as service,
        psycopg.connect(database_url) as holder,
        ThreadPoolExecutor(1) as threads,
    ):
        admin = service.login()
        holder.execute("lock table client.client in access exclusive mode")
        creating = threads.submit(admin.post, "/client/clients", json=builders.CLIENT)
        eventually(lambda: blocks(holder, committed.connection))
        service.process.send_signal(signal.SIGTERM)
        eventually(lambda: not _answers(service.url))
        with pytest.raises(TimeoutError):
            creating.result(timeout=1)  # the process waits without a limit
        assert service.process.poll() is None
        holder.rollback()
        ok(creating.result())
        assert service.process.wait(20) == 0
        assert committed.one("select count(*) from client.client where nom = 'Exemple'") == 1
        assert "Traceback" not in service.log.read_text()


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/v1/health/live", timeout=0.5).status_code == 200
    except httpx.TransportError:
        return False
