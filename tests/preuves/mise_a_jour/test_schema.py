"""`migrate` moves tables forward and reloads the code: idempotent, serialised, atomic; `drift` names each change."""

import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from app.commands.application import read_catalogue
from app.database import schema
from app.database.catalogue import CatalogueError
from app.database.release import Release, SchemaError
from tests.conftest import TEMPLATE, _database, temporary_role
from tests.upgrades import copy_release, functions

NEW_FUNCTION = "create function core._nouvelle() returns integer language sql return 1;"


@pytest.fixture
def release(tmp_path: Path) -> Release:
    """A copy of migrations/ and sql/; a test may change its files."""
    return copy_release(tmp_path)


def test_concurrent_migrations_of_an_empty_database_run_once() -> None:
    with schema.scratch(os.environ["ESSAIS_POSTGRES"], f"vide_{os.getpid()}") as url, ThreadPoolExecutor(4) as threads:
        results = list(threads.map(lambda _: schema.migrate(url, lambda _: None), range(4)))
        assert sorted(results) == [False, False, False, True]
        assert schema.drift(url) == []
        # A new installation and the template have the same functions.
        assert functions(url) == functions(_database(os.environ["ESSAIS_POSTGRES"], TEMPLATE))


def test_a_changed_file_is_loaded_and_a_deleted_one_is_dropped(database_url: str, release: Release) -> None:
    before = functions(database_url)
    (release.code / "core" / "_nouvelle.sql").write_text(NEW_FUNCTION)
    assert schema.migrate(database_url, lambda _: None, release=release) is True
    assert functions(database_url) - before == {"core._nouvelle()"}
    (release.code / "core" / "_nouvelle.sql").write_text(
        "create function core._nouvelle(p text) returns integer language sql return 1;"
    )
    schema.migrate(database_url, lambda _: None, release=release)
    assert functions(database_url) - before == {"core._nouvelle(text)"}
    (release.code / "core" / "_nouvelle.sql").unlink()
    schema.migrate(database_url, lambda _: None, release=release)
    assert functions(database_url) == before


def test_a_broken_file_is_named_with_its_line_and_the_old_code_stays(database_url: str, release: Release) -> None:
    before = functions(database_url)
    broken = release.code / "core" / "_cassee.sql"
    broken.write_text("create function core._cassee() returns entier language sql return 1;")
    with pytest.raises(SchemaError, match=r'sql/core/_cassee\.sql: type "entier" does not exist'):
        schema.migrate(database_url, lambda _: None, release=release)
    assert functions(database_url) == before
    broken.write_text("-- une ligne\n\ncreate fonction x();")
    with pytest.raises(SchemaError, match=r"sql/core/_cassee\.sql:3: syntax error"):
        schema.migrate(database_url, lambda _: None, release=release)
    assert functions(database_url) == before


@pytest.mark.parametrize("plans", [("enable_hashjoin", "enable_nestloop"), ("enable_hashjoin", "enable_mergejoin")])
def test_the_same_code_is_loaded_whatever_the_plans(database_url: str, plans: tuple[str, str]) -> None:
    """Text that is made at the load names rows in an order of their own, not in the order of a plan."""
    schema.migrate(database_url, lambda _: None, reload=True)  # the grants of a first load are stored in another order
    database = urlsplit(database_url).path[1:]
    with schema.connect(database_url, 5.0) as connection:
        for setting in plans:
            connection.execute(f"alter database {database} set {setting} = off")
    schema.load_edited(database_url, str)
    assert schema.drift(database_url) == []


def test_a_file_outside_the_slices_is_refused(database_url: str, release: Release) -> None:
    (release.code / "perdu.sql").write_text("select 1;")
    with pytest.raises(SchemaError, match=r"hors des tranches"):
        schema.migrate(database_url, lambda _: None, release=release)


