"""Accounts: create, list and modify. Role, activity and till must agree, and no answer contains a password."""

import pytest

from tests import builders
from tests.auth.conftest import role_id
from tests.conftest import refusal, refused

HASH = "$2b$10$" + "g" * 53


def create(db, code="RH", **fields):
    fields = {"login": "nouveau.compte", "mot_de_passe": HASH, "id_role": role_id(db, code)} | fields
    return db.call("auth.utilisateur_creer", **fields)


def modify(db, account, **champs):
    return db.call("auth.utilisateur_modifier", id_utilisateur=account["id_utilisateur"], champs=champs)


def test_an_account_is_created_with_its_fields(db):
    given = {"id_activite_scope": builders.activite(db), "id_caisse": builders.caisse(db)}
    given |= {"nom": "Koné", "prenom": "Ali", "id_client": builders.client(db), "actif": False}
    made = create(db, **given)
    expected = given | {"login": "nouveau.compte", "role": "RH", "dernier_connexion": None}
    assert {key: made[key] for key in expected} == expected
    assert db.call("auth.utilisateur_detail", id_utilisateur=made["id_utilisateur"]) == made
    assert db.call("auth.identifiants", login="nouveau.compte")["mot_de_passe"] == HASH


def resolved(db, fields):
    """The fields, with the keys of the rows that are named by a code."""
    keys = {
        "id_role": lambda code: role_id(db, code),
        "id_caisse": lambda code: builders.caisse(db, activite_code=code),
        "id_activite_scope": lambda code: builders.activite(db, code),
    }
    return {name: keys[name](value) if name in keys and isinstance(value, str) else value
            for name, value in fields.items()}  # fmt: skip


@pytest.mark.parametrize(("fields", "rule", "status"), [
    ({"login": "PRIS.DEJA"}, "LOGIN_EXISTANT", 409),
    ({"login": "é"}, "LOGIN_MAL_FORME", 400),
    ({"id_role": 999_999}, "UTILISATEUR_ROLE_INCONNU", 422),
    ({"id_activite_scope": 999_999}, "UTILISATEUR_ACTIVITE_INCONNUE", 422),
    ({"id_caisse": 999_999}, "AFFECTATION_CAISSE_INCONNUE", 422),
    ({"id_client": 999_999}, "UTILISATEUR_CLIENT_INCONNU", 422),
    ({"id_client": "taken"}, "CLIENT_DEJA_LIE", 409),
    ({"id_employe": 1}, "EMPLOYE_INCONNU", 422),
    ({"id_role": "CAISSIER"}, "PERIMETRE_CAISSIER_REQUIS", 400),
    ({"id_caisse": "PRESSING", "id_activite_scope": "RESTAURATION"}, "CAISSE_HORS_ACTIVITE", 409),
])  # fmt: skip
def test_a_refused_account_leaves_no_row_and_a_refused_edit_no_trace(db, fields, rule, status):
    client = builders.client(db)
    builders.utilisateur(db, role="RH", login="pris.deja", id_client=client)
    fields = {"id_client": client} if fields == {"id_client": "taken"} else resolved(db, fields)
    made = create(db, login="autre.compte")
    before = db.rows("auth.utilisateur_lister")
    with refused(rule, status=status):
        create(db, **fields)
    with refused(rule, status=status):
        modify(db, made, **fields)
    assert db.rows("auth.utilisateur_lister") == before


def test_a_cashier_is_limited_to_a_till_or_an_activity(db):
    till, scope = {"id_caisse": "PRESSING"}, {"id_activite_scope": "PRESSING"}
    for number, limits in enumerate((till, scope, till | scope)):
        assert create(db, "CAISSIER", login=f"caissier.{number}", **resolved(db, limits))["role"] == "CAISSIER"


def test_an_edit_of_an_account_changes_only_the_fields_in_the_request(db):
    till = builders.caisse(db)
    made = create(db, nom="Koné", prenom="Ali", id_caisse=till)
    assert modify(db, made, nom=None, login="autre.login") == made | {"nom": None, "login": "autre.login"}
    for id_caisse in (builders.caisse(db), None):
        assert modify(db, made, id_caisse=id_caisse)["id_caisse"] == id_caisse


def test_scope_and_till_can_change_together(db):
    made = create(db, "CAISSIER", **resolved(db, {"id_caisse": "PRESSING", "id_activite_scope": "PRESSING"}))
    limits = resolved(db, {"id_caisse": "RESTAURATION", "id_activite_scope": "RESTAURATION"})
    assert modify(db, made, **limits) == made | limits


def test_a_cashier_keeps_a_till_or_an_activity_and_no_account_loses_a_required_field(db):
    with refused("MOT_DE_PASSE_NON_HACHE", status=400):
        create(db, mot_de_passe="en clair")
    made = create(db, "CAISSIER", **resolved(db, {"id_caisse": "PRESSING"}))
    for field, rule in (("login", "VALIDATION_ERROR"), ("id_role", "VALIDATION_ERROR"), ("actif", "VALIDATION_ERROR"),
                        ("id_caisse", "PERIMETRE_CAISSIER_REQUIS")):  # fmt: skip
        with refused(rule, status=400):
            modify(db, made, **{field: None})
    with refused("CAISSE_HORS_ACTIVITE", status=409):
        modify(db, made, **resolved(db, {"id_activite_scope": "RESTAURATION"}))
    assert db.call("auth.utilisateur_detail", id_utilisateur=made["id_utilisateur"]) == made


