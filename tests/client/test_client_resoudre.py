"""Operations name a known client or bring a new one, never both."""

from psycopg.types.json import Jsonb

from tests import builders
from tests.conftest import refused

NEW = {"nom": "Bamba", "prenoms": "Issa", "tel_principal": "0102030405"}


def resolve(db, id_client=None, client=None):
    return db.one(
        "select client._client_resoudre(%s, jsonb_populate_record(null::client.client_nouveau, %s))"
        if client
        else "select client._client_resoudre(%s, null)",
        [id_client, Jsonb(client)] if client else [id_client],
    )


def test_a_known_client_is_itself_and_nobody_is_nobody(db):
    known = builders.client(db)
    assert resolve(db, known) == known
    assert resolve(db) is None


def test_a_new_client_is_registered_as_passing_through(db):
    made = db.one("select * from client.client where id_client = %s", [resolve(db, client=NEW)])
    assert (made["nom"], made["type_client"]) == ("Bamba", "PASSAGE") and "-CL-" in made["code"]
    made = db.one(
        "select * from client.client where id_client = %s",
        [resolve(db, client=NEW | {"type_client": "AUTRE"})],
    )
    assert made["type_client"] == "AUTRE"


def test_refusals_leave_no_client(db):
    known, before = builders.client(db), db.one("select count(*) from client.client")
    with refused("CLIENT_AMBIGU", status=400):
        resolve(db, known, NEW)
    with refused("CLIENT_INCONNU", status=422):
        resolve(db, 999_999_999)
    with refused("TELEPHONE_MAL_FORME", status=400):
        resolve(db, client=NEW | {"tel_principal": "?"})
    with refused("VALIDATION_ERROR", status=400):
        resolve(db, client={"nom": "Seul"})
    assert db.one("select count(*) from client.client") == before
