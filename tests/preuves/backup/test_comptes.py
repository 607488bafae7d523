"""A restore reopens no session, no closed account and no former password."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.database import schema
from app.vault import restoration
from tests import builders
from tests.conftest import Db, connected, one
from tests.preuves.backup.test_backup import command, drop_the_others
from tests.server import Service, eventually, running

NEW = "un tout autre mot de passe"
NEW_HASH = "$2b$10$" + "n" * 53


@pytest.fixture
def url(database_url: str) -> Iterator[str]:
    """Four accounts: one unchanged, one deactivated later, one with a later password, one with an unused reset link."""
    with connected(database_url) as db:
        for login in ("reste", "part", "change", "attend@exemple.ci"):
            builders.utilisateur(db, role="ADMINISTRATEUR", login=login)
        db.call("auth.reinitialisation_demander", login="attend@exemple.ci", hash="lien", duree=3600)
    yield database_url
    drop_the_others(database_url)


@pytest.fixture
def db(url: str) -> Iterator[Db]:
    """The four accounts, in a transaction that is rolled back."""
    with connected(url) as db:
        yield db
        db.connection.rollback()


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
        path = f"/admin/utilisateurs/{users['change']}/reinitialiser-mot-de-passe"
        assert admin.post(path, json={"nouveau_mot_de_passe": NEW}).status_code == 200
        role = one(url, "select id_role::text from auth.role limit 1")
        account = {"login": "apres", "mot_de_passe": NEW, "id_role": role}
        created = int(admin.post("/admin/utilisateurs", json=account).json()["id_utilisateur"])

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
        attempts = [("part", builders.PASSWORD), ("change", builders.PASSWORD), ("change", NEW)]
        attempts.append(("reste", builders.PASSWORD))
        assert [sign_in(service, *attempt).status_code for attempt in attempts] == [401, 401, 200, 200]
    assert one(url, "select count(*) from auth.jeton_reinitialisation where date_usage is null") == 0
    # The account created after the backup is gone. No later account gets its number.
    assert one(url, "select nextval(pg_get_serial_sequence('auth.utilisateur', 'id_utilisateur'))") > created


# ---- the exported state of the replaced database is applied to the restored one

EXPORTED = "select auth._comptes_exporter()::text"
APPLIED = "select administrateur, remarques from auth._comptes_reprendre(%s::jsonb)"


def test_the_last_administrator_of_the_backup_stays_deactivated(db: Db) -> None:
    db.one("select count(auth.utilisateur_desactiver(id_utilisateur)) from auth.utilisateur where login <> 'reste'")
    state = db.one(EXPORTED).replace('"actif": true', '"actif": false')
    db.execute("update auth.utilisateur set actif = true where login = 'part'")
    assert db.one(APPLIED, [state])["administrateur"] is False
    assert db.one("select count(*) from auth.utilisateur where actif") == 0


def test_a_present_password_older_than_the_backup_is_not_restored(db: Db) -> None:
    """When a second restore undoes a first one, the present database is older than the backup."""
    state = db.one(EXPORTED)
    number = db.one("select id_utilisateur from auth.utilisateur where login = 'change'")
    db.one("select auth._mot_de_passe_poser(%s, %s)", [number, NEW_HASH])
    assert db.one(APPLIED, [state])["administrateur"] is True
    assert db.one("select mot_de_passe from auth.secret where id_utilisateur = %s", [number]) == NEW_HASH


def test_a_different_account_with_the_same_number_is_not_deactivated(db: Db) -> None:
    state = db.one(EXPORTED).replace('"actif": true', '"actif": false')
    db.execute("update auth.utilisateur set date_creation = date_creation - interval '1 day'")
    assert db.one(APPLIED, [state])["administrateur"] is True


def test_all_sessions_end_when_the_present_database_is_lost(db: Db) -> None:
    before = db.one("select max(epoque) from auth.utilisateur")
    db.one("select auth.session_ouvrir(min(id_utilisateur), 's', 60, null, null) from auth.utilisateur")
    assert db.one(APPLIED, [None])["administrateur"] is True
    assert db.one("select min(epoque) from auth.utilisateur") >= before + 1000
    assert db.one("select count(*) from auth.jeton_rafraichissement where date_revocation is null") == 0


def test_a_restoration_without_any_active_administrator_reports_it(url: str) -> None:
    lines: list[str] = []
    with schema.connect(url, 5.0) as present:
        one(url, "set session_replication_role = replica; update auth.utilisateur set actif = false")
        restoration._end_sessions(present, url, lines.append)
    assert any("administrateur" in line for line in lines)


KEY = """insert into auth.cle (id_utilisateur, libelle, prefixe, hash, permissions)
         values (%s, 'Programme', 'ck', %s, '{ADMIN.VOIR}')"""
FACTOR = "insert into auth.second_facteur (id_utilisateur, secret, date_confirmation) values (%s, %s, now())"
WEBHOOK = """insert into evenement.webhook (url, types, id_utilisateur)
             values ('https://example.com', '{facture.emise}', %s)"""


def narrowed(db: Db, user: int) -> tuple[str, str]:
    """Give an account the role CAISSIER with one permission less, an activity, a key and a second factor.

    Return the permission and the exported state, and roll all of it back.
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
    state = db.one(EXPORTED)
    db.connection.rollback()
    return permission, state


