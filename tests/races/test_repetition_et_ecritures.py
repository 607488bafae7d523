"""Rehearsals hold the counter of invoices for a short time, whatever they call."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from app.http.mode import RATE
from app.http.transaction import WRITING
from tests.server import Service, eventually, running

LONGEST_WAIT = 1.0  # seconds, of an ordinary write for a rehearsal
SLOW = "Prestation lente"
# An invoice of the slow service takes a minute at the end of its statement, when it has its number.
DELAY = f"""
create function facturation._essai_lente() returns trigger language plpgsql as
$$ begin if new.libelle = '{SLOW}' then perform pg_sleep(60); end if; return null; end $$;
alter function facturation._essai_lente() owner to comptoir_code;
create constraint trigger t95_essai_lente after insert on facturation.facture_ligne
  deferrable initially deferred for each row execute function facturation._essai_lente();
"""
HELD = """select true from pg_locks
           where locktype = 'advisory' and classid = core._verrou('REPETITION')::oid and granted
             and database = (select oid from pg_database where datname = current_database())"""
SLEEPING = """select true from pg_stat_activity
              where datname = current_database() and wait_event = 'PgSleep'"""
# The longest present wait for a lock of another transaction. Rehearsals that wait for each other are not counted.
WAIT = """
select coalesce(max(extract(epoch from clock_timestamp() - w.waitstart)), 0)::float
  from pg_locks w join pg_stat_activity a on a.pid = w.pid
 where not w.granted and a.datname = current_database()
   and (w.locktype, w.classid) is distinct from ('advisory', core._verrou('REPETITION')::oid)
"""


@pytest.fixture
def service(database_url: str, tmp_path: Path) -> Iterator[Service]:
    with psycopg.connect(database_url, autocommit=True) as owner:
        owner.execute(DELAY)
    with running(tmp_path, DATABASE_URL=database_url) as server:
        yield server


def call(path: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"methode": "POST", "chemin": f"/api/v1{path}", "corps": body}


def services_of(admin: Any) -> tuple[str, str]:
    """The paths that invoice a quick and a slow service."""
    quick, slow = (
        admin.post("/facturation/prestations", json={"libelle": label, "prix": "100", "id_activite": "1"}).json()
        for label in ("Prestation rapide", SLOW)
    )
    path = "/facturation/prestations/{}/facturer"
    return path.format(quick["id_prestation"]), path.format(slow["id_prestation"])


INVOICE = {"montant": "100", "id_moyen": "1"}


def longest_wait(watcher: psycopg.Connection[Any], writes: list[Future[httpx.Response]]) -> float:
    """The longest wait seen until these writes are done."""
    longest = 0.0
    while not all(write.done() for write in writes):
        [(wait,)] = watcher.execute(WAIT).fetchall()
        longest = max(longest, wait)
    return longest


@pytest.mark.promesse("Une écriture ordinaire n'attend jamais une répétition plus d'une seconde.")
@pytest.mark.parametrize("listed", [True, False])
def test_a_write_waits_less_than_a_second_for_a_rehearsal(service: Service, database_url: str, listed: bool) -> None:
    admin, cashiers = service.login(), [service.login() for _ in range(4)]
    quick, slow = services_of(admin)

    def rehearse() -> httpx.Response:
        if listed:
            return admin.post("/repetition", json={"appels": [call(quick, INVOICE), call(slow, INVOICE)]})
        return admin.post(slow, json=INVOICE, headers={"Prefer": "tx=rollback"})

    with ThreadPoolExecutor(8) as threads, psycopg.connect(database_url, autocommit=True) as watcher:
        for _ in range(2):  # opens the connections and caches their plans
            list(threads.map(lambda cashier: cashier.post(quick, json=INVOICE), cashiers))
        longest, messages = 0.0, ""
        for _ in range(3):
            rehearsal = threads.submit(rehearse)
            eventually(lambda: watcher.execute(SLEEPING).fetchone())
            writes: list[Future[httpx.Response]] = [threads.submit(c.post, quick, json=INVOICE) for c in cashiers]
            longest = max(longest, longest_wait(watcher, writes))
            assert [write.result().status_code for write in writes] == [201] * len(cashiers)
            refused = rehearsal.result()
            assert (refused.status_code, refused.json()["code"]) == (503, "OPERATION_TROP_LONGUE")
            messages += refused.json()["message"]
    assert "attendre une autre écriture" in messages
    print(f"longest wait: {longest:.3f} s")
    assert 0 < longest < LONGEST_WAIT


def test_an_undisturbed_rehearsal_ends_in_the_time_of_its_writes(service: Service, database_url: str) -> None:
    admin = service.login()
    quick, slow = services_of(admin)
    body = {"appels": [call(quick, INVOICE), call(slow, INVOICE)]}
    with ThreadPoolExecutor(1) as threads, psycopg.connect(database_url, autocommit=True) as watcher:
        rehearsal = threads.submit(admin.post, "/repetition", json=body)
        eventually(lambda: watcher.execute(HELD).fetchone())
        refused = rehearsal.result()
        assert (refused.status_code, refused.json()["code"]) == (503, "OPERATION_TROP_LONGUE")
        assert "prend trop de temps" in refused.json()["message"]
        eventually(lambda: not watcher.execute(HELD).fetchone())
    assert refused.elapsed.total_seconds() < 3 * WRITING


def test_a_cashier_who_rehearses_in_a_loop_refuses_no_invoice_of_others(service: Service, database_url: str) -> None:
    admin, cashier = service.login(), service.login()
    quick, slow = services_of(admin)
    body = {"appels": [call(quick, INVOICE), call(slow, INVOICE)]}
    with ThreadPoolExecutor(1) as threads, psycopg.connect(database_url, autocommit=True) as watcher:
        loop = threads.submit(lambda: [admin.post("/repetition", json=body).status_code for _ in range(RATE.limit + 2)])
        eventually(lambda: watcher.execute(HELD).fetchone())
        invoices = [cashier.post(quick, json=INVOICE).status_code for _ in range(10)]
        assert invoices == [201] * 10
        rehearsals = loop.result()
    assert set(rehearsals[: RATE.limit]) == {503} and set(rehearsals[RATE.limit :]) == {429}
