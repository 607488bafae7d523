"""A user grants no role, permission, till or activity beyond their own, and takes over no account with more rights."""

from typing import Any

import pytest

from tests import builders
from tests.auth.conftest import permission_id, role_id
from tests.conftest import Db, Http, refusal

PASSWORD = "un mot de passe d'essai"


def make_role(db: Db, code: str, *permissions: str) -> None:
    role = db.call("auth.role_creer", code=code, libelle="Essai")["id_role"]
    for permission in permissions:
        db.call("auth.role_permission_ajouter", id_role=role, id_permission=permission_id(db, permission))


@pytest.fixture
def secretaire(db: Db) -> int:
    """A user who administers accounts, sees and creates clients, and has no other permission."""
    make_role(db, "ESSAI_SECRETAIRE", "ADMIN.VOIR", "ADMIN.CREER", "ADMIN.MODIFIER", "CLIENT.VOIR", "CLIENT.CREER")
    make_role(db, "ESSAI_ACCUEIL", "CLIENT.VOIR")
    return builders.utilisateur(db, role="ESSAI_SECRETAIRE")


def create(user: Http, role: int, login: str = "essai.nouveau", **fields: Any) -> Any:
    body = {"login": login, "mot_de_passe": PASSWORD, "id_role": str(role)} | fields
    return user.post("/admin/utilisateurs", json=body)


def accounts(db: Db) -> Any:
    """Return every column that decides what an account may do."""
    return db.all("select u.*, s.mot_de_passe, a.id_caisse "
                  "from auth.utilisateur u left join auth.secret s using (id_utilisateur) "
                  "left join finances.affectation_caisse a using (id_utilisateur) order by 1")  # fmt: skip


def test_a_user_creates_accounts_with_equal_or_fewer_permissions_only(http: Http, db: Db, secretaire: int) -> None:
    user, before, scope = http.as_user(secretaire), accounts(db), str(builders.activite(db))
    for code in ("ADMINISTRATEUR", "DIRIGEANT", "CAISSIER", "RH"):
        answer = create(user, role_id(db, code), id_activite_scope=scope)
        assert refusal(answer) == (403, "POUVOIR_DEPASSE"), code
    assert accounts(db) == before
    for number, code in enumerate(("ESSAI_ACCUEIL", "ESSAI_SECRETAIRE")):
        assert create(user, role_id(db, code), f"essai.{number}").status_code == 201


def test_a_user_cannot_give_an_account_a_role_above_their_own(http: Http, db: Db, secretaire: int) -> None:
    clerk = builders.utilisateur(db, role="ESSAI_ACCUEIL")
    user = http.as_user(secretaire)
    for target in (clerk, secretaire):
        answer = user.patch(f"/admin/utilisateurs/{target}", json={"id_role": str(role_id(db, "ADMINISTRATEUR"))})
        assert refusal(answer) == (403, "POUVOIR_DEPASSE")
        assert user.patch(f"/admin/utilisateurs/{target}", json={"nom": "Koné"}).status_code == 200


@pytest.mark.parametrize(("method", "path", "body"), [
    ("PATCH", "", {"nom": "Autre"}),
    ("PATCH", "", {"login": "pris.par.un.autre"}),
    ("PATCH", "", {"actif": False}),
    ("PATCH", "", {"id_role": "accueil"}),
    ("POST", "/desactiver", {}),
    ("POST", "/reinitialiser-mot-de-passe", {"nouveau_mot_de_passe": PASSWORD}),
])  # fmt: skip
def test_a_user_cannot_modify_an_account_with_more_permissions(
    http: Http, db: Db, secretaire: int, method: str, path: str, body: dict[str, Any]
) -> None:
    builders.utilisateur(db, role="ADMINISTRATEUR")
    chief = builders.utilisateur(db, role="DIRIGEANT")
    if body.get("id_role") == "accueil":
        body = {"id_role": str(role_id(db, "ESSAI_ACCUEIL"))}
    before = accounts(db)
    answer = http.as_user(secretaire).request(method, f"/admin/utilisateurs/{chief}{path}", json=body)
    assert refusal(answer) == (403, "POUVOIR_DEPASSE")
    assert accounts(db) == before
    assert http.as_admin().request(method, f"/admin/utilisateurs/{chief}{path}", json=body).status_code == 200


