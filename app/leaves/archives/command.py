"""archive: the closed months of the journal, in the store and back."""

from __future__ import annotations

import argparse

from app.base.settings import Settings
from app.commands.backups import end_on_sigterm
from app.commands.command import command
from app.commands.place import migrated_database
from app.leaves.archives.archive import Archives


def _archive_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mois", nargs="?", metavar="MOIS", help="mois du journal, AAAA-MM ; sans lui, leur liste")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--verifier", action="store_true", help="relire ce mois, ou tous, et le comparer aux sceaux")
    action.add_argument("--restaurer", action="store_true", help="remettre ce mois dans la base")
    action.add_argument(
        "--age", type=int, default=12, metavar="N", help="n'archiver qu'un mois fini depuis N mois au moins (12)"
    )


@command("comptoir archive 2025-01", _archive_options)
def archive(settings: Settings, arguments: argparse.Namespace) -> int:
    """Archive, verify or restore a month, or list the months."""
    end_on_sigterm()
    with migrated_database(settings, objects=True) as url:
        archives = Archives(settings, url)
        if arguments.verifier:
            problems = archives.verify(arguments.mois)
            for problem in problems:
                print(problem)
            return 1 if problems else 0
        if arguments.mois is None:
            _list(archives)
        elif arguments.restaurer:
            archives.restore(arguments.mois)
        else:
            archives.archive(arguments.mois, arguments.age)
    return 0


def _list(archives: Archives) -> None:
    for month in archives.months():
        state = "dans la base, clos" if month["fermee"] else "dans la base, ouvert"
        if month["chemin"] is not None:
            where = "archivé et remis" if month["presente"] else "archivé"
            state = f"{where} le {month['date']:%Y-%m-%d}, {month['entrees']} entrées, {month['chemin']}"
        print(f"{month['mois']} : {state}")
