"""A restore reopens no session, no closed account and no former password."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from psycopg.rows import dict_row

from app.database import schema
from app.vault import restoration
from tests import builders
from tests.conftest import Db
from tests.preuves.backup.test_backup import command, databases
from tests.server import Service, eventually, running

NEW = "un tout autre mot de passe"
NEW_HASH = "$2b$10$" + "n" * 53


@pytest.fixture
def url(database_url: str) -> Any:
    """Four accounts: one unchanged, one deactivated later, one with a later password, one with an unused reset link."""
    with psycopg.connect(database_url, row_factory=dict_row) as connection:
        db = Db(connection)
        for login in ("reste", "part", "change", "attend@exemple.ci"):
            builders.utilisateur(db, role="ADMINISTRATEUR", login=login)
        db.call("auth.reinitialisation_demander", login="attend@exemple.ci", hash="lien", duree=3600)
    yield database_url
    with psycopg.connect(database_url, autocommit=True) as admin:
        own = admin.info.dbname
        for name in databases(database_url) - {own}:
            admin.execute(f'drop database "{name}" with (force)')


def one(url: str, query: str, *values: Any) -> Any:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(query, values or None)
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


def sign_in(service: Service, login: str, password: str = builders.PASSWORD) -> httpx.Response:
    return service.client.post("/auth/login", json={"login": login, "mot_de_passe": password})


def test_a_restore_reopens_no_session_no_closed_account_and_no_former_password(tmp_path: Path, url: str) -> None:
    file = tmp_path / "nuit.dump"
    with running(tmp_path, DATABASE_URL=url) as service:
        sessions = {login: sign_in(service, login).json() for login in ("reste", "part", "change")}
        assert command(url, "backup", file).returncode == 0
        admin = service.new_client(authorization=f"Bearer {sessions['reste']['accessToken']}")
        users = {row["login"]: row["id_utilisateur"] for row in admin.get("/admin/utilisateurs").json()}
        assert admin.post(f"/admin/utilisateurs/{users['part']}/desactiver").status_code == 200
        reset = {"nouveau_mot_de_passe": NEW}
        path = f"/admin/utilisateurs/{users['change']}/reinitialiser-mot-de-passe"
        assert admin.post(path, json=reset).status_code == 200
        new_account = {
            "login": "apres",
            "mot_de_passe": NEW,
            "id_role": one(url, "select id_role from auth.role limit 1"),
        }
        created = admin.post("/admin/utilisateurs", json={**new_account, "id_role": str(new_account["id_role"])}).json()

        completed = command(url, "restore", file, "--confirmation")
        assert completed.returncode == 0, completed.stderr
        eventually(lambda: service.client.get("/health/ready").status_code == 200)

        for login, session in sessions.items():
            bearer = {"authorization": f"Bearer {session['accessToken']}"}
            eventually(lambda bearer=bearer: service.client.get("/auth/me", headers=bearer).status_code != 503)
            assert service.client.get("/auth/me", headers=bearer).status_code == 401, login
            refreshed = service.client.post("/auth/refresh", json={"refresh_token": session["refreshToken"]})
            assert refreshed.status_code == 401, login
    with running(tmp_path, DATABASE_URL=url) as service:  # a new process, whose throttle is empty
        assert sign_in(service, "part").status_code == 401
        assert sign_in(service, "change").status_code == 401
        assert sign_in(service, "change", NEW).status_code == 200
        assert sign_in(service, "reste").status_code == 200
    assert one(url, "select count(*) from auth.jeton_reinitialisation where date_usage is null") == 0
    # The account created after the backup is gone. No later account gets its number.
    assert one(url, "select nextval(pg_get_serial_sequence('auth.utilisateur', 'id_utilisateur'))") > int(
        created["id_utilisateur"]
    )


def apply_state(url: str, state: str | None) -> bool:
    """Apply the exported state of the replaced database to a restored database. Return the result."""
    with psycopg.connect(url) as connection:
        row = connection.execute("select administrateur from auth._comptes_reprendre(%s::jsonb)", [state]).fetchone()
        assert row
        return bool(row[0])


def test_the_last_administrator_of_the_backup_stays_deactivated(url: str) -> None:
    one(url, "select count(auth.utilisateur_desactiver(id_utilisateur)) from auth.utilisateur where login <> 'reste'")
    state = one(url, "select auth._comptes_exporter()::text").replace('"actif": true', '"actif": false')
    one(url, "update auth.utilisateur set actif = true where login = 'part'")
    assert apply_state(url, state) is False
    assert one(url, "select count(*) from auth.utilisateur where actif") == 0


def test_a_present_password_older_than_the_backup_is_not_restored(url: str) -> None:
    """When a second restore undoes a first one, the present database is older than the backup."""
    state = one(url, "select auth._comptes_exporter()::text")
    number = one(url, "select id_utilisateur from auth.utilisateur where login = 'change'")
    one(url, "select auth._mot_de_passe_poser(%s, %s)", number, NEW_HASH)
    assert apply_state(url, state) is True
    assert one(url, "select mot_de_passe from auth.secret where id_utilisateur = %s", number) == NEW_HASH


def test_a_different_account_with_the_same_number_is_not_deactivated(url: str) -> None:
    state = one(url, "select auth._comptes_exporter()::text").replace('"actif": true', '"actif": false')
    one(url, "update auth.utilisateur set date_creation = date_creation - interval '1 day'")
    assert apply_state(url, state) is True


def test_all_sessions_end_when_the_present_database_is_lost(url: str) -> None:
    before = one(url, "select max(epoque) from auth.utilisateur")
    one(url, "select auth.session_ouvrir(min(id_utilisateur), 's', 60, null, null) from auth.utilisateur")
    assert apply_state(url, None) is True
    assert one(url, "select min(epoque) from auth.utilisateur") >= before + 1000
    assert one(url, "select count(*) from auth.jeton_rafraichissement where date_revocation is null") == 0


def test_a_restoration_without_any_active_administrator_reports_it(url: str) -> None:
    lines: list[str] = []
    with schema.connect(url, 5.0) as present:
        one(url, "set session_replication_role = replica; update auth.utilisateur set actif = false; select 1")
        restoration._end_sessions(present, url, lines.append)
    assert any("administrateur" in line for line in lines)


KEY = """insert into auth.cle (id_utilisateur, libelle, prefixe, hash, permissions)
         values (%s, 'Programme', 'ck', %s, '{ADMIN.VOIR}')"""
FACTOR = "insert into auth.second_facteur (id_utilisateur, secret, date_confirmation) values (%s, %s, now())"
WEBHOOK = """insert into evenement.webhook (url, types, id_utilisateur)
             values ('https://example.com', '{facture.emise}', %s)"""


def narrowed(db: Db, user: int) -> tuple[str, str]:
    """Give an account the role CAISSIER with one permission less, an activity, a key and a second factor.

    Return the permission and the exported state.
    """
    role = "(select id_role from auth.role where code = 'CAISSIER')"
    permission = db.one("select (auth.role_permissions('CAISSIER'))[1]")
    for hash in ("gardée", "faite depuis"):
        db.execute(KEY, [user, hash])
    db.execute(FACTOR, [user, "PRESENT"])
    db.execute("insert into auth.code_secours (id_utilisateur, hash) values (%s, 'présent')", [user])
    db.execute(f"update auth.utilisateur set id_role = {role}, id_activite_scope = 1 where id_utilisateur = %s", [user])
    db.execute(
        f"""delete from auth.role_permission where id_role = {role}
               and id_permission = (select id_permission from auth.permission where code = %s)""",
        [permission],
    )
    return permission, db.one("select auth._comptes_exporter()::text")


def test_a_restore_keeps_narrowed_rights_and_removed_keys(url: str) -> None:
    """Keys, roles, limits, second factors and webhooks: the backup has more than the present database."""
    find = "select id_utilisateur from auth.utilisateur where login = %s"
    with psycopg.connect(url, row_factory=dict_row) as connection:
        db = Db(connection)
        user, other = db.one(find, ["change"]), db.one(find, ["reste"])
        permission, state = narrowed(db, user)
        connection.rollback()

        for hash in ("supprimée", "gardée"):
            db.execute(KEY, [user, hash])
        for owner in (user, other):
            db.execute(FACTOR, [owner, "FORMER"])
        db.execute(WEBHOOK, [other])
        remarks = db.one("select remarques from auth._comptes_reprendre(%s::jsonb)", [state])
        remarks += [row["t"] for row in db.all("select t from evenement._webhooks_reprendre() t")]

        assert db.all("select hash from auth.cle") == [{"hash": "gardée"}]
        factors = db.all("select id_utilisateur, secret from auth.second_facteur")
        assert factors == [{"id_utilisateur": user, "secret": "PRESENT"}]
        assert db.one("select hash from auth.code_secours") == "présent"
        account = "select role, id_activite_scope, actif from auth.utilisateur_vue where id_utilisateur = %s"
        assert db.all(account, [user]) == [{"role": "CAISSIER", "id_activite_scope": 1, "actif": True}]
        assert permission not in db.one("select auth.role_permissions('CAISSIER')")
        assert db.one("select etat::text from evenement.webhook") == "SUSPENDU"
        printed = "\n".join(remarks)
        for words in (
            "supprimée depuis",
            "faite depuis est perdue",
            "rôle CAISSIER",
            f"{permission} reste retirée",
            "example.com : suspendu",
        ):
            assert words in printed
        connection.rollback()


def test_a_restore_keeps_the_present_client_till_and_used_step(url: str) -> None:
    with psycopg.connect(url, row_factory=dict_row) as connection:
        db = Db(connection)
        client, till = builders.client(db), builders.caisse(db)
        state = db.one("select auth._comptes_exporter()")
        account = state["comptes"][-1]
        user = account["id_utilisateur"]
        account |= {"id_client": client, "id_caisse": till, "pas": 5}
        account["facteur"] = {
            "id_utilisateur": user,
            "secret": "S",
            "date_creation": "2026-01-01",
            "date_confirmation": "2026-01-01",
        }
        db.one("select remarques from auth._comptes_reprendre(%s::jsonb)", [json.dumps(state)])
        limits = "select id_client, id_caisse from auth.perimetre_vue where id_utilisateur = %s"
        assert db.one(limits, [user]) == {"id_client": client, "id_caisse": till}
        assert db.one("select pas from auth.second_facteur_pas where id_utilisateur = %s", [user]) == 5
        connection.rollback()


def test_an_account_whose_present_limit_is_not_in_the_backup_is_deactivated(url: str) -> None:
    with psycopg.connect(url, row_factory=dict_row) as connection:
        db = Db(connection)
        state = db.one("select auth._comptes_exporter()::text").replace('"id_caisse": null', '"id_caisse": 999999')
        remarks = db.one("select remarques from auth._comptes_reprendre(%s::jsonb)", [state])
        assert not db.one("select bool_or(actif) from auth.utilisateur where login in ('reste', 'change')")
        assert "désactivé : sa caisse" in "\n".join(remarks)
        connection.rollback()


def test_the_roles_of_a_new_database_narrow_no_role_of_the_backup(url: str) -> None:
    """After a loss the present database is a new one, whose roles have what the release gives them."""
    with psycopg.connect(url, row_factory=dict_row) as connection:
        db = Db(connection)
        _, state = narrowed(db, db.one("select min(id_utilisateur) from auth.utilisateur"))
        connection.rollback()
        before = db.one("select auth.role_permissions('CAISSIER')")
        db.execute("update auth.utilisateur set date_creation = date_creation - interval '1 day'")
        assert db.one("select remarques from auth._comptes_reprendre(%s::jsonb)", [state]) == []
        assert db.one("select auth.role_permissions('CAISSIER')") == before
        connection.rollback()
