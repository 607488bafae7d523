"""A user grants no role, permission, till or activity beyond their own, and takes over no account with more rights."""

from __future__ import annotations

from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, Http

PASSWORD = "un mot de passe d'essai"


def role(db: Db, code: str, *permissions: str) -> int:
    """Create a role with these permissions, without a user in the context."""
    db.acting(None)
    made = int(db.call("auth.role_creer", code=code, libelle="Essai")["id_role"])
    for permission in permissions:
        id_permission = db.one("select id_permission from auth.permission where code = %s", [permission])
        db.call("auth.role_permission_ajouter", id_role=made, id_permission=id_permission)
    return made


def role_id(db: Db, code: str) -> int:
    return int(db.one("select id_role from auth.role where code = %s", [code]))


def permission_id(db: Db, code: str) -> int:
    return int(db.one("select id_permission from auth.permission where code = %s", [code]))


@pytest.fixture
def secretaire(db: Db) -> int:
    """A user who administers accounts, sees and creates clients, and has no other permission."""
    role(db, "ESSAI_SECRETAIRE", "ADMIN.VOIR", "ADMIN.CREER", "ADMIN.MODIFIER", "CLIENT.VOIR", "CLIENT.CREER")
    role(db, "ESSAI_ACCUEIL", "CLIENT.VOIR")
    return builders.utilisateur(db, role="ESSAI_SECRETAIRE")


def account(**fields: Any) -> dict[str, Any]:
    return {"login": "essai.nouveau", "mot_de_passe": PASSWORD} | fields


def accounts(db: Db) -> Any:
    """Return every column that decides what an account may do."""
    return db.all(
        "select u.*, s.mot_de_passe, a.id_caisse "
        "from auth.utilisateur u left join auth.secret s using (id_utilisateur) "
        "left join finances.affectation_caisse a using (id_utilisateur) order by 1"
    )


@pytest.mark.parametrize("code", ["ADMINISTRATEUR", "DIRIGEANT", "CAISSIER", "RH"])
def test_a_user_cannot_create_an_account_with_more_permissions(http: Http, db: Db, secretaire: int, code: str) -> None:
    before = accounts(db)
    body = account(id_role=str(role_id(db, code)), id_activite_scope=str(builders.activite(db)))
    answer = http.as_user(secretaire).post("/admin/utilisateurs", json=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "POUVOIR_DEPASSE")
    assert accounts(db) == before


def test_a_user_creates_accounts_with_equal_or_fewer_permissions(http: Http, db: Db, secretaire: int) -> None:
    user = http.as_user(secretaire)
    for number, code in enumerate(("ESSAI_ACCUEIL", "ESSAI_SECRETAIRE")):
        body = account(login=f"essai.{number}", id_role=str(role_id(db, code)))
        assert user.post("/admin/utilisateurs", json=body).status_code == 201


