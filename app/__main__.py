"""The command line: comptoir serve, worker, migrate, demo, backup, restore, export, import, check and more (--help)."""

import argparse
import os
import pkgutil
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import psycopg

from app.base.failure import Failure, first_line
from app.base.french import speak_french
from app.base.leaf import Options, leaves
from app.base.settings import Settings
from app.commands.command import EXIT_CODES, Command, action

MORE = "« --verbose » montre la trace."


def main() -> int:
    """Run one command. A Failure prints one French line on standard error and exits with code 1."""
    parser, arguments = _parser(), argparse.Namespace(verbose=False)
    try:
        parser.parse_args(namespace=arguments)
        settings, run = Settings.from_environment(), arguments.run
        for leaf in leaves():
            run = partial(leaf.hook, run) if leaf.hook else run
        return int(run(settings, arguments))
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
    cause = first_line(error)
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
    for add in _options_of_leaves(""):
        add(parser)
    commands = parser.add_subparsers(dest="command", required=True, metavar="commande", parser_class=_Parser)
    for name, (target, text) in COMMANDS.items():
        action(commands, name, text, target=target, more=_options_of_leaves(name))
    return parser


def _options_of_leaves(command: str) -> list[Options]:
    return [leaf.options[command] for leaf in leaves() if command in leaf.options]


class _Parser(argparse.ArgumentParser):
    """The parser of one command. It imports the module of its command when it is called, so --help stays fast."""

    def __init__(self, target: str, more: Sequence[Options], **options: Any) -> None:
        super().__init__(**options)
        self._target = target
        self._more = more

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        command: Command = pkgutil.resolve_name(self._target)
        self.epilog = f"exemple :\n  {command.example}\n\n{self.epilog}"
        for add in filter(None, (command.options, *self._more)):
            add(self)
        self.set_defaults(run=command.run)
        return super().parse_known_args(args, namespace)


def _with_leaves(core: dict[str, tuple[str, str]]) -> dict[str, tuple[str, str]]:
    """All commands in the order of the help: the function of each, and what it does."""
    every: dict[str, tuple[str, str]] = {}
    for name, (target, text) in core.items():
        for leaf in leaves():
            every |= leaf.commands if leaf.before == name else {}
        every[name] = f"app.commands.{target}", text
    return every


COMMANDS = _with_leaves({
    "serve": ("service:serve", "servir l'API (make run)"),
    "worker": ("service:worker", "exécuter les tâches de la file (demande KVSTORE_URL)"),
    "backup": ("backups:save", "sauvegarder toute la base, dans le stockage ou dans un fichier"),
    "restore": ("backups:restore", "remettre la base d'une sauvegarde à la place de celle en place"),
    "sceau": ("seal:run", "publier la racine des livres, la comparer à celles gardées ailleurs, changer de clé"),
    "cle": ("backups:new_key", "écrire une clé de sauvegarde neuve, pour SAUVEGARDE_CLE"),
    "migrate": ("database:migrate", "mettre la base à jour : tables de migrations/, code de sql/"),
    "check": (
        "database:check",
        "nommer chaque écart entre la base, les fichiers et les routes, et vérifier les sceaux",
    ),
    "openapi": ("database:openapi", "écrire le document OpenAPI sur la sortie standard"),
    "webhook": ("webhooks:webhook", "envoyer un événement d'essai à une adresse, et dire ce qu'elle répond"),
    "watch": ("service:watch", "servir, et recommencer à chaque changement du code"),
    "psql": ("database:psql", "ouvrir psql sur la base"),
    "admin": ("accounts:admin", "créer le premier administrateur"),
})  # fmt: skip

if __name__ == "__main__":
    sys.exit(main())
