"""The command line: comptoir serve, worker, migrate, demo, backup, restore, export, import, check and more (--help)."""

from __future__ import annotations

import argparse
import os
import pkgutil
import sys
from functools import partial
from pathlib import Path

import psycopg

from app.base.command import EXIT_CODES, Command, Run, action, despite
from app.base.failure import Failure
from app.base.french import speak_french
from app.base.leaf import leaves
from app.base.settings import Settings

MORE = "« --verbose » montre la trace."


def main() -> int:
    """Run one command. A Failure prints one French line on standard error and exits with code 1."""
    parser = _parser()
    arguments = parser.parse_args()
    command = COMMANDS[arguments.command]
    try:
        settings = Settings.from_environment()
        run: Run = pkgutil.resolve_name(f"{command.package}.{command.run}")
        for leaf in leaves():
            run = partial(leaf.hook, run) if leaf.hook else run
        return run(settings, arguments)
    except argparse.ArgumentError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # `comptoir openapi | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        if arguments.verbose:
            raise
        text, status = _explained(error)
        print(f"comptoir : {text}", file=sys.stderr)
        return status


def _explained(error: Exception) -> tuple[str, int]:
    """The French line for an error, and the exit code."""
    if isinstance(error, Failure):
        return str(error), 1
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        text = (
            f"Ce compte de PostgreSQL n'en a pas le droit ({error.diag.message_primary}) : donnez à DATABASE_OWNER_URL "
            f"celui qui possède la base (docs/mise-en-service.md, « Comptes PostgreSQL »). {MORE}"
        )
        return text, 1
    cause = (str(error).strip() or type(error).__name__).splitlines()[0]
    if isinstance(error, psycopg.OperationalError):
        return f"PostgreSQL ne répond pas comme il faut ({cause}) : voyez DATABASE_URL. {MORE}", 1
    return f"erreur imprévue ({type(error).__name__} : {cause}). {MORE}", 70