PAIEMENT = "La table finances.paiement a changé"
JOUR = "create or replace function core.jour(p_instant timestamptz) returns date language sql return null::date"
FORME = "update core.forme set forme = 'r.nom' where type = 'client.client_vue'::regtype"
CHANGES = [
    (JOUR, "L'objet fonction core.jour(timestamp with time zone) a changé"),
    ("create function core.neuve() returns int language sql return 1", "L'objet fonction core.neuve() est en plus"),
    ("drop trigger t90_journal_insertion on finances.paiement", "t90_journal_insertion de finances.paiement a disparu"),
    ("alter table finances.paiement disable trigger t20_paiement_fige", "t20_paiement_fige de finances.paiement a"),
    ("drop policy portail on finances.paiement", "L'objet politique portail de finances.paiement a disparu"),
    ("alter policy portail on finances.paiement using (true)", "politique portail de finances.paiement a changé"),
    ("alter table finances.paiement disable row level security", PAIEMENT),
    ("alter table finances.paiement add note text", PAIEMENT),
    ("alter table finances.paiement drop constraint paiement_moyen_inconnu", PAIEMENT),
    ("drop index finances.paiement_date", PAIEMENT),
    ("grant select on finances.paiement to comptoir_app", PAIEMENT),
    ("create table finances.caisse_noire (id integer)", "La table finances.caisse_noire est en plus"),
    ("alter type finances.type_paiement add value 'AUTRE'", "La table type finances.type_paiement a changé"),
    ("create rule muette as on insert to finances.depense do instead nothing", "règle muette de finances.depense est"),
    ("grant update (montant) on finances.paiement to comptoir_app", PAIEMENT),
    ("grant usage on schema finances to public", "L'objet droits du schéma finances a changé"),
    ("alter sequence finances.paiement_id_paiement_seq increment 2", "séquence finances.paiement_id_paiement_seq"),
    ("alter domain core.libelle set default 'x'", "La table type core.libelle a changé"),
    (FORME, "L'objet forme JSON de client.client_vue a changé"),
    ("delete from core.transition where entite = 'residence.logement'", "L'objet transitions de residence.logement"),
]


def test_drift_names_each_changed_object(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with psycopg.connect(database_url) as connection:
        monkeypatch.setattr(schema, "connect", lambda *_: nullcontext(connection))  # it sees what is not committed
        for change, sentence in CHANGES:
            with connection.transaction(force_rollback=True):
                connection.execute(change)
                lines = schema.drift(database_url)
            assert len(lines) == 1 and sentence in lines[0], (change, lines)
        assert schema.drift(database_url) == []


def test_drift_names_an_edited_migration_and_a_changed_file(database_url: str, release: Release) -> None:
    for edited in (release.migrations / "0001.core-socle.sql", release.code / "core" / "_temps.sql"):
        edited.write_text(f"{edited.read_text()}-- retouche\n")
    (release.migrations / "9999.core-neuve.sql").write_text("select 1;")
    lines = schema.drift(database_url, release)
    assert [line.split(" ")[2] for line in lines] == ["core/_temps.sql", "0001.core-socle", "9999.core-neuve"]


def test_drift_reports_a_database_that_was_never_migrated() -> None:
    with schema.scratch(os.environ["ESSAIS_POSTGRES"], f"neuve_{os.getpid()}") as url:
        assert schema.drift(url) == ["La base n'a pas été migrée : lancez « comptoir migrate »."]


@pytest.fixture
def account(database_url: str) -> Iterator[psycopg.Connection]:
    """A session of an account without rights; the account is dropped after the test."""
    with (
        temporary_role(database_url, "createrole in role comptoir_lecture") as url,
        psycopg.connect(url, autocommit=True) as session,
    ):
        yield session


def test_an_account_without_the_roles_gets_the_grant_to_run(account: psycopg.Connection) -> None:
    if account.info.server_version < 160000:  # before PostgreSQL 16, CREATEROLE could grant itself any role
        schema.create_roles(account)
        account.execute("set role comptoir_owner")
        return
    statement = f'grant comptoir_owner, comptoir_code, comptoir_portail to "{account.info.user}";'
    with pytest.raises(SchemaError, match=re.escape(statement)) as refused:
        schema.create_roles(account)
    assert "\n" not in str(refused.value)


def test_the_creator_of_the_roles_can_set_them(database_url: str, account: psycopg.Connection) -> None:
    """Since PostgreSQL 16 the creator of a role is a member of it with ADMIN but without SET."""
    with psycopg.connect(database_url, autocommit=True) as admin:
        if admin.info.server_version < 160000:
            pytest.skip("PostgreSQL 16 at least")
        for role in schema.OWNERS:
            admin.execute(f"grant {role} to {account.info.user} with admin true, inherit false, set false")
    schema.create_roles(account)
    account.execute("set role comptoir_owner")
    account.execute("reset role")
    schema.create_roles(account)


def test_an_account_outside_the_role_of_the_api_gets_the_grant_to_run(account: psycopg.Connection) -> None:
    at = account.info
    url = f"postgresql://{at.user}:{at.password}@{at.host}:{at.port}/{at.dbname}"
    with pytest.raises(CatalogueError, match="grant comptoir_app to"):
        read_catalogue(url)
