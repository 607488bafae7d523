"""A sheet whose request is killed, or refused because of a lock, on arrival or on its trial."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from tests.conftest import Db, refusal
from tests.echange.test_lots import numbered
from tests.server import Service, blocks, eventually, kill, running, worker

ROWS = 2500  # three batches on arrival, three lots of the trial
KEY = {"idempotency-key": "sheet"}
# The second batch of rows waits for a lock of the test.
SECOND_BATCH = """
create function echange.essai_attendre() returns trigger language plpgsql security definer as
  'begin perform pg_advisory_xact_lock(42); return new; end';
create trigger essai_attendre before insert on echange.ligne
  for each row when (new.ligne = 1500) execute function echange.essai_attendre();
"""
# The second lot of the trial waits for this code, which another transaction gives.
SECOND_LOT = """insert into client.client (code, nom, prenoms, tel_principal, type_client)
                values ('C1500', 'Other', 'Ama', '0700009999', 'AUTRE')"""

IMPORTS = "select count(*) from echange.import"
IMPORTED = "select count(*) from client.client where nom like 'Nom%'"


@pytest.fixture
def holder(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    """A transaction of the test, which holds a lock until it is rolled back."""
    with psycopg.connect(database_url) as connection:
        yield connection


def post(client: httpx.Client, **headers: str) -> httpx.Response:
    files = {"file": ("clients.csv", numbered(ROWS))}
    return client.post("/imports", data={"entite": "clients"}, files=files, headers=headers)


def hold_the_second_batch(holder: psycopg.Connection[Any]) -> None:
    """Let the second batch of rows wait for the lock of the test, and take this lock."""
    holder.execute(SECOND_BATCH)
    holder.commit()
    holder.execute("select pg_advisory_xact_lock(42)")


def killed_while_it_waits(service: Service, committed: Db, holder: psycopg.Connection[Any]) -> None:
    """Send the sheet, kill the service while it waits for the lock of the test, and free the lock."""
    sessions = "select from pg_stat_activity where application_name = 'comptoir' and datname = current_database()"
    admin = service.login()
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(post, admin, **KEY)
        eventually(lambda: blocks(holder, committed.connection))
        kill(service.process)
        with pytest.raises(httpx.TransportError):
            answer.result()
    holder.rollback()
    eventually(lambda: not committed.all(sessions))


def assert_tried(answer: httpx.Response, committed: Db) -> None:
    assert (answer.status_code, answer.json()["etat"]) == (201, "ESSAYE"), answer.text
    assert [answer.json()[name] for name in ("lignes", "acceptees", "fait", "total")] == [ROWS] * 4
    assert (committed.one(IMPORTS), committed.one(IMPORTED)) == (1, 0)


@pytest.mark.promesse("Feuille dont l'arrivée est tuée : rien n'en reste, et la requête répétée l'essaie toute")
def test_a_sheet_killed_on_arrival_leaves_nothing_and_frees_its_key(
    tmp_path: Path, database_url: str, committed: Db, holder: psycopg.Connection[Any]
) -> None:
    with running(tmp_path, DATABASE_URL=database_url) as service:
        hold_the_second_batch(holder)
        killed_while_it_waits(service, committed, holder)
    assert committed.one(IMPORTS) == 0
    with running(tmp_path, DATABASE_URL=database_url) as service:
        assert_tried(post(service.login(), **KEY), committed)


@pytest.mark.timeouts
@pytest.mark.promesse("Feuille refusée par 503 à l'arrivée : rien n'en reste, et la requête répétée l'essaie toute")
def test_a_sheet_refused_on_arrival_leaves_nothing_and_frees_its_key(
    tmp_path: Path, database_url: str, committed: Db, holder: psycopg.Connection[Any]
) -> None:
    with running(tmp_path, DATABASE_URL=database_url) as service:
        hold_the_second_batch(holder)
        admin = service.login()
        assert refusal(post(admin, **KEY)) == (503, "DONNEES_OCCUPEES")
        assert committed.one(IMPORTS) == 0
        holder.rollback()
        assert_tried(post(admin, **KEY), committed)


@pytest.mark.promesse("Essai tué entre deux lots : la requête répétée sous sa clé le reprend où il était")
def test_a_trial_killed_between_two_lots_continues_under_its_key(
    tmp_path: Path, database_url: str, committed: Db, holder: psycopg.Connection[Any]
) -> None:
    with running(tmp_path, DATABASE_URL=database_url) as service:
        holder.execute(SECOND_LOT)
        killed_while_it_waits(service, committed, holder)
    assert committed.one("select etat::text from echange.import") == "EN_ESSAI"
    assert committed.one("select fait from echange.import") < ROWS
    with running(tmp_path, DATABASE_URL=database_url) as service:
        admin = service.login()
        answer = post(admin, **KEY)
        assert_tried(answer, committed)
        assert answer.headers["idempotency-replayed"] == "true"


@pytest.mark.timeouts
@pytest.mark.promesse(
    "Essai refusé par 503 entre deux lots : sa confirmation le reprend, et n'importe rien avant son rapport"
)
@pytest.mark.parametrize("queueing", [False, True])
def test_a_trial_refused_between_two_lots_continues_when_it_is_confirmed(
    tmp_path: Path, database_url: str, valkey_url: str, committed: Db, holder: psycopg.Connection[Any], queueing: bool
) -> None:
    """In the process of the service, or in a worker."""
    addresses = {"DATABASE_URL": database_url, **({"KVSTORE_URL": valkey_url} if queueing else {})}
    with ExitStack() as stack:
        service = stack.enter_context(running(tmp_path, **addresses))
        if queueing:
            stack.enter_context(worker(tmp_path, periodic=False, **addresses))
        holder.execute(SECOND_LOT)
        admin = service.login()
        assert refusal(post(admin)) == (503, "DONNEES_OCCUPEES")
        holder.rollback()
        path = f"/imports/{admin.get('/imports').json()[0]['id_import']}"
        assert refusal(admin.post(f"{path}/valider", headers=KEY)) == (409, "IMPORT_EN_ESSAI")
        eventually(lambda: admin.get(path).json()["etat"] == "ESSAYE")
        assert committed.one(IMPORTED) == 0
        assert admin.post(f"{path}/valider", headers=KEY).status_code == 202
        eventually(lambda: admin.get(path).json()["etat"] == "FAIT")
        assert committed.one(IMPORTED) == ROWS
        jobs = committed.one("select count(*) from queue.procrastinate_jobs where task_name = 'importer'")
        assert (jobs > 0) is queueing
