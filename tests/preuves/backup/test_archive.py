"""Archived months of the journal: moved to a real store, verified against the seals, put back, and never lost."""

# ruff: noqa: F401, F811 - fixtures of another file

import gzip
import io
import json
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from app.base.settings import Settings
from app.database import schema
from app.database.months import keep_months
from app.leaves.archives import archive
from app.leaves.archives.archive import Archives
from app.leaves.echange.whole import reading, writing
from app.leaves.embarque.seaweedfs import SeaweedFS
from app.vault import objects, restoration
from app.vault.backup import BackupError
from app.vault.cipher import Keys
from app.vault.vault import Vault
from tests import builders
from tests.audit.test_sceau import findings, seal, tamper
from tests.conftest import Db, _clone, connected, refused
from tests.jobs.test_mois import indexes, lay_out, parts, write
from tests.preuves.backup.test_vault import comptoir, home, store, stored, url
from tests.preuves.uploads.test_storage import settings
from tests.server import environment, eventually, quiet

OLD, NEXT = "2025-01", "2025-02"
ROWS = "select * from audit.journal where entite = 'essai' order by id_trace"
SOME_TEXT = "Été; \"guillemets\", virgules\nlignes\r\n\\. \\N et '🧾'"


@pytest.fixture
def db(url: str) -> Iterator[Db]:
    """A journal with two uneven old months, closed and sealed. Entries of both have alternating identifiers."""
    with connected(url, autocommit=True) as db:
        lay_out(
            db,
            ("journal_debut", "minvalue", "timestamptz '2025-01-01 00:00Z'"),
            ("journal_2025_01", "timestamptz '2025-01-01 00:00Z'", "timestamptz '2025-02-01 00:00Z'"),
            ("journal_2025_02", "timestamptz '2025-02-01 00:00Z'", "timestamptz '2025-03-01 00:00Z'"),
            ("journal_suite", "timestamptz '2025-03-01 00:00Z'", "maxvalue"),
        )
        db.connection.execute(
            """insert into audit.journal (date_heure, module, operation, entite, entite_id, montant, avant, apres,
                                          adresse_ip, requete)
               select case when n %% 7 = 0 then timestamptz '2025-02-11 08:00Z' else timestamptz '2025-01-31 23:59Z' end
                        + n * interval '1 microsecond',
                      'essai', 'UPDATE', 'essai', case n %% 3 when 0 then null when 1 then '' else %(text)s end,
                      n / 100.0,
                      case n %% 5 when 0 then null else jsonb_build_object('a', n * 1.10, 'b', %(text)s::text) end,
                      jsonb_build_object('n', n, 'x', null), case n %% 2 when 0 then inet '2001:db8::7/64' end, ''
                 from generate_series(1, 2203) n""",
            {"text": SOME_TEXT},
        )
        # Gaps of rolled-back writers, then entries behind the gap.
        db.connection.execute("select nextval('audit.journal_id_trace_seq') from generate_series(1, 11)")
        write(db, "timestamptz '2025-01-02 10:00Z'")
        keep_months(url)
        assert seal(db)["complet"]
        yield db


@pytest.fixture
def archives(home: Path, url: str) -> Archives:
    return Archives(settings(home), url, quiet)


def names(db: Db) -> set[str]:
    return {part[0] for part in parts(db)}


def archived_months(archives: Archives) -> dict[str, bool]:
    """Each archived month, and whether it is in the database too."""
    return {month["mois"]: month["presente"] for month in archives.months() if month["chemin"]}


def record(db: Db) -> dict[str, Any]:
    return db.all("select * from audit.archive order by id_archive desc limit 1")[0]


def forge(archives: Archives, db: Db, *changes: str) -> None:
    """Rewrite the archived file as a person with the key of the backups can."""
    key, keys, vault = record(db)["chemin"], Keys.of(archives.settings), Vault(archives.settings, None)
    file = archives.settings.state / "falsifie"
    file.write_bytes(stored(vault, key))
    with db.connection.transaction():
        db.execute("set local timezone = 'UTC'")
        db.execute("create temp table faux (like audit.journal) on commit drop")
        archive._load(db.connection, sql.Identifier("faux"), file, keys)
        for change in changes:
            db.execute(change)
        store(vault, key, b"".join(archive._encrypted_rows(db.connection, sql.Identifier("faux"), keys)))


# ---- the round trip


