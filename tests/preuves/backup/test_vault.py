"""The vault with a real object store: streaming, one run at a time, every failure reported, no failure loses data."""

# ruff: noqa: F401, F811 - a fixture of another file

import asyncio
import hashlib
import io
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest

from app.base.refusal import Refusal
from app.base.settings import Settings
from app.database import schema
from app.database.reach import elsewhere
from app.files.storage import Archive, Storage
from app.leaves.embarque.seaweedfs import SeaweedFS
from app.vault import backup, objects, restoration
from app.vault.backup import BackupError
from app.vault.vault import Vault
from tests import commands
from tests.conftest import connected, one, refusal, temporary_role
from tests.jobs.test_worker import worker
from tests.preuves.backup.test_backup import databases, fake, sums, url
from tests.preuves.uploads.test_storage import process_of, settings
from tests.server import BACKUP_KEY, SECRET, environment, eventually, running

VAULT = "/admin/sauvegardes"
OWNERS = ", ".join(schema.OWNERS)
LIST_TABLES = ("jobs.sauvegarde", "jobs.restauration")
REQUEST = "select id_sauvegarde from jobs.sauvegarde_declencher(p_en_file => false)"
PART = 5 * 1024 * 1024  # the least that S3 takes as a part


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A state folder. The fixture stops its store."""
    yield tmp_path / "etat"
    SeaweedFS(tmp_path / "etat" / "objets").stop()


@pytest.fixture
def archive(home: Path, url: str) -> Vault:
    return Vault(settings(home), url)


def row(url: str, number: int) -> dict[str, Any]:
    with connected(url) as db:
        return db.all("select * from jobs.sauvegarde where id_sauvegarde = %s", [number])[0]


def using(storage: Storage, work: Callable[[Any], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        try:
            return await work(storage)
        finally:
            await storage.close()

    return asyncio.run(run())


def read(storage: Storage, key: str) -> bytes:
    async def get(storage: Storage) -> bytes:
        return b"".join([chunk async for chunk in await storage.get(key)])

    return bytes(using(storage, get))


def stored(vault_of: Vault, key: str) -> bytes:
    return read(Archive(vault_of.settings), key)


def store(vault_of: Vault, key: str, content: bytes) -> None:
    using(Archive(vault_of.settings), lambda storage: storage.put(key, io.BytesIO(content), objects.MEDIA_TYPE))


def unfinished_uploads(vault_of: Vault) -> list[Any]:
    """Return the multipart uploads that were started and not completed."""

    async def listed(storage: Archive) -> Any:
        async with storage._request() as client:
            return (await client.list_multipart_uploads(Bucket=storage._bucket)).get("Uploads", [])

    return list(using(Archive(vault_of.settings), listed))


def without_list(table_sums: Any) -> Any:
    """Leave out the list of backups and its sequences, because a restore keeps the present ones."""
    names = [name for name in table_sums if not name.removeprefix("suite ").startswith(LIST_TABLES)]
    return {name: table_sums[name] for name in names}


# ---- a backup


def test_a_backup_is_stored_with_its_checksum_and_its_row_counts(archive: Vault, url: str) -> None:
    number = archive.save_now()
    record = row(url, number)
    content = stored(archive, record["chemin"])
    digest = hashlib.sha256(content).hexdigest()
    assert (record["statut"], record["type"], record["message_erreur"]) == ("SUCCES", "MANUELLE", None)
    assert (record["taille_octets"], record["sha256"]) == (len(content), digest)
    assert record["date_creation"] <= record["date_debut"] < record["date_fin"]
    assert record["lignes"]["facturation.facture"] == 3
    name = record["chemin"].rpartition("/")[2]
    assert stored(archive, record["chemin"] + ".sha256").decode() == f"{digest}  {name}\n"
    assert unfinished_uploads(archive) == []


def test_a_large_backup_is_uploaded_in_several_parts(archive: Vault, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "PART", PART)
    one(  # random text does not compress
        url,
        """insert into core.parametre (cle, valeur)
           select 'G' || i, (select string_agg(encode(sha256((i || ' ' || j)::bytea), 'base64'), '')
                               from generate_series(1, 100) j) from generate_series(1, 5000) i""",
    )
    before = sums(url)
    number = archive.save_now()
    assert row(url, number)["taille_octets"] > 2 * PART
    archive.restore_now(number, lambda _: None)
    assert without_list(sums(url)) == without_list(before)


def test_retention_deletes_old_files_and_keeps_their_rows(archive: Vault, url: str) -> None:
    one(url, "select core.parametre_modifier('SAUVEGARDE_RETENTION', '2') is not null")
    numbers = [archive.save_now() for _ in range(3)]
    removed, *remaining = (row(url, number) for number in numbers)
    assert removed["date_retrait"] and removed["statut"] == "SUCCES"
    assert [record["date_retrait"] for record in remaining] == [None, None]
    for key in (removed["chemin"], removed["chemin"] + ".sha256"):
        with pytest.raises(Refusal):
            stored(archive, key)
    assert all(stored(archive, record["chemin"]) for record in remaining)
    with pytest.raises(BackupError, match="son fichier a été retiré"):
        archive.restore_now(numbers[0], lambda _: None)


def test_the_file_of_a_backup_that_failed_after_its_upload_is_deleted_by_the_next_one(
    archive: Vault, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies, or the database is away, before the success is noted."""
    upload = objects.upload

    def fail(*arguments: Any) -> None:
        upload(*arguments)
        raise OSError("la base est partie")

    with monkeypatch.context() as patched:
        patched.setattr(objects, "upload", fail)
        with pytest.raises(OSError, match="la base est partie"):
            archive.save_now()
    failed = row(url, one(url, "select max(id_sauvegarde) from jobs.sauvegarde"))
    assert failed["statut"] == "ERREUR" and stored(archive, failed["chemin"])
    kept = row(url, archive.save_now())
    for key in (failed["chemin"], failed["chemin"] + ".sha256"):
        with pytest.raises(Refusal):
            stored(archive, key)
    assert stored(archive, kept["chemin"]) and row(url, failed["id_sauvegarde"])["date_retrait"]


