"""Rehearsals and conditional writes on a real service with several connections."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest

from tests.server import blocks, eventually

PERSON = {"nom": "Exemple", "prenoms": "Awa", "tel_principal": "+2250700000001", "type_client": "PASSAGE"}
PREFER = {"Prefer": "tx=rollback"}


@pytest.fixture(scope="module")
def admin(module_service):
    return module_service.login()


def test_a_rehearsal_leaves_its_number_to_the_next_write(admin, module_url):
    rehearsal = admin.post("/client/clients", json=PERSON, headers=PREFER)
    real = admin.post("/client/clients", json=PERSON)
    assert (rehearsal.status_code, real.status_code) == (201, 201)
    assert rehearsal.json()["code"] == real.json()["code"] and rehearsal.json()["id_client"] != real.json()["id_client"]
    with psycopg.connect(module_url) as connection:
        query = (
            "select array_agg(e.id_entite::text) from evenement.evenement e"
            " where e.type = 'client.cree' and e.id_entite = any(%s::bigint[])"
        )
        ids = [answer.json()["id_client"] for answer in (rehearsal, real)]
        assert connection.execute(query, [ids]).fetchone() == ([real.json()["id_client"]],)


def test_one_of_the_writers_of_a_version_wins(admin, module_service):
    path = f"/client/clients/{admin.post('/client/clients', json=PERSON).json()['id_client']}"
    writers = [module_service.new_client(authorization=admin.headers["authorization"]) for _ in range(4)]
    start = Barrier(len(writers))
    for round in range(5):
        tag = admin.get(path).headers["etag"]

        def write(number, tag=tag, round=round):
            start.wait()
            return writers[number].patch(path, json={"ville": f"Ville {round}-{number}"}, headers={"If-Match": tag})

        with ThreadPoolExecutor(len(writers)) as threads:
            answers = list(threads.map(write, range(len(writers))))
        [winner] = [answer for answer in answers if answer.status_code == 200]
        for loser in (answer for answer in answers if answer is not winner):
            assert (loser.status_code, loser.json()["code"]) == (412, "MODIFIE_ENTRE_TEMPS")
        assert admin.get(path).json()["ville"] == winner.json()["ville"]


def patch_behind(other, url, admin, path, change, tag):
    """Write to this version, and commit the other transaction once the write waits for it."""
    with psycopg.connect(url, autocommit=True) as watcher, ThreadPoolExecutor(1) as thread:
        writing = thread.submit(admin.patch, path, json=change, headers={"If-Match": tag})
        eventually(lambda: blocks(other, watcher))
        other.commit()
        return writing.result()


def test_a_conditional_write_sees_a_writer_that_names_no_version(admin, module_url):
    client = admin.post("/client/clients", json=PERSON).json()["id_client"]
    path = f"/client/clients/{client}"
    tag = admin.get(path).headers["etag"]
    with psycopg.connect(module_url) as other:
        other.execute("update client.client set ville = 'Bouaké' where id_client = %s", [client])
        answer = patch_behind(other, module_url, admin, path, {"ville": "Man"}, tag)
    assert (answer.status_code, answer.json()["details"]["actuel"]["ville"]) == (412, "Bouaké")


def test_a_rehearsal_that_waits_too_long_is_stopped_and_holds_nothing(admin, module_url):
    with psycopg.connect(module_url) as holder:
        holder.execute("lock table client.client in access exclusive mode")
        assert admin.post("/client/clients", json=PERSON, headers=PREFER).status_code == 503
    assert admin.post("/client/clients", json=PERSON).status_code == 201
    idle = """select from pg_stat_activity where application_name = 'comptoir' and datname = current_database()
                 and state like 'idle in transaction%'"""
    with psycopg.connect(module_url, autocommit=True) as watcher:
        eventually(lambda: watcher.execute(idle).fetchone() is None)


def test_a_conditional_write_sees_the_till_that_closes_while_it_waits(admin, module_url):
    till = admin.post("/finances/caisses", json={"libelle": "Accueil", "id_activite": "1"}).json()["id_caisse"]
    admin.post(f"/finances/caisses/{till}/ouvrir", json={})
    kind = admin.post("/finances/categories-depenses", json={"libelle": "Course"}).json()["id_categorie_depense"]
    expense = {"montant": "100", "libelle": "Taxi", "id_categorie_depense": kind, "id_caisse": till}
    path = f"/finances/depenses/{admin.post('/finances/depenses', json=expense).json()['id_depense']}"
    tag = admin.get(path).headers["etag"]
    with psycopg.connect(module_url) as other:
        other.execute("select finances.caisse_fermer(%s)", [till])
        answer = patch_behind(other, module_url, admin, path, {"montant": "900"}, tag)
    assert (answer.status_code, answer.json()["code"]) == (409, "PERIODE_CAISSE_FERMEE")
    assert admin.get(path).json()["montant"] == "100.00"
