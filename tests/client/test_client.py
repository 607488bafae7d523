"""Clients: create, search, read, modify. A user limited to a client sees only that client."""

import pytest

from tests import builders
from tests.conftest import ok, refusal, refused

PERSON = {
    "date_naissance": "1990-05-01", "sexe": "F", "nationalite": "Ivoirienne", "profession": "Couturière",
    "email": "aya@exemple.ci", "ville": "Bouaké", "pays": "Côte d'Ivoire",
}  # fmt: skip
NEW = {"nom": "Kouassi", "prenoms": "Aya Rose", "tel_principal": "+2250701020304", "type_client": "LOCATAIRE"}


def test_a_client_is_created_with_every_field(db):
    others = {"lieu_naissance": "Bouaké", "photo": "client-photo/1-abc.jpg", "tel_secondaire": "0102030405"}
    fields = NEW | PERSON | others | {"adresse": "Rue 12"}
    made = db.call("client.client_creer", **fields)
    assert {key: str(made[key]) for key in fields} == fields
    detail = db.call("client.client_detail", id_client=made["id_client"])
    assert {key: detail[key] for key in made} == made


@pytest.mark.utc
def test_clients_are_filtered_by_each_field(db):
    made = builders.client(db, **NEW, **PERSON, date_enregistrement="2026-03-10T23:30Z")
    matching = [
        {"recherche": "rose kouassi"}, {"recherche": "KOUASSI AYA"}, {"recherche": "0701020304"},
        {"recherche": "-CL-"}, {"type_client": "LOCATAIRE"}, {"nom": "kouas"}, {"prenoms": "rose"}, {"sexe": "F"},
        {"nationalite": "ivoir"}, {"profession": "couturiere"}, {"tel_principal": "0701"}, {"email": "AYA@"},
        {"ville": "bouake"}, {"naissance_du": "1990-05-01", "naissance_au": "1990-05-01"},
        {"enregistre_du": "2026-03-10", "enregistre_au": "2026-03-10"},
    ]  # fmt: skip
    others = [
        {"recherche": "kouadio"}, {"type_client": "AUTRE"}, {"nom": "aya"}, {"sexe": "M"}, {"profession": "maçon"},
        {"tel_secondaire": "0701"}, {"pays": "france"}, {"naissance_du": "1990-05-02"},
        {"naissance_au": "1990-04-30"}, {"enregistre_du": "2026-03-11"}, {"enregistre_au": "2026-03-09"},
    ]  # fmt: skip
    for filters in matching + others:
        keys = [row["id_client"] for row in db.rows("client.client_lister", **filters)]
        assert keys == ([made] if filters in matching else []), filters


def test_clients_are_listed_by_last_registration_or_in_the_requested_order(db):
    first = builders.client(db, nom="Zadi", date_enregistrement="2026-01-01")
    second = builders.client(db, nom="Abo", date_enregistrement="2026-01-02")

    def order(**options):
        rows = db.rows("client.client_lister", enregistre_au="2026-01-02", **options)
        return [row["id_client"] for row in rows if row["id_client"] in (first, second)]

    assert order() == [second, first]
    assert order(sort="nom", order="desc") == [first, second]
    assert order(limit=1, offset=1) == [first]
    with refused("TRI_INCONNU", status=400):
        order(sort="nom; drop table client.client")


def test_an_edit_of_a_client_changes_only_the_fields_in_the_request(db):
    made = db.call("client.client_creer", **NEW, ville="Abidjan", email="aya@exemple.ci")
    champs = {"ville": None, "prenoms": "Aya", "code": "X"}
    changed = db.call("client.client_modifier", id_client=made["id_client"], champs=champs)
    assert changed == made | {"ville": None, "prenoms": "Aya"}


def test_an_edit_with_an_invalid_value_is_refused(db):
    made = builders.client(db)
    for name, value, rule in (
        ("nom", " ", "LIBELLE_REMPLI"),
        ("tel_principal", "abc", "TELEPHONE_MAL_FORME"),
        ("email", "pas une adresse", "EMAIL_MAL_FORME"),
        ("photo", "../../etc/passwd", "CLE_OBJET_MAL_FORMEE"),
        ("date_naissance", "1800-01-01", "NAISSANCE_PLAUSIBLE"),
        ("nom", None, "VALIDATION_ERROR"),
    ):
        with refused(rule, status=400):
            db.call("client.client_modifier", id_client=made, champs={name: value})


OPERATIONS = [
    ("client_detail", {}),
    ("client_modifier", {"champs": {"nom": "X"}}),
    ("contact_urgence_creer", {"nom": "X", "lien": "MERE", "tel_principal": "0102030405"}),
    ("piece_identite_creer", {"type_piece": "CNI", "numero": "C-1"}),
    ("piece_identite_modifier", {"id_piece": 1, "champs": {}}),
]


def test_a_user_limited_to_a_client_sees_and_modifies_only_that_client(db):
    own, other = builders.client(db), builders.client(db)
    for made in (own, other):
        db.call("client.contact_urgence_creer", id_client=made, nom="Yao", lien="PERE", tel_principal="0102030405")
    db.acting(builders.utilisateur(db, role="RESIDENT", id_client=own))
    assert [row["id_client"] for row in db.rows("client.client_lister")] == [own]
    assert db.all("select distinct id_client from client.contact_urgence_vue") == [{"id_client": own}]
    assert db.call("client.client_detail", id_client=own)["id_client"] == own
    for function, arguments in OPERATIONS:
        with refused("NOT_FOUND", status=404):
            db.call(f"client.{function}", id_client=other, **arguments)
    with refused("CLIENT_INCONNU", status=422):
        db.one("select client._client_resoudre(%s, null)", [other])


def test_the_client_routes_create_read_modify_and_list(http):
    admin = http.as_admin()
    body = ok(admin.post("/client/clients", json=NEW), 201)
    assert body["id_client"].isdigit() and "-CL-" in body["code"] and body["ville"] is None
    path = f"/client/clients/{body['id_client']}"
    assert admin.get(path).json() == body | {"contacts": [], "pieces": []}
    changed = admin.patch(path, json={"ville": "Bouaké", "email": None})
    assert (changed.status_code, changed.json()) == (200, body | {"ville": "Bouaké"})
    listed = admin.get("/client/clients", params={"search": "kouassi", "limit": 1})
    assert listed.json() == [changed.json()] and listed.headers["x-total-count"] == "1"
    # Only the database assigns the code.
    assert admin.patch(path, json={"code": "GSG-CL-777"}).json()["code"] == "VALIDATION_ERROR"
    wrong_fields = ({"code": "GSG-CL-777"}, {"type_client": "VIP"}, {"date_naissance": "hier"}, {"nom": ""})
    for wrong in ({"nom": "X"}, *(NEW | fields for fields in wrong_fields)):
        assert refusal(admin.post("/client/clients", json=wrong)) == (400, "VALIDATION_ERROR"), wrong
    assert admin.get("/client/clients/999999999").status_code == 404