@pytest.mark.parametrize(("function", "arguments"), [
    ("utilisateur_detail", {}),
    ("utilisateur_modifier", {"champs": {"nom": "X"}}),
    ("utilisateur_desactiver", {}),
    ("utilisateur_reinitialiser_mot_de_passe", {"nouveau_mot_de_passe": HASH}),
    ("connexion_lister", {}),
])  # fmt: skip
def test_an_unknown_account_is_not_found(db, function, arguments):
    with refused("NOT_FOUND", status=404):
        db.rows(f"auth.{function}", id_utilisateur=999_999_999, **arguments)


def test_accounts_are_filtered_by_each_field(db):
    made = create(db, nom="Koné", prenom="Ali")["id_utilisateur"]
    matching = [
        {"recherche": "kone ali"}, {"recherche": "ali koné"}, {"recherche": "nouveau"}, {"login": "COMPTE"},
        {"nom": "kone"}, {"prenom": "ali"}, {"actif": True}, {"id_role": "RH"},
    ]  # fmt: skip
    others = [{"recherche": "personne d'autre"}, {"nom": "ali"}, {"actif": False}, {"id_role": "CLIENT"}]
    for filters in matching + others:
        rows = db.rows("auth.utilisateur_lister", **resolved(db, filters))
        assert (made in [row["id_utilisateur"] for row in rows]) is (filters in matching), filters


def test_no_view_of_the_slice_shows_a_password(db):
    assert not db.all(
        "select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid "
        "where c.relnamespace = 'auth'::regnamespace and c.relkind = 'v' and a.attname ~ 'passe|secret|hash|jeton'"
    )
    readers = db.all("select p.proname from pg_proc p where p.pronamespace = 'auth'::regnamespace "
                     "and pg_get_functiondef(p.oid) ~ 'auth\\.secret' order by 1")  # fmt: skip
    # The program reads the hash to verify a password.
    public = ["identifiants", "identifiants_semes", "mot_de_passe_hache"]
    # Restoration copies the passwords of the replaced database. The API may not execute these functions.
    private = ["_comptes_exporter", "_comptes_reprendre", "_mot_de_passe_poser"]
    assert [row["proname"] for row in readers] == [*private, *public]


def test_the_account_routes_create_reset_and_deactivate_an_account(http, db):
    admin = http.as_admin()
    body = {"login": "ali.kone", "mot_de_passe": "un bon secret", "id_role": str(role_id(db, "RH")), "nom": "Koné"}
    made = admin.post("/admin/utilisateurs", json=body | {"id_caisse": None})
    assert made.status_code == 201 and "secret" not in made.text and "$2b$" not in made.text
    user = made.json()
    assert (user["login"], user["role"], user["actif"]) == ("ali.kone", "RH", True) and "mot_de_passe" not in user
    path = f"/admin/utilisateurs/{user['id_utilisateur']}"
    assert admin.get(path).json() == user
    assert user in admin.get("/admin/utilisateurs", params={"search": "ali.kone"}).json()

    def login(password):
        return http.post("/auth/login", json={"login": "Ali.Kone", "mot_de_passe": password})

    signed_in = login("un bon secret")
    assert signed_in.status_code == 200
    reset = admin.post(f"{path}/reinitialiser-mot-de-passe", json={"nouveau_mot_de_passe": "un autre secret"})
    assert reset.status_code == 200 and "$2b$" not in reset.text
    assert http.post("/auth/refresh", json={"refresh_token": signed_in.json()["refreshToken"]}).status_code == 401
    assert (login("un bon secret").status_code, login("un autre secret").status_code) == (401, 200)
    connections = admin.get(f"{path}/connexions").json()
    assert sorted(row["succes"] for row in connections) == [False, True, True]

    token = login("un autre secret").json()["accessToken"]
    assert http.get("/auth/me", token=token).status_code == 200
    off = admin.post(f"{path}/desactiver")
    assert (off.status_code, off.json()["actif"]) == (200, False)
    assert http.get("/auth/me", token=token).status_code == 401
    assert refusal(admin.patch(path, json={"mot_de_passe": "xxxxxxxx"})) == (400, "VALIDATION_ERROR")
    short = admin.post(f"{path}/reinitialiser-mot-de-passe", json={"nouveau_mot_de_passe": "court"})
    assert refusal(short) == (400, "VALIDATION_ERROR")
    again = admin.post("/admin/utilisateurs", json=body)
    assert (*refusal(again), again.json()["message"]) == (409, "LOGIN_EXISTANT", "Ce login existe déjà.")


def test_an_account_created_for_an_employee_takes_the_employees_name(db):
    employee = builders.employe(db, nom="Traoré", prenom="Fanta")
    made = create(db, id_employe=employee)
    assert (made["nom"], made["prenom"]) == ("Traoré", "Fanta")
    given = create(db, login="f.diallo", nom="Diallo", id_employe=builders.employe(db))
    assert (given["nom"], given["prenom"]) == ("Diallo", None)  # a name in the request is kept
    later = create(db, login="sans.nom")
    assert later["nom"] is None
    changed = modify(db, later, id_employe=str(builders.employe(db, nom="Yao", prenom="Paul")))
    assert (changed["nom"], changed["prenom"]) == ("Yao", "Paul")
