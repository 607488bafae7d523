"""The whole business to a folder and back: nothing is lost, and a folder that is not the exported one is refused."""

import asyncio
import csv
import hashlib
import io
import json
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app import routes
from app.base.progress import Progress
from app.base.settings import Settings
from app.database import schema
from app.database.release import SLICES
from app.files.storage import Storage
from app.leaves.demonstration import filling, photos
from app.leaves.demonstration.replay import replayed
from app.leaves.echange.whole import documents, manifest, objects, reading, tables, writing
from app.leaves.echange.whole.manifest import ExportError
from app.leaves.embarque.seaweedfs import at_hand
from tests import builders, commands
from tests.achat.achats import article, crediter, facture, fournisseur, payer, recevoir
from tests.conftest import Db, _clone, connected, execute, one
from tests.documents import browsers
from tests.facturation.test_taxe import setting
from tests.facturation.test_taxe_metiers import last, order, product, sell
from tests.server import SECRETS, environment, quiet

HASHES = """
select format('%I.%I', n.nspname, c.relname),
       format('select count(*), md5(string_agg(t::text, chr(10) order by t::text collate "C")) from %I.%I t',
              n.nspname, c.relname)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
 where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = any(%s)
"""

NAME = 'Koné ; "dite" Awa\nsuite'
DISABLED = "select tgrelid::regclass, tgname from pg_trigger where tgenabled <> 'O'"


def comptoir(*words: str, **extra: str) -> subprocess.CompletedProcess[str]:
    return commands.run(environment(extra), *words)


def settings(state: Path, url: str | None = None) -> Settings:
    return Settings.from_environment({"COMPTOIR_ETAT": str(state)} | ({"DATABASE_URL": url} if url else {}))


def content(url: str) -> dict[str, Any]:
    """Count and hash of every table of the slices, by SQL alone."""
    with psycopg.connect(url) as connection:
        connection.execute("set timezone = 'UTC'")
        queries = connection.execute(HASHES.replace("%I", "%%I"), [list(SLICES)]).fetchall()
        return {name: connection.execute(query).fetchone() for name, query in queries}


def export(url: str, target: Path, state: Path, **options: Any) -> manifest.Manifest:
    return writing.export(settings(state, url), url, target, **{"prints": False, "uploads": False, **options})


def load(url: str, root: Path, state: Path, **options: Any) -> manifest.Manifest:
    return reading.load(settings(state, url), url, root, **{"uploads": False, "say": quiet, **options})


# --- the business of `make demo` survives


@dataclass
class Move:
    """The demonstration, its export, and the database into which it was imported."""

    source: str
    target: str
    folder: Path
    state: Path
    before: dict[str, Any]
    after: dict[str, Any]
    written: manifest.Manifest
    again: manifest.Manifest


def take_back_an_article(url: str) -> None:
    """A small demonstration may have no credit note and no purchase."""
    with connected(url) as db:
        sell(db, [product(db, "1000", "TVA")], "1000")
        sale = last(db)
        db.call(
            "facturation.avoir_creer", id_facture=sale["id_facture"], motif="Article rendu",
            lignes=[{"id_ligne": sale["lignes"][0]["id_ligne"], "quantite": "1"}],
            remboursement={"id_moyen": builders.moyen(db)},
        )  # fmt: skip
        supplier, goods = fournisseur(db), product(db, "1000", "TVA")
        line = article(goods, 10, 90, code_taxe="TVA", id_reception=recevoir(db, goods, id_fournisseur=supplier))
        bill = facture(db, line, id_fournisseur=supplier)
        payer(db, bill, 500)
        crediter(db, bill, {"id_ligne": db.one("select max(id_ligne) from achat.facture_ligne"), "quantite": "1"})


@pytest.fixture(scope="module")
def move(worker_id: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Move]:
    state, elsewhere, root = (tmp_path_factory.mktemp(name) for name in ("ici", "ailleurs", "export"))
    folder = root / "entreprise"
    with (
        schema.scratch(os.environ["ESSAIS_POSTGRES"], f"essai_{worker_id}_depart") as source,
        _clone(f"essai_{worker_id}_arrivee") as target,
        at_hand(state / "objets"),
        at_hand(elsewhere / "objets"),
        pytest.MonkeyPatch.context() as patch,
    ):
        with replayed(source):
            filling.play(source, 1, 2, builders.PASSWORD_HASH, SECRETS)
        take_back_an_article(source)
        with connected(source) as db:  # the prices of the demonstration contain its tax, and these do not
            setting(db, "TAXES_PRIX", "HT")
            sell(db, [product(db, "1000", "TVA")], "1062", remise="100")
            order(db, "1000", "2360", "TVA")
        asyncio.run(photos.deposit(settings(state)))
        few = tuple(kind._replace(rows=f"select * from ({kind.rows}) k limit 2") for kind in documents.KINDS)
        patch.setattr(documents, "KINDS", few)
        before = content(source)
        prints = bool(browsers.installed())
        written = export(source, folder, state, prints=prints, uploads=True)
        load(target, folder, elsewhere, uploads=True)
        assert content(source) == before  # an export changes nothing
        again = export(target, root / "encore", elsewhere)
        yield Move(source, target, folder, elsewhere, before, content(target), written, again)