def _parser() -> argparse.ArgumentParser:
    speak_french()
    parser = argparse.ArgumentParser(
        prog="comptoir", description="La gestion d'une entreprise à plusieurs activités.", epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--verbose", action="store_true", help="montrer la trace d'une erreur")
    _extend("", parser)
    commands = parser.add_subparsers(dest="command", required=True, metavar="commande")
    for name, command in COMMANDS.items():
        sub = action(commands, name, command.text, f"exemple :\n  {command.example}\n\n")
        if command.options is not None:
            command.options(sub)
        _extend(name, sub)
    return parser


def _extend(name: str, parser: argparse.ArgumentParser) -> None:
    """Add the options of the leaves."""
    for leaf in leaves():
        if name in leaf.options:
            leaf.options[name](parser)


def _check_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--sceau", metavar="EMPREINTE", help="empreinte d'un sceau gardée hors de la base")


def _admin_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("login", help="login du premier administrateur")


def _backup_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("fichier", type=Path, nargs="?", help="fichier à écrire ; sans lui, le stockage")
    sub.add_argument("--remplacer", action="store_true", help="écraser un fichier qui existe")


def _restore_options(sub: argparse.ArgumentParser) -> None:
    source = sub.add_mutually_exclusive_group(required=True)
    source.add_argument("fichier", type=Path, nargs="?", help="fichier de la sauvegarde")
    source.add_argument("--sauvegarde", type=int, metavar="ID", help="sauvegarde de la liste, lue du stockage")
    sub.add_argument("--confirmation", action="store_true", help="remplacer vraiment la base en place")
    despite(sub)


def _archive_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("mois", nargs="?", metavar="MOIS", help="mois du journal, AAAA-MM ; sans lui, leur liste")
    action = sub.add_mutually_exclusive_group()
    action.add_argument("--verifier", action="store_true", help="relire ce mois, ou tous, et le comparer aux sceaux")
    action.add_argument("--restaurer", action="store_true", help="remettre ce mois dans la base")
    action.add_argument(
        "--age", type=int, default=12, metavar="N", help="n'archiver qu'un mois fini depuis N mois au moins (12)"
    )


def _seal_options(sub: argparse.ArgumentParser) -> None:
    actions = sub.add_subparsers(dest="action", required=True, metavar="action")
    action(actions, "publier", "publier la racine signée du jour, et l'afficher")
    verify = action(actions, "verifier", "vérifier les sceaux, et que la base continue des racines gardées")
    verify.add_argument(
        "--racine", type=Path, action="append", default=[], metavar="FICHIER", help="racine gardée ; se répète"
    )
    action(actions, "cle", "remplacer la clé qui signe les racines")


def _webhook_options(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("action", choices=["essayer"], help="essayer : envoyer un événement d'essai")
    sub.add_argument("url", metavar="URL", help="adresse du destinataire")
    sub.add_argument("--cle", metavar="whsec_…", help="clé qui signe ; sans elle, une clé neuve, qui s'affiche")


def _with_leaves(core: dict[str, Command]) -> dict[str, Command]:
    """All commands in the order of the help."""
    every: dict[str, Command] = {}
    for name, command in core.items():
        for leaf in leaves():
            every |= leaf.commands if leaf.before == name else {}
        every[name] = command
    return every


COMMANDS = _with_leaves({
    "serve": Command("service:serve", "servir l'API (make run)", "PORT=8001 comptoir serve"),
    "worker": Command(
        "service:worker", "exécuter les tâches de la file (demande KVSTORE_URL)",
        "KVSTORE_URL=redis://127.0.0.1:6379/0 comptoir worker",
    ),
    "backup": Command(
        "backups:save", "sauvegarder toute la base, dans le stockage ou dans un fichier", "comptoir backup nuit.dump",
        _backup_options,
    ),
    "restore": Command(
        "backups:restore", "remettre la base d'une sauvegarde à la place de celle en place",
        "comptoir restore nuit.dump --confirmation", _restore_options,
    ),
    "archive": Command(
        "archives:archive", "mettre un mois clos du journal dans le stockage, le relire, le remettre",
        "comptoir archive 2025-01", _archive_options,
    ),
    "sceau": Command(
        "seal:run", "publier la racine des livres, la comparer à celles gardées ailleurs, changer de clé",
        "comptoir sceau verifier --racine racine-2026-11-23.txt", _seal_options,
    ),
    "cle": Command(
        "backups:new_key", "écrire une clé de sauvegarde neuve, pour SAUVEGARDE_CLE", "comptoir cle"
    ),
    "migrate": Command(
        "database:migrate", "mettre la base à jour : tables de migrations/, code de sql/",
        "DATABASE_URL=postgresql://postgres@base/comptoir comptoir migrate",
    ),
    "check": Command(
        "database:check", "nommer chaque écart entre la base, les fichiers et les routes, et vérifier les sceaux",
        "comptoir check --sceau EMPREINTE", _check_options,
    ),
    "openapi": Command(
        "database:openapi", "écrire le document OpenAPI sur la sortie standard", "comptoir openapi > comptoir.json"
    ),
    "webhook": Command(
        "webhooks:webhook", "envoyer un événement d'essai à une adresse, et dire ce qu'elle répond",
        "comptoir webhook essayer https://compta.example.com/comptoir", _webhook_options,
    ),
    "generer": Command(
        "database:generate", "écrire ce qui se génère de docs/ et de sql/", "comptoir generer"
    ),
    "watch": Command("service:watch", "servir, et recommencer à chaque changement du code", "comptoir watch"),
    "psql": Command("database:psql", "ouvrir psql sur la base", "comptoir psql"),
    "admin": Command("accounts:admin", "créer le premier administrateur", "comptoir admin awa", _admin_options),
    "lint-sql": Command("database:lint_sql", "vérifier les fonctions SQL", "comptoir lint-sql"),
})  # fmt: skip

if __name__ == "__main__":
    sys.exit(main())