def test_a_user_cannot_give_an_account_a_role_above_their_own(http: Http, db: Db, secretaire: int) -> None:
    clerk = builders.utilisateur(db, role="ESSAI_ACCUEIL")
    user = http.as_user(secretaire)
    for target in (clerk, secretaire):
        answer = user.patch(f"/admin/utilisateurs/{target}", json={"id_role": str(role_id(db, "ADMINISTRATEUR"))})
        assert (answer.status_code, answer.json()["code"]) == (403, "POUVOIR_DEPASSE")
    assert user.patch(f"/admin/utilisateurs/{clerk}", json={"nom": "Koné"}).status_code == 200
    assert user.patch(f"/admin/utilisateurs/{secretaire}", json={"nom": "Koné"}).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "", {"nom": "Autre"}),
        ("PATCH", "", {"login": "pris.par.un.autre"}),
        ("PATCH", "", {"actif": False}),
        ("PATCH", "", {"id_role": "accueil"}),
        ("POST", "/desactiver", {}),
        ("POST", "/reinitialiser-mot-de-passe", {"nouveau_mot_de_passe": PASSWORD}),
    ],
)
def test_a_user_cannot_modify_an_account_with_more_permissions(
    http: Http, db: Db, secretaire: int, method: str, path: str, body: dict[str, Any]
) -> None:
    builders.utilisateur(db, role="ADMINISTRATEUR")
    chief = builders.utilisateur(db, role="DIRIGEANT")
    if body.get("id_role") == "accueil":
        body = {"id_role": str(role_id(db, "ESSAI_ACCUEIL"))}
    before = accounts(db)
    answer = http.as_user(secretaire).request(method, f"/admin/utilisateurs/{chief}{path}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "POUVOIR_DEPASSE")
    assert accounts(db) == before
    assert http.as_admin().request(method, f"/admin/utilisateurs/{chief}{path}", json=body).status_code == 200


def test_a_user_grants_to_a_role_only_permissions_that_they_hold(http: Http, db: Db, secretaire: int) -> None:
    user = http.as_user(secretaire)
    made = role_id(db, "ESSAI_ACCUEIL")
    path = f"/admin/roles/{made}/permissions"
    money, see, create = (permission_id(db, code) for code in ("FINANCES.CREER", "CLIENT.VOIR", "CLIENT.CREER"))
    added = user.post(path, json={"id_permission": str(money)})
    replaced = user.put(path, json={"id_permissions": [str(see), str(money)]})
    assert [answer.json()["code"] for answer in (added, replaced)] == ["PERMISSION_NON_DETENUE"] * 2
    assert (added.status_code, replaced.status_code) == (403, 403)
    assert user.put(path, json={"id_permissions": [str(see), str(create)]}).status_code == 200
    own = f"/admin/roles/{role_id(db, 'ESSAI_SECRETAIRE')}/permissions"
    assert user.post(own, json={"id_permission": str(money)}).status_code == 403


def test_a_user_cannot_remove_from_a_role_permissions_that_they_lack(http: Http, db: Db, secretaire: int) -> None:
    path = f"/admin/roles/{role_id(db, 'DIRIGEANT')}/permissions"
    before = db.one("select count(*) from auth.role_permission")
    answer = http.as_user(secretaire).put(path, json={"id_permissions": []})
    assert (answer.status_code, answer.json()["code"]) == (403, "PERMISSION_NON_DETENUE")
    assert db.one("select count(*) from auth.role_permission") == before


# ---- tills and activities


@pytest.fixture
def laundry_administrator(db: Db) -> int:
    """A user with every permission, limited to the laundry."""
    return builders.utilisateur(db, role="ADMINISTRATEUR", activite=builders.activite(db, "PRESSING"))


@pytest.mark.parametrize(
    ("activity", "till", "status"),
    [
        (None, None, 403),
        ("RESTAURATION", None, 403),
        (None, "RESTAURATION", 403),
        ("PRESSING", None, 201),
        (None, "PRESSING", 201),
        ("PRESSING", "PRESSING", 201),
    ],
)
def test_an_account_limited_to_an_activity_creates_accounts_inside_it_only(
    http: Http, db: Db, laundry_administrator: int, activity: str | None, till: str | None, status: int
) -> None:
    body = account(id_role=str(role_id(db, "ADMINISTRATEUR")))
    if activity is not None:
        body["id_activite_scope"] = str(builders.activite(db, activity))
    if till is not None:
        body["id_caisse"] = str(builders.caisse(db, activite_code=till))
    answer = http.as_user(laundry_administrator).post("/admin/utilisateurs", json=body)
    assert answer.status_code == status, answer.text


def test_an_account_limited_to_a_till_creates_accounts_on_that_till_only(http: Http, db: Db) -> None:
    own, other = builders.caisse(db), builders.caisse(db)
    user = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR", caisse=own))
    body = account(id_role=str(role_id(db, "CAISSIER")))
    for till in ({"id_caisse": str(other)}, {"id_activite_scope": str(builders.activite(db))}):
        assert user.post("/admin/utilisateurs", json=body | till).json()["code"] == "POUVOIR_DEPASSE"
    assert user.post("/admin/utilisateurs", json=body | {"id_caisse": str(own)}).status_code == 201


@pytest.mark.parametrize("change", [{"id_activite_scope": None}, {"id_caisse": None}])
def test_a_user_cannot_remove_the_limits_of_their_own_account(http: Http, db: Db, change: dict[str, Any]) -> None:
    builders.utilisateur(db, role="ADMINISTRATEUR")
    bound = builders.utilisateur(
        db,
        role="ADMINISTRATEUR",
        activite=builders.activite(db) if "id_activite_scope" in change else None,
        caisse=builders.caisse(db) if "id_caisse" in change else None,
    )
    before = accounts(db)
    assert http.as_user(bound).patch(f"/admin/utilisateurs/{bound}", json=change).status_code == 403
    assert accounts(db) == before


def test_a_user_cannot_reset_the_password_of_an_account_outside_their_limits(
    http: Http, db: Db, laundry_administrator: int
) -> None:
    outside = builders.utilisateur(db, role="CAISSIER", activite=builders.activite(db, "RESTAURATION"))
    inside = builders.utilisateur(db, role="CAISSIER", activite=builders.activite(db, "PRESSING"))
    user = http.as_user(laundry_administrator)
    statuses = [
        user.post(
            f"/admin/utilisateurs/{target}/reinitialiser-mot-de-passe", json={"nouveau_mot_de_passe": PASSWORD}
        ).status_code
        for target in (outside, inside)
    ]
    assert statuses == [403, 200]


def test_a_call_without_a_user_in_the_context_may_grant_any_role(db: Db) -> None:
    db.acting(None)
    made = db.call(
        "auth.utilisateur_creer",
        login="essai.sql",
        mot_de_passe=builders.PASSWORD_HASH,
        id_role=role_id(db, "ADMINISTRATEUR"),
    )
    assert made["role"] == "ADMINISTRATEUR"