def test_every_table_comes_back_with_the_same_rows(move: Move) -> None:
    """But for what describes one installation: the code, its backups, its sessions."""
    apart = {*tables.OF_THE_PLACE, *tables.OF_THE_RELEASE}
    before, after = ({name: each[name] for name in each.keys() - apart} for each in (move.before, move.after))
    assert after == before
    assert sum(count for count, _ in after.values()) > 5000
    migrated = (
        "select schemaname || '.' || tablename from pg_tables where tableowner = 'comptoir_owner'"
        " and schemaname = any(%s) and tablename not in (select relname from pg_class where relispartition)"
    )
    names = {name for (name,) in execute(move.source, migrated, list(SLICES))}
    assert {entry.nom for entry in move.written.tables} == names - set(tables.OF_THE_RELEASE)


def test_the_imported_database_passes_every_check(move: Move) -> None:
    for query in ("select * from jobs._controler()", "select message from audit.verifier()", DISABLED):
        assert execute(move.target, query) == [], query
    assert schema.drift(move.target) == []


def test_new_rows_follow_the_imported_rows(move: Move) -> None:
    """Sequences, numbers and triggers go on where the exported business was."""
    with connected(move.target) as db:
        last, trace = db.one("select max(id_client) from client.client"), "select max(id_trace) from audit.journal"
        before = db.one(trace)
        assert builders.client(db) > last
        assert db.one(trace + " where entite = 'client'") > before  # the trigger of the journal is on
        db.connection.rollback()


# Documents that print no row of their own: a second form of another one, labels, or a part of the journal.
OTHER_FORMS = {
    "facturation.facture_ticket", "facturation.avoir_ticket", "facturation.portail_facture_document",
    "residence.portail_echeance_document", "residence.portail_paiement_document",
    "market.produit_etiquette", "market.produit_etiquettes", "audit.histoire_document",
}  # fmt: skip


def test_uploads_come_back_under_their_keys(move: Move) -> None:
    named = [name for name in move.written.fichiers if name.startswith(objects.PREFIX)]
    assert named and move.written.manquants == []

    async def stored(key: str) -> tuple[str, str]:
        storage = Storage(settings(move.state))
        try:
            upload = await storage.get(key)
            return upload.media_type, hashlib.sha256(b"".join([chunk async for chunk in upload])).hexdigest()
        finally:
            await storage.close()

    for name in named:
        entry = move.written.fichiers[name]
        assert asyncio.run(stored(name.removeprefix(objects.PREFIX))) == ("image/png", entry.sha256)


def test_documents_are_printed(move: Move) -> None:
    browsers.needed()
    printed = [name for name in move.written.fichiers if name.startswith("documents/")]
    assert {name.split("/")[1] for name in printed} == {kind.folder for kind in documents.KINDS}
    assert all((move.folder / name).read_bytes().startswith(b"%PDF-") for name in printed)


def test_the_folder_is_readable_by_its_owner_alone(move: Move) -> None:
    paths = [move.folder, *move.folder.rglob("*")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_dir()} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_file()} == {0o600}


def test_an_export_of_the_imported_database_has_the_same_files(move: Move) -> None:
    files = [entry.fichier for entry in move.written.tables if entry.nom not in tables.OF_THE_PLACE]
    assert {name: move.again.fichiers[name] for name in files} == {name: move.written.fichiers[name] for name in files}
    assert move.again.suites == move.written.suites


# --- the folder


@pytest.fixture
def folder(committed: Db, database_url: str, tmp_path: Path) -> Path:
    """The export of a client with difficult texts."""
    builders.client(committed, nom=NAME, prenoms="=1+1", adresse="", ville=None)
    export(database_url, tmp_path / "export", tmp_path)
    return tmp_path / "export"


