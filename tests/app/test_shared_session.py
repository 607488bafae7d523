"""A test shares one PostgreSQL session with the application that it calls; the application keeps its own role."""

from __future__ import annotations

import psycopg
import pytest

from app.base.refusal import Refusal
from tests import builders
from tests.conftest import Db, Http


def test_the_test_and_the_application_read_each_other_s_writes(http: Http, db: Db) -> None:
    admin = http.as_admin()
    id_client = builders.client(db, nom="Écrit par l'essai")
    assert admin.get(f"/client/clients/{id_client}").json()["nom"] == "Écrit par l'essai"
    assert admin.patch(f"/client/clients/{id_client}", json={"nom": "Écrit par l'API"}).status_code == 200
    assert db.one("select nom from client.client where id_client = %s", [id_client]) == "Écrit par l'API"


def test_only_statements_of_the_application_run_as_its_role(http: Http, db: Db) -> None:
    database = http.services.database
    role = http.runner.run(database.value("select current_user"))
    assert (role, db.one("select current_user")) == ("comptoir_app", db.one("select session_user"))
    with pytest.raises(Exception, match="permission denied"):
        http.runner.run(database.value("select count(*) from client.client"))
    assert db.one("select current_user") == db.one("select session_user")
    assert db.one("select count(*) from client.client") == 0


def test_a_refused_statement_does_not_abort_the_transaction_of_the_test(http: Http, db: Db) -> None:
    id_client = builders.client(db)
    for statement in ("select core.parametre_detail('SANS_NOM')", "select 1 / $1::text::integer"):
        with pytest.raises(Refusal):
            http.runner.run(http.services.database.value(statement, ["0"] if "$1" in statement else []))
    assert db.connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
    assert db.one("select count(*) from client.client where id_client = %s", [id_client]) == 1


def test_a_statement_stays_prepared_from_one_request_to_the_next(http: Http, db: Db) -> None:
    admin = http.as_admin()
    prepared = "select count(*) from pg_prepared_statements"
    assert admin.get("/core/parametres").status_code == 200
    after_one = db.one(prepared)
    assert admin.get("/core/parametres").status_code == 200
    assert db.one(prepared) == after_one > 0
