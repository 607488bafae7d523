"""Client codes <ORG>-CL-<NNN>: the database assigns them without gaps, and they continue past 999."""

from contextlib import suppress

import psycopg

from tests import builders
from tests.conftest import refused
from tests.together import together


def code(db, **fields):
    return db.one("select code from client.client where id_client = %s", [builders.client(db, **fields)])


def count_from(db, value):
    db.execute("delete from core.compteur where type = 'CL'")
    db.execute("insert into core.compteur values ('CL', 0, %s)", [value])


def test_client_codes_are_consecutive_and_the_code_after_999_is_1000(db):
    db.execute("delete from core.compteur where type = 'CL'")
    assert [code(db), code(db), code(db)] == ["GSG-CL-001", "GSG-CL-002", "GSG-CL-003"]
    count_from(db, 998)
    assert [code(db), code(db), code(db)] == ["GSG-CL-999", "GSG-CL-1000", "GSG-CL-1001"]


def test_an_imported_code_moves_the_counter_forward(db):
    count_from(db, 10)
    for imported, following in (
        ("GSG-CL-5", "GSG-CL-011"),  # below the counter, which stays
        ("AUTRE FORME", "GSG-CL-012"),
        ("GSG-CL-0042", "GSG-CL-043"),
        ("ANCIEN-CL-700", "GSG-CL-701"),
        ("GSG-CL-1200", "GSG-CL-1201"),
    ):
        assert code(db, code=imported) == imported
        assert code(db) == following


def test_a_modified_code_moves_the_counter_forward(db):
    db.execute("update client.client set code = 'GSG-CL-5000' where id_client = %s", [builders.client(db)])
    assert code(db) == "GSG-CL-5001"


def test_a_client_code_is_unique_and_a_refused_client_leaves_no_gap(db):
    before = code(db)
    with refused("CODE_CLIENT_EXISTANT", status=409):
        builders.client(db, code=before)
    with refused("NAISSANCE_PLAUSIBLE", status=400):
        builders.client(db, date_naissance="1800-01-01")
    assert int(code(db).rsplit("-", 1)[1]) == int(before.rsplit("-", 1)[1]) + 1


def test_concurrent_registrations_get_consecutive_codes(database_url):
    def register(db, _):
        for number in range(10):
            with suppress(InterruptedError), db.connection.transaction():
                builders.client(db)
                if number % 3 == 0:
                    raise InterruptedError  # the rollback must free this number

    together(database_url, 6, register)
    with psycopg.connect(database_url) as connection:
        codes = [code for (code,) in connection.execute("select code from client.client order by id_client")]
    assert sorted(int(code.rsplit("-", 1)[1]) for code in codes) == list(range(1, 6 * 6 + 1))