def test_an_export_and_its_import_leave_archived_months_in_the_store(
    db: Db, archives: Archives, url: str, tmp_path: Path, worker_id: str
) -> None:
    archives.archive(OLD, 12)
    writing.export(archives.settings, url, tmp_path / "export", prints=False, uploads=False)
    with _clone(f"essai_{worker_id}_ailleurs") as other:
        reading.load(archives.settings, other, tmp_path / "export", uploads=False, say=quiet)
        moved = Archives(archives.settings, other, quiet)
        assert archived_months(moved) == {OLD: False}
        assert moved.verify(None) == []


def test_an_archived_month_leaves_the_base_and_the_seals_still_hold(db: Db, archives: Archives) -> None:
    before, january = db.all(ROWS), db.all("select * from audit.journal_2025_01 order by id_trace")
    archives.archive(OLD, 12)
    assert "journal_2025_01" not in names(db)
    assert db.all(ROWS) == [row for row in before if row["date_heure"].month == 2]
    assert findings(db) == [] and seal(db)["complet"] and findings(db) == []
    archived = record(db)
    assert archived["entrees"] == len(january)
    content = stored(Vault(archives.settings, None), archived["chemin"])
    assert len(content) == archived["taille_octets"] and b"essai" not in content
    (trace,) = db.all("select * from audit.journal where entite = 'archive'")
    assert (trace["operation"], trace["apres"]["sha256"]) == ("INSERT", archived["sha256"])
    assert (trace["entite_id"], trace["montant"]) == (str(trace["apres"]["id_archive"]), None)
    assert archives.verify(OLD) == archives.verify(None) == []
    assert schema.drift(archives.url) == []
    archives.archive(NEXT, 0)
    assert db.all(ROWS) == [] and findings(db) == [] and archives.verify(None) == []

    archives.restore(OLD)
    archives.restore(NEXT)
    assert db.all(ROWS) == before
    assert {"entite", "id_utilisateur", "module"} <= indexes(db, "journal_2025_01")
    assert findings(db) == [] and schema.drift(archives.url) == []
    assert len(db.rows("audit.journal_lister", entite="essai", du="2025-01-02", au="2025-02-10")) == 1000
    with refused("REGISTRE_FIGE", 409, db.connection):
        db.execute("delete from audit.journal_2025_01")
    assert archived_months(archives) == {OLD: True, NEXT: True}


@pytest.mark.bref
def test_a_restored_month_is_verified_in_the_base_again_and_can_be_archived_again(db: Db, archives: Archives) -> None:
    archives.archive(OLD, 12)
    archives.restore(OLD)
    target = db.one("select min(id_trace) from audit.journal_2025_01")
    with pytest.raises(ZeroDivisionError), db.connection.transaction():
        tamper(db, "delete from audit.journal where id_trace = %s", target)
        assert findings(db) == [("MANQUANTE", "journal", [target])]
        raise ZeroDivisionError
    archives.archive(OLD, 12)
    assert db.one("select count(*) from audit.archive") == 2
    assert findings(db) == [] and archives.verify(None) == []
    archives.restore(OLD)
    assert db.one("select count(*) from audit.journal_2025_01") == record(db)["entrees"]


def test_the_part_before_the_months_is_archived_and_restored(db: Db, archives: Archives) -> None:
    write(db, "timestamptz '2019-05-05'")
    seal(db)
    before = db.all(ROWS)
    archives.archive("debut", 12)
    assert "journal_debut" not in names(db) and findings(db) == []
    archives.restore("debut")
    assert db.all(ROWS) == before and findings(db) == []


def test_a_file_without_a_column_that_the_journal_has_got_since_is_restored(db: Db, archives: Archives) -> None:
    archives.archive(OLD, 12)
    db.execute("alter table audit.journal add column nouvelle text")
    assert archives.verify(OLD) == []
    archives.restore(OLD)
    assert findings(db) == []


def test_a_backup_of_a_base_with_archived_months_is_restored(db: Db, archives: Archives) -> None:
    archives.archive(OLD, 12)
    vault = Vault(archives.settings, archives.url)
    number = vault.save_now()
    archives.restore(OLD)
    db.connection.close()
    vault.restore_now(number, quiet)
    assert archived_months(archives) == {OLD: False}
    assert archives.verify(None) == []
    restoration._verify(archives.url)
    archives.restore(OLD)


