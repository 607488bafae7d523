"""Functions of PostgreSQL that every account may call: none blocks other sessions, writes data or reads files.
PostgreSQL grants its own functions to PUBLIC. A function with an effect is volatile. Each volatile function that one
of the project's accounts may call is listed here with the reason why it does no harm. A function added by a later
version of PostgreSQL fails the test until it is listed or revoked.
"""

import asyncio
import re

import asyncpg
import psycopg
import pytest

HARMLESS = {
    "returns a value": "random|random_normal|setseed|gen_random_uuid|uuidv[47]|array_(sample|shuffle)|clock_timestamp"
    "|timeofday|current_query|currval|lastval",
    "belongs to indexes, languages and triggers, and cannot be called": "RI_FKey_.*|.*handler|amvalidate|bernoulli"
    "|system|dsnowball_.*|plpgsql_.*|suppress_redundant_updates_trigger|tsvector_update_trigger.*|unique_key_recheck"
    "|gbt_.*|gbtree.*",
    "works only while pg_upgrade runs, or for a superuser": "binary_upgrade_.*|pg_nextoid|pg_stop_making_pinned_objects"
    "|pg_import_system_collations|pg_extension_config_dump",
    "requires REPLICATION": "pg_(copy|create|drop)_.*slot|pg_logical_slot_.*|pg_replication_slot_advance"
    "|pg_sync_replication_slots",
    "requires a privilege on the table": "brin_.*|gin_clean_pending_list|nextval|setval|pg_clear_.*_stats"
    "|pg_restore_.*_stats|pg_get_sequence_data|pg_sequence_last_value|currtid2?",
    "runs a statement with the caller's rights": "cursor_to_xml.*|query_to_xml.*|ts_rewrite|ts_stat",
    "returns a fact about the server": "pg_available_wal_summaries|pg_blocking_pids|pg_collation_actual_version"
    "|pg_control_.*|pg_current_wal_.*|pg_database_collation_actual_version|pg_.*_size|pg_get_loaded_modules|pg_get_multixact_members"
    "|pg_get_wait_events|pg_get_wal_.*|pg_is_.*|pg_isolation_test_session_is_blocked|pg_jit_available"
    "|pg_last_.*|pg_lock_status|pg_notification_queue_usage|pg_partition_.*|pg_prepared_xact"
    "|pg_safe_snapshot_blocking_pids|pg_stat_get_.*|pg_wal_summary_contents|pg_xact_.*|txid_status",
    "changes only its own session": "set_config|pg_sleep|pg_sleep_for|pg_sleep_until|pg_stat_clear_snapshot"
    "|pg_stat_force_next_flush|pg_advisory_unlock_all",
    "ends sessions of the same account": "pg_cancel_backend|pg_terminate_backend",
    # Revoking the functions below would enter every dump, and newer versions drop them or change their arguments.
    "checks for a superuser itself": "pg_read_file_old|pg_rotate_logfile_old",
    "does what NOTIFY does, which cannot be revoked; a payload is an id": "pg_notify",
}


@pytest.mark.parametrize("role", ["comptoir_app", "comptoir_lecture", "comptoir_travail", "public"])
def test_each_volatile_function_that_an_account_may_call_is_listed(worker_url: str, role: str) -> None:
    with psycopg.connect(worker_url) as connection:
        names = connection.execute(
            """select distinct p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                where p.provolatile = 'v' and has_function_privilege(%(role)s, p.oid, 'execute')
                  and has_schema_privilege(%(role)s, n.oid, 'usage')
                  and p.proowner <> all(array['comptoir_code', 'comptoir_portail']::regrole[])
                  and n.nspname <> 'queue'""",
            {"role": role},
        ).fetchall()
        former = connection.info.server_version < 170000  # sql/public.sql cannot revoke it there
    wal = ["pg_logical_emit_message"] if former or role == "comptoir_app" else []
    harmless = re.compile("|".join([*HARMLESS.values(), *wal]))
    assert len(names) > 50
    assert sorted(name for (name,) in names if not harmless.fullmatch(name)) == []


def test_no_account_may_call_a_function_that_reads_or_writes_files(worker_url: str) -> None:
    """These functions read, write or list files, or take advisory locks, whatever their volatility."""
    with psycopg.connect(worker_url) as connection:
        functions = connection.execute(
            """select p.oid::regprocedure::text from pg_proc p
                where p.pronamespace = 'pg_catalog'::regnamespace
                  and p.proname <> 'pg_read_file_old'  -- it checks for a superuser itself
                  and p.proname <> 'pg_advisory_unlock_all'  -- it changes only its own session
                  and p.proname ~ '^(pg_read_|pg_stat_file|pg_ls_|pg_file_|lo_|loread|lowrite|pg_(try_)?advisory_)'
                  and has_function_privilege('public', p.oid, 'execute')"""
        ).fetchall()
    assert functions == []


def test_a_reading_account_can_use_the_pool_of_asyncpg(worker_url: str) -> None:
    """This pool calls pg_advisory_unlock_all whenever a connection returns to it."""

    async def read_twice() -> list[int]:
        role = {"role": "comptoir_lecture"}
        async with asyncpg.create_pool(worker_url, min_size=1, max_size=1, server_settings=role) as pool:
            return [await pool.fetchval("select 1") for _ in range(2)]

    assert asyncio.run(read_twice()) == [1, 1]
