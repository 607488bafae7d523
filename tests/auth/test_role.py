"""Roles and their permissions."""

import pytest

from tests import builders
from tests.auth.conftest import permission_id, role_id
from tests.conftest import refused


@pytest.fixture
def magasin(db):
    return db.call("auth.role_creer", code="ESSAI_MAGASIN", libelle="Magasin")["id_role"]


def grant(db, role, permission):
    return db.call("auth.role_permission_ajouter", id_role=role, id_permission=permission)


def replace(db, role, permissions):
    rows = db.rows("auth.role_permission_remplacer", id_role=role, id_permissions=permissions)
    return [row["code"] for row in rows]


def permission_codes(db, role):
    return [row["code"] for row in db.rows("auth.role_permission_lister", id_role=role)]


def test_a_role_is_created_modified_and_listed(db):
    made = db.call("auth.role_creer", code="ESSAI", libelle="Essai", description="Pour voir")
    assert permission_codes(db, made["id_role"]) == []
    changed = db.call("auth.role_modifier", id_role=made["id_role"], champs={"code": "ESSAI_2", "description": None})
    assert changed == made | {"code": "ESSAI_2", "description": None}
    assert changed in db.rows("auth.role_lister")


def test_the_catalogue_holds_four_actions_for_each_domain(db):
    codes = [row["code"] for row in db.rows("auth.permission_lister")]
    domains = {code.split(".")[0] for code in codes}
    assert len(codes) == len(set(codes))
    actions = ("VOIR", "CREER", "MODIFIER", "SUPPRIMER")
    assert {f"{domain}.{action}" for domain in domains for action in actions} <= set(codes)
    assert {"ADMIN", "CORE", "CLIENT", "ABONNEMENT", "RESIDENCE", "FINANCES", "RESIDENT"} <= domains


def test_the_permissions_of_a_role_are_replaced_as_a_whole(db, magasin):
    see, create, edit = (f"MARCHANDISE.{action}" for action in ("VOIR", "CREER", "MODIFIER"))
    for given, held in (([see, create, see], [see, create]), ([create, edit], [create, edit]), ([], [])):
        assert replace(db, magasin, [permission_id(db, code) for code in given]) == held
        assert permission_codes(db, magasin) == held


def test_a_permission_is_granted_once_and_an_unknown_one_never(db, magasin):
    see = permission_id(db, "MARCHANDISE.VOIR")
    assert grant(db, magasin, see)["code"] == "MARCHANDISE.VOIR"
    with refused("PERMISSION_DEJA_ACCORDEE", status=409):
        grant(db, magasin, see)
    with refused("PERMISSION_INCONNUE", status=422):
        replace(db, magasin, [999_999])
    with refused("PERMISSION_INCONNUE", status=422):
        grant(db, magasin, 999_999)
    assert permission_codes(db, magasin) == ["MARCHANDISE.VOIR"]


@pytest.mark.parametrize("active", [True, False])
def test_a_role_is_deleted_with_its_permissions_unless_an_account_has_it(db, magasin, active):
    grant(db, magasin, permission_id(db, "MARCHANDISE.VOIR"))
    user = builders.utilisateur(db, role="ESSAI_MAGASIN", actif=active)
    with refused("ROLE_UTILISE", status=409):
        db.call("auth.role_supprimer", id_role=magasin)
    assert permission_codes(db, magasin) == ["MARCHANDISE.VOIR"]
    db.call("auth.utilisateur_modifier", id_utilisateur=user, champs={"id_role": role_id(db, "RH")})
    db.call("auth.role_supprimer", id_role=magasin)
    assert db.one("select count(*) from auth.role where id_role = %s", [magasin]) == 0
    assert db.one("select count(*) from auth.role_permission where id_role = %s", [magasin]) == 0


@pytest.mark.parametrize("code", ["ADMINISTRATEUR", "CAISSIER", "CLIENT", "RESIDENT"])
def test_a_reserved_role_cannot_be_renamed_or_deleted(db, code):
    role = role_id(db, code)
    before = permission_codes(db, role)
    with refused("ROLE_RESERVE", status=409):
        db.call("auth.role_modifier", id_role=role, champs={"code": "AUTRE"})
    with refused("ROLE_RESERVE", status=409):
        db.call("auth.role_supprimer", id_role=role)
    assert permission_codes(db, role) == before
    assert db.call("auth.role_modifier", id_role=role, champs={"code": code, "libelle": "Autre"})["libelle"] == "Autre"


@pytest.mark.parametrize(("function", "arguments", "rule", "status"), [
    ("auth.role_creer", {"code": "RH", "libelle": "X"}, "ROLE_EXISTANT", 409),
    ("auth.role_creer", {"code": "minuscules", "libelle": "X"}, "CODE_MAL_FORME", 400),
    ("auth.role_creer", {"code": "BON", "libelle": " "}, "LIBELLE_REMPLI", 400),
    ("auth.role_modifier", {"id_role": 999_999, "champs": {"libelle": "X"}}, "NOT_FOUND", 404),
    ("auth.role_supprimer", {"id_role": 999_999}, "NOT_FOUND", 404),
    ("auth.role_permission_lister", {"id_role": 999_999}, "NOT_FOUND", 404),
    ("auth.role_permission_remplacer", {"id_role": 999_999, "id_permissions": []}, "NOT_FOUND", 404),
    ("auth.role_permission_ajouter", {"id_role": 999_999, "id_permission": 1}, "NOT_FOUND", 404),
])  # fmt: skip
def test_role_operations_refuse_invalid_arguments(db, function, arguments, rule, status):
    before = db.all("select * from auth.role order by id_role")
    with refused(rule, status=status):
        db.rows(function, **arguments)
    assert db.all("select * from auth.role order by id_role") == before
