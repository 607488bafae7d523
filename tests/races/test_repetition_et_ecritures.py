"""Rehearsals and imports hold the counter of invoices for a short time, whatever they call."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import httpx
import psycopg
import pytest

from app.http.mode import RATE
from app.http.transaction import WRITING
from tests import builders
from tests.conftest import connected, execute
from tests.preuve import selon
from tests.server import Service, eventually
from tests.sheets import counts, text

LONGEST_WAIT = 1.0  # seconds, of an ordinary write for a rehearsal
SLOW = "Prestation lente"
OPENING = "Reprise"
ROWS = 250  # of a sheet: together they take longer than a write waits for a lock (app/database/pool.py)
# An invoice of the slow service takes a minute at the end of its statement, when it has its number. An opening invoice
# takes 20 ms there.
DELAY = f"""
create function facturation._essai_lente() returns trigger language plpgsql as
$$ begin
  perform pg_sleep(case when new.libelle = '{SLOW}' then 60 when new.libelle like '{OPENING}%' then 0.02 end);
  return null;
end $$;
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


INVOICE = {"montant": "100", "id_moyen": "1"}


@pytest.fixture(scope="module")
def admin(module_url: str, module_service: Service) -> httpx.Client:
    execute(module_url, DELAY)
    return module_service.login()


@pytest.fixture(scope="module")
def paths(admin: httpx.Client) -> list[str]:
    """The paths that invoice a quick and a slow service."""
    services = [{"libelle": label, "prix": "100", "id_activite": "1"} for label in ("Prestation rapide", SLOW)]
    keys = [admin.post("/facturation/prestations", json=service).json()["id_prestation"] for service in services]
    return [f"/facturation/prestations/{key}/facturer" for key in keys]


@pytest.fixture
def rehearsal(paths: list[str]) -> dict[str, Any]:
    """A list of a quick and a slow invoice."""
    return {"appels": [{"methode": "POST", "chemin": f"/api/v1{path}", "corps": INVOICE} for path in paths]}


@pytest.fixture
def watcher(module_url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(module_url, autocommit=True) as connection:
        yield connection


def longest_wait(watcher: psycopg.Connection[Any], writes: list[Future[httpx.Response]]) -> float:
    """The longest wait seen until these writes are done."""
    longest = 0.0
    while not all(write.done() for write in writes):
        [(wait,)] = watcher.execute(WAIT).fetchall()
        longest = max(longest, wait)
    return longest


@pytest.mark.promesse("Une écriture ordinaire n'attend jamais une répétition plus d'une seconde.")
@pytest.mark.parametrize("listed", [True, False])
def test_a_write_waits_less_than_a_second_for_a_rehearsal(
    module_service: Service, admin: httpx.Client, paths: list[str], rehearsal: Any, watcher: Any, listed: bool
) -> None:
    quick, slow = paths
    cashiers = [module_service.new_client(authorization=admin.headers["authorization"]) for _ in range(4)]

    def rehearse() -> httpx.Response:
        if listed:
            return admin.post("/repetition", json=rehearsal)
        return admin.post(slow, json=INVOICE, headers={"Prefer": "tx=rollback"})

    with ThreadPoolExecutor(8) as threads:
        for _ in range(2):  # opens the connections and caches their plans
            list(threads.map(lambda cashier: cashier.post(quick, json=INVOICE), cashiers))
        longest, messages = 0.0, ""
        for _ in range(selon(1, 3)):
            rehearsing = threads.submit(rehearse)
            eventually(lambda: watcher.execute(SLEEPING).fetchone())
            writes: list[Future[httpx.Response]] = [threads.submit(c.post, quick, json=INVOICE) for c in cashiers]
            longest = max(longest, longest_wait(watcher, writes))
            assert [write.result().status_code for write in writes] == [201] * len(cashiers)
            refused = rehearsing.result()
            assert (refused.status_code, refused.json()["code"]) == (503, "OPERATION_TROP_LONGUE")
            messages += refused.json()["message"]
    assert "attendre une autre écriture" in messages
    print(f"longest wait: {longest:.3f} s")
    assert 0 < longest < LONGEST_WAIT


@pytest.mark.promesse("Une écriture ordinaire n'attend jamais un import par lots, ni son essai, plus d'une seconde.")
def test_a_write_waits_less_than_a_second_for_an_import_and_for_its_trial(
    module_service: Service, admin: httpx.Client, paths: list[str], watcher: psycopg.Connection[Any]
) -> None:
    """The sheet fits in one lot. Others invoice during its trial, then while its rows are imported."""
    code = admin.post("/client/clients", json=builders.CLIENT).json()["code"]
    sheet = text(("client", "libelle", "montant"), *((code, f"{OPENING} {n}", n + 1) for n in range(ROWS)))
    cashiers = [module_service.new_client(authorization=admin.headers["authorization"]) for _ in range(4)]

    def beside(path: str, **form: Any) -> Any:
        """The answer to this request, after invoices that waited less than a second for it."""
        longest = 0.0
        working = threads.submit(lambda: admin.post(path, **form))
        eventually(lambda: watcher.execute(SLEEPING).fetchone())
        while not working.done():
            writes = [threads.submit(cashier.post, paths[0], json=INVOICE) for cashier in cashiers]
            longest = max(longest, longest_wait(watcher, writes))
            assert [write.result().status_code for write in writes] == [201] * len(cashiers)
        print(f"longest wait for {path}: {longest:.3f} s")
        assert 0 < longest < LONGEST_WAIT
        return working.result().json()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda cashier: cashier.post(paths[0], json=INVOICE), cashiers))
        tried = beside("/imports", data={"entite": "factures"}, files={"file": ("factures.csv", sheet)})
        assert (tried["etat"], tried["fait"], counts(tried)) == ("ESSAYE", ROWS, (ROWS, 0, 0))
        done = beside(f"/imports/{tried['id_import']}/valider")
        assert (done["etat"], done["fait"], counts(done)) == ("FAIT", ROWS, (ROWS, 0, 0))
    invoices = f"select count(*) filter (where libelle like '{OPENING}%'), count(*) from facturation.facture"
    last = "select sum(valeur) from core.compteur where type = 'FAC'"
    [(opening, numbered)] = watcher.execute(invoices).fetchall()
    assert (opening, [(numbered,)]) == (ROWS, watcher.execute(last).fetchall())