def test_a_pg_dump_that_fails_midway_is_reported_and_leaves_no_object(
    archive: Vault, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk may be full, or a table unreadable."""
    body = "head -c 12000000 /dev/urandom; echo 'No space left on device' >&2; exit 1"
    program = fake(tmp_path, "pg_dump", "99.0", body)
    monkeypatch.setattr(backup, "PART", PART)
    with monkeypatch.context() as patched:
        patched.setattr(backup, "_programs", lambda name: [program])
        with pytest.raises(BackupError, match="No space left on device"):
            archive.save_now()
    number = assert_failed(url, "No space left on device")
    with pytest.raises(Refusal):
        stored(archive, row(url, number)["chemin"])
    assert unfinished_uploads(archive) == []
    assert row(url, archive.save_now())["statut"] == "SUCCES"


def test_a_backup_by_a_role_that_does_not_own_the_tables_is_refused(archive: Vault, url: str) -> None:
    with temporary_role(url, "in role comptoir_travail") as limited_url:
        limited = replace(archive, url=limited_url)
        with pytest.raises(BackupError, match=r"ne lit pas toutes les tables : qui exploite le service"):
            limited.save(one(url, REQUEST))
        assert_failed(url, "lui donne le compte propriétaire")


@contextmanager
def owner(url: str, options: str) -> Iterator[str]:
    """Like `temporary_role`, for a role that meanwhile owns the database and the database restored in its place."""
    with temporary_role(url, options) as address:
        role = urlsplit(address).username
        one(url, f"alter database {urlsplit(url).path[1:]} owner to {role}")
        try:
            yield address
        finally:
            for name in databases(url):
                one(elsewhere(url, name), f"reassign owned by {role} to current_user")
                one(elsewhere(url, name), f"drop owned by {role}")


def test_the_owner_needs_no_superuser_rights(archive: Vault, url: str) -> None:
    """The rights that docs/mise-en-service.md names are enough to back up and to restore."""
    before = sums(url)
    with owner(url, f"createdb in role {OWNERS}, pg_signal_backend") as limited_url:
        limited = replace(archive, url=limited_url)
        saved = limited.save_now()
        # The owner may end the sessions of this role, but reads few of their details.
        with temporary_role(url, "in role comptoir_app") as api, closing(psycopg.connect(api)):
            assert limited.restore_now(saved, lambda _: None)
        assert without_list(sums(url)) == without_list(before)


def assert_failed(url: str, text: str) -> int:
    """Assert that the list and a notification report the last backup as failed. Return its number."""
    number = one(url, "select max(id_sauvegarde) from jobs.sauvegarde")
    record = row(url, number)
    assert record["statut"] == "ERREUR" and text in record["message_erreur"]
    notice = "select evenement, permission, corps, donnees from notification.notification order by id_notification desc"
    expected = ("sauvegarde.echec", "ADMIN.VOIR", record["message_erreur"], {"id_sauvegarde": str(number)})
    assert one(url, notice) == expected
    return int(number)


# ---- an unavailable store


@pytest.fixture
def external_store(home: Path, url: str) -> Iterator[tuple[SeaweedFS, Vault]]:
    """A store configured with S3_ENDPOINT, which the service does not restart."""
    server = SeaweedFS(home / "objets")
    server.start()
    access, secret = server.credentials("comptoir-sauvegardes")
    given = {"S3_ENDPOINT": server.url, "S3_ACCESS_KEY": access, "S3_SECRET_KEY": secret, "JWT_SECRET": SECRET}
    yield server, Vault(Settings.from_environment(given | {"SAUVEGARDE_CLE": BACKUP_KEY}), url)


def test_a_store_that_stops_during_a_backup_fails_it_and_changes_nothing_else(
    external_store: tuple[SeaweedFS, Vault], url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store stops between the first and the second part."""
    server, archive = external_store
    monkeypatch.setattr(backup, "PART", PART)
    before, go = sums(url), tmp_path / "va"
    os.mkfifo(go)
    program = fake(tmp_path, "pg_dump", "99.0", f"head -c {PART} /dev/urandom; cat {go}; head -c {PART} /dev/urandom")
    with monkeypatch.context() as patched, ThreadPoolExecutor(1) as thread:
        patched.setattr(backup, "_programs", lambda name: [program])
        saving = thread.submit(archive.save_now)
        eventually(lambda: unfinished_uploads(archive))
        line = process_of(server).cmdline()
        server.stop()
        go.write_text("")
        with pytest.raises(Refusal, match="momentanément indisponible"):
            saving.result(60)
    assert_failed(url, "Le stockage des fichiers est momentanément indisponible")
    changed = {name for name, sum_after in sums(url).items() if sum_after != before[name]}
    sequences = {"suite jobs.sauvegarde_id_sauvegarde_seq", "suite notification.notification_id_notification_seq"}
    assert changed == {"jobs.sauvegarde", "notification.notification", "audit.journal"} | sequences
    server._child = server._run(line)
    assert server._ready()
    assert row(url, archive.save_now())["statut"] == "SUCCES"
    server.stop()


# ---- a restore


@pytest.mark.bref
def test_a_restore_from_the_store_brings_back_every_table_except_the_backup_list(archive: Vault, url: str) -> None:
    """Back up, damage the database, restore. The list of backups and the schedule stay the present ones."""
    before = sums(url)
    first = archive.save_now()
    later = archive.save_now()  # the first backup does not list this one
    one(url, "select jobs.planification_modifier('HEBDOMADAIRE', '03:30', true) is not null")
    with psycopg.connect(url) as connection:
        connection.execute("insert into core.parametre (cle, valeur) values ('APRES', 'la sauvegarde')")
        connection.execute("truncate auth.connexion")
        connection.execute("create table core.intruse ()")
    damaged = sums(url)
    list_before = one(url, "select jobs._coffre_exporter()")

    lines: list[str] = []
    former = archive.restore_now(first, lines.append)
    assert lines[0] == "Somme SHA-256 vérifiée." and "Base vérifiée : schéma, montants, numéros, sceaux." in lines
    restored = without_list(sums(url))
    plan = {"jobs.planification", "audit.journal"}  # the schedule stays the present one, and its change is journaled
    assert {name for name in restored if restored[name] != before[name]} == plan
    assert schema.drift(url) == []
    list_after = one(url, "select jobs._coffre_exporter()")
    kept = ("sauvegarde", "planification")
    assert [list_after[name] for name in kept] == [list_before[name] for name in kept]
    assert [entry["id_sauvegarde"] for entry in list_after["sauvegarde"]] == [first, later]
    (made,) = list_after["restauration"]
    assert former
    assert (made["statut"], made["id_sauvegarde"], made["ancienne_base"]) == ("SUCCES", first, former)
    replaced = sums(elsewhere(url, former))
    requested = {"jobs.restauration", "suite jobs.restauration_id_restauration_seq"}  # there it is not done yet
    assert {name for name in damaged if replaced[name] != damaged[name]} == requested
    assert archive.save_now() > later


def test_a_damaged_object_is_refused(archive: Vault, url: str) -> None:
    number = archive.save_now()
    key = row(url, number)["chemin"]
    content = stored(archive, key)
    before = sums(url), databases(url)
    for damaged in (content[:-1], content[:-9] + b"autre cho", b""):
        store(archive, key, damaged)
        with pytest.raises(BackupError, match="n'a pas la somme SHA-256 notée"):
            archive.restore_now(number, lambda _: None)
        assert_restore_failed(url, "n'a pas la somme SHA-256 notée")
    assert_unchanged(url, before)
    store(archive, key, content)
    assert archive.restore_now(number, lambda _: None)


def test_a_backup_with_missing_rows_is_refused(archive: Vault, url: str) -> None:
    number = archive.save_now()
    one(url, """update jobs.sauvegarde set lignes = lignes || '{"facturation.facture": 4}' returning true""")
    before = sums(url), databases(url)
    with pytest.raises(BackupError, match=r"facturation.facture, en lignes : 3 au lieu de 4"):
        archive.restore_now(number, lambda _: None)
    assert_restore_failed(url, "n'est pas celle qui a été sauvegardée")
    assert_unchanged(url, before)


def test_a_full_disk_is_reported(archive: Vault, url: str, home: Path) -> None:
    """The restoring process may write no file over 100 kB."""
    number = archive.save_now()
    before = sums(url), databases(url)
    # Python ignores SIGXFSZ, so the write fails as on a full disk, with another error.
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); "
    # The limit would also truncate .pyc files, and the next process would read them.
    limited += "sys.dont_write_bytecode = True; import app.__main__; sys.exit(app.__main__.main())"
    command = [sys.executable, "-c", limited, "restore", "--sauvegarde", str(number), "--confirmation"]
    variables = environment({"DATABASE_URL": url, "COMPTOIR_ETAT": str(home)})
    completed = subprocess.run(command, env=variables, capture_output=True, text=True)
    assert completed.returncode == 1 and "Traceback" not in completed.stderr, completed.stderr
    assert_restore_failed(url, "File too large) : libérez de la place")
    assert_unchanged(url, before)


