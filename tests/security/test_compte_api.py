"""The database account of the API, comptoir_app: it may call the public operations, and nothing more."""

from collections.abc import Iterator

import psycopg
import pytest

from tests.conftest import temporary_role

DENIED = "42501"  # insufficient_privilege


@pytest.fixture(scope="module")
def connection(worker_url: str) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A session of an account made as docs/mise-en-service.md says."""
    with (
        temporary_role(worker_url, "in role comptoir_app") as url,
        psycopg.connect(url, autocommit=True) as connection,
    ):
        connection.execute("set role comptoir_app")
        yield connection


REFUSED = {
    "read a table": "select * from auth.secret",
    "read a column": "select mot_de_passe from auth.secret",
    "count a table": "select count(*) from finances.paiement",
    "read a view": "select * from facturation.facture_vue",
    "insert": "insert into finances.paiement default values",
    "update": "update auth.utilisateur set actif = true",
    "delete": "delete from audit.journal",
    "truncate": "truncate audit.journal",
    "merge": "merge into core.parametre p using (select 1) s on true when matched then delete",
    "read a sequence": "select last_value from finances.paiement_id_paiement_seq",
    "move a sequence": "select nextval('finances.paiement_id_paiement_seq')",
    "call a helper function": "select auth._sessions_revoquer(1)",
    "read the queue": "select * from queue.procrastinate_jobs",
    "call a function of the queue": "select queue.procrastinate_prune_stalled_workers_v1(1)",
    "read the migrations": "select * from migration._yoyo_migration",
    "copy a table": "copy finances.paiement to stdout",
    "copy a file in": "copy core.parametre from '/etc/passwd'",
    "copy to a file": "copy (select 1) to '/tmp/comptoir-essai'",
    "copy to a program": "copy (select 1) to program 'true'",
    "create a temporary table": "create temp table essai (id integer)",
    "create a table": "create table finances.essai (id integer)",
    "take an advisory lock": "select pg_advisory_lock(4301, 1)",
    "take a shared advisory lock": "select pg_try_advisory_xact_lock_shared(42)",
    "create a large object": "select lo_create(0)",
    "create a table in public": "create table public.essai (id integer)",
    "create a schema": "create schema essai",
    "create a function": "create function finances.essai() returns integer language sql return 1",
    "create a view": "create view finances.essai as select 1",
    "create an extension": "create extension dblink",
    "create a database": "create database essai",
    "create a role": "create role essai superuser",
    "grant a role": "grant comptoir_owner to comptoir_app",
    "change the own account": "alter role comptoir_app superuser",
    "become the owner": "set role comptoir_owner",
    "become the role of the code": "set role comptoir_code",
    "become the role of the portal": "set role comptoir_portail",
    "become the role of the worker": "set role comptoir_travail",
    "become the superuser": "set session authorization postgres",
    "change a setting of the server": "alter system set fsync = off",
    "change a setting of superusers": "set log_statement = 'none'",
    "turn triggers off": "set session_replication_role = replica",
    "drop a table": "drop table finances.paiement",
    "disable a trigger": "alter table finances.paiement disable trigger all",
    "turn row-level security off": "alter table client.client disable row level security",
    "replace a function": "create or replace function core.utilisateur() returns bigint language sql return 1",
    "read a file": "select pg_read_file('/etc/passwd')",
    "read a binary file": "select pg_read_binary_file('/etc/passwd')",
    "list a folder": "select pg_ls_dir('/')",
    "stat a file": "select pg_stat_file('/etc/passwd')",
    "list the log": "select pg_ls_logdir()",
    "read the path of the log": "select pg_current_logfile()",
    "import a file as a large object": "select lo_import('/etc/passwd')",
    "export a large object to a file": "select lo_export(1, '/tmp/comptoir-essai')",
    "read password hashes": "select rolpassword from pg_authid",
    "read password hashes from the view": "select passwd from pg_shadow",
    "read pg_hba.conf": "select * from pg_hba_file_rules",
    "read the configuration files": "select * from pg_file_settings",
    "read user mappings": "select umoptions from pg_user_mapping",
    "read subscriptions": "select subconninfo from pg_subscription",
    "read column statistics": "select * from pg_statistic",
    "reload the configuration": "select pg_reload_conf()",
    "end a session": "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres' limit 1",
    "create a replication slot": "select pg_create_physical_replication_slot('essai')",
    "start a backup": "select pg_backup_start('essai')",
    "promote the server": "select pg_promote()",
    "request a checkpoint": "checkpoint",
    "create a publication": "create publication essai for all tables",
    "create an event trigger": "create event trigger essai on ddl_command_end execute function pg_catalog.now()",
}

# Statements that PostgreSQL allows every account, each with the reason why it does no harm here.
HARMLESS = {
    "select set_config('comptoir.utilisateur', '1', true)": "core.contexte sets the value again before each operation",
    "select pg_sleep(0)": "PostgreSQL cancels a statement of the API after its time limit",
    "notify comptoir, 'x'": "the payload is an id, and the listener reads the row with its own rights",
    "listen comptoir": "a notification holds an id, and no content of the row",
    "select count(*) from pg_proc": "function names are public: they are in this repository",
    "select count(*) from pg_stat_activity": "PostgreSQL hides the statements of other accounts",
    "set work_mem = '64kB'": "it changes only its own session",
    "do $$ begin perform 1; end $$": "the block has only the rights of its account",
}


@pytest.mark.parametrize("statement", REFUSED.values(), ids=REFUSED)
def test_postgresql_refuses_a_forbidden_statement_of_the_api_account(
    connection: psycopg.Connection[tuple[object, ...]], statement: str
) -> None:
    with pytest.raises(psycopg.Error) as refused:
        connection.execute(statement)
    assert refused.value.sqlstate == DENIED, refused.value


@pytest.mark.parametrize("statement", HARMLESS)
def test_each_allowed_statement_is_listed_as_harmless(
    connection: psycopg.Connection[tuple[object, ...]], statement: str
) -> None:
    with connection.transaction(force_rollback=True):
        connection.execute(statement)


def test_the_role_of_the_api_has_no_power_and_no_other_role(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    powers = """select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls from pg_roles
                 where rolname = 'comptoir_app'"""
    roles = "select roleid::regrole::text from pg_auth_members where member = 'comptoir_app'::regrole"
    assert connection.execute(powers).fetchall() == [(False,)] and connection.execute(roles).fetchall() == []


def test_postgresql_hides_the_statements_of_other_accounts(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    queries = connection.execute("select query from pg_stat_activity where usename = 'postgres'").fetchall()
    assert queries and {query for (query,) in queries} <= {None, "", "<insufficient privilege>"}


def test_the_api_account_can_call_a_public_operation(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    """Without this check, the refusals could come from a wrongly made account."""
    row = connection.execute("select current_user, (auth.permission_lister()).code limit 1").fetchone()
    assert row is not None and row[0] == "comptoir_app"
