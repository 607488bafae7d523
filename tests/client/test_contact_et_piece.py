"""Emergency contacts and identity documents of a client."""

from tests import builders
from tests.conftest import refused

CONTACT = {"nom": "Yao", "lien": "MERE", "tel_principal": "0102030405"}
PIECE = {"type_piece": "CNI", "numero": "C-2026-000001"}


def identify(db, client, **fields):
    return db.call("client.piece_identite_creer", id_client=client, **PIECE | fields)


def modify(db, client, piece, **champs):
    return db.call("client.piece_identite_modifier", id_client=client, id_piece=piece["id_piece"], champs=champs)


def test_a_contact_is_added_and_shown_with_the_client(db):
    made = builders.client(db)
    contact = db.call("client.contact_urgence_creer", id_client=made, prenom="Akissi", email="a@exemple.ci", **CONTACT)
    assert contact["id_client"] == made and contact["prenom"] == "Akissi" and contact["adresse"] is None
    shown = db.all("select k.* from client.client_detail_vue c, unnest(c.contacts) k where c.id_client = %s", [made])
    assert shown == [contact]


def test_scans_are_added_to_an_identity_document(db):
    made = builders.client(db)
    piece = identify(db, made, date_delivrance="2024-01-01")
    scans = {"copie_num": "piece-identite/1-a.jpg", "copie_num_verso": "piece-identite/1-b.jpg"}
    changed = modify(db, made, piece, **scans)
    assert changed == piece | scans
    cleared = modify(db, made, piece, copie_num=None, date_delivrance=None, numero="AUTRE")
    assert cleared == changed | {"copie_num": None, "date_delivrance": None}
    shown = db.all("select p.* from client.client_detail_vue c, unnest(c.pieces) p where c.id_client = %s", [made])
    assert shown == [cleared]


def test_an_invalid_document_is_refused(db):
    made = builders.client(db)
    identify(db, builders.client(db), numero="PRIS")
    for fields, rule, status in (
        ({"numero": "PRIS"}, "PIECE_IDENTITE_EXISTANTE", 409),
        ({"date_delivrance": "2026-01-02", "date_expiration": "2026-01-02"}, "PIECE_DATES_ORDONNEES", 400),
        ({"copie_num": "n'importe quoi"}, "CLE_OBJET_MAL_FORMEE", 400),
        ({"numero": ""}, "LIBELLE_REMPLI", 400),
    ):
        with refused(rule, status=status):
            identify(db, made, **fields)


def test_documents_of_two_types_may_have_the_same_number(db):
    made = builders.client(db)
    identify(db, made)
    identify(db, made, type_piece="PASSEPORT")
    assert db.one("select count(*) from client.piece_identite where id_client = %s", [made]) == 2


def test_a_document_is_modified_only_under_its_own_client(db):
    piece = identify(db, builders.client(db))
    with refused("NOT_FOUND", status=404):
        modify(db, builders.client(db), piece, autorite_delivrance="ONECI")


def test_a_changed_date_is_compared_with_the_stored_dates(db):
    made = builders.client(db)
    piece = identify(db, made, date_expiration="2026-01-01")
    with refused("PIECE_DATES_ORDONNEES", status=400):
        modify(db, made, piece, date_delivrance="2026-02-01")