def assert_restore_failed(url: str, text: str) -> None:
    state, message = one(url, "select statut, message_erreur from jobs.restauration order by id_restauration desc")
    assert state == "ERREUR" and text in message
    event = one(url, "select evenement from notification.notification order by id_notification desc")
    assert event == "sauvegarde.restauration_echec"


def assert_unchanged(url: str, before: tuple[Any, set[str]]) -> None:
    """Assert that only the record of the failure has changed, and that the database accepts writes."""
    allowed = ("jobs.restauration", "notification.", "audit.journal")
    now = sums(url)
    changed = {name for name in now if now[name] != before[0][name]}
    assert not {name for name in changed if not name.removeprefix("suite ").startswith(allowed)}
    assert databases(url) == before[1]
    one(url, "select core.parametre_modifier('NOM_ORGANISATION', 'Encore là') is not null")


@pytest.mark.timeouts
def test_a_restore_stops_writers_and_no_reader(archive: Vault, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that is confirmed before the restore ends is in one of the two databases."""
    number = archive.save_now()
    verify = restoration._verify
    insert = "insert into core.parametre (cle, valeur) values ('PENDANT', 'x')"
    locked: list[str] = []

    def write() -> str:
        try:
            one(url, f"{insert} returning cle")
        except psycopg.OperationalError:
            return "ended"
        return "written"

    with ThreadPoolExecutor(8) as threads:
        writers = []

        def probe(target: str, *options: Any) -> None:
            with psycopg.connect(url, autocommit=True) as client:
                assert client.execute("select count(*) from facturation.facture").fetchone() == (3,)
                client.execute("set lock_timeout = '200ms'")
                for table in ("core.parametre", "audit.journal", "queue.procrastinate_jobs"):
                    with pytest.raises(psycopg.errors.LockNotAvailable):
                        client.execute(f"delete from {table} where false")
                    locked.append(table)
            writers.extend(threads.submit(write) for _ in range(8))
            waiting = """select count(*) from pg_stat_activity
                          where query like %s and wait_event_type = 'Lock' and datname = current_database()"""
            eventually(lambda: one(url, waiting, f"{insert}%") == 8)
            verify(target, *options)

        monkeypatch.setattr(restoration, "_verify", probe)
        former = archive.restore_now(number, lambda _: None)
        assert former and len(locked) == 3
        assert {writer.result(30) for writer in writers} == {"ended"}
    for base in (url, elsewhere(url, former)):
        assert one(base, "select count(*) from core.parametre where cle = 'PENDANT'") == 0


def test_a_killed_restore_leaves_the_database_usable(archive: Vault, url: str, home: Path) -> None:
    """SIGKILL while the restore fills the new database: the current one accepts writes, and a failure is reported."""
    number = archive.save_now()
    before = databases(url)
    command = [sys.executable, "-m", "app", "restore", "--sauvegarde", str(number), "--confirmation"]
    given = {"DATABASE_URL": url, "COMPTOIR_ETAT": str(home), "TMPDIR": str(home), "SAUVEGARDE_CLE": ""}
    process = subprocess.Popen(command, env=environment(given), stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        eventually(lambda: databases(url) - before)
        with pytest.raises(BackupError, match="Une restauration est en cours"):
            archive.save_now()
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    one(url, "select core.parametre_modifier('NOM_ORGANISATION', 'Encore là') is not null")
    eventually(lambda: not one(url, "select jobs._coffre_tenu()"))
    assert row(url, archive.save_now())["statut"] == "SUCCES"
    assert_restore_failed(url, "le processus qui la faisait s'est arrêté")


def test_a_killed_backup_is_reported_as_failed(archive: Vault, url: str, tmp_path: Path) -> None:
    number = one(url, REQUEST)
    with psycopg.connect(url, autocommit=True) as maker:
        assert maker.execute("select jobs.sauvegarde_commencer(%s)", [number]).fetchone() != (None,)
        with pytest.raises(BackupError, match="Une sauvegarde est en cours"):
            archive.save_now()
        assert one(url, "select lancee from jobs.sauvegarde_auto()") is False
        assert row(url, number)["statut"] == "EN_COURS"
        archive.save(number)  # another connection makes this backup: the call does nothing
        assert row(url, number)["statut"] == "EN_COURS"
    eventually(lambda: not one(url, "select jobs._coffre_tenu()"))
    one(url, "select lancee from jobs.sauvegarde_auto()")
    assert_failed(url, "le processus qui la faisait s'est arrêté")
    archive.save(number)  # a failed backup is not resumed
    assert row(url, number)["statut"] == "ERREUR"


# ---- from the shell


def comptoir(url: str, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return commands.run(environment({"DATABASE_URL": url, "COMPTOIR_ETAT": str(home)}), *words)


def test_the_shell_commands_back_up_and_restore(url: str, home: Path) -> None:
    factor = "insert into auth.second_facteur (id_utilisateur, secret, date_confirmation)"
    one(url, f"{factor} select min(id_utilisateur), 'EN CLAIR', now() from auth.utilisateur returning true")
    saved = comptoir(url, home, "backup")
    assert saved.returncode == 0, saved.stderr
    assert "Sauvegarde 1 faite" in saved.stdout
    one(url, "select core.parametre_modifier('NOM_ORGANISATION', 'Après') is not null")
    for words, sentence in (
        (["1"], "Avec --confirmation, la sauvegarde 1 remplirait une nouvelle base"),
        (["9", "--confirmation"], "Il n'y a pas de sauvegarde 9."),
    ):
        refused = comptoir(url, home, "restore", "--sauvegarde", *words)
        assert refused.returncode == 1 and sentence in refused.stderr
    restored = comptoir(url, home, "restore", "--sauvegarde", "1", "--confirmation")
    assert restored.returncode == 0, restored.stderr
    assert one(url, "select core.parametre('NOM_ORGANISATION')") == "Groupe Services Généraux"
    assert "Secrets chiffrés par SECRETS_CLE : 1." in restored.stdout
    assert not SeaweedFS(home / "objets").running()


# ---- through the API


def until_done(admin: httpx.Client) -> dict[str, Any]:
    """Wait until neither the last backup nor its restore is in progress. Return the backup."""

    def read_last() -> Any:
        answer = admin.get(VAULT)
        if answer.status_code != 200:
            return None
        last = answer.json()["items"][0]
        states = (last["statut"], (last["restauration"] or last)["statut"])
        return last if "EN_COURS" not in states else None

    return dict(eventually(read_last))


def test_the_api_backs_up_and_restores_the_database_that_it_uses(tmp_path: Path, home: Path, url: str) -> None:
    with running(tmp_path, DATABASE_URL=url, COMPTOIR_ETAT=str(home), WEB_CONCURRENCY="2") as service:
        admin = service.login()
        key = {"Idempotency-Key": "une seule fois"}
        first, again = (admin.post(f"{VAULT}/declencher", headers=key) for _ in range(2))
        assert first.status_code == 200, first.text
        assert first.json() == again.json() and again.headers["idempotency-replayed"] == "true"
        requested = first.json()
        assert (requested["statut"], requested["auteur"], requested["taille_octets"]) == ("EN_COURS", "admin", None)
        made = until_done(admin)
        assert (made["statut"], made["type"], made["message_erreur"]) == ("SUCCES", "MANUELLE", None)
        assert int(made["taille_octets"]) > 1000 and made["taille_humaine"].endswith("io") and made["duree"] > 0
        assert admin.get(VAULT).json()["total"] == 1
        clients = admin.get("/client/clients").json()
        assert create_client(admin, "Plus tard")

        path = f"{VAULT}/{made['id_sauvegarde']}/restaurer"
        assert refusal(admin.post(path, json={"confirmation": False})) == (400, "CONFIRMATION_REQUISE")
        assert admin.post(f"{VAULT}/999/restaurer", json={"confirmation": True}).status_code == 404
        response = admin.post(path, json={"confirmation": True})
        assert (response.status_code, response.json()["statut"]) == (200, "EN_COURS"), response.text
        eventually(lambda: admin.get("/auth/me").status_code == 401)  # the restored database refuses the former token
        admin = service.login()
        restored = until_done(admin)
        assert restored["restauration"]["statut"] == "SUCCES", restored
        assert restored["restauration"]["ancienne_base"].startswith(urlsplit(url).path[1:])
        assert admin.get("/client/clients").json() == clients
        # Both processes still write.
        for n in range(6):
            eventually(lambda n=n: create_client(admin, f"Après {n}"))
        assert admin.get("/client/clients").json() != clients
        assert one(url, "select count(*) from jobs.restauration") == 1


def create_client(admin: httpx.Client, nom: str) -> bool:
    body = {"nom": nom, "prenoms": "E", "tel_principal": "+2250700000001", "type_client": "PASSAGE"}
    return admin.post("/client/clients", json=body).status_code == 201


def test_two_concurrent_backup_requests_start_one_backup(tmp_path: Path, home: Path, url: str) -> None:
    with running(tmp_path, DATABASE_URL=url, COMPTOIR_ETAT=str(home), WEB_CONCURRENCY="2") as service:
        clients = [service.login() for _ in range(2)]
        with ThreadPoolExecutor(2) as threads, psycopg.connect(url) as holder:
            holder.execute("lock table client.client in access exclusive mode")  # the backup waits, and does not end
            answers = list(threads.map(lambda client: client.post(f"{VAULT}/declencher"), clients))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        (refused,) = (answer for answer in answers if answer.status_code == 409)
        assert refused.json()["code"] == "SAUVEGARDE_EN_COURS"
        assert until_done(clients[0])["statut"] == "SUCCES"
        assert clients[0].get(VAULT).json()["total"] == 1


SLOW_CHECK = """create or replace function jobs._coffre_tenu() returns boolean language plpgsql as $$
declare v_tenu constant boolean := core._verrou_tenu('COFFRE', 0);
begin
  perform pg_advisory_xact_lock_shared(1);
  return v_tenu;
end $$"""


def test_a_backup_that_starts_during_a_request_is_not_taken_for_interrupted(url: str) -> None:
    with (
        psycopg.connect(url, autocommit=True) as maker,
        psycopg.connect(url, autocommit=True) as watcher,
        ThreadPoolExecutor(1) as thread,
    ):
        watcher.execute(SLOW_CHECK)
        watcher.execute("select pg_advisory_lock(1)")
        number = watcher.execute("select jobs._sauvegarde_creer('MANUELLE', null, false)").fetchone()
        request = thread.submit(one, url, REQUEST)
        waiting = "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'"
        eventually(lambda: watcher.execute(waiting).fetchone() is not None)
        assert maker.execute("select jobs.sauvegarde_commencer(%s)", number).fetchone() != (None,)
        watcher.execute("select pg_advisory_unlock(1)")
        with pytest.raises(psycopg.Error, match="Une sauvegarde est en cours"):
            request.result()
        assert watcher.execute("select statut from jobs.sauvegarde").fetchall() == [("EN_COURS",)]


def test_an_owner_without_the_rights_cannot_restore(tmp_path: Path, home: Path, archive: Vault, url: str) -> None:
    number = archive.save_now()
    with (
        owner(url, f"in role {OWNERS}") as limited_url,
        running(tmp_path, DATABASE_URL=url, DATABASE_OWNER_URL=limited_url, COMPTOIR_ETAT=str(home)) as service,
    ):
        admin = service.login()
        answer = admin.post(f"{VAULT}/{number}/restaurer", json={"confirmation": True})
        assert (answer.status_code, answer.json()["code"]) == (503, "RESTAURATION_NON_PERMISE"), answer.text
        assert "le droit createdb, le rôle pg_signal_backend ; qui exploite" in answer.json()["message"]
        assert_restore_failed(url, "le droit createdb")


def test_the_worker_makes_a_requested_backup(tmp_path: Path, home: Path, url: str, valkey_url: str) -> None:
    given = {"DATABASE_URL": url, "COMPTOIR_ETAT": str(home), "KVSTORE_URL": valkey_url}
    with running(tmp_path, **given) as service:
        admin = service.login()
        requested = admin.post(f"{VAULT}/declencher").json()
        assert requested["statut"] == "EN_COURS" and requested["date_debut"] is None
        queued = one(url, "select args from queue.procrastinate_jobs where task_name = 'sauvegarder'")
        assert queued == {"id_sauvegarde": int(requested["id_sauvegarde"])}
        with worker(tmp_path, **given):
            assert until_done(admin)["statut"] == "SUCCES"
