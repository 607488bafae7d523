"""Clients: create, search, read, modify. A user limited to a client sees only that client."""

import pytest

from tests import builders
from tests.conftest import refused

NEW = {"nom": "Kouassi", "prenoms": "Aya Rose", "tel_principal": "+2250701020304", "type_client": "LOCATAIRE"}


def test_a_client_is_created_with_every_field(db):
    fields = NEW | {
        "date_naissance": "1990-05-01",
        "lieu_naissance": "Bouaké",
        "sexe": "F",
        "nationalite": "Ivoirienne",
        "profession": "Couturière",
        "photo": "client-photo/1-abc.jpg",
        "tel_secondaire": "0102030405",
        "email": "aya@exemple.ci",
        "adresse": "Rue 12",
        "ville": "Abidjan",
        "pays": "Côte d'Ivoire",
    }
    made = db.call("client.client_creer", **fields)
    assert {key: str(made[key]) for key in fields} == fields
    detail = db.call("client.client_detail", id_client=made["id_client"])
    assert {key: detail[key] for key in made} == made


@pytest.mark.utc
@pytest.mark.parametrize(
    ("filters", "listed"),
    [
        ({"recherche": "rose kouassi"}, True),
        ({"recherche": "KOUASSI AYA"}, True),
        ({"recherche": "0701020304"}, True),
        ({"recherche": "-CL-"}, True),
        ({"recherche": "kouadio"}, False),
        ({"type_client": "LOCATAIRE"}, True),
        ({"type_client": "AUTRE"}, False),
        ({"nom": "kouas"}, True),
        ({"nom": "aya"}, False),
        ({"prenoms": "rose"}, True),
        ({"sexe": "F"}, True),
        ({"sexe": "M"}, False),
        ({"nationalite": "ivoir"}, True),
        ({"profession": "couturiere"}, True),
        ({"profession": "maçon"}, False),
        ({"tel_principal": "0701"}, True),
        ({"tel_secondaire": "0701"}, False),
        ({"email": "AYA@"}, True),
        ({"ville": "bouake"}, True),
        ({"pays": "france"}, False),
        ({"naissance_du": "1990-05-01", "naissance_au": "1990-05-01"}, True),
        ({"naissance_du": "1990-05-02"}, False),
        ({"naissance_au": "1990-04-30"}, False),
        ({"enregistre_du": "2026-03-10", "enregistre_au": "2026-03-10"}, True),
        ({"enregistre_du": "2026-03-11"}, False),
        ({"enregistre_au": "2026-03-09"}, False),
    ],
)
def test_clients_are_filtered_by_each_field(db, filters, listed):
    made = builders.client(
        db,
        **NEW,
        sexe="F",
        nationalite="Ivoirienne",
        profession="Couturière",
        email="aya@exemple.ci",
        ville="Bouaké",
        pays="Côte d'Ivoire",
        date_naissance="1990-05-01",
        date_enregistrement="2026-03-10T23:30Z",
    )
    rows = db.rows("client.client_lister", **filters)
    assert (made in [row["id_client"] for row in rows]) is listed


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
    changed = db.call(
        "client.client_modifier",
        id_client=made["id_client"],
        champs={"ville": None, "prenoms": "Aya", "code": "X"},
    )
    assert changed == made | {"ville": None, "prenoms": "Aya"}


@pytest.mark.parametrize(
    ("champs", "rule"),
    [
        ({"nom": " "}, "LIBELLE_REMPLI"),
        ({"tel_principal": "abc"}, "TELEPHONE_MAL_FORME"),
        ({"email": "pas une adresse"}, "EMAIL_MAL_FORME"),
        ({"photo": "../../etc/passwd"}, "CLE_OBJET_MAL_FORMEE"),
        ({"date_naissance": "1800-01-01"}, "NAISSANCE_PLAUSIBLE"),
        ({"nom": None}, "VALIDATION_ERROR"),
    ],
)
def test_an_edit_with_an_invalid_value_leaves_the_client_unchanged(db, champs, rule):
    made = builders.client(db)
    before = db.one("select * from client.client where id_client = %s", [made])
    with refused(rule, status=400):
        db.call("client.client_modifier", id_client=made, champs=champs)
    assert db.one("select * from client.client where id_client = %s", [made]) == before


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("client.client_detail", {}),
        ("client.client_modifier", {"champs": {"nom": "X"}}),
        ("client.contact_urgence_creer", {"nom": "X", "lien": "MERE", "tel_principal": "0102030405"}),
        ("client.piece_identite_creer", {"type_piece": "CNI", "numero": "C-1"}),
        ("client.piece_identite_modifier", {"id_piece": 1, "champs": {}}),
    ],
)
def test_an_unknown_client_is_not_found(db, function, arguments):
    with refused("NOT_FOUND", status=404):
        db.call(function, id_client=999_999_999, **arguments)


def test_a_user_limited_to_a_client_sees_and_modifies_only_that_client(db):
    own, other = builders.client(db), builders.client(db)
    for made in (own, other):
        db.call("client.contact_urgence_creer", id_client=made, nom="Yao", lien="PERE", tel_principal="0102030405")
    db.acting(builders.utilisateur(db, role="RESIDENT", id_client=own))
    assert [row["id_client"] for row in db.rows("client.client_lister")] == [own]
    assert db.all("select distinct id_client from client.contact_urgence_vue") == [{"id_client": own}]
    assert db.call("client.client_detail", id_client=own)["id_client"] == own
    for function, arguments in [
        ("client.client_detail", {}),
        ("client.client_modifier", {"champs": {"nom": "Pris"}}),
        ("client.contact_urgence_creer", {"nom": "X", "lien": "MERE", "tel_principal": "0102030405"}),
        ("client.piece_identite_creer", {"type_piece": "CNI", "numero": "C-1"}),
    ]:
        with refused("NOT_FOUND", status=404):
            db.call(function, id_client=other, **arguments)
    with refused("CLIENT_INCONNU", status=422):
        db.one("select client._client_resoudre(%s, null)", [other])
    assert db.one("select nom from client.client where id_client = %s", [other]) == "Exemple"


def test_the_client_routes_create_read_modify_and_list(http):
    admin = http.as_admin()
    made = admin.post("/client/clients", json=NEW)
    assert made.status_code == 201
    body = made.json()
    assert body["id_client"].isdigit() and "-CL-" in body["code"] and body["ville"] is None
    path = f"/client/clients/{body['id_client']}"
    assert admin.get(path).json() == body | {"contacts": [], "pieces": []}
    changed = admin.patch(path, json={"ville": "Bouaké", "email": None})
    assert (changed.status_code, changed.json()) == (200, body | {"ville": "Bouaké"})
    listed = admin.get("/client/clients", params={"search": "kouassi", "limit": 1})
    assert listed.json() == [changed.json()] and listed.headers["x-total-count"] == "1"
    # Only the database assigns the code.
    assert admin.post("/client/clients", json=NEW | {"code": "GSG-CL-777"}).json()["code"] == "VALIDATION_ERROR"
    assert admin.patch(path, json={"code": "GSG-CL-777"}).json()["code"] == "VALIDATION_ERROR"
    for wrong in (
        {"nom": "X"},
        NEW | {"type_client": "VIP"},
        NEW | {"date_naissance": "hier"},
        NEW | {"nom": ""},
    ):
        refusal = admin.post("/client/clients", json=wrong)
        assert (refusal.status_code, refusal.json()["code"]) == (400, "VALIDATION_ERROR"), wrong
    assert admin.get("/client/clients/999999999").status_code == 404
