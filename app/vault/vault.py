"""Backups in the object store: streaming the database there, restoring it, removing old backups.

Every method blocks, so the API calls it in a thread. SQL opens and closes a row of jobs.sauvegarde or
jobs.restauration for each run. The working session holds an advisory lock, which shows whether its process lives.
"""

import json
import logging
import tempfile
from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from app.auth.encrypted import Secrets
from app.base.progress import Say, during
from app.base.refusal import Refusal
from app.base.settings import Settings
from app.database import schema
from app.vault import backup, objects, restoration
from app.vault.backup import BackupError, PowerlessError
from app.vault.cipher import Keys

BUSY = "Une sauvegarde ou une restauration est en cours : attendez sa fin."
DAMAGED = "Le fichier du stockage n'a pas la somme SHA-256 notée : il est abîmé ou c'est un autre."

log = logging.getLogger("comptoir.sauvegarde")


@dataclass(frozen=True, slots=True)
class Vault:
    """The backups of one database, whose owner's address is `url`."""

    settings: Settings
    url: str | None

    def save(self, id_sauvegarde: int) -> bool:
        """Make a requested backup. Return False if its row is closed, or if another backup or restore is running."""
        with schema.connect(self._url, 5.0) as connection:
            key = schema.value(connection, "select jobs.sauvegarde_commencer(%s)", id_sauvegarde)
            if key is None:
                return False
            try:
                with during("Copie de la base dans le stockage (pg_dump)", log.info):
                    size, digest, counts = self._dump(connection, key)
            except BaseException as error:
                log.error("Sauvegarde %s : %s", id_sauvegarde, reason(error))
                schema.value(connection, "select jobs.sauvegarde_echouer(%s, %s)", id_sauvegarde, reason(error))
                raise
            query = "select jobs.sauvegarde_reussir(%s, %s, %s, %s)"
            schema.value(connection, query, id_sauvegarde, size, digest, json.dumps(counts))
            try:
                self._retire(connection)
            except Refusal as error:
                log.error("Anciennes sauvegardes non retirées : %s", error.message)  # the next backup tries again
            return True

    def save_now(self) -> int:
        """Make a backup for the command line and return its id."""
        with schema.connect(self._url, 5.0) as connection, backup.explained_errors():
            query = "select id_sauvegarde from jobs.sauvegarde_declencher(p_en_file => false)"
            id_sauvegarde = int(schema.value(connection, query))
        if not self.save(id_sauvegarde):
            raise BackupError(BUSY)
        return id_sauvegarde

    def restore(self, id_restauration: int, say: Say = log.info, despite: Collection[str] = ()) -> str | None:
        """Restore the requested backup. Return the name under which the current database is kept.

        Return None if its row is closed, or if another backup or restore is running.
        """
        with schema.connect(self._url, 5.0) as present:
            query = "select chemin, sha256, lignes from jobs.restauration_commencer(%s)"
            row = present.execute(query, [id_restauration]).fetchone()
            if row is None or row[0] is None:
                return None
            key, digest, counts = row
            try:
                with (
                    tempfile.TemporaryDirectory(prefix="comptoir-reprise-") as folder,
                    backup.explained_errors(),
                    restoration.frozen(present, say),
                ):
                    file = Path(folder) / "sauvegarde.dump"
                    with during("Lecture du stockage", say):
                        actual = objects.download(self.settings, key, file)
                    if actual != digest:
                        raise BackupError(DAMAGED)
                    say("Somme SHA-256 vérifiée.")
                    former = restoration.replace(
                        self._url, present, file, Keys.of(self.settings), counts=counts, restoration=id_restauration,
                        despite=despite, say=say,
                    )  # fmt: skip
            except BaseException as error:
                log.error("Restauration %s : %s", id_restauration, reason(error))
                with schema.connect(self._url, 30.0) as again:
                    schema.value(again, "select jobs.restauration_echouer(%s, %s)", id_restauration, reason(error))
                raise
        Secrets.renew_all(self.settings, self._url, say)
        return former

    def restore_now(self, id_sauvegarde: int, say: Say, despite: Collection[str] = ()) -> str:
        """Restore a backup for the command line. Return the name under which the current database is kept."""
        with schema.connect(self._url, 5.0) as connection, backup.explained_errors():
            exists = "select exists (select from jobs.sauvegarde where id_sauvegarde = %s)"
            if not schema.value(connection, exists, id_sauvegarde):
                raise BackupError(f"Il n'y a pas de sauvegarde {id_sauvegarde}.")
            query = "select id_restauration from jobs.restauration_demander(%s, true)"
            id_restauration = int(schema.value(connection, query, id_sauvegarde))
        former = self.restore(id_restauration, say, despite)
        if former is None:
            raise BackupError(BUSY)
        return former

    def check_rights(self) -> None:
        """Raise PowerlessError when this process cannot restore: it lacks a key, or its account lacks a privilege."""
        settings = self.settings
        if settings.production and not (settings.backup_key and settings.s3_backups_access_key):
            raise PowerlessError(
                "Ce service ne peut pas lire les sauvegardes : restaurez depuis le serveur, par « comptoir restore »."
            )
        with schema.connect(self._url, 5.0) as connection:
            restoration.refuse_powerless(connection, connection.info.dbname)

    @property
    def _url(self) -> str:
        if self.url is None:
            raise BackupError("L'adresse de la base n'est pas réglée.")
        return self.url

    def _dump(self, connection: schema.Session, key: str) -> tuple[int, str, dict[str, int]]:
        """Store a dump. Return its size, its SHA-256, and the number of rows of each table in the same snapshot."""
        if not schema.value(connection, "select pg_has_role('comptoir_owner', 'usage')"):
            user = connection.info.user
            raise BackupError(f"Le compte {user} ne lit pas toutes les tables : {backup.OWNER_WANTED}.")
        program = backup.program_for("pg_dump", self._url)
        connection.execute("begin isolation level repeatable read, read only")
        try:
            snapshot = schema.value(connection, "select pg_export_snapshot()")
            counts = backup.count_rows(connection)
            keys = Keys.of(self.settings)
            with closing(backup.dump_parts(program, self._url, keys, f"--snapshot={snapshot}")) as parts:
                size, digest = objects.upload(self.settings, key, parts)
        finally:
            connection.execute("rollback")
        return size, digest, counts

    def _retire(self, connection: schema.Session) -> None:
        """Remove backups beyond SAUVEGARDE_RETENTION. The object is deleted before its row is closed."""
        old = connection.execute("select id_sauvegarde, chemin from jobs.sauvegarde_perimees()").fetchall()
        if not old:
            return
        objects.delete(self.settings, *(key for _, key in old))
        for number, _ in old:
            schema.value(connection, "select jobs.sauvegarde_retirer(%s)", number)


def reason(error: BaseException) -> str:
    """The reason of a failure, for the list of backups and the notification."""
    if isinstance(error, Refusal):
        return error.message
    if isinstance(error, OSError):
        return f"{error.strerror or error}."
    if isinstance(error, Exception):
        return str(error).strip() or type(error).__name__
    return "Interrompue : le processus s'est arrêté."
