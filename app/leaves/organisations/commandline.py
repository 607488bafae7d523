"""The command line for many organisations: its options of other commands, and which command runs."""

from __future__ import annotations

import argparse

from app.base.settings import Settings
from app.commands.command import Function, count

OF_ALL = ("serve", "worker", "watch", "organisation", "serveur", "pgbouncer")  # never one organisation of the registry


def run(command: Function, settings: Settings, arguments: argparse.Namespace) -> int:
    """Run a command for the organisation that the line names, or for all of the registry in its place."""
    if arguments.organisation:
        if arguments.command in OF_ALL:
            text = f"--organisation ne vaut pas pour {arguments.command}, qui s'occupe de toutes"
            raise argparse.ArgumentError(None, text)
        from app.leaves.organisations.organisation import settings_of
        from app.leaves.organisations.registry import Registry

        settings = settings_of(settings, Registry(settings).find(arguments.organisation))
    if arguments.command == "migrate" and (arguments.toutes or arguments.repetition):
        from app.leaves.organisations.commands import migrate as command
    elif arguments.command == "serve" and settings.registry_url is not None:
        from app.leaves.organisations.application import serve as command
    elif arguments.command == "worker" and settings.registry_url is not None:
        from app.leaves.organisations.rounds import work as command
    return command(settings, arguments)


def chosen_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--organisation", metavar="CODE", help="l'organisation de l'annuaire dont il s'agit")


def migrate_options(sub: argparse.ArgumentParser) -> None:
    many = sub.add_mutually_exclusive_group()
    many.add_argument("--toutes", action="store_true", help="toutes les organisations de l'annuaire")
    many.add_argument("--repetition", metavar="CODE", help="essayer sur une copie de cette organisation")
    sub.add_argument("--ensemble", type=count, default=4, metavar="N", help="mises à jour à la fois (4)")
