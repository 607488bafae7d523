"""Many organisations on many servers, served by one process. Each is a database (docs/decisions/0067).

Its folder may be absent: the process then serves the organisation of DATABASE_URL.

- **Organisation.** One database; the registry, a database of its own, gives its host names, server, state and version.
  One process serves all that have its release. `migrations/annuaire/`, `directory.py`, `registry.py`
- **Services of an organisation.** What a request uses that belongs to one organisation: opened at the first request,
  closed when idle. The rest is shared. `serving.py`, `application.py`
- **Turn.** The worker of many organisations looks after one queue at a time in each of four places. `rounds.py`
- **Operator.** Organisations are made from a template, moved, upgraded and removed by commands. `making.py`,
  `moving.py`, `upgrading.py`, `removal.py`
"""

import argparse

from app.base.leaf import Leaf
from app.base.settings import Settings
from app.commands.command import Function, count

OF_ALL = ("serve", "worker", "watch", "organisation", "serveur", "pgbouncer")  # never one organisation of the registry


def _run(command: Function, settings: Settings, arguments: argparse.Namespace) -> int:
    """Run a command for the organisation that the line names, or for all of the registry in its place."""
    if arguments.organisation:
        if arguments.command in OF_ALL:
            text = f"--organisation ne vaut pas pour {arguments.command}, qui s'occupe de toutes"
            raise argparse.ArgumentError(None, text)
        from app.leaves.organisations.organisation import settings_of
        from app.leaves.organisations.registry import Registry

        settings = settings_of(settings, Registry(settings).find(arguments.organisation))
    if arguments.command == "migrate" and (arguments.toutes or arguments.repetition):
        from app.leaves.organisations.upgrading import migrate as command
    elif arguments.command == "serve" and settings.registry_url is not None:
        from app.leaves.organisations.application import serve as command
    elif arguments.command == "worker" and settings.registry_url is not None:
        from app.leaves.organisations.rounds import work as command
    return command(settings, arguments)


def _chosen_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--organisation", metavar="CODE", help="l'organisation de l'annuaire dont il s'agit")


def _migrate_options(sub: argparse.ArgumentParser) -> None:
    many = sub.add_mutually_exclusive_group()
    many.add_argument("--toutes", action="store_true", help="toutes les organisations de l'annuaire")
    many.add_argument("--repetition", metavar="CODE", help="essayer sur une copie de cette organisation")
    sub.add_argument("--ensemble", type=count, default=4, metavar="N", help="mises à jour à la fois (4)")


LEAF = Leaf(
    commands={
        "organisation": (
            f"{__name__}.commands:organisation",
            "créer, lister, suspendre, déplacer, supprimer des organisations (ANNUAIRE_URL)",
        ),
        "serveur": (f"{__name__}.commands:server", "ajouter, lister, retirer les serveurs de l'annuaire"),
        "pgbouncer": (f"{__name__}.commands:pgbouncer", "écrire la section [databases] de PgBouncer depuis l'annuaire"),
    },
    before="check",
    options={"": _chosen_option, "migrate": _migrate_options},
    hook=_run,
)
