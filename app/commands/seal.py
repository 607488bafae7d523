"""sceau: publish the root of the day, compare the database with kept roots, replace the key that signs."""

from __future__ import annotations

import argparse

from app.base.settings import Settings
from app.commands.database import seal_problems
from app.commands.place import database, own_objects
from app.database import schema
from app.seals import checking, publishing, signing


def run(settings: Settings, arguments: argparse.Namespace) -> int:
    return {"publier": publish, "verifier": verify, "cle": replace_key}[arguments.action](settings, arguments)


def publish(settings: Settings, _: argparse.Namespace) -> int:
    """Publish the root of the day, and print it."""
    with own_objects(settings), database(settings) as url:
        schema.refuse_unmigrated(url, settings.database_patience)
        root = publishing.publish(settings, url)
    print(root.texte if root else "Rien n'est encore scellé : il n'y a pas de racine à publier.\n", end="")
    return 0


def verify(settings: Settings, arguments: argparse.Namespace) -> int:
    """Verify the seals and their tree, then compare the tree with each kept root."""
    kept = [checking.KeptRoot.read(file) for file in arguments.racine]
    with database(settings) as url:
        schema.refuse_unmigrated(url, settings.database_patience)
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
    with database(settings) as url:
        schema.refuse_unmigrated(url, settings.database_patience)
        with schema.connect(url, settings.database_patience) as connection:
            signing.replace_key(connection)
    print("Une nouvelle clé signe les racines. L'ancienne l'a signée, et sa partie privée est effacée.")
    return 0
