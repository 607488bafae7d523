"""The job that creates the months of the journal and closes them."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from app.database import months, schema
from app.database.months import keep_months
from tests import builders
from tests.conftest import Db, refused
from tests.server import eventually, kill, worker

PARTS = "select nom, du, au, fermee from audit.partie_vue order by du nulls first"
ROWS = "select tableoid::regclass::text, j.* from audit.journal j order by id_trace"
MONTH = "date_trunc('month', now(), 'UTC')"
TWO_HOURS_AGO = "now() - interval '2 hours'"
DONE = "select from queue.procrastinate_jobs where status = 'succeeded' and task_name = 'mois-du-journal'"
OPEN_INDEXES = 6


@pytest.fixture
def db(committed: Db) -> Db:
    committed.execute("set time zone 'Pacific/Auckland'")
    return committed


def lay_out(db: Db, *parts: tuple[str, str, str]) -> None:
    """Replace the parts of the journal by these: name, first instant, first instant of the next part. Keep the rows."""
    with db.connection.transaction():
        db.execute("create temp table kept on commit drop as table audit.journal")
        for part in db.all("select nom from audit.partie_vue"):
            db.execute(f"alter table audit.journal detach partition audit.{part['nom']}")
            db.execute(f"alter table audit.{part['nom']} rename to former_{part['nom']}")
        db.execute("set local role comptoir_owner")
        for name, start, end in parts:
            db.execute(f"create table audit.{name} (like audit.former_journal_suite including all)")
            bounds = [value if value.endswith("value") else f"'{db.one(f'select {value}')}'" for value in (start, end)]
            bounds_sql = f"for values from ({bounds[0]}) to ({bounds[1]})"
            db.execute(f"alter table audit.journal attach partition audit.{name} {bounds_sql}")
        for former in db.all("select relname from pg_class where relkind = 'r' and relname ~ '^former_journal_'"):
            db.execute(f"drop table audit.{former['relname']}")
        db.execute("reset role")
        for name, *_ in parts:
            db.execute(
                f"create trigger t20_journal_fige before delete or truncate on audit.{name}"
                " for each statement execute function audit._t20_registre_fige()"
            )
            db.execute(
                f"create trigger t20_journal_efface before update on audit.{name}"
                " for each row execute function audit._t20_journal_efface()"
            )
        db.execute("insert into audit.journal select * from kept")


def follow(db: Db, **ends: str) -> None:
    """Lay out parts that follow one another, from the end of each."""
    starts = ["minvalue", *ends.values()]
    lay_out(db, *((name, start, end) for (name, end), start in zip(ends.items(), starts, strict=False)))


def parts(db: Db) -> list[tuple[str, str, str]]:
    """Name, and bounds in UTC, of each part."""
    query = """select nom, coalesce(to_char(du at time zone 'UTC', 'YYYY-MM-DD'), '-') as du,
                      coalesce(to_char(au at time zone 'UTC', 'YYYY-MM-DD'), '-') as au
                 from audit.partie_vue order by audit.partie_vue.du nulls first"""
    return [(row["nom"], row["du"], row["au"]) for row in db.all(query)]


def month(db: Db, distance: int) -> tuple[str, str, str]:
    query = f"""select to_char(m at time zone 'UTC', '"journal_"YYYY_MM') as nom,
                       to_char(m at time zone 'UTC', 'YYYY-MM-DD') as du,
                       to_char(m at time zone 'UTC' + interval '1 month', 'YYYY-MM-DD') as au
                  from (select ({MONTH} at time zone 'UTC' + %s * interval '1 month') at time zone 'UTC' as m) m"""
    (row,) = db.all(query, [distance])
    return row["nom"], row["du"], row["au"]


def after(db: Db, distance: int) -> tuple[str, str, str]:
    return "journal_suite", month(db, distance)[2], "-"


def indexes(db: Db, part: str) -> set[str]:
    query = "select indexrelid::regclass::text as name from pg_index where indrelid = to_regclass(%s)"
    return {row["name"].removeprefix(f"audit.{part}_") for row in db.all(query, [f"audit.{part}"])}


def write(db: Db, *moments: str) -> None:
    for moment in moments:
        db.execute(
            "insert into audit.journal (date_heure, module, operation, entite, entite_id)"
            f" values ({moment}, 'essai', 'INSERT', 'essai', '1')"
        )


def test_a_new_database_has_the_month_of_its_creation_and_the_next_one(db: Db, database_url: str) -> None:
    created = "(select min(applied_at_utc) from migration._yoyo_migration)"  # the template may be kept for months
    next_month = f"date_trunc('month', {created}) + interval '1 month'"
    names = [db.one(f"select to_char({moment}, '\"journal_\"YYYY_MM')") for moment in (created, next_month)]
    assert [name for name, *_ in parts(db)] == ["journal_debut", *names, "journal_suite"]
    keep_months(database_url)
    assert parts(db)[-2:] == [month(db, 1), after(db, 1)]
    before = db.all(PARTS)
    keep_months(database_url)
    assert db.all(PARTS) == before


def test_the_next_month_is_created_ahead(db: Db, database_url: str) -> None:
    follow(db, journal_debut=MONTH, journal_suite="maxvalue")
    assert [part[0] for part in parts(db)] == ["journal_debut", "journal_suite"]
    builders.client(db)
    before = db.all(ROWS)
    keep_months(database_url)
    assert parts(db)[1:] == [month(db, 0), month(db, 1), after(db, 1)]
    assert [row | {"tableoid": ""} for row in db.all(ROWS)] == [row | {"tableoid": ""} for row in before]
    assert not any(row["tableoid"] == "audit.journal_suite" for row in db.all(ROWS))
    for name, *_ in parts(db)[1:]:
        assert len(indexes(db, name)) == OPEN_INDEXES
        with refused("REGISTRE_FIGE", 409, db.connection):
            db.execute(f"truncate audit.{name}")
    assert schema.drift(database_url) == []


def test_rows_of_missed_months_share_one_part_and_no_write_fails(db: Db, database_url: str) -> None:
    follow(db, journal_debut=f"{MONTH} - interval '70 days'", journal_suite="maxvalue")
    write(db, f"{MONTH} - interval '40 days'", f"{MONTH} - interval '1 day'", "now()", "now() + interval '1 hour'")
    keep_months(database_url)
    late, *_, last = parts(db)[1:]
    assert late[2] >= month(db, 0)[2] and last == after(db, 1)
    assert {row["tableoid"] for row in db.all(f"{ROWS}") if row["entite"] == "essai"} <= {
        f"audit.{late[0]}", f"audit.{month(db, 1)[0]}",
    }  # fmt: skip
    write(db, "now() + interval '3 years'")
    assert db.one("select count(*) from audit.journal where entite = 'essai'") == 5
    keep_months(database_url)
    assert parts(db)[-1] == last


def test_a_month_in_which_the_clocks_change_ends_at_midnight_utc(db: Db) -> None:
    start = "timestamptz '2027-10-01 00:00Z'"
    follow(db, journal_debut=start, journal_suite="maxvalue")
    db.execute("set timezone = 'Europe/Paris'")
    with db.connection.transaction():
        months._begin(db.connection, months.STRONG_TIMEOUT)
        end = db.connection.execute(months._END, {"start": db.one(f"select {start}")}).fetchone()
        assert end["to_char"] == "journal_2027_10"
        assert end["?column?"] == db.one("select timestamptz '2027-11-01 00:00Z'")


def test_an_ended_month_is_closed_once(db: Db, database_url: str) -> None:
    follow(
        db, journal_debut="now() - interval '3 days'", journal_fini=TWO_HOURS_AGO,
        journal_recent="now() - interval '30 minutes'", journal_suite="maxvalue",
    )  # fmt: skip
    write(db, "now() - interval '2 days'", "now() - interval '1 hour'")
    keep_months(database_url)
    states = {row["nom"]: row["fermee"] for row in db.all(PARTS)}
    assert states.pop("journal_debut") and states.pop("journal_fini")
    assert set(states.values()) == {False}  # a clock may still be set back into a month that has just ended
    assert {"entite", "id_utilisateur", "module"} <= indexes(db, "journal_fini")
    before = db.all("select oid from pg_class where relname ~ '^journal_' order by 1")
    keep_months(database_url)
    assert db.all("select oid from pg_class where relname ~ '^journal_' order by 1") == before


def test_a_month_is_closed_after_its_last_transaction(db: Db, database_url: str) -> None:
    follow(db, journal_fini=TWO_HOURS_AGO, journal_suite="maxvalue")
    with psycopg.connect(database_url) as late, ThreadPoolExecutor(1) as pool:
        late.execute(
            "insert into audit.journal (date_heure, module, operation, entite) values"
            " (now() - interval '1 day', 'essai', 'INSERT', 'tard')"
        )
        run = pool.submit(keep_months, database_url)
        waits = "select count(*) from pg_locks where not granted and mode in ('ShareLock', 'AccessExclusiveLock')"
        eventually(lambda: db.one(waits))
        assert not any(row["fermee"] for row in db.all(PARTS))
        late.commit()
        run.result()
    assert db.all(PARTS)[0]["fermee"]
    assert db.one("select count(*) from audit.journal where entite = 'tard'") == 1


def test_two_runs_at_once_create_each_month_once(db: Db, database_url: str) -> None:
    follow(db, journal_fini=MONTH, journal_suite="maxvalue")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(keep_months, [database_url] * 4))
    assert parts(db)[1:] == [month(db, 0), month(db, 1), after(db, 1)]


def test_a_killed_run_changes_nothing_and_the_next_one_goes_on(
    tmp_path: Path, database_url: str, addresses: dict[str, str], db: Db
) -> None:
    follow(db, journal_fini=TWO_HOURS_AGO, journal_suite="maxvalue")
    indexing = "from pg_stat_activity where query like 'create index%%' and datname = current_database()"
    waiting = f"select {indexing} and wait_event_type = 'Lock'"
    with psycopg.connect(database_url) as holder:
        holder.execute("lock table audit.journal_fini in row exclusive mode")
        with worker(tmp_path, **addresses) as (process, _):
            db.one("select core._differer('mois-du-journal', '{}', 'mois-du-journal')")
            eventually(lambda: db.all(waiting))
            kill(process)
        db.execute(f"select pg_terminate_backend(pid) {indexing}")
        eventually(lambda: not db.all(waiting))
    assert next(row["fermee"] for row in db.all(PARTS)) is False
    assert indexes(db, "journal_fini") & {"entite", "module"} == set()
    keep_months(database_url)
    assert next(row["fermee"] for row in db.all(PARTS)) is True
    assert parts(db)[-1] == after(db, 1) and db.all(DONE) == []


@pytest.mark.timeouts
def test_a_busy_journal_refuses_the_job_and_no_writer_waits_long(db: Db, database_url: str) -> None:
    follow(db, journal_fini=MONTH, journal_suite="maxvalue")
    before = db.all(PARTS)
    with psycopg.connect(database_url) as reader:
        reader.execute("select count(*) from audit.journal")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            keep_months(database_url)
    assert db.all(PARTS) == before
