"""sceau: publish the root of the day, compare the database with kept roots, replace the key that signs."""

import argparse
from pathlib import Path

from app.base.settings import Settings
from app.commands.command import action, actions_of, command
from app.commands.database import seal_problems
from app.commands.place import migrated_database
from app.database import schema
from app.seals import checking, publishing, signing


def _seal_options(parser: argparse.ArgumentParser) -> None:
    actions = actions_of(parser)
    action(actions, "publier", "publier la racine signée du jour, et l'afficher")
    verify = action(actions, "verifier", "vérifier les sceaux, et que la base continue des racines gardées")
    verify.add_argument(
        "--racine", type=Path, action="append", default=[], metavar="FICHIER", help="racine gardée ; se répète"
    )
    action(actions, "cle", "remplacer la clé qui signe les racines")


@command("comptoir sceau verifier --racine racine-2026-11-23.txt", _seal_options)
def run(settings: Settings, arguments: argparse.Namespace) -> int:
    return {"publier": publish, "verifier": verify, "cle": replace_key}[arguments.action](settings, arguments)


def publish(settings: Settings, _: argparse.Namespace) -> int:
    with migrated_database(settings, objects=True) as url:
        root = publishing.publish(settings, url)
    print(root.texte if root else "Rien n'est encore scellé : il n'y a pas de racine à publier.\n", end="")
    return 0


def verify(settings: Settings, arguments: argparse.Namespace) -> int:
    """Verify the seals and their tree, then compare the tree with each kept root."""
    kept = [checking.KeptRoot.read(file) for file in arguments.racine]
    with migrated_database(settings) as url:
        problems = seal_problems(url, None)
        with schema.connect(url, settings.database_patience) as connection:
            for root in kept:
                problems += checking.problems(connection, root)
    for problem in problems:
        print(problem)
    if not problems:
        print(f"Rien n'a changé depuis : {', '.join(root.date for root in kept)}." if kept else "Rien n'a changé.")
    return int(bool(problems))


def replace_key(settings: Settings, _: argparse.Namespace) -> int:
    """Put a new key into service. The present one signs it."""
    with migrated_database(settings) as url, schema.connect(url, settings.database_patience) as connection:
        signing.replace_key(connection)
    print("Une nouvelle clé signe les racines. L'ancienne l'a signée, et sa partie privée est effacée.")
    return 0