def test_a_table_is_read_by_a_spreadsheet(folder: Path) -> None:
    raw = (folder / "tables/client.client.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    [row] = csv.DictReader(io.StringIO(raw.decode("utf-8-sig")), delimiter=";")
    assert row["nom"] == NAME and row["prenoms"] == "=1+1"
    assert b';"";' in raw  # the empty text is not null


@pytest.mark.bref
def test_null_and_the_empty_text_come_back(folder: Path, worker_id: str, tmp_path: Path) -> None:
    with _clone(f"essai_{worker_id}_nul") as url:
        load(url, folder, tmp_path)
        assert one(url, "select nom, adresse, ville from client.client") == (NAME, "", None)


def test_the_manifest_says_what_the_folder_contains(folder: Path) -> None:
    shown = json.loads((folder / manifest.NAME).read_text())
    assert (shown["format"], shown["fuseau"], shown["sans"]) == (1, "Africa/Abidjan", ["documents", "fichiers"])
    assert shown["date"].endswith("Z")
    [client] = [table for table in shown["tables"] if table["nom"] == "client.client"]
    assert client["lignes"] == 1 and {"nom": "id_client", "type": "bigint"} in client["colonnes"]
    [instalment] = [table for table in shown["tables"] if table["nom"] == "residence.echeance"]
    assert {"annee", "mois"} <= instalment["calculees"].keys()
    for name, entry in shown["fichiers"].items():
        data = (folder / name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (entry["octets"], entry["sha256"])


def test_an_export_reads_one_instant_while_the_service_writes(
    database_url: str, committed: Db, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_out = tables.copy_out

    def while_clients_arrive(connection: Any, table: tables.Table, folder: manifest.Folder) -> manifest.TableEntry:
        builders.client(committed)
        return copy_out(connection, table, folder)

    monkeypatch.setattr(tables, "copy_out", while_clients_arrive)
    written = export(database_url, tmp_path / "export", tmp_path)
    assert [entry.lignes for entry in written.tables if entry.nom in ("client.client", "audit.journal")] == [0, 0]


@pytest.fixture
def empty(worker_id: str) -> Iterator[str]:
    """A database as `comptoir migrate` leaves it."""
    with _clone(f"essai_{worker_id}_vide") as url:
        yield url


def refusal(url: str, folder: Path, state: Path) -> str:
    """The refusal of an import, which must have changed nothing."""
    before = content(url)
    with pytest.raises(ExportError) as refused:
        load(url, folder, state)
    assert content(url) == before
    assert execute(url, DISABLED) == []
    return str(refused.value)


def test_a_changed_missing_or_added_file_is_refused_by_name(folder: Path, empty: str, tmp_path: Path) -> None:
    client = folder / "tables/client.client.csv"
    data = client.read_bytes()
    client.write_bytes(data.replace(b"+225", b"+226"))
    assert "tables/client.client.csv a changé" in refusal(empty, folder, tmp_path)
    client.unlink()
    assert "tables/client.client.csv manque" in refusal(empty, folder, tmp_path)
    other = tmp_path / "ailleurs.csv"
    other.write_bytes(data)
    client.symlink_to(other)
    assert "tables/client.client.csv a changé" in refusal(empty, folder, tmp_path)
    client.unlink()
    client.write_bytes(data)
    (folder / "documents").mkdir()
    (folder / "documents/intrus.pdf").write_bytes(b"%PDF-")
    assert "documents/intrus.pdf s'est ajouté" in refusal(empty, folder, tmp_path)
    (folder / "documents/intrus.pdf").unlink()
    load(empty, folder, tmp_path)


def test_a_folder_without_a_readable_manifest_is_refused(folder: Path, empty: str, tmp_path: Path) -> None:
    (folder / manifest.NAME).unlink()
    assert manifest.NAME in refusal(empty, folder, tmp_path)
    for text in ("", "[]", "{", '{"format": 1}'):
        (folder / manifest.NAME).write_text(text)
        assert manifest.NAME in refusal(empty, folder, tmp_path), text


def forge(folder: Path, **changes: Any) -> None:
    """Change the manifest, and let it agree with the files."""
    path = folder / manifest.NAME
    shown = json.loads(path.read_text()) | changes
    for name, entry in shown["fichiers"].items():
        data = (folder / name).read_bytes()
        entry |= {"octets": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    path.write_text(json.dumps(shown))


def test_an_export_of_another_version_is_refused(folder: Path, empty: str, tmp_path: Path) -> None:
    forge(folder, migrations=["0001.core-socle", "0999.core-suite"])
    assert "0999.core-suite" in refusal(empty, folder, tmp_path) or "version" in refusal(empty, folder, tmp_path)
    forge(folder, format=2)
    assert "format 2" in refusal(empty, folder, tmp_path)


def test_rows_that_break_a_constraint_leave_the_database_as_it_was(folder: Path, empty: str, tmp_path: Path) -> None:
    """A foreign key, a check of a domain, and a count of rows."""
    client = folder / "tables/client.client.csv"
    data = client.read_bytes()
    secrets = folder / "tables/auth.secret.csv"
    rows = secrets.read_bytes()
    secrets.write_bytes(rows + b"999999;" + b";".join([b""] * (rows.splitlines()[0].count(b";") - 1)) + b"x\n")
    forge(folder)
    assert "auth.secret" in refusal(empty, folder, tmp_path)
    secrets.write_bytes(rows)
    client.write_bytes(data.replace(b"+2250700000000", b"bonjour"))
    forge(folder)
    assert "telephone_mal_forme" in refusal(empty, folder, tmp_path) or "téléphone" in refusal(empty, folder, tmp_path)
    client.write_bytes(data.splitlines(keepends=True)[0])
    forge(folder)
    assert "0 lignes au lieu de 1" in refusal(empty, folder, tmp_path)


def test_a_database_with_data_is_refused(folder: Path, database_url: str, empty: str, tmp_path: Path) -> None:
    assert "client.client" in refusal(database_url, folder, tmp_path)
    with connected(empty) as db:
        builders.utilisateur(db)
    load(empty, folder, tmp_path)  # one account: the account of a first start
    assert "client.client" in refusal(empty, folder, tmp_path)


def test_rows_written_while_the_import_begins_are_kept(
    folder: Path, empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def arrive(*_: object) -> None:
        with connected(empty) as db:
            builders.client(db)

    monkeypatch.setattr(objects, "put_back", arrive)
    with pytest.raises(ExportError, match=r"client\.client"):
        load(empty, folder, tmp_path, uploads=True)
    assert one(empty, "select nom from client.client") == "Exemple"


def test_two_accounts_are_data(folder: Path, empty: str, tmp_path: Path) -> None:
    with connected(empty) as db:
        builders.utilisateur(db)
        builders.utilisateur(db)
    assert "2 comptes" in refusal(empty, folder, tmp_path)


# --- the commands


def test_a_failed_export_leaves_no_folder(database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Progress) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Progress, "step", fail)
    with pytest.raises(ExportError, match="No space left"):
        export(database_url, tmp_path / "export", tmp_path)
    assert list(tmp_path.glob("export*")) == []


def test_a_folder_that_is_not_empty_is_refused(database_url: str, tmp_path: Path) -> None:
    target = tmp_path / "export"
    target.mkdir()
    export(database_url, target, tmp_path)
    with pytest.raises(ExportError, match="n'est pas vide"):
        export(database_url, target, tmp_path)
    shutil.rmtree(target)
    (tmp_path / "export.partiel").mkdir()
    with pytest.raises(ExportError, match="effacez-le"):
        export(database_url, target, tmp_path)
    assert (tmp_path / "export.partiel").exists()


@pytest.mark.parametrize(
    "lacking, prints, remedy",
    [
        ({"PUPPETEER_EXECUTABLE_PATH": "/nulle/part"}, True, "--sans-documents"),
        ({"S3_ENDPOINT": "http://127.0.0.1:9", "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "b"}, False, "--sans-fichiers"),
    ],
)
def test_without_a_browser_or_a_store_the_export_says_what_to_do(
    database_url: str, committed: Db, tmp_path: Path, lacking: dict[str, str], prints: bool, remedy: str
) -> None:
    builders.client(committed, photo="client-photo/1-a.jpg")
    without = Settings.from_environment({"COMPTOIR_ETAT": str(tmp_path), **lacking})
    with pytest.raises(ExportError, match=remedy):
        writing.export(without, database_url, tmp_path / "export", prints=prints)
    assert not (tmp_path / "export").exists()


def test_an_upload_that_the_store_lost_is_named(database_url: str, committed: Db, tmp_path: Path) -> None:
    builders.client(committed, photo="client-photo/1-perdue.jpg")
    with at_hand(tmp_path / "objets"):
        written = export(database_url, tmp_path / "export", tmp_path, uploads=True)
    assert written.manquants == ["fichiers/client-photo/1-perdue.jpg"]


@pytest.mark.bref
def test_every_document_of_the_routes_is_exported_or_another_form() -> None:
    printed = {route.document or route.function for route in routes.load().routes if route.template is not None}
    assert printed == {kind.function for kind in documents.KINDS} | OTHER_FORMS


def test_a_path_that_cannot_be_imported_is_refused(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "clients.xlsx").write_bytes(b"PK")
    for name, message in {"clients.xlsx": "--entite", "rien": "n'existe pas"}.items():
        answer = comptoir("import", str(tmp_path / name), DATABASE_URL=database_url, COMPTOIR_ETAT=str(tmp_path))
        assert answer.returncode == 1 and message in answer.stderr


def test_both_commands_work_from_the_shell(database_url: str, committed: Db, empty: str, tmp_path: Path) -> None:
    builders.client(committed)
    folder = str(tmp_path / "export")
    state = {"COMPTOIR_ETAT": str(tmp_path)}
    written = comptoir("export", folder, "--sans-documents", DATABASE_URL=database_url, **state)
    assert written.returncode == 0 and "tables" in written.stdout, written.stderr
    read = comptoir("import", folder, DATABASE_URL=empty, **state)
    assert read.returncode == 0 and "Importé" in read.stdout, read.stderr
    assert one(empty, "select count(*) from client.client") == 1
