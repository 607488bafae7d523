"""Nobody gives a role, a permission, a till or an activity beyond their own, nor takes over a stronger account."""

from __future__ import annotations

from typing import Any

import pytest

from tests import builders
from tests.conftest import Db, Http

PASSWORD = "un mot de passe d'essai"


def role(db: Db, code: str, *permissions: str) -> int:
    """A role with these permissions, made outside any session."""
    db.acting(None)
    made = int(db.call("auth.role_creer", code=code, libelle="Essai")["id_role"])
    for permission in permissions:
        found = db.one("select id_permission from auth.permission where code = %s", [permission])
        db.call("auth.role_permission_ajouter", id_role=made, id_permission=found)
    return made


def role_id(db: Db, code: str) -> int:
    return int(db.one("select id_role from auth.role where code = %s", [code]))


def permission_id(db: Db, code: str) -> int:
    return int(db.one("select id_permission from auth.permission where code = %s", [code]))


@pytest.fixture
def secretaire(db: Db) -> int:
    """Administers accounts, sees clients, and may do nothing else."""
    role(db, "ESSAI_SECRETAIRE", "ADMIN.VOIR", "ADMIN.CREER", "ADMIN.MODIFIER", "CLIENT.VOIR", "CLIENT.CREER")
    role(db, "ESSAI_ACCUEIL", "CLIENT.VOIR")
    return builders.utilisateur(db, role="ESSAI_SECRETAIRE")


def account(**fields: Any) -> dict[str, Any]:
    return {"login": "essai.nouveau", "mot_de_passe": PASSWORD} | fields


def accounts(db: Db) -> Any:
    """Everything that says what an account may do."""
    return db.all(
        "select u.*, s.mot_de_passe, a.id_caisse "
        "from auth.utilisateur u left join auth.secret s using (id_utilisateur) "
        "left join finances.affectation_caisse a using (id_utilisateur) order by 1"
    )


@pytest.mark.parametrize("code", ["ADMINISTRATEUR", "DIRIGEANT", "CAISSIER", "RH"])
def test_nobody_creates_an_account_that_may_more(http: Http, db: Db, secretaire: int, code: str) -> None:
    before = accounts(db)
    body = account(id_role=str(role_id(db, code)), id_activite_scope=str(builders.activite(db)))
    answer = http.as_user(secretaire).post("/admin/utilisateurs", json=body)
    assert (answer.status_code, answer.json()["code"]) == (403, "POUVOIR_DEPASSE")
    assert accounts(db) == before


def test_an_account_that_may_less_or_as_much_is_created(http: Http, db: Db, secretaire: int) -> None:
    user = http.as_user(secretaire)
    for number, code in enumerate(("ESSAI_ACCUEIL", "ESSAI_SECRETAIRE")):
        body = account(login=f"essai.{number}", id_role=str(role_id(db, code)))
        assert user.post("/admin/utilisateurs", json=body).status_code == 201


def test_nobody_raises_an_account_above_the_own(http: Http, db: Db, secretaire: int) -> None:
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
def test_nobody_touches_an_account_that_may_more(
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


def test_permissions_of_a_role_change_as_far_as_the_own_go(http: Http, db: Db, secretaire: int) -> None:
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


def test_permission_that_one_lacks_is_not_taken_from_a_role(http: Http, db: Db, secretaire: int) -> None:
    path = f"/admin/roles/{role_id(db, 'DIRIGEANT')}/permissions"
    before = db.one("select count(*) from auth.role_permission")
    answer = http.as_user(secretaire).put(path, json={"id_permissions": []})
    assert (answer.status_code, answer.json()["code"]) == (403, "PERMISSION_NON_DETENUE")
    assert db.one("select count(*) from auth.role_permission") == before


# ---- tills and activities


@pytest.fixture
def of_the_laundry(db: Db) -> int:
    """May do everything, in the laundry alone."""
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
def test_account_bound_to_an_activity_gives_nothing_outside_it(
    http: Http, db: Db, of_the_laundry: int, activity: str | None, till: str | None, status: int
) -> None:
    body = account(id_role=str(role_id(db, "ADMINISTRATEUR")))
    if activity is not None:
        body["id_activite_scope"] = str(builders.activite(db, activity))
    if till is not None:
        body["id_caisse"] = str(builders.caisse(db, activite_code=till))
    answer = http.as_user(of_the_laundry).post("/admin/utilisateurs", json=body)
    assert answer.status_code == status, answer.text


def test_account_bound_to_a_till_gives_that_till_alone(http: Http, db: Db) -> None:
    own, other = builders.caisse(db), builders.caisse(db)
    user = http.as_user(builders.utilisateur(db, role="ADMINISTRATEUR", caisse=own))
    body = account(id_role=str(role_id(db, "CAISSIER")))
    for till in ({"id_caisse": str(other)}, {"id_activite_scope": str(builders.activite(db))}):
        assert user.post("/admin/utilisateurs", json=body | till).json()["code"] == "POUVOIR_DEPASSE"
    assert user.post("/admin/utilisateurs", json=body | {"id_caisse": str(own)}).status_code == 201


@pytest.mark.parametrize("change", [{"id_activite_scope": None}, {"id_caisse": None}])
def test_nobody_frees_the_own_account_of_its_bounds(http: Http, db: Db, change: dict[str, Any]) -> None:
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


def test_password_of_an_account_without_the_own_bounds_is_not_reset(http: Http, db: Db, of_the_laundry: int) -> None:
    free = builders.utilisateur(db, role="CAISSIER", activite=builders.activite(db, "RESTAURATION"))
    near = builders.utilisateur(db, role="CAISSIER", activite=builders.activite(db, "PRESSING"))
    user = http.as_user(of_the_laundry)
    statuses = [
        user.post(
            f"/admin/utilisateurs/{target}/reinitialiser-mot-de-passe", json={"nouveau_mot_de_passe": PASSWORD}
        ).status_code
        for target in (free, near)
    ]
    assert statuses == [403, 200]


def test_nobody_is_held_back_outside_the_api(db: Db) -> None:
    db.acting(None)
    made = db.call(
        "auth.utilisateur_creer",
        login="essai.sql",
        mot_de_passe=builders.PASSWORD_HASH,
        id_role=role_id(db, "ADMINISTRATEUR"),
    )
    assert made["role"] == "ADMINISTRATEUR"