def test_a_user_grants_to_a_role_only_permissions_that_they_hold(http: Http, db: Db, secretaire: int) -> None:
    user = http.as_user(secretaire)
    path = f"/admin/roles/{role_id(db, 'ESSAI_ACCUEIL')}/permissions"
    money, see, create = (permission_id(db, code) for code in ("FINANCES.CREER", "CLIENT.VOIR", "CLIENT.CREER"))
    added = user.post(path, json={"id_permission": str(money)})
    replaced = user.put(path, json={"id_permissions": [str(see), str(money)]})
    assert refusal(added) == refusal(replaced) == (403, "PERMISSION_NON_DETENUE")
    assert user.put(path, json={"id_permissions": [str(see), str(create)]}).status_code == 200
    own = f"/admin/roles/{role_id(db, 'ESSAI_SECRETAIRE')}/permissions"
    assert user.post(own, json={"id_permission": str(money)}).status_code == 403


def test_a_user_cannot_remove_from_a_role_permissions_that_they_lack(http: Http, db: Db, secretaire: int) -> None:
    path = f"/admin/roles/{role_id(db, 'DIRIGEANT')}/permissions"
    before = db.one("select count(*) from auth.role_permission")
    answer = http.as_user(secretaire).put(path, json={"id_permissions": []})
    assert refusal(answer) == (403, "PERMISSION_NON_DETENUE")
    assert db.one("select count(*) from auth.role_permission") == before


# ---- tills and activities


@pytest.fixture
def laundry_administrator(db: Db) -> int:
    """A user with every permission, limited to the laundry."""
    return builders.utilisateur(db, role="ADMINISTRATEUR", activite=builders.activite(db, "PRESSING"))


@pytest.mark.parametrize(("activity", "till", "status"), [
    (None, None, 403),
    ("RESTAURATION", None, 403),
    (None, "RESTAURATION", 403),
    ("PRESSING", None, 201),
    (None, "PRESSING", 201),
    ("PRESSING", "PRESSING", 201),
])  # fmt: skip
def test_an_account_limited_to_an_activity_creates_accounts_inside_it_only(
    http: Http, db: Db, laundry_administrator: int, activity: str | None, till: str | None, status: int
) -> None:
    limits = {"id_activite_scope": str(builders.activite(db, activity))} if activity else {}
    if till:
        limits["id_caisse"] = str(builders.caisse(db, activite_code=till))
    assert create(http.as_user(laundry_administrator), role_id(db, "ADMINISTRATEUR"), **limits).status_code == status


def test_an_account_limited_to_a_till_creates_accounts_on_that_till_only(http: Http, db: Db) -> None:
    own, other = builders.caisse(db), builders.caisse(db)
    user = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR", caisse=own))
    cashier = role_id(db, "CAISSIER")
    for limit in ({"id_caisse": str(other)}, {"id_activite_scope": str(builders.activite(db))}):
        assert create(user, cashier, **limit).json()["code"] == "POUVOIR_DEPASSE"
    assert create(user, cashier, id_caisse=str(own)).status_code == 201


@pytest.mark.parametrize(("limit", "field"), [("activite", "id_activite_scope"), ("caisse", "id_caisse")])
def test_a_user_cannot_remove_the_limits_of_their_own_account(http: Http, db: Db, limit: str, field: str) -> None:
    builders.utilisateur(db, role="ADMINISTRATEUR")
    bound = builders.utilisateur(db, role="ADMINISTRATEUR", **{limit: getattr(builders, limit)(db)})
    before = accounts(db)
    assert http.as_user(bound).patch(f"/admin/utilisateurs/{bound}", json={field: None}).status_code == 403
    assert accounts(db) == before


def test_a_user_cannot_reset_the_password_of_an_account_outside_their_limits(
    http: Http, db: Db, laundry_administrator: int
) -> None:
    outside = builders.utilisateur(db, role="CAISSIER", activite=builders.activite(db, "RESTAURATION"))
    inside = builders.utilisateur(db, role="CAISSIER", activite=builders.activite(db, "PRESSING"))
    user = http.as_user(laundry_administrator)
    for target, status in ((outside, 403), (inside, 200)):
        path = f"/admin/utilisateurs/{target}/reinitialiser-mot-de-passe"
        assert user.post(path, json={"nouveau_mot_de_passe": PASSWORD}).status_code == status


def test_a_call_without_a_user_in_the_context_may_grant_any_role(db: Db) -> None:
    db.acting(None)
    given = {"login": "essai.sql", "mot_de_passe": builders.PASSWORD_HASH, "id_role": role_id(db, "ADMINISTRATEUR")}
    assert db.call("auth.utilisateur_creer", **given)["role"] == "ADMINISTRATEUR"
