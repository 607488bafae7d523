"""At least one active account can always administer, even when two administrators act at the same time."""

from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import pytest

from tests import builders
from tests.auth.conftest import role_id
from tests.conftest import connected, refused
from tests.together import together

NEEDED = ("ADMIN.VOIR", "ADMIN.CREER", "ADMIN.MODIFIER")


def role(db, code="ADMINISTRATEUR"):
    return role_id(db, code)


def permissions(db, *without):
    return [row["id_permission"] for row in db.rows("auth.permission_lister") if row["code"] not in without]


def without_triggers(db, statement, parameters=None):
    db.execute("set session_replication_role = replica")
    db.execute(statement, parameters)
    db.execute("set session_replication_role = origin")


@pytest.fixture
def admin(db):
    """The only active administrator; an inactive one does not count."""
    without_triggers(db, "update auth.utilisateur set actif = false where actif")
    builders.utilisateur(db, role="DIRIGEANT")
    return builders.utilisateur(db, role="ADMINISTRATEUR")


def modify(db, user, **champs):
    return db.call("auth.utilisateur_modifier", id_utilisateur=user, champs=champs)


def deactivate(db, user):
    return db.call("auth.utilisateur_desactiver", id_utilisateur=user)


def replace(db, id_role, id_permissions):
    return db.rows("auth.role_permission_remplacer", id_role=id_role, id_permissions=id_permissions)


REASSIGN = """update auth.role_permission set id_role = %s where id_role = %s
                 and id_permission = (select id_permission from auth.permission where code = 'ADMIN.MODIFIER')"""
ATTACKS = {
    "deactivate": deactivate,
    "set inactive": lambda db, admin: modify(db, admin, actif=False),
    "demote": lambda db, admin: modify(db, admin, id_role=role(db, "DIRIGEANT")),
    "delete in psql": lambda db, admin: db.execute("delete from auth.utilisateur where id_utilisateur = %s", [admin]),
    "clear the role": lambda db, _: replace(db, role(db), []),
    **{f"revoke {code}": lambda db, _, code=code: replace(db, role(db), permissions(db, code)) for code in NEEDED},
    "clear in psql": lambda db, _: db.execute("delete from auth.role_permission"),
    "reassign in psql": lambda db, _: db.execute(REASSIGN, [role(db, "CLIENT"), role(db)]),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_the_last_administrator_cannot_be_removed(db, admin, attack):
    db.acting(admin)
    before = db.all("select * from auth.role_permission order by 1, 2")
    with refused("DERNIER_ADMINISTRATEUR", status=409):
        ATTACKS[attack](db, admin)
    assert db.one("select actif and id_role = %s from auth.utilisateur where id_utilisateur = %s", [role(db), admin])
    assert db.all("select * from auth.role_permission order by 1, 2") == before


@pytest.mark.parametrize("attack", ["deactivate", "set inactive", "demote", "delete in psql"])
def test_one_of_two_administrators_can_be_removed(db, admin, attack):
    builders.utilisateur(db, role="ADMINISTRATEUR")
    ATTACKS[attack](db, admin)
    query = "select * from auth.utilisateur where id_utilisateur = %s and actif and id_role = %s"
    assert not db.one(query, [admin, role(db)])


def test_a_custom_role_with_the_same_permissions_counts_as_administrator(db, admin):
    made = db.call("auth.role_creer", code="ESSAI_ADMIN", libelle="Second")["id_role"]
    second = builders.utilisateur(db, role="ESSAI_ADMIN")
    with refused("DERNIER_ADMINISTRATEUR", status=409):
        deactivate(db, admin)
    needed = [row["id_permission"] for row in db.rows("auth.permission_lister") if row["code"] in NEEDED]
    replace(db, made, needed)
    deactivate(db, admin)
    for attack in (lambda: deactivate(db, second), lambda: replace(db, made, needed[:2])):
        with refused("DERNIER_ADMINISTRATEUR", status=409):
            attack()


def test_permissions_that_administration_does_not_need_can_be_removed(db, admin):
    replace(db, role(db), permissions(db, "ADMIN.SUPPRIMER", "RH.VOIR"))
    replace(db, role(db, "DIRIGEANT"), [])
    modify(db, admin, nom="Autre", actif=True)


def test_without_any_administrator_other_accounts_stay_editable(db, admin):
    without_triggers(db, "delete from auth.utilisateur where id_utilisateur = %s", [admin])
    plain = builders.utilisateur(db, role="DIRIGEANT")
    replace(db, role(db, "DIRIGEANT"), [])
    assert deactivate(db, plain)["actif"] is False


# ---- concurrency ----------------------------------------------------------------------------------------------------


def race(url, *operations):
    """Run the operations at once, each on its own connection. Return the rule that refused each one, or None."""
    written = Barrier(len(operations))

    def run(db, number):
        with db.connection.transaction():
            operations[number](db)
            with suppress(BrokenBarrierError):  # both operations write before either commits, unless one waits
                written.wait(0.3)

    return together(url, len(operations), run)


@pytest.fixture
def empty(module_url):
    """The database of the file, without an account."""
    with connected(module_url, autocommit=True) as db:
        without_triggers(db, "delete from auth.utilisateur")
        yield db


def administrators(db):
    return db.one("select count(*) from auth.utilisateur u where u.actif and auth._administre(u.id_role)")


def test_two_administrators_cannot_deactivate_each_other(empty, module_url):
    one, other = (builders.utilisateur(empty, role="ADMINISTRATEUR") for _ in range(2))
    refusals = race(module_url, lambda db: deactivate(db, other), lambda db: deactivate(db, one))
    assert sorted(refusals, key=str) == ["DERNIER_ADMINISTRATEUR", None]
    assert administrators(empty) == 1


def test_the_permissions_of_both_administrator_roles_cannot_be_removed_at_once(empty, module_url):
    made = empty.call("auth.role_creer", code="ESSAI_ADMIN", libelle="Second")["id_role"]
    replace(empty, made, permissions(empty))
    for code in ("ADMINISTRATEUR", "ESSAI_ADMIN"):
        builders.utilisateur(empty, role=code)
    refusals = race(module_url, lambda db: replace(db, made, []), lambda db: replace(db, role(db), []))
    assert sorted(refusals, key=str) == ["DERNIER_ADMINISTRATEUR", None]
    assert administrators(empty) == 1
    replace(empty, made, permissions(empty))
    replace(empty, role(empty), permissions(empty))


def test_two_servers_that_start_on_an_empty_database_create_one_administrator(empty, module_url):
    made = []

    def start(db):
        first = {"login": f"admin{db.connection.info.backend_pid}", "mot_de_passe": builders.PASSWORD_HASH}
        made.append(db.call("auth.administrateur_initialiser", **first)["administrateur_initialiser"])

    assert race(module_url, start, start) == [None, None]
    assert sorted(made) == [False, True]
    assert administrators(empty) == 1