# ---- what is refused


def test_an_open_a_young_an_unknown_and_an_empty_month_are_refused(db: Db, archives: Archives) -> None:
    open_month = next(part[0] for part in parts(db) if part[0].startswith("journal_2") and part[0] > "journal_2025_02")
    for month, age, message in (
        (open_month[8:].replace("_", "-"), 0, "est ouvert"),
        ("suite", 0, "Il n'y a pas de mois"),
        ("1999-01", 0, "Il n'y a pas de mois"),
        ("debut", 0, "aucune entrée"),
        (NEXT, 1200, "moins de 1200 mois"),
    ):
        with pytest.raises(BackupError, match=message):
            archives.archive(month, age)
    for act in (archives.restore, archives.verify):
        with pytest.raises(BackupError, match="n'a pas été archivé"):
            act(OLD)
    archives.archive(OLD, 12)
    with pytest.raises(BackupError, match="est déjà archivé"):
        archives.archive(OLD, 12)
    archives.restore(OLD)
    with pytest.raises(BackupError, match="est déjà dans la base"):
        archives.restore(OLD)


def test_an_unsealed_month_is_refused_with_the_remedy(db: Db, archives: Archives) -> None:
    write(db, "timestamptz '2025-01-09'")
    with pytest.raises(BackupError, match=r"pas encore scellées : .*audit\.sceller"):
        archives.archive(OLD, 12)
    seal(db)
    archives.archive(OLD, 12)


def test_a_month_that_was_tampered_with_is_not_archived(db: Db, archives: Archives) -> None:
    target = db.one("select max(id_trace) from audit.journal_2025_01")
    with db.connection.transaction():
        tamper(db, "update audit.journal set montant = 3 where id_trace = %s", target)
    with pytest.raises(BackupError, match=f"rien n'est archivé :\nRegistre journal, .*1 entrée changée : {target}"):
        archives.archive(OLD, 12)
    assert "journal_2025_01" in names(db)


def test_an_entry_that_arrives_meanwhile_stops_it(db: Db, archives: Archives, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*arguments: Any) -> None:
        write(db, "timestamptz '2025-01-09'")
        drop(*arguments)

    drop = archive._drop
    with monkeypatch.context() as patched:
        patched.setattr(archive, "_drop", late)
        with pytest.raises(BackupError, match="se sont ajoutées"):
            archives.archive(OLD, 12)
    assert db.one("select count(*) from audit.journal_2025_01 where entite_id = '1' and avant is null") == 2
    seal(db)
    archives.archive(OLD, 12)


# ---- tampering with an archive


def test_changed_missing_and_added_entries_of_a_file_are_named(db: Db, archives: Archives) -> None:
    archives.archive(OLD, 12)
    changed, missing = record(db)["ids"][0].lower, record(db)["ids"][1].lower
    change = f"update faux set montant = montant + 1 where id_trace = {changed}"
    insert = "insert into faux select 999999, f.date_heure, f.id_utilisateur, 'x', 'INSERT', 'x' from faux f limit 1"
    forge(archives, db, change, f"delete from faux where id_trace = {missing}", insert)
    digest, *problems = archives.verify(OLD)
    assert "la somme SHA-256 n'est pas celle notée" in digest
    assert [problem.rpartition(", ")[2] for problem in problems] == [
        f"1 entrée changée : {changed}.",
        f"1 entrée disparue : {missing}.",
        "1 entrée ajoutée après coup : 999999.",
    ]
    with pytest.raises(BackupError, match=r"n'est pas remise :[\s\S]*1 entrée changée"):
        archives.restore(OLD)
    assert "journal_2025_01" not in names(db) and db.one("select to_regclass('audit.journal_2025_01')") is None


def test_a_damaged_a_missing_and_another_file_are_reported(db: Db, archives: Archives) -> None:
    archives.archive(OLD, 12)
    vault, key = Vault(archives.settings, None), record(db)["chemin"]
    content = stored(vault, key)
    for damaged in (content[:-1], content[:900] + b"x" + content[901:], b"", gzip.compress(b"id_trace\n1\n")):
        store(vault, key, damaged)
        assert any("SHA-256" in problem for problem in archives.verify(OLD))
        with pytest.raises(BackupError, match="n'est pas remise"):
            archives.restore(OLD)
    objects.delete(archives.settings, key)
    assert ["n'existe pas" in problem for problem in archives.verify(None)] == [True]
    store(vault, key, content)
    assert archives.verify(OLD) == []


