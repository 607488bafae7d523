"""A test shares one PostgreSQL session with the application that it calls; the application keeps its own role."""

import pytest

from tests.conftest import Db, Http


def test_only_statements_of_the_application_run_as_its_role(http: Http, db: Db) -> None:
    database = http.services.database
    role = http.runner.run(database.value("select current_user"))
    assert (role, db.one("select current_user")) == ("comptoir_app", db.one("select session_user"))
    with pytest.raises(Exception, match="permission denied"):
        http.runner.run(database.value("select count(*) from client.client"))
    assert db.one("select current_user") == db.one("select session_user")
    assert db.one("select count(*) from client.client") == 0


def test_a_statement_stays_prepared_from_one_request_to_the_next(http: Http, db: Db) -> None:
    admin = http.as_admin()
    prepared = "select count(*) from pg_prepared_statements"
    assert admin.get("/core/parametres").status_code == 200
    after_one = db.one(prepared)
    assert admin.get("/core/parametres").status_code == 200
    assert db.one(prepared) == after_one > 0
