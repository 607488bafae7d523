"""Backups are encrypted: the file and the store hold no plain content, keys rotate, and a missing key is reported."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from botocore.exceptions import ClientError

from app.base.refusal import Refusal
from app.base.settings import Settings, SettingsError
from app.files.seaweedfs import SeaweedFS
from app.vault import backup, restoration
from app.vault.backup import BackupError, PowerlessError
from app.vault.cipher import MARK, Keys
from app.vault.vault import Vault
from tests.preuves.backup.test_backup import command, sums, url  # noqa: F401 - a fixture
from tests.preuves.backup.test_vault import archive, home, row, stored, without_list  # noqa: F401 - fixtures
from tests.server import BACKUP_KEY, environment

PRODUCTION = {
    "NODE_ENV": "production",
    "KVSTORE_URL": "redis://127.0.0.1",
    "DATABASE_URL": "postgresql://127.0.0.1/x",
    "JWT_SECRET": "Rk3-essais-vW8zq2Lm5Tn9Pc1Xd7Gh4Js6",
    "SECRETS_CLE": "Rk3-essais-vW8zq2Lm5Tn9Pc1Xd7Gh4Js6",
    "MAILER": "journal",
}


def keys(present: str = BACKUP_KEY, former: str = "") -> Keys:
    return Keys.of(Settings.from_environment({"SAUVEGARDE_CLE": present, "SAUVEGARDE_CLE_PRECEDENTE": former}))


def new_key() -> str:
    return str(Keys.new().present)


def test_the_backup_file_on_disk_is_an_age_file(tmp_path: Path, url: str) -> None:  # noqa: F811
    file = tmp_path / "nuit.dump"
    backup.dump(url, file, keys())
    content = file.read_bytes()
    assert content.startswith(MARK)
    assert b"PGDMP" not in content and b"Exemple" not in content


def test_the_backup_object_in_the_store_is_an_age_file(archive: Vault, url: str) -> None:  # noqa: F811
    content = stored(archive, row(url, archive.save_now())["chemin"])
    assert content.startswith(MARK) and b"PGDMP" not in content


def test_the_access_key_of_the_files_cannot_read_the_backup_bucket(archive: Vault, home: Path, url: str) -> None:  # noqa: F811
    key = row(url, archive.save_now())["chemin"]
    server = SeaweedFS(home / "objets")
    access, secret = server.credentials("comptoir")
    given = {"S3_ENDPOINT": server.url, "S3_ACCESS_KEY": access, "S3_SECRET_KEY": secret}
    files_key = replace(archive, settings=Settings.from_environment({**given, "SAUVEGARDE_CLE": BACKUP_KEY}))
    with pytest.raises(Refusal) as refused:
        stored(files_key, key)
    cause = refused.value.__cause__
    assert isinstance(cause, ClientError) and cause.response["ResponseMetadata"]["HTTPStatusCode"] == 403


@pytest.mark.parametrize("former", [False, True], ids=["with the key of the backup", "after a rotation"])
def test_a_backup_is_restored_with_the_present_or_a_former_key(archive: Vault, url: str, former: bool) -> None:  # noqa: F811
    vault = replace(archive, settings=replace(archive.settings, backup_key=BACKUP_KEY))
    number = vault.save_now()
    before = sums(url)
    if former:
        rotated = replace(vault.settings, backup_key=new_key(), backup_former_keys=(new_key(), BACKUP_KEY))
        vault = replace(vault, settings=rotated)
    vault.restore_now(number, lambda _: None)
    assert without_list(sums(url)) == without_list(before)


def test_a_restore_without_the_key_reports_it_and_changes_nothing(tmp_path: Path, url: str) -> None:  # noqa: F811
    file = tmp_path / "nuit.dump"
    backup.dump(url, file, keys())
    before = sums(url)
    with pytest.raises(BackupError, match=r"Aucune clé donnée n'ouvre cette sauvegarde : qui exploite le service"):
        restoration.restore(url, file, keys(new_key()), say=lambda _: None)
    assert sums(url) == before


def test_the_trial_of_a_restore_reports_what_the_restore_would_refuse(tmp_path: Path, url: str) -> None:  # noqa: F811
    """Without --confirmation the command reads the whole file with the keys, as the restore does."""
    file, cut, empty = (tmp_path / name for name in ("nuit.dump", "coupe.dump", "vide.dump"))
    assert command(url, "backup", file).returncode == 0
    assert "Avec --confirmation" in command(url, "restore", file).stderr
    cut.write_bytes(file.read_bytes()[:-100])
    assert "elle est abîmée" in command(url, "restore", cut).stderr
    empty.touch()
    assert "vide.dump n'est pas une sauvegarde" in command(url, "restore", empty).stderr
    backup.dump(url, file, keys(new_key()), replace=True)
    assert "Aucune clé donnée n'ouvre" in command(url, "restore", file).stderr


def test_a_backup_from_before_encryption_is_restored(tmp_path: Path, url: str) -> None:  # noqa: F811
    file = tmp_path / "ancienne.dump"
    backup.run(backup.program_for("pg_dump", url), url, "--format=custom", f"--file={file}")
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
    with pytest.raises(SettingsError, match="SAUVEGARDE_CLE n'est pas une clé"):
        keys("AGE-SECRET-KEY-1FAUX")
    with pytest.raises(SettingsError, match="SAUVEGARDE_CLE_PRECEDENTE n'est pas une clé"):
        keys(former="AGE-SECRET-KEY-1FAUX")


def test_a_production_worker_refuses_to_start_without_a_key() -> None:
    given = environment({**PRODUCTION, "SAUVEGARDE_CLE": ""})
    completed = subprocess.run([".venv/bin/comptoir", "worker"], env=given, capture_output=True, text=True, check=False)
    assert completed.returncode == 1
    assert "SAUVEGARDE_CLE manque" in completed.stderr


def test_a_production_worker_without_a_store_of_backups_names_its_variables() -> None:
    away = {"DATABASE_URL": "postgresql://personne@127.0.0.1:1/x", "ATTENTE_BASE": "1"}
    given = environment({**PRODUCTION, "SAUVEGARDE_CLE": str(Keys.new().present), **away})
    completed = subprocess.run([".venv/bin/comptoir", "worker"], env=given, capture_output=True, text=True, check=False)
    assert completed.returncode == 1 and "PostgreSQL ne répond pas" in completed.stderr
    for name in ("S3_ENDPOINT", "S3_SAUVEGARDES_ACCESS_KEY", "S3_SAUVEGARDES_SECRET_KEY"):
        assert name in completed.stdout


def test_a_production_api_process_without_a_key_refuses_to_restore(archive: Vault) -> None:  # noqa: F811
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
