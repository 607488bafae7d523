"""An operation names an existing client or gives a new one, never both."""

from psycopg.types.json import Jsonb

from tests import builders
from tests.conftest import refused

NEW = {"nom": "Bamba", "prenoms": "Issa", "tel_principal": "0102030405"}


def resolve(db, id_client=None, client=None):
    new = "case when %s then jsonb_populate_record(null::client.client_nouveau, %s) end"
    given = [id_client, client is not None, Jsonb(client or {})]
    return db.one(f"select client._client_resoudre(%s, {new})", given)


def test_an_identifier_resolves_to_its_client_and_none_to_none(db):
    existing = builders.client(db)
    assert resolve(db, existing) == existing
    assert resolve(db) is None


def test_a_new_client_is_registered_with_type_passage_by_default(db):
    for given, kind in ((NEW, "PASSAGE"), (NEW | {"type_client": "AUTRE"}, "AUTRE")):
        made = db.one("select * from client.client where id_client = %s", [resolve(db, client=given)])
        assert (made["nom"], made["type_client"]) == ("Bamba", kind) and "-CL-" in made["code"]


def test_an_invalid_client_is_refused(db):
    with refused("CLIENT_AMBIGU", status=400):
        resolve(db, builders.client(db), NEW)
    with refused("CLIENT_INCONNU", status=422):
        resolve(db, 999_999_999)
    with refused("TELEPHONE_MAL_FORME", status=400):
        resolve(db, client=NEW | {"tel_principal": "?"})
    with refused("VALIDATION_ERROR", status=400):
        resolve(db, client={"nom": "Seul"})