def test_another_file_of_the_same_key_is_reported_whatever_its_size(db: Db, archives: Archives) -> None:
    """A person without the key copies a backup over the archive. It is larger than the buffer of a pipe."""
    archives.archive(OLD, 12)
    for head in (b"PGDMP", gzip.compress(b"")[:10]):  # no gzip, and gzip with a damaged content
        swapped = io.BytesIO()
        Keys.of(archives.settings).encrypt(io.BytesIO(head + random.Random(1).randbytes(1024 * 1024)), swapped)
        store(Vault(archives.settings, None), record(db)["chemin"], swapped.getvalue())
        [digest, damage] = archives.verify(OLD)
        assert "SHA-256" in digest and "Le fichier ne se lit pas" in damage and "il est abîmé" in damage, head
        with pytest.raises(BackupError, match=r"n'est pas remise :[\s\S]*il est abîmé"):
            archives.restore(OLD)


def test_a_forged_row_hides_deleted_entries_from_the_base_only(db: Db, archives: Archives) -> None:
    """An attacker deletes an entry of February and adds its identifier to a forged row about January."""
    archives.archive(OLD, 12)
    target = db.one("select min(id_trace) from audit.journal_2025_02")
    with db.connection.transaction():
        tamper(db, "delete from audit.journal where id_trace = %s", target)
        assert findings(db) == [("MANQUANTE", "journal", [target])]
        tamper(db, "update audit.archive set ids = ids + int8multirange(int8range(%s, %s, '[]'))", target, target)
    assert [problem.rpartition(", ")[2] for problem in archives.verify(None)] == [f"1 entrée disparue : {target}."]


def test_the_list_of_archives_is_never_rewritten(db: Db, archives: Archives) -> None:
    archives.archive(OLD, 12)
    for statement in ("update audit.archive set ids = '{}'", "delete from audit.archive", "truncate audit.archive"):
        with refused("REGISTRE_FIGE", 409, db.connection):
            db.execute(statement)
    with db.connection.transaction(force_rollback=True):
        db.execute("set local role comptoir_lecture")
        assert db.one("select count(*) from audit.archive") == 1 and findings(db) == []


# ---- interruption and concurrency


def test_an_archiving_that_fails_at_any_step_loses_nothing_and_is_repeated(
    db: Db, archives: Archives, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = db.all(ROWS)

    def fail(*_: Any) -> Any:
        raise BackupError("arrêt d'essai")

    for made, step in enumerate(("_content", "_encrypted_rows", "_load", "_drop")):
        with monkeypatch.context() as patched:
            patched.setattr(archive, step, fail)
            with pytest.raises(BackupError, match="arrêt d'essai"):
                archives.archive(OLD, 12)
        assert db.all(ROWS) == before and findings(db) == [], step
        assert db.one("select count(*) from audit.archive") == made, step
        archives.archive(OLD, 12)
        archives.restore(OLD)
        assert db.all(ROWS) == before, step


def test_a_file_that_the_store_damages_is_refused(db: Db, archives: Archives, monkeypatch: pytest.MonkeyPatch) -> None:
    def upload(settings: Settings, key: str, parts: Any) -> tuple[int, str]:
        result = whole(settings, key, parts)
        vault = Vault(settings, None)
        store(vault, key, stored(vault, key)[:-5])
        return result

    whole = objects.upload
    with monkeypatch.context() as patched:
        patched.setattr(objects, "upload", upload)
        with pytest.raises(BackupError, match="SHA-256"):
            archives.archive(OLD, 12)
    assert "journal_2025_01" in names(db) and db.all("select from audit.archive") == []


@pytest.mark.parametrize(
    "lock, waiting",
    [
        ("access exclusive", "%%audit%%"),  # before the file is written
        ("row exclusive", "lock table%%"),  # after the file was read back
    ],
)
def test_a_killed_archiving_loses_nothing(db: Db, archives: Archives, home: Path, lock: str, waiting: str) -> None:
    before = db.all(ROWS)
    with SeaweedFS(home / "objets", "comptoir", "comptoir-sauvegardes"), psycopg.connect(archives.url) as holder:
        holder.execute(f"lock table audit.journal_2025_01 in {lock} mode")
        variables = environment({"DATABASE_URL": archives.url, "COMPTOIR_ETAT": str(home)})
        with subprocess.Popen([sys.executable, "-m", "app", "archive", OLD], env=variables) as process:
            activity = "pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
            eventually(lambda: db.all(f"select from {activity} and query like '{waiting}'", []))
            process.kill()
            assert process.wait() == -signal.SIGKILL
        holder.rollback()
        eventually(lambda: not db.one("select jobs._coffre_tenu()"))
        assert db.all(ROWS) == before and db.all("select from audit.archive") == []
        archives.archive(OLD, 12)
        archives.restore(OLD)
        assert db.all(ROWS) == before and findings(db) == []


def test_of_two_archivings_at_once_one_is_made(db: Db, archives: Archives) -> None:
    def attempt(_: int) -> str:
        try:
            archives.archive(OLD, 12)
        except BackupError as error:
            return str(error)
        return "fait"

    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(attempt, range(3)))
    assert answers.count("fait") == 1
    assert all("est en cours" in answer or "est déjà archivé" in answer for answer in answers if answer != "fait")
    assert db.one("select count(*) from audit.archive") == 1 and archives.verify(None) == []


