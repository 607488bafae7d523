"""A test and the application that it calls share one session of PostgreSQL; the application has its own rights."""

from __future__ import annotations

import psycopg
import pytest

from app.base.refusal import Refusal
from tests import builders
from tests.conftest import Db, Http


def test_the_application_reads_what_the_test_wrote_and_the_test_what_the_application_wrote(http: Http, db: Db) -> None:
    admin = http.as_admin()
    known = builders.client(db, nom="Écrit par l'essai")
    assert admin.get(f"/client/clients/{known}").json()["nom"] == "Écrit par l'essai"
    assert admin.patch(f"/client/clients/{known}", json={"nom": "Écrit par l'API"}).status_code == 200
    assert db.one("select nom from client.client where id_client = %s", [known]) == "Écrit par l'API"


def test_statements_of_the_application_run_as_its_role_and_those_of_the_test_do_not(http: Http, db: Db) -> None:
    database = http.services.database
    role = http.runner.run(database.value("select current_user"))
    assert (role, db.one("select current_user")) == ("comptoir_app", db.one("select session_user"))
    with pytest.raises(Exception, match="permission denied"):
        http.runner.run(database.value("select count(*) from client.client"))
    assert db.one("select current_user") == db.one("select session_user")
    assert db.one("select count(*) from client.client") == 0


def test_a_refused_statement_leaves_the_transaction_of_the_test_as_it_was(http: Http, db: Db) -> None:
    known = builders.client(db)
    for statement in ("select core.parametre_detail('SANS_NOM')", "select 1 / $1::text::integer"):
        with pytest.raises(Refusal):
            http.runner.run(http.services.database.row(statement, ["0"] if "$1" in statement else []))
    assert db.connection.info.transaction_status == psycopg.pq.TransactionStatus.INTRANS
    assert db.one("select count(*) from client.client where id_client = %s", [known]) == 1


def test_a_statement_stays_prepared_from_one_request_to_the_next(http: Http, db: Db) -> None:
    admin = http.as_admin()
    prepared = "select count(*) from pg_prepared_statements"
    assert admin.get("/core/parametres").status_code == 200
    after_one = db.one(prepared)
    assert admin.get("/core/parametres").status_code == 200
    assert db.one(prepared) == after_one > 0
