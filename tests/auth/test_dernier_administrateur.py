"""At least one active account can always administer, even when two administrators act at the same time."""

import threading

import psycopg
import pytest
from psycopg.rows import dict_row

from tests import builders
from tests.conftest import Db, refused

NEEDED = ("ADMIN.VOIR", "ADMIN.CREER", "ADMIN.MODIFIER")


def role(db, code="ADMINISTRATEUR"):
    return db.one("select id_role from auth.role where code = %s", [code])


def permissions(db, *without):
    return [row["id_permission"] for row in db.rows("auth.permission_lister") if row["code"] not in without]


@pytest.fixture
def admin(db):
    """The only active administrator; an inactive one does not count."""
    db.execute("set local session_replication_role = replica")
    db.execute("update auth.utilisateur set actif = false where actif")
    db.execute("set local session_replication_role = origin")
    builders.utilisateur(db, role="DIRIGEANT")
    return builders.utilisateur(db, role="ADMINISTRATEUR")


ATTACKS = {
    "deactivate": lambda db, admin: db.call("auth.utilisateur_desactiver", id_utilisateur=admin),
    "set inactive": lambda db, admin: db.call(
        "auth.utilisateur_modifier", id_utilisateur=admin, champs={"actif": False}
    ),
    "demote": lambda db, admin: db.call(
        "auth.utilisateur_modifier", id_utilisateur=admin, champs={"id_role": role(db, "DIRIGEANT")}
    ),
    "delete in psql": lambda db, admin: db.execute("delete from auth.utilisateur where id_utilisateur = %s", [admin]),
    "clear the role": lambda db, _: db.rows("auth.role_permission_remplacer", id_role=role(db), id_permissions=[]),
    **{
        f"revoke {code}": lambda db, _, code=code: db.rows(
            "auth.role_permission_remplacer", id_role=role(db), id_permissions=permissions(db, code)
        )
        for code in NEEDED
    },
    "clear in psql": lambda db, _: db.execute("delete from auth.role_permission"),
    "reassign in psql": lambda db, _: db.execute(
        "update auth.role_permission set id_role = %s where id_role = %s and id_permission = %s",
        [
            role(db, "CLIENT"),
            role(db),
            db.one("select id_permission from auth.permission where code = 'ADMIN.MODIFIER'"),
        ],
    ),
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
    assert not db.one(
        "select * from auth.utilisateur where id_utilisateur = %s and actif and id_role = %s", [admin, role(db)]
    )


def test_a_custom_role_with_the_same_permissions_counts_as_administrator(db, admin):
    made = db.call("auth.role_creer", code="ESSAI_ADMIN", libelle="Second")["id_role"]
    second = builders.utilisateur(db, role="ESSAI_ADMIN")
    with refused("DERNIER_ADMINISTRATEUR", status=409):
        db.call("auth.utilisateur_desactiver", id_utilisateur=admin)
    needed = [row["id_permission"] for row in db.rows("auth.permission_lister") if row["code"] in NEEDED]
    db.rows("auth.role_permission_remplacer", id_role=made, id_permissions=needed)
    db.call("auth.utilisateur_desactiver", id_utilisateur=admin)
    with refused("DERNIER_ADMINISTRATEUR", status=409):
        db.call("auth.utilisateur_desactiver", id_utilisateur=second)
    with refused("DERNIER_ADMINISTRATEUR", status=409):
        db.rows("auth.role_permission_remplacer", id_role=made, id_permissions=needed[:2])


def test_permissions_that_administration_does_not_need_can_be_removed(db, admin):
    db.rows(
        "auth.role_permission_remplacer", id_role=role(db), id_permissions=permissions(db, "ADMIN.SUPPRIMER", "RH.VOIR")
    )
    db.rows("auth.role_permission_remplacer", id_role=role(db, "DIRIGEANT"), id_permissions=[])
    db.call("auth.utilisateur_modifier", id_utilisateur=admin, champs={"nom": "Autre", "actif": True})


def test_without_any_administrator_other_accounts_stay_editable(db, admin):
    db.execute("set local session_replication_role = replica")
    db.execute("delete from auth.utilisateur where id_utilisateur = %s", [admin])
    db.execute("set local session_replication_role = origin")
    plain = builders.utilisateur(db, role="DIRIGEANT")
    db.rows("auth.role_permission_remplacer", id_role=role(db, "DIRIGEANT"), id_permissions=[])
    assert db.call("auth.utilisateur_desactiver", id_utilisateur=plain)["actif"] is False


def test_the_routes_refuse_to_remove_the_last_administrator(http, db, admin):
    client = http.as_user(admin)
    for answer in (
        client.post(f"/admin/utilisateurs/{admin}/desactiver"),
        client.patch(f"/admin/utilisateurs/{admin}", json={"actif": False}),
        client.put(f"/admin/roles/{role(db)}/permissions", json={"id_permissions": []}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "DERNIER_ADMINISTRATEUR")
    assert client.get("/admin/utilisateurs").status_code == 200


# ---- concurrency ----------------------------------------------------------------------------------------------------


def race(url, *operations):
    """Run the operations at once, each on its own connection. Return the rule that refused each one, or None."""
    barrier = threading.Barrier(len(operations))
    refusals = [None] * len(operations)

    def run(position, operation):
        with psycopg.connect(url, row_factory=dict_row) as connection:
            barrier.wait()
            try:
                operation(Db(connection))
                barrier.wait(0.3)  # Both operations write before either commits, unless one waits for a lock.
            except threading.BrokenBarrierError:
                pass
            except psycopg.Error as error:
                refusals[position] = error.diag.constraint_name or error.sqlstate
                connection.rollback()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(operations)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return refusals


@pytest.fixture
def two_administrators(database_url):
    with psycopg.connect(database_url, row_factory=dict_row, autocommit=True) as connection:
        db = Db(connection)
        yield database_url, db, [builders.utilisateur(db, role="ADMINISTRATEUR") for _ in range(2)]


def administrators(db):
    return db.one("select count(*) from auth.utilisateur u where u.actif and auth._administre(u.id_role)")


def test_two_administrators_cannot_deactivate_each_other(two_administrators):
    url, db, (one, other) = two_administrators
    refusals = race(
        url,
        lambda db: db.call("auth.utilisateur_desactiver", id_utilisateur=other),
        lambda db: db.call("auth.utilisateur_desactiver", id_utilisateur=one),
    )
    assert sorted(refusals, key=str) == ["DERNIER_ADMINISTRATEUR", None]
    assert administrators(db) == 1


def test_the_permissions_of_both_administrator_roles_cannot_be_removed_at_once(two_administrators):
    url, db, (one, _) = two_administrators
    made = db.call("auth.role_creer", code="ESSAI_ADMIN", libelle="Second")["id_role"]
    db.rows("auth.role_permission_remplacer", id_role=made, id_permissions=permissions(db))
    db.call("auth.utilisateur_modifier", id_utilisateur=one, champs={"id_role": made})
    refusals = race(
        url,
        lambda db: db.rows("auth.role_permission_remplacer", id_role=made, id_permissions=[]),
        lambda db: db.rows("auth.role_permission_remplacer", id_role=role(db), id_permissions=[]),
    )
    assert sorted(refusals, key=str) == ["DERNIER_ADMINISTRATEUR", None]
    assert administrators(db) == 1


def test_two_servers_that_start_on_an_empty_database_create_one_administrator(database_url):
    made = []
    race(
        database_url,
        *[
            lambda db, n=n: made.append(
                db.call("auth.administrateur_initialiser", login=f"admin{n}", mot_de_passe=builders.PASSWORD_HASH)
            )
            for n in range(2)
        ],
    )
    assert sorted(row["administrateur_initialiser"] for row in made) == [False, True]
    with psycopg.connect(database_url, row_factory=dict_row) as connection:
        assert administrators(Db(connection)) == 1