def test_a_restore_keeps_narrowed_rights_and_removed_keys(db: Db) -> None:
    """Keys, roles, limits, second factors and webhooks: the backup has more than the present database."""
    find = "select id_utilisateur from auth.utilisateur where login = %s"
    user, other = db.one(find, ["change"]), db.one(find, ["reste"])
    permission, state = narrowed(db, user)

    for hash in ("supprimée", "gardée"):
        db.execute(KEY, [user, hash])
    for owner in (user, other):
        db.execute(FACTOR, [owner, "FORMER"])
    db.execute(WEBHOOK, [other])
    remarks = db.one(APPLIED, [state])["remarques"]
    remarks += [row["t"] for row in db.all("select t from evenement._webhooks_reprendre() t")]

    assert db.all("select hash from auth.cle") == [{"hash": "gardée"}]
    factors = db.all("select id_utilisateur, secret from auth.second_facteur")
    assert factors == [{"id_utilisateur": user, "secret": "PRESENT"}]
    assert db.one("select hash from auth.code_secours") == "présent"
    account = "select role, id_activite_scope, actif from auth.utilisateur_vue where id_utilisateur = %s"
    assert db.all(account, [user]) == [{"role": "CAISSIER", "id_activite_scope": 1, "actif": True}]
    assert permission not in db.one("select auth.role_permissions('CAISSIER')")
    assert db.one("select etat::text from evenement.webhook") == "SUSPENDU"
    printed, lost = "\n".join(remarks), ("supprimée depuis", "faite depuis est perdue")
    for words in (*lost, "rôle CAISSIER", f"{permission} reste retirée", "example.com : suspendu"):
        assert words in printed


def test_a_restore_keeps_the_present_client_till_and_used_step(db: Db) -> None:
    limits = {"id_client": builders.client(db), "id_caisse": builders.caisse(db)}
    state = json.loads(db.one(EXPORTED))
    account = state["comptes"][-1]
    user = {"id_utilisateur": account["id_utilisateur"]}
    dates = dict.fromkeys(("date_creation", "date_confirmation"), "2026-01-01")
    account |= {**limits, "pas": 5, "facteur": {**user, "secret": "S", **dates}}
    db.one(APPLIED, [json.dumps(state)])
    kept = "select id_client, id_caisse from auth.perimetre_vue where id_utilisateur = %(id_utilisateur)s"
    assert db.one(kept, user) == limits
    assert db.one("select pas from auth.second_facteur_pas where id_utilisateur = %(id_utilisateur)s", user) == 5


def test_an_account_whose_present_limit_is_not_in_the_backup_is_deactivated(db: Db) -> None:
    state = db.one(EXPORTED).replace('"id_caisse": null', '"id_caisse": 999999')
    remarks = db.one(APPLIED, [state])["remarques"]
    assert not db.one("select bool_or(actif) from auth.utilisateur where login in ('reste', 'change')")
    assert "désactivé : sa caisse" in "\n".join(remarks)


def test_the_roles_of_a_new_database_narrow_no_role_of_the_backup(db: Db) -> None:
    """After a loss the present database is a new one, whose roles have what the release gives them."""
    _, state = narrowed(db, db.one("select min(id_utilisateur) from auth.utilisateur"))
    before = db.one("select auth.role_permissions('CAISSIER')")
    db.execute("update auth.utilisateur set date_creation = date_creation - interval '1 day'")
    assert db.one(APPLIED, [state])["remarques"] == []
    assert db.one("select auth.role_permissions('CAISSIER')") == before
