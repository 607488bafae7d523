"""backup and restore: the whole database to a file or to the store, and back."""

import argparse
import signal
import sys
from pathlib import Path

from app.auth.encrypted import Secrets
from app.base.settings import Settings
from app.commands.command import command, despite
from app.commands.place import database, migrated_database
from app.vault import backup, restoration
from app.vault.backup import BackupError
from app.vault.cipher import Keys
from app.vault.vault import Vault


def _backup_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("fichier", type=Path, nargs="?", help="fichier à écrire ; sans lui, le stockage")
    parser.add_argument("--remplacer", action="store_true", help="écraser un fichier qui existe")


@command("comptoir backup nuit.dump", _backup_options)
def save(settings: Settings, arguments: argparse.Namespace) -> int:
    end_on_sigterm()
    if arguments.fichier is None:
        with migrated_database(settings, objects=True) as url:
            number = Vault(settings, url).save_now()
        print(f"Sauvegarde {number} faite : « comptoir restore --sauvegarde {number} » la remettrait.")
        return 0
    with database(settings) as url:
        result = backup.dump(url, arguments.fichier, Keys.of(settings), replace=arguments.remplacer)
    print(f"{arguments.fichier} : {result.size} octets en {result.seconds:.1f} s")
    print(f"SHA-256 {result.sha256}")
    return 0


def _restore_options(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("fichier", type=Path, nargs="?", help="fichier de la sauvegarde")
    source.add_argument("--sauvegarde", type=int, metavar="ID", help="sauvegarde de la liste, lue du stockage")
    parser.add_argument("--confirmation", action="store_true", help="remplacer vraiment la base en place")
    despite(parser)


@command("comptoir restore nuit.dump --confirmation", _restore_options)
def restore(settings: Settings, arguments: argparse.Namespace) -> int:
    """Replace the current database by the database of a backup."""
    end_on_sigterm()
    if not arguments.confirmation:
        if arguments.fichier is not None:
            backup.verify_readable(arguments.fichier, Keys.of(settings))
        raise BackupError(
            f"rien n'est fait. Avec --confirmation, {arguments.fichier or f'la sauvegarde {arguments.sauvegarde}'} "
            "remplirait une nouvelle base qui, vérifiée, prendrait la place de celle d'aujourd'hui ; l'ancienne serait "
            "gardée sous un autre nom."
        )
    if arguments.fichier is not None:
        with database(settings) as url:
            former = restoration.restore(url, arguments.fichier, Keys.of(settings), despite=arguments.malgre)
            Secrets.renew_all(settings, url)
    else:
        with migrated_database(settings, objects=True) as url:
            former = Vault(settings, url).restore_now(arguments.sauvegarde, print, arguments.malgre)
    print(f"Base restaurée. L'ancienne s'appelle {former} : supprimez-la quand vous n'en avez plus besoin.")
    return 0


@command("comptoir cle")
def new_key(_: Settings, __: argparse.Namespace) -> int:
    print(Keys.new().present)
    return 0


def end_on_sigterm() -> None:
    """Let SIGTERM raise SystemExit, which cleans up incomplete work, with the code of a process ended by SIGTERM."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
