"""Mail in the queue: it is deferred in the transaction of its cause, tried three times, and leaks no token."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests import builders
from tests.conftest import Db, Http
from tests.mail import Api, answering, mailing
from tests.server import RETRY_NOW, eventually, running, worker

FAILED_AT = "(select max(at) from queue.procrastinate_events where job_id = j.id and type = 'deferred_for_retry')"
PAUSE = f"""select extract(epoch from scheduled_at - {FAILED_AT})::float as pause
              from queue.procrastinate_jobs j where scheduled_at > now()"""
JOBS = "select id, status::text as status, attempts, args from queue.procrastinate_jobs order by id"


@pytest.fixture
def api() -> Iterator[Api]:
    with answering() as server:
        yield server


@pytest.fixture
def queueing(http: Http, monkeypatch: pytest.MonkeyPatch) -> Http:
    """The application with KVSTORE_URL, so that it defers mail. Its store stays in memory."""
    monkeypatch.setattr(http.services, "settings", replace(http.services.settings, kvstore_url="redis://127.0.0.1:1/0"))
    return http


def states(db: Db) -> list[str]:
    return [job["status"] for job in db.all(JOBS)]


def person(db: Db) -> int:
    client = builders.client(db, email="awa@exemple.ci")
    return builders.utilisateur(db, role="CLIENT", login="awa.exemple", id_client=client)


def lease(db: Db, client: int) -> dict[str, str]:
    return {
        "id_client": str(client), "id_logement": str(builders.logement(db)), "date_debut": "2026-01-01",
        "montant_loyer": "95000", "type_location": "MENSUEL", "date_fin_prevue": "2026-12-31",
    }  # fmt: skip


def test_a_reset_request_is_queued_alike_for_known_and_unknown_logins(queueing: Http, db: Db) -> None:
    """The API reads no account before it answers, so the answer and its duration reveal no account."""
    person(db)
    logins = ("awa.exemple", "personne")
    known, unknown = (queueing.post("/auth/mot-de-passe-oublie", json={"login": login}) for login in logins)
    assert (known.status_code, unknown.status_code, known.content) == (200, 200, unknown.content)
    assert [job["args"] for job in db.all(JOBS)] == [{"modele": "mot-de-passe", "login": login} for login in logins]
    assert db.one("select count(*) from auth.jeton_reinitialisation") == 0


def test_a_new_lease_defers_one_letter_to_the_resident(queueing: Http, db: Db) -> None:
    admin, body = queueing.as_admin(), lease(db, builders.client(db, email="awa@exemple.ci"))
    for _ in range(2):
        answer = admin.post("/residence/contrats", json=body, headers={"Idempotency-Key": "bail"})
        assert answer.json()["compte_resident"]["email_envoye"] is True
    login = answer.json()["compte_resident"]["login"]
    assert [job["args"] for job in db.all(JOBS)] == [{"modele": "espace-resident", "login": login}]


def test_a_refused_lease_and_a_lease_created_in_sql_defer_no_letter(queueing: Http, db: Db) -> None:
    client = builders.client(db, email="awa@exemple.ci")
    body = lease(db, client) | {"date_fin_prevue": "2025-12-31"}
    assert queueing.as_admin().post("/residence/contrats", json=body).status_code == 400
    builders.contrat(db, id_client=client)
    assert db.all(JOBS) == []


def test_a_letter_sent_by_the_worker_resets_the_password(
    tmp_path: Path, committed: Db, addresses: dict[str, str], api: Api
) -> None:
    """Only the worker knows the mail service. Neither the queue nor the log contains the token."""
    # A separate store, because other tests use up the throttle of this address.
    addresses["KVSTORE_URL"] = addresses["KVSTORE_URL"].removesuffix("/0") + "/7"
    with running(tmp_path, **addresses) as service:
        person(committed)
        for login in ("personne", "awa.exemple"):
            assert service.client.post("/auth/mot-de-passe-oublie", json={"login": login}).status_code == 200
        assert states(committed) == ["todo", "todo"]
        with worker(tmp_path, **addresses, **mailing(api)) as (_, log):
            eventually(lambda: states(committed) == ["succeeded", "succeeded"])
            (letter,) = (request["json"] for request in api.requests)
            assert letter["to"] == [{"email": "awa@exemple.ci"}]
            token = letter["textContent"].split("jeton=")[1].split()[0]
            assert token not in str(committed.all(JOBS)) + log.read_text()
        reset = {"jeton": token, "nouveau_mot_de_passe": "un-mot-de-passe"}
        assert service.client.post("/auth/reinitialiser-mot-de-passe", json=reset).status_code == 200
        service.login("awa.exemple", "un-mot-de-passe").close()


def change_address(http: Http, client: int, email: str, **headers: str) -> int:
    return http.patch(f"/client/clients/{client}", json={"email": email}, headers=headers).status_code


def test_a_changed_address_defers_one_warning_with_its_transaction(queueing: Http, db: Db) -> None:
    """It holds the former address, which the database forgets, and no secret."""
    person(db)
    client = db.one("select id_client from client.client where email = 'awa@exemple.ci'")
    admin, clerk = queueing.as_admin(), queueing.as_user(builders.utilisateur(db, role="RESPONSABLE_PRESSING"))
    assert change_address(admin, client, "awa@exemple.ci") == 200
    assert change_address(clerk, client, "pirate@exemple.ci") == 403
    assert change_address(admin, client, "neuve@exemple.ci", Prefer="tx=rollback") == 200
    assert db.all(JOBS) == []
    assert change_address(admin, client, "neuve@exemple.ci") == 200
    [job] = db.all("select task_name, args - 'organisation' as args from queue.procrastinate_jobs")
    facts = {"modele": "adresse-changee", "faits": {}, "email": "awa@exemple.ci"}
    assert job == {"task_name": "avertir", "args": facts | {"login": "awa.exemple", "nom": job["args"]["nom"]}}


def test_an_unusual_sign_in_defers_one_warning(queueing: Http, db: Db) -> None:
    person(db)
    body = {"login": "awa.exemple", "mot_de_passe": builders.PASSWORD}
    assert queueing.post("/auth/login", json=body, headers={"user-agent": "Navigateur/1"}).status_code == 200
    db.execute("update auth.connexion set adresse_ip = '198.51.100.7'")
    assert db.all(JOBS) == []
    assert queueing.post("/auth/login", json=body, headers={"user-agent": "Autre/1"}).status_code == 200
    [job] = db.all(JOBS)
    assert (job["args"]["modele"], job["args"]["email"]) == ("connexion", "awa@exemple.ci")
    assert (job["args"]["faits"]["adresse"], job["args"]["faits"]["appareil"]) == ("127.0.0.1", "Autre/1")
    assert re.fullmatch(r"\d\d/\d\d/\d{4} à \d\d h \d\d \(UTC\)", job["args"]["faits"]["quand"])


def test_mail_that_the_mail_service_refuses_is_tried_three_times(
    tmp_path: Path, committed: Db, addresses: dict[str, str], api: Api
) -> None:
    """A warning arrives at its second attempt, and a letter never arrives."""
    person(committed)
    client = committed.one("select id_client from client.client where email = 'awa@exemple.ci'")
    with worker(tmp_path, **addresses, **mailing(api)) as (_, log):
        api.status = 503
        change = {"champs": {"email": "neuve@exemple.ci"}, "avis_en_file": True}
        committed.call("client.client_modifier", id_client=client, **change)
        eventually(lambda: committed.all(PAUSE))
        api.status = 201
        committed.execute(RETRY_NOW)
        eventually(lambda: states(committed) == ["succeeded"])
        api.status = 500
        committed.call("jobs.courriel_demander", login="awa.exemple")
        for _ in range(2):
            [retry] = eventually(lambda: committed.all(PAUSE))
            assert 4 < retry["pause"] <= 5
            committed.execute(RETRY_NOW)
        eventually(lambda: states(committed) == ["succeeded", "failed"])
        eventually(lambda: '"action":"job_error","job":"courriel"' in log.read_text())
        assert "refusé l'envoi (500)" in log.read_text()
    outcomes = {row["issue"]: row["nombre"] for row in committed.rows("jobs.tache_bilan") if row["tache"] == "courriel"}
    assert outcomes == {"failed": 1, "retried": 2}
    refused, accepted, *letters = (request["json"] for request in api.requests)
    assert refused == accepted and accepted["to"][0]["email"] == "awa@exemple.ci"
    assert accepted["subject"] == "L'adresse de votre compte a changé"
    # Each attempt creates a new link. Earlier links stay valid.
    assert len(letters) == 3
    assert committed.one("select count(*) from auth.jeton_reinitialisation where date_usage is null") == 3