@pytest.mark.timeouts
def test_a_long_reader_postpones_the_removal(db: Db, archives: Archives, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "ATTEMPTS", 2)
    with psycopg.connect(archives.url) as reader:
        reader.execute("select count(*) from audit.journal")
        with pytest.raises(BackupError, match="occupé"):
            archives.archive(OLD, 12)
    assert "journal_2025_01" in names(db) and db.all("select from audit.archive") == []
    archives.archive(OLD, 12)


# ---- the command


def test_the_command_lists_archives_verifies_and_restores(db: Db, archives: Archives, home: Path) -> None:
    with SeaweedFS(home / "objets", "comptoir", "comptoir-sauvegardes"):
        for words, code, sentences in (
            (["archive"], 0, ["2025-01 : dans la base, clos", "dans la base, ouvert"]),
            (["archive", OLD], 0, ["2025-01 archivé et relu : 1890 entrées"]),
            (["archive", "--verifier"], 0, ["1890 entrées relues, conformes aux sceaux."]),
            (["check"], 0, ["comptoir archive --verifier"]),
            (["archive", "--restaurer", OLD], 0, ["2025-01 remis"]),
            (["archive"], 0, ["archivé et remis"]),
            (["archive", "1999-01"], 1, ["comptoir : Il n'y a pas de mois 1999-01"]),
        ):
            done = comptoir(archives.url, home, *words)
            assert done.returncode == code, done
            assert all(sentence in done.stdout + done.stderr for sentence in sentences), done


# ---- erased clients


def test_an_archived_month_is_erased_when_it_is_put_back(archives: Archives, db: Db) -> None:
    """The client was named in a month that was in the store when he was erased."""
    client = builders.client(db, nom="Quartzo", date_enregistrement="2025-02-01")
    after = {"id_client": client, "nom": "Quartzo", "code": "X", "photo": "client-photo/zq9.png"}
    db.execute(
        "insert into audit.journal (date_heure, module, operation, entite, entite_id, apres) values"
        " ('2025-02-20 10:00Z', 'client', 'INSERT', 'client', %s, %s)",
        [str(client), json.dumps(after)],
    )
    assert seal(db)["complet"]
    archives.archive(NEXT, 1)
    done = db.call("client.client_anonymiser", id_client=client, motif="Essai")
    assert done["mois_archives"] == [NEXT]
    assert findings(db) == [] and archives.verify(None) == []
    archives.restore(NEXT)
    named = "select count(*) from audit.journal where apres::text like '%%Quartzo%%' or avant::text like '%%Quartzo%%'"
    assert db.one(named) == 0
    # The photo that only this month names leaves the store with its name.
    files = "select args from queue.procrastinate_jobs where task_name = 'effacer-fichiers'"
    assert db.all(files) == [{"args": {"cles": ["client-photo/zq9.png"]}}]
    assert db.one("select count(*) from audit.effacement") == 2
    assert findings(db) == [] and archives.verify(None) == []
    # The next file holds what the erasure left.
    archives.archive(NEXT, 1)
    assert findings(db) == [] and archives.verify(None) == []
    archives.restore(NEXT)
    assert db.one(named) == 0 and findings(db) == []
    assert db.one("select count(*) from audit.effacement") == 2
