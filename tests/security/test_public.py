"""What every account may execute of PostgreSQL: nothing that holds up, writes, or reads files.

PostgreSQL grants its own functions to PUBLIC. Those that change something are volatile: each one that an account of
ours may call is known here, with the reason why it does no harm. One that a later version adds has to be judged first.
"""

from __future__ import annotations

import re

import psycopg
import pytest

KNOWN = {
    "gives a value": "random|random_normal|setseed|gen_random_uuid|uuidv[47]|array_(sample|shuffle)|clock_timestamp"
    "|timeofday|current_query|currval|lastval",
    "belongs to indexes, languages and triggers, and cannot be called": "RI_FKey_.*|.*handler|amvalidate|bernoulli"
    "|system|dsnowball_.*|plpgsql_.*|suppress_redundant_updates_trigger|tsvector_update_trigger.*|unique_key_recheck"
    "|gbt_.*|gbtree.*",
    "works only while pg_upgrade runs, or for a superuser": "binary_upgrade_.*|pg_nextoid|pg_stop_making_pinned_objects"
    "|pg_import_system_collations|pg_extension_config_dump",
    "asks for REPLICATION": "pg_(copy|create|drop)_.*slot|pg_logical_slot_.*|pg_replication_slot_advance"
    "|pg_sync_replication_slots",
    "asks for the table, or the right to change it": "brin_.*|gin_clean_pending_list|nextval|setval|pg_clear_.*_stats"
    "|pg_restore_.*_stats|pg_get_sequence_data|pg_sequence_last_value|currtid2?",
    "runs a statement with the caller's rights": "cursor_to_xml.*|query_to_xml.*|ts_rewrite|ts_stat",
    "tells a fact of the server": "pg_available_wal_summaries|pg_blocking_pids|pg_collation_actual_version"
    "|pg_control_.*|pg_current_wal_.*|pg_database_collation_actual_version|pg_.*_size|pg_get_loaded_modules|pg_get_multixact_members"
    "|pg_get_wait_events|pg_get_wal_.*|pg_is_.*|pg_isolation_test_session_is_blocked|pg_jit_available"
    "|pg_last_.*|pg_lock_status|pg_notification_queue_usage|pg_partition_.*|pg_prepared_xact"
    "|pg_safe_snapshot_blocking_pids|pg_stat_get_.*|pg_wal_summary_contents|pg_xact_.*|txid_status",
    "touches its own session alone": "set_config|pg_sleep|pg_sleep_for|pg_sleep_until|pg_stat_clear_snapshot"
    "|pg_stat_force_next_flush",
    "ends sessions of the same account": "pg_cancel_backend|pg_terminate_backend",
    # Revoking these would end up in every dump, and newer versions have them no more, or with other arguments.
    "writes a message beside the data, as any write does": "pg_logical_emit_message",
    "asks for a superuser itself": "pg_read_file_old|pg_rotate_logfile_old",
    "does what NOTIFY does, which nobody can be refused; a payload is an id": "pg_notify",
}


@pytest.mark.parametrize("role", ["comptoir_app", "comptoir_lecture", "comptoir_travail", "public"])
def test_each_function_that_an_account_may_call_is_known(worker_url: str, role: str) -> None:
    with psycopg.connect(worker_url) as connection:
        names = connection.execute(
            """select distinct p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                where p.provolatile = 'v' and has_function_privilege(%(role)s, p.oid, 'execute')
                  and has_schema_privilege(%(role)s, n.oid, 'usage')
                  and p.proowner <> all(array['comptoir_code', 'comptoir_portail']::regrole[])
                  and n.nspname <> 'queue'""",
            {"role": role},
        ).fetchall()
    known = re.compile("|".join(KNOWN.values()))
    assert len(names) > 50
    assert sorted(name for (name,) in names if not known.fullmatch(name)) == []


def test_files_of_the_server_are_closed_to_every_account(worker_url: str) -> None:
    """Whatever their volatility: these read, write or list files."""
    with psycopg.connect(worker_url) as connection:
        found = connection.execute(
            """select p.oid::regprocedure::text from pg_proc p
                where p.pronamespace = 'pg_catalog'::regnamespace
                  and p.proname <> 'pg_read_file_old'  -- it asks for a superuser itself
                  and p.proname ~ '^(pg_read_|pg_stat_file|pg_ls_|pg_file_|lo_|loread|lowrite|pg_(try_)?advisory_)'
                  and has_function_privilege('public', p.oid, 'execute')"""
        ).fetchall()
    assert found == []
