"""Backups are encrypted: the file and the store hold no plain content, keys rotate, and a missing key is reported."""

# ruff: noqa: F401, F811 - fixtures of another file

from dataclasses import replace
from pathlib import Path

import pytest
from botocore.exceptions import ClientError

from app.base.refusal import Refusal
from app.base.settings import Settings, SettingsError
from app.leaves.embarque.seaweedfs import SeaweedFS
from app.vault import backup, restoration
from app.vault.backup import BackupError, PowerlessError
from app.vault.cipher import MARK, Keys
from app.vault.vault import Vault
from tests import commands
from tests.preuves.backup.test_backup import command, databases, sums, url
from tests.preuves.backup.test_vault import archive, home, row, stored, without_list
from tests.server import BACKUP_KEY, SECRET, environment

ADDRESSES = {"KVSTORE_URL": "redis://127.0.0.1", "DATABASE_URL": "postgresql://127.0.0.1/x", "MAILER": "journal"}
PRODUCTION = {"NODE_ENV": "production", "JWT_SECRET": SECRET, "SECRETS_CLE": SECRET, **ADDRESSES}
FALSE = "AGE-SECRET-KEY-1FAUX"


def keys(present: str = BACKUP_KEY, former: str = "") -> Keys:
    return Keys.of(Settings.from_environment({"SAUVEGARDE_CLE": present, "SAUVEGARDE_CLE_PRECEDENTE": former}))


def new_key() -> str:
    return str(Keys.new().present)


def test_the_file_and_the_object_of_a_backup_are_age_files(archive: Vault, tmp_path: Path, url: str) -> None:
    backup.dump(url, tmp_path / "nuit.dump", keys())
    for content in ((tmp_path / "nuit.dump").read_bytes(), stored(archive, row(url, archive.save_now())["chemin"])):
        assert content.startswith(MARK) and b"PGDMP" not in content and b"Exemple" not in content


def test_the_access_key_of_the_files_cannot_read_the_backup_bucket(archive: Vault, home: Path, url: str) -> None:
    key = row(url, archive.save_now())["chemin"]
    server = SeaweedFS(home / "objets")
    access, secret = server.credentials("comptoir")
    given = {"S3_ENDPOINT": server.url, "S3_ACCESS_KEY": access, "S3_SECRET_KEY": secret}
    files_key = replace(archive, settings=Settings.from_environment({**given, "SAUVEGARDE_CLE": BACKUP_KEY}))
    with pytest.raises(Refusal) as refused:
        stored(files_key, key)
    cause = refused.value.__cause__
    assert isinstance(cause, ClientError) and cause.response["ResponseMetadata"]["HTTPStatusCode"] == 403


def test_a_backup_is_restored_with_a_former_key(archive: Vault, url: str) -> None:
    vault = replace(archive, settings=replace(archive.settings, backup_key=BACKUP_KEY))
    number = vault.save_now()
    before = sums(url)
    rotated = replace(vault.settings, backup_key=new_key(), backup_former_keys=(new_key(), BACKUP_KEY))
    replace(vault, settings=rotated).restore_now(number, lambda _: None)
    assert without_list(sums(url)) == without_list(before)


def test_a_restore_without_the_key_reports_it_and_changes_nothing(tmp_path: Path, url: str) -> None:
    file = tmp_path / "nuit.dump"
    backup.dump(url, file, keys())
    before = sums(url)
    with pytest.raises(BackupError, match=r"Aucune clé donnée n'ouvre cette sauvegarde : qui exploite le service"):
        restoration.restore(url, file, keys(new_key()), say=lambda _: None)
    assert sums(url) == before