def test_an_undisturbed_rehearsal_ends_in_the_time_of_its_writes(
    admin: httpx.Client, rehearsal: Any, watcher: psycopg.Connection[Any]
) -> None:
    with ThreadPoolExecutor(1) as threads:
        rehearsing = threads.submit(admin.post, "/repetition", json=rehearsal)
        eventually(lambda: watcher.execute(HELD).fetchone())
        refused = rehearsing.result()
        assert (refused.status_code, refused.json()["code"]) == (503, "OPERATION_TROP_LONGUE")
        assert "prend trop de temps" in refused.json()["message"]
        eventually(lambda: not watcher.execute(HELD).fetchone())
    assert refused.elapsed.total_seconds() < 3 * WRITING


@pytest.mark.promesse("Une liste faite pour de bon ne fait refuser aucune écriture d'un autre.")
def test_a_list_that_is_kept_ends_before_the_writes_that_wait_for_it_are_refused(
    module_service: Service, admin: httpx.Client, paths: list[str], rehearsal: Any, watcher: psycopg.Connection[Any]
) -> None:
    cashier = module_service.new_client(authorization=admin.headers["authorization"])
    with ThreadPoolExecutor(1) as threads:
        keeping = threads.submit(admin.post, "/repetition", json={**rehearsal, "valider": True})
        eventually(lambda: watcher.execute(SLEEPING).fetchone())
        assert cashier.post(paths[0], json=INVOICE).status_code == 201
        refused = keeping.result()
    assert (refused.status_code, refused.json()["code"]) == (503, "OPERATION_TROP_LONGUE")


def test_a_cashier_who_rehearses_in_a_loop_refuses_no_invoice_of_others(
    module_service: Service, module_url: str, admin: httpx.Client, paths: list[str], rehearsal: Any, watcher: Any
) -> None:
    """Invoices go on until the end of the loop."""
    with connected(module_url) as db:
        builders.utilisateur(db, "ADMINISTRATEUR", login="essai.boucle")
    cashier, invoices = module_service.login("essai.boucle", builders.PASSWORD), []

    def rehearse() -> list[int]:
        return [cashier.post("/repetition", json=rehearsal).status_code for _ in range(RATE.limit + 2)]

    with ThreadPoolExecutor(1) as threads:
        loop = threads.submit(rehearse)
        eventually(lambda: watcher.execute(HELD).fetchone())
        while not loop.done():
            invoices.append(admin.post(paths[0], json=INVOICE).status_code)
    assert loop.result() == [503] * RATE.limit + [429] * 2
    assert set(invoices) == {201} and len(invoices) >= RATE.limit
