"""A held lock gives a prompt refusal with a name. Readers are still served."""

import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from app.database.pool import ACQUIRE_TIMEOUT, LOCK_TIMEOUT
from app.vault.restoration import frozen
from tests import builders
from tests.conftest import one
from tests.server import Service, eventually, running

pytestmark = pytest.mark.timeouts

POOL = 4
WRITERS = 12
SOON = 3.0  # long enough for a loaded machine
READINGS = ["/client/clients", "/finances/caisses", "/facturation/factures", "/dashboard/tableau-de-bord", "/auth/me"]


@pytest.fixture
def service(tmp_path: Path, database_url: str) -> Iterator[Service]:
    with running(tmp_path, DATABASE_URL=database_url, DATABASE_POOL=str(POOL)) as running_service:
        yield running_service


def timed(client: httpx.Client, method: str, path: str, **body: Any) -> tuple[int, str | None, float]:
    began = time.monotonic()
    answer = client.request(method, path, **body)
    code = answer.json()["code"] if answer.status_code >= 400 else None
    return answer.status_code, code, time.monotonic() - began


# The number of API sessions that wait for a lock of this kind.
WAITING = """select count(*) from pg_locks l join pg_stat_activity a using (pid)
 where not l.granted and l.locktype = %s and a.application_name = 'comptoir' and a.datname = current_database()"""


@pytest.mark.promesse("Verrou tenu : 503 DONNEES_OCCUPEES en quatre secondes, la caisse d'à côté est servie")
def test_a_locked_till_is_refused_and_another_served(service: Service, database_url: str, record_property: Any) -> None:
    admin = service.login()
    activite = admin.get("/finances/activites").json()[0]["id_activite"]
    tills = [
        admin.post("/finances/caisses", json={"libelle": name, "id_activite": activite}).json()["id_caisse"]
        for name in ("Entrée", "Étage")
    ]
    with psycopg.connect(database_url, autocommit=True) as holder:
        holder.execute("select pg_advisory_lock(core._verrou('CAISSE'), %s)", [int(tills[0])])
        with ThreadPoolExecutor(WRITERS) as threads:
            held = [threads.submit(timed, admin, "POST", f"/finances/caisses/{tills[0]}/ouvrir") for _ in range(2)]
            eventually(lambda: one(database_url, WAITING, "advisory") == 2)
            assert timed(admin, "POST", f"/finances/caisses/{tills[1]}/ouvrir")[:2] == (201, None)
            refused = [future.result() for future in held]
    assert {answer[:2] for answer in refused} == {(503, "DONNEES_OCCUPEES")}
    longest = max(seconds for *_, seconds in refused)
    assert longest < LOCK_TIMEOUT + SOON
    record_property("refus le plus tardif (s)", round(longest, 1))
    assert timed(admin, "POST", f"/finances/caisses/{tills[0]}/ouvrir")[0] == 201


@pytest.mark.bref
def test_a_type_that_an_upgrade_holds_gives_the_same_refusal(service: Service, database_url: str) -> None:
    admin = service.login()
    with psycopg.connect(database_url) as holder:
        holder.execute("alter type auth.compte add attribute essai text")
        status, code, seconds = timed(admin, "GET", "/auth/me")
    assert (status, code) == (503, "DONNEES_OCCUPEES")
    assert seconds < LOCK_TIMEOUT + SOON


@pytest.mark.promesse("Restauration : les écritures attendent ou reçoivent 503, et chaque lecture est servie")
def test_a_restore_blocks_writers_and_no_reader(service: Service, database_url: str, record_property: Any) -> None:
    admin = service.login()
    for path in READINGS:
        assert timed(admin, "GET", path)[0] == 200
    with (
        psycopg.connect(database_url, autocommit=True) as present,
        ThreadPoolExecutor(WRITERS) as threads,
        frozen(present, lambda _: None),
    ):
        writes = [threads.submit(timed, admin, "POST", "/client/clients", json=builders.CLIENT) for _ in range(WRITERS)]
        eventually(lambda: one(database_url, WAITING, "relation") == POOL - 1)
        reads = [timed(admin, "GET", path) for _ in range(4) for path in READINGS]
        assert not any(future.done() for future in writes)
        answers = [future.result() for future in writes]
    assert {answer[:2] for answer in reads} == {(200, None)}
    assert max(seconds for *_, seconds in reads) < SOON
    assert {answer[0] for answer in answers} == {503}
    assert {answer[1] for answer in answers} <= {"DONNEES_OCCUPEES", "INDISPONIBLE"}
    assert max(seconds for *_, seconds in answers) < ACQUIRE_TIMEOUT + LOCK_TIMEOUT + SOON
    assert timed(admin, "POST", "/client/clients", json=builders.CLIENT)[0] == 201
    record_property("lecture la plus lente pendant le gel (s)", round(max(seconds for *_, seconds in reads), 2))
    record_property("écritures refusées", dict(Counter(str(answer[1]) for answer in answers)))