def test_the_trial_of_a_restore_reports_what_the_restore_would_refuse(tmp_path: Path, url: str) -> None:
    """Without --confirmation the command reads the whole file with the keys, as the restore does."""
    whole, cut, empty, other = (tmp_path / f"{name}.dump" for name in ("nuit", "coupe", "vide", "autre"))
    assert command(url, "backup", whole).returncode == 0
    cut.write_bytes(whole.read_bytes()[:-100])
    empty.touch()
    backup.dump(url, other, keys(new_key()))
    before = sums(url), databases(url)
    for file, sentence in (
        (whole, f"Avec --confirmation, {whole} "),
        (cut, "elle est abîmée"),
        (empty, "vide.dump n'est pas une sauvegarde"),
        (other, "Aucune clé donnée n'ouvre"),
    ):
        trial = command(url, "restore", file)
        assert trial.returncode == 1 and sentence in trial.stderr, trial.stderr
    assert (sums(url), databases(url)) == before


def test_a_backup_from_before_encryption_is_restored(tmp_path: Path, url: str) -> None:
    file = tmp_path / "ancienne.dump"
    with backup._running(backup.program_for("pg_dump", url), url, "--format=custom", f"--file={file}"):
        pass
    before = sums(url)
    restoration.restore(url, file, keys(), say=lambda _: None)
    assert sums(url) == before


def test_development_creates_one_key_and_stores_it(tmp_path: Path) -> None:
    settings = Settings.from_environment({"COMPTOIR_ETAT": str(tmp_path / "etat")})
    first = str(Keys.of(settings).present)
    file = tmp_path / "etat" / "sauvegarde.cle"
    assert str(Keys.of(settings).present) == first == file.read_text().strip()
    assert file.stat().st_mode & 0o077 == 0
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_the_key_command_prints_a_valid_key() -> None:
    completed = command("postgresql://127.0.0.1:1/nulle", "cle")
    assert completed.returncode == 0, completed.stderr
    assert str(keys(completed.stdout.strip()).present) == completed.stdout.strip()


def test_a_malformed_key_is_refused_with_the_name_of_its_variable() -> None:
    for name, given in (("SAUVEGARDE_CLE", {"present": FALSE}), ("SAUVEGARDE_CLE_PRECEDENTE", {"former": FALSE})):
        with pytest.raises(SettingsError, match=f"{name} n'est pas une clé"):
            keys(**given)


def test_a_production_worker_refuses_to_start_without_a_key() -> None:
    completed = commands.run_apart(environment({**PRODUCTION, "SAUVEGARDE_CLE": ""}), "worker")
    assert completed.returncode == 1 and "SAUVEGARDE_CLE manque" in completed.stderr


def test_a_production_worker_without_a_store_of_backups_names_its_variables() -> None:
    away = {"DATABASE_URL": "postgresql://personne@127.0.0.1:1/x", "ATTENTE_BASE": "1", "SAUVEGARDE_CLE": new_key()}
    completed = commands.run_apart(environment({**PRODUCTION, **away}), "worker")
    assert completed.returncode == 1 and "PostgreSQL ne répond pas" in completed.stderr
    for name in ("S3_ENDPOINT", "S3_SAUVEGARDES_ACCESS_KEY", "S3_SAUVEGARDES_SECRET_KEY"):
        assert name in completed.stdout


def test_a_production_api_process_without_a_key_refuses_to_restore(archive: Vault) -> None:
    api = replace(archive, settings=Settings.from_environment(PRODUCTION))
    with pytest.raises(PowerlessError, match="restaurez depuis le serveur"):
        api.check_rights()


def test_production_refuses_the_same_access_key_for_files_and_backups() -> None:
    store = {"S3_ENDPOINT": "http://127.0.0.1:9", "S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "b"}
    same = {"S3_SAUVEGARDES_ACCESS_KEY": "a", "S3_SAUVEGARDES_SECRET_KEY": "b"}
    with pytest.raises(SettingsError, match="la clé des fichiers lirait les sauvegardes"):
        Settings.from_environment({**PRODUCTION, **store, **same})
    with pytest.raises(SettingsError, match="vont ensemble"):
        Settings.from_environment({**PRODUCTION, **store, "S3_SAUVEGARDES_ACCESS_KEY": "c"})
    alone = Settings.from_environment({**PRODUCTION, **store})
    assert (alone.s3_backups_access_key, alone.s3_backups_secret_key) == ("", "")
